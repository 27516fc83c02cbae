import { fromMinor } from '@pegasus/contracts/money'
import type { Product } from '@pegasus/contracts/products'
import type { ProductRow } from './products.queries.ts'

/** A product in the words of the wire, which are the main site's. */
export const presentProduct = (row: ProductRow, currency: string): Product => ({
  ...row,
  price: fromMinor(row.price_minor, currency),
  posterUrl: row.poster_url,
  bulkTiers:
    row.bulk_tiers?.map((tier) => ({
      quantity: tier.quantity,
      price: fromMinor(tier.price_minor, currency),
    })) ?? null,
  designerUrl: row.designer_url,
  has_unpublished_changes: row.published_revision !== null && row.published_revision < row.revision,
  inventory_item_id: row.item_id,
  license_override: row.license_override && {
    reason: row.license_override.reason,
    by: row.license_override.by,
    at: row.license_override.at,
  },
})
