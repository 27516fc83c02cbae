import type { Queryable } from '../../../platform/database/database.ts'
import { findItemIdBySku } from '../../inventory/index.ts'
import { findItemIdBySlug } from '../../products/index.ts'

/** The item of an ordered SKU: the one with this SKU, else the one behind the product that a shop names by its slug. */
export const findItemOfSku = async (tx: Queryable, sku: string): Promise<string | null> =>
  sku === '' ? null : ((await findItemIdBySku(tx, sku)) ?? (await findItemIdBySlug(tx, sku)))
