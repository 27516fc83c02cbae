import { DEFAULT_SPOOL_GRAMS } from '@pegasus/contracts/filament/spools'
import { isDeepStrictEqual } from 'node:util'
import type { AuditAction } from '@pegasus/contracts/audit'
import type * as bodies from '@pegasus/contracts/filament/spoolman-changes'
import type * as z from 'zod/mini'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { writeBodyOnce } from '../../../platform/http/idempotency.ts'
import { writeAudit } from '../../audit/index.ts'
import { publish, publishAll } from '../../events/index.ts'
import { ensureLocation } from '../../inventory/index.ts'
import { auditSpool, auditedSpool, spoolName } from '../spools/spool-audit.ts'
import { book, lockSpoolOrThrow } from '../ledger/book-entry.ts'
import { type SpoolRow, findSpool } from '../spools/spool-list.queries.ts'
import type { IdempotentCaller } from '../../../platform/http/idempotency.ts'
import { type SpoolChange, insertSpool, updateSpoolRow } from '../spools/spools.queries.ts'
import { filamentColumns, spoolColumns, vendorColumns, weightsOf } from './spoolman-edits.ts'
import {
  clearVendor,
  insertFilament,
  insertVendor,
  isFilamentInUse,
  lockByNumber,
  spoolsOf,
  updateFilamentRow,
  updateVendorRow,
} from './spoolman-changes.queries.ts'
import { UNKNOWN_MATERIAL } from './placeholder-names.ts'
import { extraColumn } from './extra-fields/extra-column.ts'
import type { ExtraValues } from './extra-fields/extra-values.ts'
import { notFound } from './spoolman-errors.ts'
import {
  type FilamentRow,
  type SpoolmanSpoolRow,
  type VendorRow,
  findFilament,
  findSpoolRow,
  findVendor,
} from './spoolman.queries.ts'

/**
 * Changes by programs that were made for Spoolman. Each method throws an error that ends in `_NOT_FOUND` for an unknown
 * number, INVALID_INPUT for a broken rule, and VENDOR_TAKEN or FILAMENT_TAKEN for a duplicate. If an addition is
 * repeated with the same idempotency key, nothing more is added.
 */
export interface SpoolmanChanges {
  addVendor(body: z.output<typeof bodies.addSpoolmanVendorBody>, by: IdempotentCaller): Promise<VendorRow>
  updateVendor(number: number, edit: bodies.SpoolmanVendorEdit, by: AuditContext): Promise<VendorRow>
  /** Removes a vendor. Its filaments stay, without a vendor. */
  removeVendor(number: number, by: AuditContext): Promise<void>
  addFilament(
    body: z.output<typeof bodies.addSpoolmanFilamentBody>,
    by: IdempotentCaller,
  ): Promise<FilamentRow>
  updateFilament(number: number, edit: bodies.SpoolmanFilamentEdit, by: AuditContext): Promise<FilamentRow>
  /** Removes a filament. Throws FILAMENT_IN_USE if spools use it. Spools in the trash do not count. */
  removeFilament(number: number, by: AuditContext): Promise<void>
  addSpool(
    body: z.output<typeof bodies.addSpoolmanSpoolBody>,
    by: IdempotentCaller,
  ): Promise<SpoolmanSpoolRow>
  updateSpool(number: number, edit: bodies.SpoolmanSpoolEdit, by: AuditContext): Promise<SpoolmanSpoolRow>
  /** Moves a spool to the trash. */
  removeSpool(number: number, by: AuditContext): Promise<void>
}

const isEmpty = (change: object): boolean => Object.keys(change).length === 0

const hold = async (tx: Queryable, table: 'vendors' | 'filaments', number: number): Promise<string> => {
  const row = await lockByNumber(tx, table, number)
  if (row) return row.id
  throw table === 'vendors'
    ? notFound('VENDOR_NOT_FOUND', 'vendor', number)
    : notFound('FILAMENT_NOT_FOUND', 'filament', number)
}

const getVendor = async (tx: Queryable, number: number): Promise<VendorRow> => {
  const row = await findVendor(tx, number)
  if (!row) throw notFound('VENDOR_NOT_FOUND', 'vendor', number)
  return row
}

const getFilament = async (tx: Queryable, number: number): Promise<FilamentRow> => {
  const row = await findFilament(tx, number)
  if (!row) throw notFound('FILAMENT_NOT_FOUND', 'filament', number)
  return row
}

