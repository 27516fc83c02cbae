import type {
  CreatePrinterBody,
  Printer,
  PrinterSort,
  UpdatePrinterBody,
} from '@pegasus/contracts/print-queue/printers'
import { isNetworkKind } from '@pegasus/contracts/print-queue/printers'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Update } from '../../../platform/database/column-types.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import { type Cursor, type Page, decodeCursor, toPage } from '../../../platform/http/paging.ts'
import type { PathSigner } from '../../../platform/http/signed-path.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { holdLocation } from '../../inventory/index.ts'
import { lockAssignedJobs, saveAssignment } from '../matching/assignments.queries.ts'
import { replaceSlots } from './load-spool.ts'
import { movePlans } from './maintenance.queries.ts'
import type { PrinterConnections } from './network-printers.ts'
import { columnsOf } from './printer-edit.ts'
import type { PrinterKeys } from './printer-keys.ts'
import { unloadAll } from './printer-slots.queries.ts'
import { setPrinterState } from './printer-state.ts'
import { presentPrinter } from './printers.present.ts'
import {
  countPrinters,
  findPrinter,
  hasPlate,
  insertPrinter,
  isNameTaken,
  type ListedPrinter,
  listPrinters,
  lockPrinter,
  type PrinterFilter,
  type PrinterRow,
  type PrinterToChange,
  RANK_COUNTS,
  ranksOf,
  updatePrinter,
} from './printers.queries.ts'

/** Returns the fields of a printer that the audit stores. The address never contains a key. */
const auditedPrinter = (row: PrinterRow) => ({
  name: row.name,
  model: row.model,
  kind: row.kind,
  bed_mm: row.bed_mm?.join(' × ') ?? null,
  nozzle_mm: row.nozzle_mm,
  slots: row.slots.map(({ slot, filament_label: label }) => `${slot}: ${label ?? 'empty'}`).join(', '),
  price_minor: row.machine_minor_per_hour,
  average_watts: row.average_watts,
  print_hours: Math.round(row.printed_minutes / 6) / 10,
  location: row.location,
  address: row.address,
  takes_jobs: row.takes_jobs,
  notes: row.notes,
})

const PLATE_ON_PRINTER = 'A plate is on this printer. Please finish or cancel it first.'

export interface Printers {
  /** Lists a page of printers. Throws INVALID_INPUT if the cursor belongs to another list. */
  list(
    filter: PrinterFilter,
    page: { sort: PrinterSort; cursor: string | undefined; limit: number },
  ): Promise<Page<PrinterRow>>
  /** Returns a printer. Throws PRINTER_NOT_FOUND. */
  get(id: string): Promise<PrinterRow>
  /**
   * Adds a printer. Throws PRINTER_TAKEN, PRINTER_INVALID, PRINTER_BUSY, LOCATION_NOT_FOUND, SPOOL_NOT_FOUND, FORBIDDEN
   * or IDEMPOTENCY_KEY_REUSED.
   */
  create(body: CreatePrinterBody, role: string, by: IdempotentCaller): Promise<HttpResult<Printer>>
  /**
   * Edits a printer. `revision` comes from `If-Match`; null accepts any revision. Throws the errors of `create` except
   * IDEMPOTENCY_KEY_REUSED, and PRINTER_NOT_FOUND or PRECONDITION_FAILED.
   */
  update(
    id: string,
    body: UpdatePrinterBody,
    { revision, role }: { revision: number | null; role: string },
    by: AuditContext,
  ): Promise<PrinterRow>
  /** Moves a printer to the trash. Throws PRINTER_NOT_FOUND, PRINTER_BUSY or PRECONDITION_FAILED. */
  remove(
    id: string,
    { revision, role }: { revision: number | null; role: string },
    by: AuditContext,
  ): Promise<void>
  /** Restores a printer from the trash. Throws PRINTER_NOT_FOUND or PRINTER_TAKEN. */
  restore(id: string, by: AuditContext): Promise<PrinterRow>
}

