import type { Row } from '../../../platform/database/column-types.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'

export type SlotRow = Row<'printer_slots', 'slot' | 'spool_id'>

export const readSlots = (sql: Queryable, printerId: string): Promise<SlotRow[]> =>
  sql<SlotRow[]>`select slot, spool_id from printer_slots where printer_id = ${printerId} order by slot`

/**
 * Puts a spool into a slot. Adds the slot if it is missing. A `spoolId` of null empties the slot. The spool must not be
 * loaded elsewhere.
 */
export async function saveSlot(
  tx: Queryable,
  slot: { printerId: string; slot: number; spoolId: string | null },
  now: Date,
): Promise<void> {
  const loadedAt = slot.spoolId === null ? null : now
  await tx`
    insert into printer_slots (printer_id, slot, spool_id, loaded_at)
    values (${slot.printerId}, ${slot.slot}, ${slot.spoolId}, ${loadedAt})
    on conflict (printer_id, slot) do update set spool_id = excluded.spool_id, loaded_at = excluded.loaded_at`
}

/** Puts a spool into a slot that is still empty. Returns false if the slot is missing or holds a spool. */
export async function fillEmptySlot(
  tx: Queryable,
  { printerId, slot, spoolId }: { printerId: string; slot: number; spoolId: string },
  now: Date,
): Promise<boolean> {
  const filled = await tx`
    update printer_slots set spool_id = ${spoolId}, loaded_at = ${now}
    where printer_id = ${printerId} and slot = ${slot} and spool_id is null
    returning 1`
  return filled.length > 0
}

export async function deleteSlotsExcept(
  tx: Queryable,
  printerId: string,
  slots: readonly number[],
): Promise<void> {
  await tx`delete from printer_slots where printer_id = ${printerId} and not slot = any (${slots}::smallint[])`
}

/** The slot that holds a spool, and the state of its printer. */
export interface LoadedAt extends Row<'printer_slots', 'printer_id' | 'slot'> {
  name: string
  state: Row<'printers'>['state']
}

export const findSlotOfSpool = (sql: Queryable, spoolId: string) =>
  firstRow(sql<LoadedAt[]>`
    select s.printer_id, s.slot, p.name, p.state from printer_slots s join printers p on p.id = s.printer_id
    where s.spool_id = ${spoolId}`)

export async function unloadSpool(tx: Queryable, spoolId: string): Promise<void> {
  await tx`update printer_slots set spool_id = null, loaded_at = null where spool_id = ${spoolId}`
}

/** Unloads all slots of a printer. */
export async function unloadAll(tx: Queryable, printerId: string): Promise<void> {
  await tx`update printer_slots set spool_id = null, loaded_at = null where printer_id = ${printerId}`
}

/**
 * Returns the label, material and color of a spool. Until the transaction ends, the spool cannot be deleted, and no
 * other transaction can load it. Deleted spools are not found.
 */
export const holdSpoolToLoad = (tx: Queryable, spoolId: string) =>
  firstRow(tx<Row<'stock_spools', 'id' | 'label_code' | 'material' | 'color'>[]>`
    select id, label_code, material, color from stock_spools where id = ${spoolId} and deleted_at is null for no key update`)