const getSpool = async (tx: Queryable, number: number): Promise<SpoolmanSpoolRow> => {
  const row = await findSpoolRow(tx, { number })
  if (!row) throw notFound('SPOOL_NOT_FOUND', 'spool', number)
  return row
}

/**
 * Returns the id of the vendor with a number. Undefined keeps the vendor, null removes it. Always lock the vendor
 * before the filament.
 */
const vendorIdOf = async (tx: Queryable, number: number | null | undefined) =>
  number == null ? number : hold(tx, 'vendors', number)

const publishSpools = (tx: Queryable, spoolIds: readonly string[]): Promise<void> =>
  publishAll(
    tx,
    spoolIds.map((id) => ({ type: 'updated', entity: 'filament' as const, id })),
  )

/** Reads the fields of a spool for the audit. */
const readSpool = async (tx: Queryable, id: string) => orThrow(await findSpool(tx, id), 'SPOOL_NOT_FOUND')

/**
 * Returns the extra values as a list of texts. As an object, they would have keys that programs choose, and the audit
 * refuses properties whose names look like secrets.
 */
const auditedExtra = (extra: ExtraValues): string[] =>
  Object.entries(extra)
    .map(([key, json]) => `${key}: ${json}`)
    .toSorted()

const auditedVendor = ({ name, empty_spool_weight, comment, external_id, extra }: VendorRow) => ({
  name,
  empty_spool_weight,
  comment,
  external_id,
  ...(!isEmpty(extra) && { extra: auditedExtra(extra) }),
})

const auditedFilament = ({ id: _id, registered: _at, extra, vendor, ...words }: FilamentRow) => ({
  ...words,
  vendor: vendor?.name ?? null,
  ...(!isEmpty(extra) && { extra: auditedExtra(extra) }),
})

/** Writes an audit entry for a change of a spool's extra fields. */
const auditExtra = (
  tx: Queryable,
  row: SpoolRow,
  { before, after }: { before: ExtraValues; after: ExtraValues },
  by: AuditContext,
): Promise<void> => {
  const event = { entity: 'spool', entityId: row.id, entityName: spoolName(row) } as const
  const sides = { before: { extra: auditedExtra(before) }, after: { extra: auditedExtra(after) } }
  return writeAudit(tx, { action: 'spool.updated', ...event, ...sides }, by)
}

type ChangedEntity = { entity: 'vendor'; row: VendorRow } | { entity: 'filament'; row: FilamentRow }

/** Writes an audit entry for a change of a vendor or a filament, with the values before and after. */
async function auditEntityChange(
  tx: Queryable,
  action: Extract<AuditAction, `vendor.${string}` | `filament.${string}`>,
  { id, before, after }: { id: string; before?: ChangedEntity; after?: ChangedEntity },
  by: AuditContext,
): Promise<void> {
  const kept = after ?? before
  if (!kept) throw new Error('Nothing was done.')
  const fields = (of: ChangedEntity) =>
    of.entity === 'vendor' ? auditedVendor(of.row) : auditedFilament(of.row)
  const words = kept.entity === 'vendor' ? [] : [kept.row.vendor?.name, kept.row.material]
  const color = kept.entity === 'vendor' ? null : kept.row.color
  const entityName = [...words, kept.row.name, color].filter(Boolean).join(' ')
  const sides = { ...(before && { before: fields(before) }), ...(after && { after: fields(after) }) }
  await writeAudit(tx, { action, entity: kept.entity, entityId: id, entityName, ...sides }, by)
}

/** Writes an audit entry for an edit, if any value differs. */
const auditEdit = async (
  tx: Queryable,
  action: 'vendor.updated' | 'filament.updated',
  edit: { id: string; before: ChangedEntity; after: ChangedEntity },
  by: AuditContext,
) => {
  if (!isDeepStrictEqual(edit.before, edit.after)) await auditEntityChange(tx, action, edit, by)
}

const aVendor = (row: VendorRow): ChangedEntity => ({ entity: 'vendor', row })
const aFilament = (row: FilamentRow): ChangedEntity => ({ entity: 'filament', row })

