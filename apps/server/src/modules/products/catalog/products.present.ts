import { fromMinor } from '@pegasus/contracts/money'
import type { Product } from '@pegasus/contracts/products/products'
import type { ComparedField, SiteCheck, SiteValues } from '@pegasus/contracts/products/sync-check'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { COLUMN_OF, unpublishedFields } from '../sync-check/remote-snapshot.ts'
import type { ProductRow } from './products.queries.ts'

function presentCheck(row: ProductRow, currency: string): SiteCheck | null {
  if (row.check_outcome === null || row.checked_at === null) return null
  const onWire = (field: ComparedField, value: unknown) =>
    field === 'price' ? fromMinor(Number(value), currency) : value
  // The cast is safe, because `ours` and `theirs` have the same type for each field.
  const valuesOf = (field: ComparedField, theirs: unknown, ours: unknown = row[COLUMN_OF[field]]) =>
    ({ field, ours: onWire(field, ours), theirs: onWire(field, theirs) }) as SiteValues
  const reported = row.check_reported ?? {}
  const differences = row.check_differences ?? []
  return {
    outcome: row.check_outcome,
    known_at: row.check_known_at,
    problem: row.check_problem,
    checked_at: row.checked_at,
    differences: differences.map(({ field, ours, theirs, since }) => ({
      ...valuesOf(field, theirs, ours),
      since,
    })),
    unpublished: unpublishedFields({ reported, ours: row }, differences).map((field) =>
      valuesOf(field, reported[COLUMN_OF[field]]),
    ),
  }
}

/** Everything that `presentProduct` needs in addition to the row. */
export interface WireNeeds {
  currency: string
  /** Signs the address of the picture of the product's model. */
  signer: PathSigner
}

/** Converts a product to the API format, which uses the main site's field names. */
export const presentProduct = (row: ProductRow, { currency, signer }: WireNeeds): Product => ({
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
  stl_thumbnail_path:
    row.pictured_model_id === null ? null : signer.sign(`/api/stl-files/${row.pictured_model_id}/thumbnail`),
  site_check: presentCheck(row, currency),
  inventory_item_id: row.item_id,
  offered_stock: row.offer?.stock ?? null,
  offered_from: row.offer && {
    available_quantity: row.offer.available,
    needed_quantity: row.offer.needed,
    held_quantity: row.offer.held,
    safety_stock: row.offer.safety,
  },
  queued_quantity: row.offer?.queued ?? null,
  license_override: row.license_override && {
    reason: row.license_override.reason,
    by: row.license_override.by,
    at: row.license_override.at,
  },
})
