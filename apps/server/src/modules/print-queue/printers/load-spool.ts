import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { publish } from '../../events/index.ts'
import {
  deleteSlotsExcept,
  type LoadedAt,
  fillEmptySlot,
  findSlotOfSpool,
  holdSpoolToLoad,
  readSlots,
  saveSlot,
  unloadSpool,
} from './printer-slots.queries.ts'

const isPrinting = (state: LoadedAt['state']): boolean => state === 'printing' || state === 'paused'

/**
 * Puts a spool into a slot of a printer, or empties the slot. The spool is removed from its previous slot. Returns the
 * label of the spool. Throws SPOOL_NOT_FOUND, or PRINTER_BUSY if another printer is printing with the spool.
 */
export async function loadSpool(
  tx: Queryable,
  { printerId, slot, spoolId }: { printerId: string; slot: number; spoolId: string | null },
  now: Date,
): Promise<string | null> {
  if (spoolId === null) {
    await saveSlot(tx, { printerId, slot, spoolId: null }, now)
    return null
  }
  const spool = await holdSpoolToLoad(tx, spoolId)
  if (!spool) throw new AppError('SPOOL_NOT_FOUND')
  const earlier = await findSlotOfSpool(tx, spoolId)
  if (earlier && earlier.printer_id !== printerId) {
    if (isPrinting(earlier.state))
      throw new AppError('PRINTER_BUSY', {
        text: `${earlier.name} is printing with ${spool.label_code}. Please wait until it has finished.`,
      })
    await publish(tx, { type: 'updated', entity: 'printer', id: earlier.printer_id })
  }
  await unloadSpool(tx, spoolId)
  await saveSlot(tx, { printerId, slot, spoolId }, now)
  return spool.label_code
}

/** Returns the default slot for a spool: the first empty slot, otherwise the first slot. */
export async function chooseSlot(tx: Queryable, printerId: string): Promise<number> {
  const slots = await readSlots(tx, printerId)
  return (slots.find(({ spool_id: spool }) => spool === null) ?? slots[0])?.slot ?? 1
}

/** The slots before a chosen spool was loaded, so that `unloadChosenSpool` can restore them. */
export interface BeforeLoad {
  slot: number
  /** The spool that was in the slot. */
  replaced: string | null
  /** Where the chosen spool was before. Null if it was in no printer. */
  from: { printer_id: string; slot: number } | null
}

/**
 * Loads the spool that a person chose at the start of a print, because the choice means that the spool is in the
 * printer. Returns the slots before, or null if nothing was loaded. Loads nothing if the printer already holds the
 * spool, if another printer is printing with it, or if the printer has several slots and none is empty, because then it
 * is unknown which spool was taken out. Throws SPOOL_NOT_FOUND.
 */
export async function loadChosenSpool(
  tx: Queryable,
  { printerId, spoolId }: { printerId: string; spoolId: string },
  now: Date,
): Promise<BeforeLoad | null> {
  // Lock the spool before its slot is read, because two prints can start with it at the same time.
  if (!(await holdSpoolToLoad(tx, spoolId))) throw new AppError('SPOOL_NOT_FOUND')
  const earlier = await findSlotOfSpool(tx, spoolId)
  if (earlier && (earlier.printer_id === printerId || isPrinting(earlier.state))) return null
  const slots = await readSlots(tx, printerId)
  if (slots.length > 1 && slots.every(({ spool_id: spool }) => spool !== null)) return null
  const slot = await chooseSlot(tx, printerId)
  await loadSpool(tx, { printerId, slot, spoolId }, now)
  const replaced = slots.find((each) => each.slot === slot)?.spool_id ?? null
  return { slot, replaced, from: earlier && { printer_id: earlier.printer_id, slot: earlier.slot } }
}

/**
 * Reverts `loadChosenSpool`. Changes nothing if somebody has moved the chosen spool since then. A spool or slot that is
 * in use by now stays unchanged.
 */
export async function unloadChosenSpool(
  tx: Queryable,
  { printerId, spoolId, before }: { printerId: string; spoolId: string; before: BeforeLoad },
  now: Date,
): Promise<void> {
  const { slot, replaced, from } = before
  // Spools are always locked in the same order, so that two such calls cannot deadlock.
  const locked = [spoolId, ...(replaced === null ? [] : [replaced])].toSorted()
  const held = new Set<string>()
  for (const id of locked) if (await holdSpoolToLoad(tx, id)) held.add(id)
  const current = await findSlotOfSpool(tx, spoolId)
  if (current?.printer_id !== printerId || current.slot !== slot) return
  const canReturn = replaced !== null && held.has(replaced) && !(await findSlotOfSpool(tx, replaced))
  await saveSlot(tx, { printerId, slot, spoolId: canReturn ? replaced : null }, now)
  if (!from || !held.has(spoolId)) return
  if (await fillEmptySlot(tx, { printerId: from.printer_id, slot: from.slot, spoolId }, now))
    await publish(tx, { type: 'updated', entity: 'printer', id: from.printer_id })
}

/**
 * Replaces the slots of a printer with the slots of an edit. Slots that the edit does not list are removed. A slot
 * keeps its spool if the edit names no spool for it.
 */
export async function replaceSlots(
  tx: Queryable,
  printerId: string,
  wanted: readonly { slot: number; filament_id?: string | null | undefined }[],
  now: Date,
): Promise<void> {
  const before = new Map((await readSlots(tx, printerId)).map(({ slot, spool_id }) => [slot, spool_id]))
  const numbers = wanted.map(({ slot }) => slot)
  await deleteSlotsExcept(tx, printerId, numbers)
  const spoolOf = (slot: (typeof wanted)[number]) =>
    slot.filament_id === undefined ? (before.get(slot.slot) ?? null) : slot.filament_id
  // Two slots may exchange their spools, so first empty all slots that change.
  const changed = wanted.filter((slot) => !before.has(slot.slot) || spoolOf(slot) !== before.get(slot.slot))
  for (const { slot } of changed) await saveSlot(tx, { printerId, slot, spoolId: null }, now)
  for (const each of changed) await loadSpool(tx, { printerId, slot: each.slot, spoolId: spoolOf(each) }, now)
}