export function createSpoolmanChanges(deps: {
  database: Database
  clock: Clock
  currency: string
}): SpoolmanChanges {
  const { database, clock, currency } = deps

  const addOnce = <T>(
    what: string,
    body: unknown,
    by: IdempotentCaller,
    work: (tx: Queryable) => Promise<T>,
  ): Promise<T> => writeBodyOnce({ database, clock }, by, ['spoolman', what, body], work)

  const setLeft = async (tx: Queryable, spoolId: string, grams: number, by: AuditContext): Promise<void> => {
    const { remaining_grams: before } = await lockSpoolOrThrow(tx, spoolId)
    const delta = Math.round((grams - before) * 1e6) / 1e6
    if (delta === 0) return
    const entry = {
      spool_id: spoolId,
      kind: 'correct',
      delta_grams: delta,
      reason: 'Remaining weight set',
    } as const
    await book(tx, entry, by)
  }

  return {
    addVendor: (body, by) =>
      addOnce('vendor', body, by, async (tx) => {
        const id = uuidv7()
        const { now } = by.audit
        const columns = vendorColumns(body)
        const { name = body.name } = columns
        const extra = await extraColumn(tx, 'vendor', {}, body.extra)
        const vendor = { ...columns, ...extra, id, name, created_at: now, updated_at: now }
        const row = await getVendor(tx, await insertVendor(tx, vendor))
        await auditEntityChange(tx, 'vendor.added', { id, after: aVendor(row) }, by.audit)
        return row
      }),

    updateVendor: (number, edit, by) =>
      database.transaction(async (tx) => {
        const id = await hold(tx, 'vendors', number)
        const before = await getVendor(tx, number)
        const columns = {
          ...vendorColumns(edit),
          ...(await extraColumn(tx, 'vendor', before.extra, edit.extra)),
        }
        if (isEmpty(columns)) return before
        await updateVendorRow(tx, id, columns, by.now)
        await publishSpools(tx, await spoolsOf(tx, { vendorId: id }))
        const after = await getVendor(tx, number)
        await auditEdit(tx, 'vendor.updated', { id, before: aVendor(before), after: aVendor(after) }, by)
        return after
      }),

    removeVendor: (number, by) =>
      database.transaction(async (tx) => {
        const id = await hold(tx, 'vendors', number)
        const spoolIds = await spoolsOf(tx, { vendorId: id })
        await auditEntityChange(
          tx,
          'vendor.deleted',
          { id, before: aVendor(await getVendor(tx, number)) },
          by,
        )
        await clearVendor(tx, id, by.now)
        await updateVendorRow(tx, id, { deleted_at: by.now }, by.now)
        await publishSpools(tx, spoolIds)
      }),

    addFilament: (body, by) =>
      addOnce('filament', body, by, async (tx) => {
        const vendorId = (await vendorIdOf(tx, body.vendor_id)) ?? null
        const { weight, ...rest } = body
        const edit = { ...rest, ...(weight != null && { weight }) }
        const id = uuidv7()
        const { now } = by.audit
        const material = body.material ?? UNKNOWN_MATERIAL
        const { name = material, ...columns } = filamentColumns(edit, null, currency)
        const filament = {
          ...columns,
          ...(await extraColumn(tx, 'filament', {}, body.extra)),
          id,
          name,
          material,
          density_g_cm3: body.density,
          weight_grams: weight ?? DEFAULT_SPOOL_GRAMS,
          vendor_id: vendorId,
          created_at: now,
          updated_at: now,
        }
        const row = await getFilament(tx, await insertFilament(tx, filament))
        await auditEntityChange(tx, 'filament.added', { id, after: aFilament(row) }, by.audit)
        return row
      }),

    updateFilament: (number, edit, by) =>
      database.transaction(async (tx) => {
        const vendorId = await vendorIdOf(tx, edit.vendor_id)
        const id = await hold(tx, 'filaments', number)
        const before = await getFilament(tx, number)
        const columns = {
          ...filamentColumns(edit, before, currency),
          ...(await extraColumn(tx, 'filament', before.extra, edit.extra)),
          ...(vendorId !== undefined && { vendor_id: vendorId }),
        }
        if (isEmpty(columns)) return before
        await updateFilamentRow(tx, id, columns, by.now)
        await publishSpools(tx, await spoolsOf(tx, { filamentId: id }))
        const after = await getFilament(tx, number)
        await auditEdit(
          tx,
          'filament.updated',
          { id, before: aFilament(before), after: aFilament(after) },
          by,
        )
        return after
      }),

    removeFilament: (number, by) =>
      database.transaction(async (tx) => {
        const id = await hold(tx, 'filaments', number)
        if (await isFilamentInUse(tx, id))
          throw new AppError('FILAMENT_IN_USE', { body: { message: 'The filament still has spools.' } })
        await auditEntityChange(
          tx,
          'filament.deleted',
          { id, before: aFilament(await getFilament(tx, number)) },
          by,
        )
        await updateFilamentRow(tx, id, { deleted_at: by.now }, by.now)
      }),

    addSpool: (body, by) =>
      addOnce('spool', body, by, async (tx) => {
        const { now } = by.audit
        const filamentId = await hold(tx, 'filaments', body.filament_id)
        const { weight } = await getFilament(tx, body.filament_id)
        const full = body.initial_weight || weight
        const { left = full } = weightsOf(
          { ...body, initial_weight: undefined },
          { full, left: full, filament: weight },
        )
        const id = uuidv7()
        const number = await insertSpool(tx, {
          id,
          filament_id: filamentId,
          weight_grams: full,
          spool_weight_grams: null,
          price_minor: null,
          location_id: await ensureLocation(tx, { location: body.location ?? null, bin: null }, now),
          lot_number: null,
          opened_at: null,
          dried_at: null,
          archived_at: body.archived ? now : null,
          notes: null,
          created_at: now,
          updated_at: now,
        })
        const fields = {
          ...spoolColumns(body, currency),
          ...(await extraColumn(tx, 'spool', {}, body.extra)),
        }
        if (!isEmpty(fields)) await updateSpoolRow(tx, id, fields, now)
        await book(tx, { spool_id: id, kind: 'open', delta_grams: left, reason: 'Opening balance' }, by.audit)
        const row = await readSpool(tx, id)
        await auditSpool(tx, 'spool.added', row, { after: row }, by.audit)
        await publish(tx, { type: 'created', entity: 'filament', id })
        return getSpool(tx, number)
      }),

    updateSpool: (number, edit, by) =>
      database.transaction(async (tx) => {
        const { spool_id: id } = await getSpool(tx, number)
        const spool = await lockSpoolOrThrow(tx, id)
        const [before, shown] = [await readSpool(tx, id), await getSpool(tx, number)]
        const isArchived = shown.archived
        const { extra } = await extraColumn(tx, 'spool', shown.extra, edit.extra)
        const change: SpoolChange = { ...spoolColumns(edit, currency), ...(extra && { extra }) }
        if (edit.filament_id !== undefined) change.filament_id = await hold(tx, 'filaments', edit.filament_id)
        if (edit.location !== undefined)
          change.location_id = await ensureLocation(tx, { location: edit.location, bin: null }, by.now)
        if (edit.archived !== undefined && edit.archived !== isArchived)
          change.archived_at = edit.archived ? by.now : null
        const filament =
          edit.filament_id === undefined ? shown.filament : await getFilament(tx, edit.filament_id)
        const known = { full: shown.initial_weight, left: spool.remaining_grams, filament: filament.weight }
        const { full, left } = weightsOf(edit, known)
        if (full !== undefined) change.weight_grams = full
        if (isEmpty(change) && left === undefined) return shown
        if (!isEmpty(change)) await updateSpoolRow(tx, id, change, by.now)
        if (left !== undefined) await setLeft(tx, id, left, by)
        const after = await readSpool(tx, id)
        if (change.archived_at !== undefined)
          await auditSpool(tx, edit.archived ? 'spool.archived' : 'spool.unarchived', after, {}, by)
        if (!isDeepStrictEqual(auditedSpool(before), auditedSpool(after)))
          await auditSpool(tx, 'spool.updated', after, { before, after }, by)
        if (extra && !isDeepStrictEqual(extra, shown.extra))
          await auditExtra(tx, after, { before: shown.extra, after: extra }, by)
        await publish(tx, { type: 'updated', entity: 'filament', id })
        return getSpool(tx, number)
      }),

    removeSpool: (number, by) =>
      database.transaction(async (tx) => {
        const { id } = await lockSpoolOrThrow(tx, (await getSpool(tx, number)).spool_id)
        const row = await readSpool(tx, id)
        await updateSpoolRow(tx, id, { deleted_at: by.now }, by.now)
        await auditSpool(tx, 'spool.deleted', row, {}, by)
        await publish(tx, { type: 'deleted', entity: 'filament', id })
      }),
  }
}
