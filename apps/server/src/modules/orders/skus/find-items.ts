import type { Queryable } from '../../../platform/database/database.ts'
import { findItemIdsBySku } from '../../inventory/index.ts'
import { findItemIdsBySlug } from '../../products/index.ts'

/**
 * Finds the items of ordered SKUs and returns a map by SKU. If no item has the SKU, it may be the slug of a product,
 * and then the product's item is returned. Needs two queries for any number of lines.
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
