import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import { releaseBeforeChange } from '../handling/order-stock.ts'
import { findItemsOfSkus } from '../skus/find-items.ts'
import { applySkuMappings } from '../skus/sku-mappings.queries.ts'
import { type KnownOrder, writeLines } from './order-intake.queries.ts'
import type { LineChanges } from './line-changes.ts'

/**
 * Saves changed lines of an order, and releases reserved pieces that it no longer needs. Throws CONFLICT if a removed
 * line has shipped pieces.
 */
export async function replaceLines(
  tx: TransactionSql,
  known: KnownOrder,
  { written, removed, isMoved }: LineChanges,
  by: AuditContext,
): Promise<void> {
  await releaseBeforeChange(tx, known, { written, removed }, by)
  const items = await findItemsOfSkus(
    tx,
    written.map(({ line }) => line),
  )
  const rows = written.map(({ line: { position, sku, name, quantity, ...line }, stored }) => ({
    id: stored?.id ?? uuidv7(),
    external_line_id: line.external_line_id,
    position,
    sku,
    name,
    quantity,
    unit_price_minor: line.unit_price_minor,
    refunded_quantity: line.refunded_quantity,
    item_id: stored?.item_id ?? items.get(sku) ?? null,
  }))
  await writeLines(tx, known.id, { written: rows, removed, isMoved })
  await applySkuMappings(tx, { orderId: known.id }, by.now)
}
