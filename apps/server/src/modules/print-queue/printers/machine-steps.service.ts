import {
  type ClearPrinterBody,
  type LoadPrinterBody,
  type Printer,
  isNetworkKind,
} from '@pegasus/contracts/print-queue/printers'
import { isRunningPlate } from '@pegasus/contracts/print-queue/plates'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type IdempotentCaller, writeBodyOnce } from '../../../platform/http/idempotency.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { type PlateResult, finishPlate } from '../plates/end-plate.ts'
import { type LockedPlate, lockPlateWithJob } from '../plates/lock-plate.ts'
import { findRunningPlate } from '../plates/plates.queries.ts'
import { chooseSlot, loadSpool } from './load-spool.ts'
import { type PrinterConnections, findNetworkPrinter } from './network-printers.ts'
import { refusePrinter } from './printer-edit.ts'
import { readSlots } from './printer-slots.queries.ts'
import { presentPrinter } from './printers.present.ts'
import { findBedNote, forgetBedNote, setPrinterState } from './printer-state.ts'
import { type PrinterRow, findPrinter, hasPlate, lockPrinter, updatePrinter } from './printers.queries.ts'

/** Steps that people take at a printer. Each call throws PRINTER_NOT_FOUND if the printer does not exist. */
export interface MachineSteps {
  /**
   * Clears the bed, and finishes its plate with these counts. On the printer of a person or an agent, this works even
   * during the print, but only if the body names the plate, because the next print may just have begun. After a
   * person's plate has printed for a minute, the name is not needed. Throws PRECONDITION_FAILED if another plate than
   * the named one is on the bed, PRINTER_STATE while a network printer prints or if pieces are counted although no
   * plate is on the bed, PRINT_JOB_INVALID, STOCK_LIMIT or IDEMPOTENCY_KEY_REUSED.
   */
  clear(id: string, body: ClearPrinterBody, role: string, by: IdempotentCaller): Promise<Printer>
  /** Takes a printer out of use. */
  startMaintenance(
    id: string,
    details: { reason: string | null; until: Date | null; untilAsWritten: string | null },
    by: AuditContext,
  ): Promise<PrinterRow>
  /**
   * Puts a printer back into use. A print that is still running continues. Throws PRINTER_STATE unless the printer is
   * in maintenance, offline or in error.
   */
  resume(id: string, by: AuditContext): Promise<PrinterRow>
  /**
   * Loads a spool into a slot. Throws SPOOL_NOT_FOUND, PRINTER_INVALID if the printer does not have the slot,
   * PRECONDITION_FAILED if the slot holds a spool that the caller has not seen, or PRINTER_BUSY.
   */
  load(id: string, body: LoadPrinterBody, by: AuditContext): Promise<PrinterRow>
  /**
   * Asks a network printer for its state, or returns what is known of any other printer. `message` is a sentence for
   * people.
   */
  test(id: string): Promise<{ ok: boolean; message: string }>
  /** Reads a picture of the printer's camera. Returns null if the camera sends none now. Throws PRINTER_NO_CAMERA. */
  readCamera(id: string): Promise<{ bytes: Uint8Array; contentType: string } | null>
}

/** Converts the counts in a request body. Absent fields are left out. */
const resultOf = (counts: ClearPrinterBody): PlateResult => ({
  ...(counts?.good_quantity !== undefined && { good: counts.good_quantity }),
  ...(counts?.rejected_quantity !== undefined && { rejected: counts.rejected_quantity }),
  ...(counts?.reason && { reason: counts.reason }),
})

/**
 * Returns the plate on a printer with its job, or null. Locks first the job, then the printer, then the plate. Returns
 * null if the plate ends before it is locked.
 */
async function lockPlateOn(tx: TransactionSql, printerId: string): Promise<LockedPlate | null> {
  const found = await findRunningPlate(tx, printerId)
  const held = found && (await lockPlateWithJob(tx, found.id))
  return held && isRunningPlate(held.plate.state) ? held : null
}

/**
 * Throws PRECONDITION_FAILED if another plate is on the bed than the person has seen there. `seen` is the id of a
 * plate, null for an empty bed, or undefined if the request does not contain it.
 */
function assertSamePlate(held: LockedPlate | null, seen: string | null | undefined): void {
  const current = held?.plate.id ?? null
  if (seen === undefined || seen === current) return
  throw new AppError('PRECONDITION_FAILED', {
    text:
      held === null
        ? 'This plate is no longer on the printer. It has been cleared or ended in the meantime.'
        : `Plate ${held.plate.number} of ${held.job.label_code} is on this printer now. It began in the meantime.`,
    body: { plate_id: current },
  })
}

