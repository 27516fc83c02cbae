import { type Spool, DEFAULT_SPOOL_GRAMS } from '@pegasus/contracts/filament/spools'
import type { CreateSpoolBody, UpdateSpoolBody } from '@pegasus/contracts/filament/spool-changes'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { ensureLocation } from '../../inventory/index.ts'
import { createSpool } from './add-spool.ts'
import { auditSpool, auditedSpool, spoolName } from './spool-audit.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import { lockSpoolOrThrow } from '../ledger/book-entry.ts'
import { presentSpool } from './spools.present.ts'
import { type SpoolRow, findSpool } from './spool-list.queries.ts'
import { type SpoolEdit, changesOf, newSpoolOf, readEdit } from './spool-edit.ts'
import {
  type SpoolChange,
  type SpoolToChange,
  correctFilament,
  ensureFilament,
  ensureVendor,
  findEqualFilament,
  findFilamentDetails,
  getKnownFilament,
  lockSpoolOrTrashed,
  removeUnusedFilament,
  spellFilament,
  undeleteFilament,
  updateSpoolRow,
} from './spools.queries.ts'

export interface Spools {
  /** Adds a spool. Throws SPOOL_INVALID, SPOOL_WEIGHT_LIMIT or IDEMPOTENCY_KEY_REUSED. */
  add(body: CreateSpoolBody, by: IdempotentCaller): Promise<HttpResult<Spool>>
  /** Adds `count` identical spools, all or none. */
  addMany(body: CreateSpoolBody & { count: number }, by: IdempotentCaller): Promise<HttpResult<Spool[]>>
  /**
   * Changes the fields that people can change. `revision` comes from `If-Match`; null accepts any revision.
   * Throws SPOOL_NOT_FOUND, PRECONDITION_FAILED or SPOOL_INVALID.
   */
  update(id: string, edit: UpdateSpoolBody, revision: number | null, by: AuditContext): Promise<SpoolRow>
  /** Moves a spool to the trash. Throws SPOOL_NOT_FOUND or PRECONDITION_FAILED. */
  remove(id: string, revision: number | null, by: AuditContext): Promise<void>
  /**
   * Restores a spool from the trash. Does nothing for a spool that is not in the trash. Throws
   * SPOOL_NOT_FOUND.
   */
  restore(id: string, by: AuditContext): Promise<SpoolRow>
  /** Archives a spool or puts it back in use. Does nothing if it is already in that state. Throws SPOOL_NOT_FOUND. */
  archive(id: string, isArchived: boolean, by: AuditContext): Promise<SpoolRow>
  /** Records when a spool was dried. Throws SPOOL_NOT_FOUND. */
  dry(id: string, driedAt: Date | null, by: AuditContext): Promise<SpoolRow>
}

const get = async (tx: Queryable, id: string) => orThrow(await findSpool(tx, id), 'SPOOL_NOT_FOUND')

/**
 * Moves a spool to the filament with the new names. If the names differ only in spelling, corrects the names of the
 * current filament instead. Returns the filament's id.
 */
async function moveToFilament(
  tx: Queryable,
  spool: SpoolToChange,
  { words: { brand, ...words }, facts }: SpoolEdit,
  now: Date,
): Promise<string> {
  const vendorId = brand === null ? null : await ensureVendor(tx, brand, now)
  const known = await findFilamentDetails(tx, spool.filament_id)
  const id = await ensureFilament(tx, { vendor_id: vendorId, ...words }, { ...known, ...facts }, now)
  // Upper and lower case do not distinguish filaments, so the new spelling applies to all spools.
  if (id === spool.filament_id) await spellFilament(tx, id, { brand, ...words }, now)
  return id
}

/**
 * Restores the filament of a spool, with its vendor, if a program has removed it while the spool was in the trash.
 * Returns the id of the filament for the spool: another one if an equal filament exists now.
 */
async function reviveFilament(tx: Queryable, id: string, now: Date): Promise<string> {
  const {
    deleted_at: at,
    vendor_name: vendor,
    vendor_deleted_at: vendorAt,
    ...identity
  } = await getKnownFilament(tx, id)
  if (at === null) return id
  const isVendorGone = vendor !== null && vendorAt !== null
  const vendorId = isVendorGone ? await ensureVendor(tx, vendor, now) : identity.vendor_id
  const equal = await findEqualFilament(tx, { ...identity, vendor_id: vendorId })
  if (equal !== null) return equal
  await undeleteFilament(tx, id, { vendorId, now })
  return id
}

async function applyEdit(tx: Queryable, spool: SpoolToChange, edit: SpoolEdit, now: Date): Promise<void> {
  const filamentId = edit.areWordsOther ? await moveToFilament(tx, spool, edit, now) : spool.filament_id
  await correctFilament(tx, filamentId, edit.facts, now)
  const change: SpoolChange = { ...edit.spool, filament_id: filamentId }
  if (edit.location !== undefined)
    change.location_id = await ensureLocation(tx, { location: edit.location, bin: null }, now)
  await updateSpoolRow(tx, spool.id, change, now)
  if (filamentId !== spool.filament_id) await removeUnusedFilament(tx, spool.filament_id, now)
}

