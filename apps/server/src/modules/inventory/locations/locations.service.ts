import {
  type CreateLocationBody,
  type Location,
  MAX_LOCATION_DEPTH,
  PATH_SEPARATOR,
  type UpdateLocationBody,
} from '@pegasus/contracts/inventory/locations'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, writeOnce } from '../../../platform/http/idempotency.ts'
import { type Page, cursorParts, isUuid, refusedCursor } from '../../../platform/http/paging.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import { publish } from '../../events/index.ts'
import { trashCutoff } from '../../../platform/trash.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import { type Contents, readContents } from './location-contents.queries.ts'
import { type LocationRow, findLocation, insertLocation } from './locations.queries.ts'
import {
  type LocationCursor,
  type LocationFilter,
  type LocationNode,
  countChildren,
  countLevels,
  countLocations,
  findLocationNode,
  listLocations,
  lockLocation,
  lockTree,
  setLocationDeleted,
  writeLocation,
} from './location-tree.queries.ts'

export interface Locations {
  /** Lists locations, sorted by path. Throws INVALID_INPUT for a cursor of another list. */
  list(
    filter: LocationFilter,
    page: { cursor: string | undefined; limit: number },
  ): Promise<Page<LocationRow, string>>
  /** Returns a location. Throws LOCATION_NOT_FOUND. */
  get(id: string): Promise<LocationRow>
  /** Returns the contents of a location and of all locations below it. Throws LOCATION_NOT_FOUND. */
  contentsOf(id: string): Promise<Contents>
  /**
   * Adds a location. Throws LOCATION_NOT_FOUND for an unknown parent, LOCATION_INVALID, LOCATION_TAKEN or
   * IDEMPOTENCY_KEY_REUSED.
   */
  create(body: CreateLocationBody, by: IdempotentCaller): Promise<HttpResult<Location>>
  /**
   * Renames or moves a location with its contents. `revision` comes from `If-Match`; null accepts any revision. Throws
   * LOCATION_NOT_FOUND, LOCATION_INVALID, LOCATION_TAKEN or PRECONDITION_FAILED.
   */
  update(
    id: string,
    body: UpdateLocationBody,
    revision: number | null,
    by: AuditContext,
  ): Promise<LocationRow>
  /**
   * Moves a location to the trash. Throws LOCATION_NOT_FOUND, PRECONDITION_FAILED, or LOCATION_IN_USE with its
   * contents.
   */
  remove(id: string, revision: number | null, by: AuditContext): Promise<void>
  /**
   * Restores a location. Throws LOCATION_NOT_FOUND, LOCATION_TAKEN, or LOCATION_INVALID if its parent is
   * deleted.
   */
  restore(id: string, by: AuditContext): Promise<LocationRow>
}

const refuse = (path: string, message: string): never => {
  throw new AppError('LOCATION_INVALID', { text: message, errors: [{ path, message }] })
}

const LIST = 'locations'

function decodeCursor(text: string | undefined): LocationCursor | null {
  if (text === undefined) return null
  const [list, id, path] = cursorParts(text)
  if (list !== LIST || !isUuid(id) || typeof path !== 'string' || path.includes('\0')) throw refusedCursor()
  return { id, path }
}

const audited = ({ name, kind, path, notes }: LocationRow) => ({ name, kind, path, notes })

const pathIn = (parent: LocationNode | null, name: string): string =>
  parent ? `${parent.path}${PATH_SEPARATOR}${name}` : name

