import type { Queryable } from '../../../platform/database/database.ts'
import { findItemIdsBySku } from '../../inventory/index.ts'
import { findItemIdsBySlug } from '../../products/index.ts'

/**
 * The items of ordered SKUs, by the SKU: the one with this SKU, else the one behind the product that a shop names by its slug.
 * Two queries for an order of any length.
 */
export async function findItemsOfSkus(
  tx: Queryable,
  lines: readonly { sku: string }[],
): Promise<ReadonlyMap<string, string>> {
  const skus = [...new Set(lines.map(({ sku }) => sku).filter((sku) => sku !== ''))]
  if (skus.length === 0) return new Map()
  const items = await findItemIdsBySku(tx, skus)
  const unknown = skus.filter((sku) => !items.has(sku))
  return unknown.length === 0 ? items : new Map([...(await findItemIdsBySlug(tx, unknown)), ...items])
}
