import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { publish } from '../../events/index.ts'
import { findSpool } from '../spools/spool-list.queries.ts'
import { type Booked, book, lockSpoolOrThrow } from './book-entry.ts'
import { findDelta, findEntry } from './ledger.queries.ts'

/**
 * Undoes an entry by adding a reverse entry. Throws SPOOL_ENTRY_NOT_FOUND, SPOOL_ENTRY_UNDONE,
 * SPOOL_ENTRY_STAYS or SPOOL_WEIGHT_LIMIT.
 */
export async function undoEntry(
  tx: Queryable,
  entryId: string,
  by: AuditContext,
): Promise<Booked & { spoolId: string }> {
  const known = await findEntry(tx, entryId)
  if (!known || !(await findSpool(tx, known.spool_id))) throw new AppError('SPOOL_ENTRY_NOT_FOUND')
  const { spool_id: spoolId } = known
  await lockSpoolOrThrow(tx, spoolId)
  // Read the entry again, now that no other change of the spool can run at the same time.
  const entry = (await findEntry(tx, entryId)) ?? known
  if (entry.is_undone) throw new AppError('SPOOL_ENTRY_UNDONE')
  if (!entry.can_undo) throw new AppError('SPOOL_ENTRY_STAYS')
  const delta = -(await findDelta(tx, entryId))
  await publish(tx, { type: 'updated', entity: 'filament', id: spoolId })
  const undone = { spool_id: spoolId, kind: 'correct', delta_grams: delta, undoes_id: entryId } as const
  return { spoolId, ...(await book(tx, { ...undone, reason: 'Undone' }, by)) }
}

const REASONS: Readonly<Record<string, string>> = {
  SPOOL_ENTRY_NOT_FOUND: 'The spool of this print is in the trash.',
  SPOOL_ENTRY_STAYS:
    'The spool was weighed or corrected later. That weight stays valid, so this use cannot be undone.',
  SPOOL_WEIGHT_LIMIT: 'The spool cannot hold that much filament again.',
}

/**
 * Undoes the use of filament by a print, like `undoEntry`, for other modules. Returns null after success, otherwise the
 * reason why the undo is impossible. An entry that is already undone counts as success.
 */
export async function undoUse(tx: Queryable, entryId: string, by: AuditContext): Promise<string | null> {
  try {
    await undoEntry(tx, entryId, by)
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'SPOOL_ENTRY_UNDONE') return null
    const reason = REASONS[error.code]
    if (reason === undefined) throw error
    return reason
  }
}
