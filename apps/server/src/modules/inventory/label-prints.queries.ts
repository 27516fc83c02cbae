import type { Queryable } from '../../platform/database/database.ts'

/** An object whose label was printed, and the label's text besides the code. */
interface PrintedLabel {
  id: string
  facts: Record<string, unknown>
}

/** The table's name comes from our own code, never from a caller. */
async function keepPrints(
  tx: Queryable,
  table: 'items' | 'locations',
  labels: readonly PrintedLabel[],
  now: Date,
): Promise<void> {
  await tx`
    update ${tx(table)} labelled
    set label_printed_at = ${now}, label_printed_facts = printed.facts
    from jsonb_to_recordset(${tx.json(labels)}) as printed (id uuid, facts jsonb)
    where labelled.id = printed.id`
}

/** Records printed labels of items. The revision of the items stays. */
export const saveItemLabelPrints = (tx: Queryable, labels: readonly PrintedLabel[], now: Date) =>
  keepPrints(tx, 'items', labels, now)

/** Records printed labels of locations. */
export const saveLocationLabelPrints = (tx: Queryable, labels: readonly PrintedLabel[], now: Date) =>
  keepPrints(tx, 'locations', labels, now)