export function createLocations(deps: { database: Database; clock: Clock }): Locations {
  const { database, clock } = deps
  const { sql } = database

  const recordChange = async (
    tx: Queryable,
    action: AuditEvent['action'],
    { row, before, after }: { row: LocationRow; before?: LocationRow; after?: LocationRow },
    by: AuditContext,
  ) => {
    const thing = { entity: 'location', entityId: row.id, entityName: row.path } as const
    const sides = { ...(before && { before: audited(before) }), ...(after && { after: audited(after) }) }
    await writeAudit(tx, { action, ...thing, ...sides }, by)
    const type =
      action === 'location.deleted' ? 'deleted' : action === 'location.updated' ? 'updated' : 'created'
    await publish(tx, { type, entity: 'location', id: row.id })
  }

  const reread = async (tx: Queryable, id: string): Promise<LocationRow> => {
    const row = await findLocation(tx, id)
    if (!row) throw new Error('A location that was written is not there.')
    return row
  }

  const lockLive = async (tx: Queryable, id: string, revision: number | null): Promise<LocationRow> => {
    await lockTree(tx)
    const row = await lockLocation(tx, id)
    if (!row || row.deleted_at !== null) throw new AppError('LOCATION_NOT_FOUND')
    assertRevision(revision, row, () => row)
    return row
  }

  /**
   * Returns the parent for a location with this number of levels, or null for no parent. Throws LOCATION_NOT_FOUND, or
   * LOCATION_INVALID if the location must not go there.
   */
  const parentFor = async (
    tx: Queryable,
    parentId: string | null,
    held: { id: string | null; levels: number },
  ): Promise<LocationNode | null> => {
    if (parentId === null) return null
    const parent = await findLocationNode(tx, parentId)
    if (!parent) throw new AppError('LOCATION_NOT_FOUND', { text: 'The parent location does not exist.' })
    if (parent.kind === 'bin') refuse('parent_id', 'A bin cannot contain other locations.')
    if (held.id !== null && parent.ancestor_ids.includes(held.id))
      refuse('parent_id', 'A location cannot be inside itself or inside a location that it contains.')
    if (parent.ancestor_ids.length + held.levels > MAX_LOCATION_DEPTH)
      refuse('parent_id', `Locations can be nested at most ${MAX_LOCATION_DEPTH} levels deep.`)
    return parent
  }

  return {
    async list(filter, { cursor, limit }) {
      const page = { cursor: decodeCursor(cursor), limit }
      const [rows, total] = await Promise.all([listLocations(sql, filter, page), countLocations(sql, filter)])
      const items = rows.slice(0, limit)
      const last = items.at(-1)
      const place = last && JSON.stringify([LIST, last.id, last.sort_key])
      const next = rows.length > limit && place ? Buffer.from(place).toString('base64url') : null
      return { items, next, total }
    },

    get: async (id) => orThrow(await findLocation(sql, id), 'LOCATION_NOT_FOUND'),

    async contentsOf(id) {
      if (!(await findLocation(sql, id))) throw new AppError('LOCATION_NOT_FOUND')
      return readContents(sql, id)
    },

    create: (body, by) =>
      writeOnce({ database, clock }, by, ['locations', body], async (tx, { audit }) => {
        await lockTree(tx)
        const { name, kind, notes = null, parent_id: parentId = null } = body
        const parent = await parentFor(tx, parentId, { id: null, levels: 1 })
        const id = uuidv7()
        const path = pathIn(parent, name)
        const location = { id, name, kind, notes, parentId, path, now: audit.now }
        if (!(await insertLocation(tx, location))) throw new AppError('LOCATION_TAKEN')
        const row = await reread(tx, id)
        await recordChange(tx, 'location.created', { row, after: row }, audit)
        return { status: 201, body: row }
      }),

    update: (id, body, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, id, revision)
        const { name = row.name, notes = row.notes, parent_id: parentId = row.parent_id } = body
        if (name === row.name && notes === row.notes && parentId === row.parent_id) return row
        const parent = await parentFor(tx, parentId, { id, levels: await countLevels(tx, id) })
        await writeLocation(tx, { id, name, notes, parentId, path: pathIn(parent, name) }, by.now)
        const after = await reread(tx, id)
        await recordChange(tx, 'location.updated', { row: after, before: row, after }, by)
        return after
      }),

    remove: (id, revision, by) =>
      database.transaction(async (tx) => {
        const row = await lockLive(tx, id, revision)
        const message = whatLiesIn(row, await countChildren(tx, id))
        if (message !== null) throw new AppError('LOCATION_IN_USE', { text: message })
        await setLocationDeleted(tx, id, { deletedAt: by.now, path: row.path, now: by.now })
        await recordChange(tx, 'location.deleted', { row }, by)
      }),

    restore: (id, by) =>
      database.transaction(async (tx) => {
        await lockTree(tx)
        const row = await lockLocation(tx, id)
        const isKept = row?.deleted_at == null || new Date(row.deleted_at) > trashCutoff(by.now)
        if (!row || !isKept) throw new AppError('LOCATION_NOT_FOUND')
        if (row.deleted_at === null) return row
        const parent = row.parent_id === null ? null : await findLocationNode(tx, row.parent_id)
        if (row.parent_id !== null && !parent)
          refuse(
            'parent_id',
            'The location that contained it no longer exists. Please restore that location first.',
          )
        await setLocationDeleted(tx, id, { deletedAt: null, path: pathIn(parent, row.name), now: by.now })
        const after = await reread(tx, id)
        await recordChange(tx, 'location.restored', { row: after }, by)
        return after
      }),
  }
}

/** Returns a sentence about the contents that prevent the deletion of a location, or null if it is empty. */
function whatLiesIn(row: LocationRow, children: number): string | null {
  const { item_count: items, spool_count: spools, printer_count: printers } = row
  const counts: [number, string, string][] = [
    [children, 'place or bin', 'places or bins'],
    [items, 'item', 'items'],
    [spools, 'spool', 'spools'],
    [printers, 'printer', 'printers'],
  ]
  const held = counts.filter(([count]) => count > 0)
  if (held.length === 0) return null
  const words = held.map(([count, one, many]) => `${count} ${count === 1 ? one : many}`).join(', ')
  return `This location is not empty: it contains ${words}. Please move them first.`
}
