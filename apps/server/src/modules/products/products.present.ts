import { fromMinor } from '@pegasus/contracts/money'
import type { Product } from '@pegasus/contracts/products'
import type { ComparedField, SiteCheck, SiteDifference } from '@pegasus/contracts/site-checks'
import { COLUMN_OF } from './drift/told-values.ts'
import type { ProductRow } from './products.queries.ts'

function presentCheck(row: ProductRow, currency: string): SiteCheck | null {
  if (row.check_outcome === null || row.checked_at === null) return null
  const onWire = (field: ComparedField, value: unknown) =>
    field === 'price' ? fromMinor(Number(value), currency) : value
  return {
    outcome: row.check_outcome,
    known_at: row.check_known_at,
    problem: row.check_problem,
    checked_at: row.checked_at,
    differences: (row.check_differences ?? []).map(
      ({ field, theirs, since }) =>
        // By the field both are of the same type.
        ({
          field,
          ours: onWire(field, row[COLUMN_OF[field]]),
          theirs: onWire(field, theirs),
          since,
        }) as SiteDifference,
    ),
  }
}

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
  site_check: presentCheck(row, currency),
  inventory_item_id: row.item_id,
  license_override: row.license_override && {
    reason: row.license_override.reason,
    by: row.license_override.by,
    at: row.license_override.at,
  },
})
