import type { Queryable } from './database.ts'

/** An object whose label was printed. `facts` is what the label shows besides the code. */
interface PrintedLabel {
  id: string
  facts: Record<string, unknown>
}

/** Records which labels were printed. This does not change the revisions of the objects. */
async function saveLabelPrints(
  tx: Queryable,
  table: 'items' | 'locations' | 'spools' | 'printers',
  labels: readonly PrintedLabel[],
  now: Date,
): Promise<void> {
  await tx`
    update ${tx(table)} labelled
    set label_printed_at = ${now}, label_printed_facts = printed.facts
    from jsonb_to_recordset(${tx.json(labels)}) as printed (id uuid, facts jsonb)
    where labelled.id = printed.id`
}

type SaveLabelPrints = (tx: Queryable, labels: readonly PrintedLabel[], now: Date) => Promise<void>

export const saveItemLabelPrints: SaveLabelPrints = (tx, ...rest) => saveLabelPrints(tx, 'items', ...rest)
export const saveLocationLabelPrints: SaveLabelPrints = (tx, ...rest) =>
  saveLabelPrints(tx, 'locations', ...rest)
export const saveSpoolLabelPrints: SaveLabelPrints = (tx, ...rest) => saveLabelPrints(tx, 'spools', ...rest)
export const savePrinterLabelPrints: SaveLabelPrints = (tx, ...rest) =>
  saveLabelPrints(tx, 'printers', ...rest)