/** Throws SPOOL_INVALID if a new spool would hold more filament than a full one. A later weighing may book more. */
function assertFits({
  remaining_grams: remaining,
  weight_grams: full = DEFAULT_SPOOL_GRAMS,
}: CreateSpoolBody): void {
  if (remaining === undefined || remaining <= full) return
  const message = `Remaining must be at most ${full.toLocaleString('en-US')} g, the weight of the full spool`
  throw new AppError('SPOOL_INVALID', { text: message, errors: [{ path: 'remaining_grams', message }] })
}

export function createSpools(deps: { database: Database; clock: Clock; currency: string }): Spools {
  const { database, clock, currency } = deps

  const assertCurrent = (row: SpoolRow, revision: number | null) =>
    assertRevision(revision, row, () => presentSpool(row, currency))

  const addOne = async (tx: Queryable, body: CreateSpoolBody, by: AuditContext): Promise<Spool> => {
    assertFits(body)
    const { id } = await createSpool(tx, newSpoolOf(body, currency), by)
    const row = await get(tx, id)
    const opened = { ...auditedSpool(row), remaining_grams: row.remaining_grams }
    const event = { entity: 'spool', entityId: id, entityName: spoolName(row), after: opened } as const
    await writeAudit(tx, { action: 'spool.added', ...event }, by)
    return presentSpool(row, currency)
  }

  const addOnce = <T>(
    body: unknown,
    by: IdempotentCaller,
    work: (tx: Queryable) => Promise<T>,
  ): Promise<HttpResult<T>> =>
    writeOnce({ database, clock }, by, ['filament', body], async (tx) => ({
      status: 201,
      body: await work(tx),
    }))

  /** Changes a spool, and writes an audit entry if an action is given. */
  const change = (
    id: string,
    values: (spool: SpoolToChange) => SpoolChange | null,
    action: 'spool.updated' | 'spool.archived' | 'spool.unarchived',
    by: AuditContext,
  ) =>
    database.transaction(async (tx) => {
      const spool = await lockSpoolOrThrow(tx, id)
      const before = await get(tx, id)
      const next = values(spool)
      if (!next) return before
      await updateSpoolRow(tx, id, next, by.now)
      const after = await get(tx, id)
      await auditSpool(tx, action, after, action === 'spool.updated' ? { before, after } : {}, by)
      await publish(tx, { type: 'updated', entity: 'filament', id })
      return after
    })

  return {
    add: (body, by) => addOnce(body, by, (tx) => addOne(tx, body, by.audit)),

    addMany: ({ count, ...body }, by) =>
      addOnce({ count, ...body }, by, async (tx) => {
        const added: Spool[] = []
        for (let each = 0; each < count; each += 1) added.push(await addOne(tx, body, by.audit))
        return added
      }),

    update: (id, edit, revision, by) =>
      database.transaction(async (tx) => {
        const spool = await lockSpoolOrThrow(tx, id)
        const before = await get(tx, id)
        assertCurrent(before, revision)
        const changes = changesOf(presentSpool(before, currency), edit)
        if (Object.keys(changes).length === 0) return before
        await applyEdit(tx, spool, readEdit(before, changes, currency), by.now)
        const after = await get(tx, id)
        await auditSpool(tx, 'spool.updated', after, { before, after }, by)
        await publish(tx, { type: 'updated', entity: 'filament', id })
        return after
      }),

    remove: (id, revision, by) =>
      database.transaction(async (tx) => {
        await lockSpoolOrThrow(tx, id)
        const row = await get(tx, id)
        assertCurrent(row, revision)
        await updateSpoolRow(tx, id, { deleted_at: by.now }, by.now)
        await auditSpool(tx, 'spool.deleted', row, {}, by)
        await publish(tx, { type: 'deleted', entity: 'filament', id })
      }),

    restore: (id, by) =>
      database.transaction(async (tx) => {
        const found = await lockSpoolOrTrashed(tx, id, trashCutoff(by.now))
        if (!found) throw new AppError('SPOOL_NOT_FOUND')
        if (found.deleted_at === null) return get(tx, id)
        // The location may have been deleted in the meantime. This finds or creates a location with the same path.
        const place = await ensureLocation(tx, { location: found.location, bin: null }, by.now)
        // A program may have removed the filament in the meantime.
        const filament = await reviveFilament(tx, found.filament_id, by.now)
        await updateSpoolRow(tx, id, { deleted_at: null, location_id: place, filament_id: filament }, by.now)
        const row = await get(tx, id)
        await auditSpool(tx, 'spool.restored', row, {}, by)
        await publish(tx, { type: 'created', entity: 'filament', id })
        return row
      }),

    archive: (id, isArchived, by) =>
      change(
        id,
        (spool) =>
          (spool.archived_at !== null) === isArchived ? null : { archived_at: isArchived ? by.now : null },
        isArchived ? 'spool.archived' : 'spool.unarchived',
        by,
      ),

    dry: (id, driedAt, by) => change(id, () => ({ dried_at: driedAt ?? by.now }), 'spool.updated', by),
  }
}