const cursorOf =
  (sort: PrinterSort) =>
  (row: ListedPrinter): Cursor => ({ createdAt: row.created_at, id: row.id, ranks: ranksOf(sort, row) })

const get = async (sql: Queryable, id: string) => orThrow(await findPrinter(sql, id), 'PRINTER_NOT_FOUND')

/** Returns whether these columns connect the printer to another machine, or disconnect it. */
const isMoved = (before: PrinterToChange, columns: Update<'printers'>): boolean =>
  (columns.kind !== undefined && columns.kind !== before.kind) ||
  (columns.address !== undefined && columns.address !== before.address)

async function assertLocation(tx: Queryable, id: string | null | undefined): Promise<void> {
  if (id && !(await holdLocation(tx, id))) throw new AppError('LOCATION_NOT_FOUND')
}

export function createPrinters(deps: {
  database: Database
  clock: Clock
  signer: PathSigner
  currency: string
  keys: PrinterKeys
  connections: PrinterConnections | null
}): Printers {
  const { database, clock, signer, currency, keys, connections } = deps
  const { sql } = database

  const present = (row: PrinterRow, role: string, now: Date) =>
    presentPrinter(row, { signer, currency, now, role })

  const recordChange = async (
    tx: Queryable,
    action: AuditEvent['action'],
    { row, before, after }: { row: PrinterRow; before?: PrinterRow; after?: PrinterRow },
    by: AuditContext,
  ) => {
    const sides = {
      ...(before && { before: auditedPrinter(before) }),
      ...(after && { after: auditedPrinter(after) }),
    }
    await writeAudit(tx, { action, entity: 'printer', entityId: row.id, entityName: row.name, ...sides }, by)
    const type =
      action === 'printer.deleted' ? 'deleted' : action === 'printer.updated' ? 'updated' : 'created'
    await publish(tx, { type, entity: 'printer', id: row.id })
  }

  const lockLive = async (
    tx: Queryable,
    id: string,
    { revision, role, now }: { revision: number | null; role: string; now: Date },
  ): Promise<PrinterToChange> => {
    const row = await lockPrinter(tx, id)
    if (!row) throw new AppError('PRINTER_NOT_FOUND')
    if (revision !== null && revision !== row.revision)
      throw new AppError('PRECONDITION_FAILED', { body: { current: present(await get(tx, id), role, now) } })
    return row
  }

  /**
   * Throws PRINTER_BUSY while the machine still has to be told to stop a print. A machine that does not respond cannot
   * be told and may be gone, so its bed has to be cleared instead.
   */
  const leaveMachine = async (
    tx: Queryable,
    id: string,
    isSilent: boolean,
    by: AuditContext,
  ): Promise<void> => {
    const print = (await connections?.describeUnstopped(tx, id)) ?? null
    if (print === null) return
    if (!isSilent)
      throw new AppError('PRINTER_BUSY', {
        text: `${print}. The printer has not confirmed yet that its print has stopped. Please wait a minute before you change the kind or the address. If the bed is empty, clear it first.`,
      })
    const reason = `${print}. The printer did not respond before its connection was changed. If the print still runs, stop it at the machine. Then clear the bed.`
    await connections?.noteBed(tx, id, reason)
    await setPrinterState(tx, id, { state: 'needs_clearing', reason, isReported: true }, by)
  }

  return {
    async list(filter, { sort, cursor: text, limit }) {
      const now = clock.now()
      const cursor = decodeCursor(text, RANK_COUNTS[sort])
      const [rows, total] = await Promise.all([
        listPrinters(sql, filter, { sort, ranks: cursor?.ranks ?? null, limit, now }),
        countPrinters(sql, filter, now),
      ])
      return toPage(rows, limit, total, cursorOf(sort))
    },

    get: (id) => get(sql, id),

    create: (body, role, by) =>
      writeOnce({ database, clock }, by, ['printers', body], async (tx, { audit }) => {
        const id = uuidv7()
        const { kind, ...edit } = body
        await assertLocation(tx, body.location_id)
        // `kind` decides whether an address is required.
        const columns = columnsOf(
          { id, kind: 'manual', address: null },
          { ...edit, kind },
          { role, keys, currency },
        )
        const times = { created_at: audit.now, updated_at: audit.now }
        if (!(await insertPrinter(tx, { ...columns, id, name: body.name, ...times })))
          throw new AppError('PRINTER_TAKEN')
        await replaceSlots(tx, id, body.slots ?? [{ slot: 1, filament_id: null }], audit.now)
        const row = await get(tx, id)
        await recordChange(tx, 'printer.added', { row, after: row }, audit)
        return { status: 201, body: present(row, role, audit.now) }
      }),

    update: (id, body, { revision, role }, by) =>
      database.transaction(async (tx) => {
        const isConnection = [body.kind, body.address, body.api_key].some((value) => value !== undefined)
        const visited = isConnection ? await connections?.visitSoon(tx, id) : undefined
        const locked = await lockLive(tx, id, { revision, role, now: by.now })
        const before = await get(tx, id)
        await assertLocation(tx, body.location_id)
        if (body.name !== undefined && (await isNameTaken(tx, body.name, id)))
          throw new AppError('PRINTER_TAKEN')
        const columns = columnsOf(locked, body, { role, keys, currency })
        if (isMoved(locked, columns)) {
          const isSilent = visited?.hadFailed ?? false
          // After a change of the kind, nobody would end the plate. After a change of the address, a machine that
          // responds would continue its print, while another machine is asked about it.
          const isOtherKind = columns.kind !== undefined && columns.kind !== locked.kind
          const isAsked = isNetworkKind(locked.kind)
          if ((isOtherKind || (isAsked && !isSilent)) && (await hasPlate(tx, id)))
            throw new AppError('PRINTER_BUSY', { text: PLATE_ON_PRINTER })
          if (isAsked) await leaveMachine(tx, id, isSilent, by)
          await connections?.endVisit(tx, id)
        }
        if (body.slots) await replaceSlots(tx, id, body.slots, by.now)
        await updatePrinter(tx, id, columns, by.now)
        if (columns.printed_minutes !== undefined)
          await movePlans(tx, id, Number(columns.printed_minutes) - before.printed_minutes)
        const after = await get(tx, id)
        await recordChange(tx, 'printer.updated', { row: after, before, after }, by)
        return after
      }),

    remove: (id, { revision, role }, by) =>
      database.transaction(async (tx) => {
        // Lock jobs before printers, in the same order as the start of a plate, so that the two cannot deadlock.
        await lockAssignedJobs(tx, id)
        await lockLive(tx, id, { revision, role, now: by.now })
        if (await hasPlate(tx, id)) throw new AppError('PRINTER_BUSY', { text: PLATE_ON_PRINTER })
        const row = await get(tx, id)
        await unloadAll(tx, id)
        for (const jobId of await lockAssignedJobs(tx, id)) {
          await saveAssignment(tx, jobId, { printerId: null, isAnyway: false }, by.now)
          await publish(tx, { type: 'updated', entity: 'print_job', id: jobId })
        }
        await updatePrinter(tx, id, { deleted_at: by.now }, by.now)
        await recordChange(tx, 'printer.deleted', { row }, by)
      }),

    restore: (id, by) =>
      database.transaction(async (tx) => {
        const row = await lockPrinter(tx, id, trashCutoff(by.now))
        if (!row) throw new AppError('PRINTER_NOT_FOUND')
        if (row.deleted_at === null) return get(tx, id)
        if (await isNameTaken(tx, row.name, id)) throw new AppError('PRINTER_TAKEN')
        await updatePrinter(tx, id, { deleted_at: null }, by.now)
        const after = await get(tx, id)
        await recordChange(tx, 'printer.restored', { row: after }, by)
        return after
      }),
  }
}
