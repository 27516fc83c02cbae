import type { Queryable } from '../../../platform/database/database.ts'

/** Records that labels of printers were printed, and their texts besides the code. The revision of the printers stays. */
export async function savePrinterLabelPrints(
  tx: Queryable,
  labels: readonly { id: string; facts: Record<string, unknown> }[],
  now: Date,
): Promise<void> {
  await tx`
    update printers
    set label_printed_at = ${now}, label_printed_facts = printed.facts
    from jsonb_to_recordset(${tx.json(labels)}) as printed (id uuid, facts jsonb)
    where printers.id = printed.id`
}
