import type { Queryable } from '../../platform/database/database.ts'
import { json } from '../../platform/database/write-rows.ts'

/** A thing whose label was printed, and what stood on it besides the code. */
interface PrintedLabel {
  id: string
  facts: Record<string, unknown>
}

/** The table's name is ours, and never a caller's. */
async function keepPrints(
  tx: Queryable,
  table: 'items' | 'locations',
  labels: readonly PrintedLabel[],
  now: Date,
): Promise<void> {
  await tx`
    update ${tx(table)} labelled
    set label_printed_at = ${now}, label_printed_facts = printed.facts
    from jsonb_to_recordset(${json(tx, labels)}) as printed (id uuid, facts jsonb)
    where labelled.id = printed.id`
}

/** Notes that labels of items were printed. That is no change of the items: their revision stays. */
export const saveItemLabelPrints = (tx: Queryable, labels: readonly PrintedLabel[], now: Date) =>
  keepPrints(tx, 'items', labels, now)

/** Notes that labels of locations were printed. */
export const saveLocationLabelPrints = (tx: Queryable, labels: readonly PrintedLabel[], now: Date) =>
  keepPrints(tx, 'locations', labels, now)
