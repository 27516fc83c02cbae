import type { UseSpoolBody, WeighSpoolBody } from '@pegasus/contracts/filament/ledger'
import type { SpoolWithEntry } from '@pegasus/contracts/filament/ledger'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type Page, toPage, type PageRequest } from '../../../platform/http/paging.ts'
import { writeBodyOnce } from '../../../platform/http/idempotency.ts'
import { publish } from '../../events/index.ts'
import { changeSpool } from '../spools/spool-audit.ts'
import { type Booked, book, lockSpoolOrThrow, take } from './book-entry.ts'
import { presentEntry, presentSpool } from '../spools/spools.present.ts'
import { findSpool } from '../spools/spool-list.queries.ts'
import type { IdempotentCaller } from '../../../platform/http/idempotency.ts'
import { type EntryRow, countEntries, findEntry, listEntries } from './ledger.queries.ts'
import { netWeight } from './net-weight.ts'
import type { SpoolToChange } from '../spools/spools.queries.ts'
import { undoEntry } from './undo-entry.ts'

/**
 * Changes of the remaining filament. A second call with the same idempotency key books nothing and returns
 * the result of the first call.
 */
export interface SpoolLedger {
  /** Lists the entries of a spool, newest first. Throws SPOOL_NOT_FOUND. */
  list(spoolId: string, page: PageRequest): Promise<Page<EntryRow>>
  /** Books a use. Throws SPOOL_NOT_FOUND, PRINT_JOB_NOT_FOUND, or INVALID_INPUT unless exactly one amount is given. */
  use(spoolId: string, body: UseSpoolBody, by: IdempotentCaller): Promise<SpoolWithEntry>
  /** Books a weighing. Throws SPOOL_NOT_FOUND, or SPOOL_INVALID for an invalid weight. */
  weigh(spoolId: string, body: WeighSpoolBody, by: IdempotentCaller): Promise<SpoolWithEntry>
  /** Sets the remaining weight. Throws SPOOL_NOT_FOUND. */
  correct(
    spoolId: string,
    body: { remaining_grams: number; reason: string },
    by: IdempotentCaller,
  ): Promise<SpoolWithEntry>
  /** Reverses an entry. Throws SPOOL_ENTRY_NOT_FOUND, SPOOL_ENTRY_UNDONE, SPOOL_ENTRY_STAYS or SPOOL_WEIGHT_LIMIT. */
  undo(entryId: string, by: IdempotentCaller): Promise<SpoolWithEntry>
}

function amountOf({ grams, length_mm: lengthMm }: UseSpoolBody) {
  if ((grams === undefined) === (lengthMm === undefined)) {
    const message = 'Please enter either the weight or the length, not both.'
    throw new AppError('INVALID_INPUT', { text: message, errors: [{ path: 'grams', message }] })
  }
  return grams === undefined ? { lengthMm: lengthMm ?? 0 } : { grams }
}

export function createSpoolLedger(deps: { database: Database; clock: Clock; currency: string }): SpoolLedger {
  const { database, clock, currency } = deps

  const show = async (tx: Queryable, spoolId: string, { entryId }: Booked): Promise<SpoolWithEntry> => {
    const [spool, entry] = [await findSpool(tx, spoolId), await findEntry(tx, entryId)]
    if (!spool || !entry) throw new AppError('SPOOL_NOT_FOUND')
    return { ...presentSpool(spool, currency), entry: presentEntry(entry) }
  }

  const bookOnce = (
    what: unknown,
    spoolId: string,
    by: IdempotentCaller,
    work: (tx: Queryable) => Promise<Booked>,
  ): Promise<SpoolWithEntry> =>
    writeBodyOnce({ database, clock }, by, ['spool-ledger', spoolId, what], async (tx) =>
      show(tx, spoolId, await work(tx)),
    )

  const setLeft = async (
    tx: Queryable,
    spool: SpoolToChange,
    grams: number,
    entry: { kind: 'weigh' | 'correct'; gross_grams?: number; reason: string | null },
    by: IdempotentCaller,
  ): Promise<Booked> => {
    await publish(tx, { type: 'updated', entity: 'filament', id: spool.id })
    const delta = Math.round((grams - spool.remaining_grams) * 1e6) / 1e6
    return book(tx, { spool_id: spool.id, delta_grams: delta, ...entry }, by.audit)
  }

  /** Sets the weight of the empty spool, and writes an audit entry, because the ledger does not show this change. */
  const setTare = (tx: Queryable, spoolId: string, grams: number, by: AuditContext) =>
    changeSpool(tx, spoolId, { spool_weight_grams: grams }, by)

  return {
    async list(spoolId, page) {
      if (!(await findSpool(database.sql, spoolId))) throw new AppError('SPOOL_NOT_FOUND')
      const [rows, total] = await Promise.all([
        listEntries(database.sql, spoolId, page),
        countEntries(database.sql, spoolId),
      ])
      return toPage(rows, page.limit, total)
    },

    use(spoolId, body, by) {
      const amount = amountOf(body)
      const { kind, reason = null, print_job_id: printJobId = null } = body
      return bookOnce(['use', body], spoolId, by, (tx) =>
        take(tx, { spoolId, amount, kind, reason, printJobId }, by.audit),
      )
    },

    weigh: (spoolId, body, by) =>
      bookOnce(['weigh', body], spoolId, by, async (tx) => {
        const spool = await lockSpoolOrThrow(tx, spoolId)
        const net = netWeight(body, spool)
        const tare = body.spool_weight_grams
        if (tare !== undefined && tare !== spool.tare_grams) await setTare(tx, spoolId, tare, by.audit)
        const { gross_grams, reason = null } = body
        return setLeft(tx, spool, net, { kind: 'weigh', gross_grams, reason }, by)
      }),

    correct: (spoolId, body, by) =>
      bookOnce(['correct', body], spoolId, by, async (tx) => {
        const spool = await lockSpoolOrThrow(tx, spoolId)
        return setLeft(tx, spool, body.remaining_grams, { kind: 'correct', reason: body.reason }, by)
      }),

    undo: (entryId, by) =>
      database.transaction(async (tx) => {
        const { spoolId, ...booked } = await undoEntry(tx, entryId, by.audit)
        return show(tx, spoolId, booked)
      }),
  }
}