/** If a print started less than this time ago, a report that names no plate is about the previous plate. */
const REPEATED_REPORT_MS = 60_000

/**
 * Throws PRINTER_STATE if a print is running whose plate cannot be off the bed yet. `isNamed` means that the report
 * names this plate. After a person's plate has printed for a minute, it need not be named.
 */
function assertOff(
  { kind, state }: PrinterRow,
  held: LockedPlate | null,
  { isNamed, now }: { isNamed: boolean; now: Date },
): void {
  if (held?.plate.state === 'printed') return
  if (isNetworkKind(kind) && (held || state === 'printing' || state === 'paused'))
    throw new AppError('PRINTER_STATE', {
      text: 'This printer is still printing. The plate can be taken off when it has finished.',
    })
  if (!held || isNamed) return
  const printedMs = now.getTime() - new Date(held.plate.started_at).getTime()
  if (kind !== 'manual' || printedMs < REPEATED_REPORT_MS)
    throw new AppError('PRINTER_STATE', {
      text:
        kind === 'manual'
          ? `This printer still prints plate ${held.plate.number} of ${held.job.label_code}. If the plate is off the bed, reload the page and clear it.`
          : `The agent of this printer still prints plate ${held.plate.number} of ${held.job.label_code}. If the plate is off the bed, reload the page and clear it.`,
      body: { plate_id: held.plate.id },
    })
}

/** Throws PRINTER_STATE if pieces are counted although no plate is on the bed. */
function assertCountable(held: LockedPlate | null, counts: PlateResult): void {
  if (held || Object.keys(counts).length === 0) return
  throw new AppError('PRINTER_STATE', {
    text: 'No plate is on this printer, so its pieces cannot be counted. Please clear it without counts.',
  })
}

/** Throws PRECONDITION_FAILED if a slot holds neither the spool that a person has seen in it nor the wanted spool. */
function assertSlotUnchanged(
  { slots }: PrinterRow,
  number: number,
  { filament_id: wanted, replaces: seen }: LoadPrinterBody,
): void {
  const slot = slots.find((each) => each.slot === number)
  const current = slot?.filament_id ?? null
  if (seen === undefined || current === seen || current === wanted) return
  const filament = [slot?.material, slot?.color].filter(Boolean).join(' ')
  throw new AppError('PRECONDITION_FAILED', {
    text:
      current === null
        ? `Slot ${number} is empty now. It was changed in the meantime.`
        : `Slot ${number} holds ${slot?.filament_label} (${filament}) now. It was changed in the meantime.`,
    body: { filament_id: current },
  })
}

/** Returns what is known of an agent, because the server cannot ask it. A silent agent counts as not connected. */
function testAgent({ state, seen_at: seenAt, silence_of: silenceOf }: PrinterRow) {
  if (seenAt === null) return { ok: false, message: 'The agent of this printer has never reported.' }
  if (seenAt === silenceOf && state !== 'offline')
    return {
      ok: false,
      message: 'The agent of this printer has not reported since the printer was put back into use.',
    }
  return { ok: state !== 'offline', message: `The agent of this printer last reported at ${seenAt}.` }
}

const get = async (tx: TransactionSql, id: string) => orThrow(await findPrinter(tx, id), 'PRINTER_NOT_FOUND')

