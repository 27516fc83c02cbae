import { lengthToGrams } from '@pegasus/contracts/filament/filament-weight'
import { v7 as uuidv7 } from 'uuid'
import { type ActorColumns, type AuditContext, actorColumns } from '../../../platform/actor.ts'
import { HOUR_MS, MINUTE_MS, addMs } from '../../../platform/clock.ts'
import type { Insert } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { publish } from '../../events/index.ts'
import { findRunningUse, growUse, insertLedgerEntry } from './ledger.queries.ts'
import { type SpoolToChange, lockSpool } from '../spools/spools.queries.ts'

/** If a report arrives within this time after the last one, it is added to the same ledger entry. */
const RUN_PAUSE_MS = 10 * MINUTE_MS
/** A ledger entry grows for at most this long. A print of several days therefore has several entries. */
const RUN_LONGEST_MS = 6 * HOUR_MS

/** Locks the spool until the transaction ends. Throws SPOOL_NOT_FOUND. */
export async function lockSpoolOrThrow(tx: Queryable, id: string): Promise<SpoolToChange> {
  return orThrow(await lockSpool(tx, id), 'SPOOL_NOT_FOUND')
}

/** The id of a written entry, and the remaining grams after it. */
export interface Booked {
  entryId: string
  /** The remaining grams. */
  left: number
}

type NewEntry = Omit<Insert<'spool_ledger'>, 'id' | 'created_at' | keyof ActorColumns>

/** Writes a ledger entry. The database throws SPOOL_WEIGHT_LIMIT or SPOOL_ENTRY_UNDONE. */
export async function book(tx: Queryable, entry: NewEntry, by: AuditContext): Promise<Booked> {
  const entryId = uuidv7()
  const left = await insertLedgerEntry(tx, {
    ...entry,
    id: entryId,
    ...actorColumns(by.actor),
    created_at: by.now,
  })
  return { entryId, left }
}

/** Filament to subtract from a spool, by weight or by length. */
export interface Take {
  spoolId: string
  amount: { grams: number } | { lengthMm: number }
  kind?: 'use' | 'waste'
  reason?: string | null
  printJobId?: string | null
  /** True for a program that reports while it prints. Each of its reports is added to the previous ledger entry. */
  isRunning?: boolean
}

/**
 * Subtracts filament from a spool. If the reported amount exceeds the remaining amount, the spool becomes
 * empty and the entry keeps the reported amount. Throws SPOOL_NOT_FOUND or SPOOL_INVALID.
 */
export async function take(
  tx: Queryable,
  { spoolId, amount, ...what }: Take,
  by: AuditContext,
): Promise<Booked> {
  const spool = await lockSpoolOrThrow(tx, spoolId)
  const lengthMm = 'lengthMm' in amount ? amount.lengthMm : null
  const grams = 'grams' in amount ? amount.grams : lengthToGrams(amount.lengthMm, spool)
  if (!(grams >= 0)) throw new AppError('SPOOL_INVALID', { text: 'The amount must be 0 or more.' })
  const taken = Math.min(grams, spool.remaining_grams)
  const running = what.isRunning ? await findRunning(tx, spoolId, by) : null
  await publish(tx, { type: 'updated', entity: 'filament', id: spoolId })
  if (running !== null)
    return { entryId: running, left: await growUse(tx, running, { grams, taken, lengthMm, now: by.now }) }
  return book(
    tx,
    {
      spool_id: spoolId,
      kind: what.kind ?? 'use',
      delta_grams: -taken,
      reported_grams: taken < grams ? grams : null,
      length_mm: lengthMm,
      reason: what.reason ?? null,
      print_job_id: what.printJobId ?? null,
    },
    by,
  )
}

const findRunning = (tx: Queryable, spoolId: string, { actor, now }: AuditContext): Promise<string | null> =>
  findRunningUse(tx, spoolId, {
    actorId: actor.id,
    reportedSince: addMs(now, -RUN_PAUSE_MS),
    begunSince: addMs(now, -RUN_LONGEST_MS),
  })

/** Subtracts filament by weight, like `take`. Other modules call it. */
export async function takeFilament(
  tx: Queryable,
  what: { spoolId: string; grams: number } & Pick<Take, 'kind' | 'reason' | 'printJobId'>,
  by: AuditContext,
): Promise<Booked> {
  const { grams, ...rest } = what
  return take(tx, { ...rest, amount: { grams } }, by)
}
