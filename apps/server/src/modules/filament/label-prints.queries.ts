import type { Queryable } from '../../platform/database/database.ts'

/** Records that labels of spools were printed, and their texts besides the code. The revision of the spools stays. */
export async function saveSpoolLabelPrints(
  tx: Queryable,
  labels: readonly { id: string; facts: Record<string, unknown> }[],
  now: Date,
): Promise<void> {
  await tx`
    update spools
    set label_printed_at = ${now}, label_printed_facts = printed.facts
    from jsonb_to_recordset(${tx.json(labels)}) as printed (id uuid, facts jsonb)
    where spools.id = printed.id`
}