export function createMachineSteps(deps: {
  database: Database
  clock: Clock
  signer: PathSigner
  currency: string
  connections: PrinterConnections | null
}): MachineSteps {
  const { database, clock, signer, currency, connections } = deps
  const { sql } = database

  /** Locks the printer, runs `work`, and writes an audit entry. `beforeLock` takes the locks that come first. */
  const step = (
    id: string,
    action: AuditEvent['action'],
    by: AuditContext,
    work: (tx: TransactionSql, before: PrinterRow) => Promise<Record<string, unknown>>,
    beforeLock?: (tx: TransactionSql) => Promise<void>,
  ): Promise<PrinterRow> =>
    database.transaction(async (tx) => {
      await beforeLock?.(tx)
      if (!(await lockPrinter(tx, id))) throw new AppError('PRINTER_NOT_FOUND')
      const before = await get(tx, id)
      const after = await work(tx, before)
      await writeAudit(
        tx,
        {
          action,
          entity: 'printer',
          entityId: id,
          entityName: before.name,
          before: { state: before.state },
          after,
        },
        by,
      )
      return get(tx, id)
    })

  return {
    clear: (id, body, role, caller) =>
      writeBodyOnce({ database, clock }, caller, ['printers/clear', id, body], async (tx, { audit: by }) => {
        // Lock the connection first, then the job and the printer, as a poll of the connector does.
        await connections?.forgetBed(tx, id)
        // This locks the job before the printer.
        const held = await lockPlateOn(tx, id)
        const before = await get(tx, id)
        const { plate_id: seen, ...counts } = body ?? {}
        assertSamePlate(held, seen)
        assertOff(before, held, { isNamed: seen !== undefined, now: by.now })
        assertCountable(held, resultOf(counts))
        if (held) await finishPlate(tx, held.plate.id, { ...resultOf(counts), isOnBed: false }, by)
        const locked = await lockPrinter(tx, id)
        const isOut =
          locked?.state === 'maintenance' || locked?.state === 'offline' || locked?.state === 'error'
        // Two people may report that they cleared the same bed. The next plate may have started before the second
        // report.
        await forgetBedNote(tx, id)
        if (!isOut && !(await hasPlate(tx, id))) await setPrinterState(tx, id, { state: 'available' }, by)
        const after = await get(tx, id)
        const changed = {
          state: after.state,
          ...(before.current_job && { job: before.current_job.label_code }),
        }
        const sides = { before: { state: before.state }, after: { ...changed, ...counts } }
        const thing = { entity: 'printer', entityId: id, entityName: before.name } as const
        await writeAudit(tx, { action: 'printer.cleared', ...thing, ...sides }, by)
        return presentPrinter(after, { signer, currency, now: by.now, role })
      }),

    startMaintenance: (id, { reason, until, untilAsWritten }, by) =>
      step(id, 'printer.maintenance_started', by, async (tx) => {
        await setPrinterState(tx, id, { state: 'maintenance', reason, until, untilAsWritten }, by)
        return { state: 'maintenance', reason, until: until?.toISOString() ?? null }
      }),

    resume: (id, by) =>
      step(
        id,
        'printer.resumed',
        by,
        async (tx, { state }) => {
          if (state !== 'maintenance' && state !== 'offline' && state !== 'error')
            throw new AppError('PRINTER_STATE', { text: 'This printer is already in use.' })
          const plate = await findRunningPlate(tx, id)
          if (plate && plate.state !== 'printed') {
            const printing = plate.state === 'paused' ? 'paused' : 'printing'
            // If an agent has reported no progress, its print may not have begun yet.
            await setPrinterState(tx, id, { state: printing, progress: plate.progress || null }, by)
            return { state: printing }
          }
          const reason = await findBedNote(tx, id)
          const next = reason !== null || plate ? 'needs_clearing' : 'available'
          await setPrinterState(tx, id, { state: next, reason }, by)
          return { state: next }
        },
        async (tx) => {
          await connections?.settleFaults(tx, id)
          await connections?.visitSoon(tx, id)
        },
      ),

    load: (id, body, by) =>
      step(id, 'printer.loaded', by, async (tx, before) => {
        const { slot, filament_id: spoolId } = body
        const number = slot ?? (await chooseSlot(tx, id))
        const slots = await readSlots(tx, id)
        if (slots.length > 0 && !slots.some((each) => each.slot === number))
          refusePrinter('slot', `This printer has no slot ${number}.`)
        assertSlotUnchanged(before, number, body)
        const label = await loadSpool(tx, { printerId: id, slot: number, spoolId }, by.now)
        await updatePrinter(tx, id, {}, by.now)
        await publish(tx, { type: 'updated', entity: 'printer', id })
        return { state: before.state, slot: number, spool: label }
      }),

    async test(id) {
      const row = await findPrinter(sql, id)
      if (!row) throw new AppError('PRINTER_NOT_FOUND')
      if (row.kind === 'manual')
        return {
          ok: true,
          message: 'This printer has no network connection. A person starts and ends its prints here.',
        }
      if (row.kind === 'agent') return testAgent(row)
      const printer = await findNetworkPrinter(sql, id)
      if (!printer || !connections)
        return { ok: false, message: 'This printer has no address, so the server cannot ask it.' }
      const result = await connections.test(printer)
      if (result.ok) await connections.visitSoon(sql, id)
      return result
    },

    async readCamera(id) {
      const row = await findPrinter(sql, id)
      if (!row) throw new AppError('PRINTER_NOT_FOUND')
      const printer = row.has_camera ? await findNetworkPrinter(sql, id) : null
      if (!printer || !connections) throw new AppError('PRINTER_NO_CAMERA')
      return connections.readCamera(printer)
    },
  }
}
