import type { AuditAction, AuditEntity } from '@pegasus/contracts/audit'
import {
  type ActorColumns,
  type Actor,
  type AuditContext,
  actorColumns,
  actorOfColumns,
} from '../../platform/actor.ts'
import type { Row } from '../../platform/database/column-types.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Fragment, matchesEveryWord } from '../../platform/database/search-patterns.ts'
import { insertInto } from '../../platform/database/write-rows.ts'
import { COUNT_CAP, type Cursor, type PageRequest, isUuid } from '../../platform/http/paging.ts'
import { type Fields, storableFields, storableText } from './changes.ts'

export interface NewEntry {
  id: string
  action: AuditAction
  entity: AuditEntity
  entityId: string | null
  entityName: string | null
  before: Fields | null
  after: Fields | null
}

export async function insertEntry(tx: Queryable, entry: NewEntry, by: AuditContext): Promise<void> {
  const text = (value: string | null) => (value === null ? null : storableText(value))
  const { actor_kind: kind, actor_id: actorId, actor_name: actorName } = actorColumns(by.actor)
  const accountId = entry.entity === 'account' ? entry.entityId : null
  await tx`
    insert into audit_entries (id, at, actor_kind, actor_id, actor_name, action, entity, entity_id, entity_name,
                               before, after, ip, request_id)
    values (${entry.id}, ${by.now}, ${kind}, ${actorId}, ${text(actorName)}, ${entry.action}, ${entry.entity},
            ${text(entry.entityId)},
            coalesce(${text(entry.entityName)}::text,
                     (select coalesce(nullif(full_name, ''), username) from people where id = ${accountId}::uuid)),
            ${tx.json(storableFields(entry.before))}, ${tx.json(storableFields(entry.after))}, ${by.from?.ip ?? null}, ${by.from?.requestId ?? null})`
}

/** Writes entries for many objects under their current names. Does not support accounts as objects. */
export async function insertEntries(
  tx: Queryable,
  entries: readonly NewEntry[],
  by: AuditContext,
): Promise<void> {
  const text = (value: string | null) => (value === null ? null : storableText(value))
  const actor = actorColumns(by.actor)
  const rows = entries.map((entry) => ({
    id: entry.id,
    at: by.now,
    ...actor,
    actor_name: storableText(actor.actor_name),
    action: entry.action,
    entity: entry.entity,
    entity_id: text(entry.entityId),
    entity_name: text(entry.entityName),
    before: storableFields(entry.before),
    after: storableFields(entry.after),
    ip: by.from?.ip ?? null,
    request_id: by.from?.requestId ?? null,
  }))
  await insertInto(tx, 'audit_entries', rows)
}

export interface EntryRow
  extends ActorColumns,
    Row<
      'audit_entries',
      'id' | 'action' | 'entity' | 'entity_id' | 'entity_name' | 'before' | 'after' | 'ip' | 'request_id'
    > {
  created_at: string
}

export interface AuditFilter {
  actions?: readonly AuditAction[] | undefined
  entity?: AuditEntity | undefined
  entityId?: string | undefined
  actorId?: string | undefined
  actorKind?: Actor['kind'] | undefined
  /** Only entries at this time or later. */
  from?: string | undefined
  /** Only entries before this time. */
  to?: string | undefined
  search?: string | undefined
}

const PART_OF_ADDRESS = /^[0-9a-f.:]+$/
/**
 * Returns whether a word is too short for the index. The index finds fewer than three characters only at the beginning
 * of a word.
 */
const isShort = (word: string): boolean => word.length < 3

/**
 * Returns the SQL condition that an entry matches a word. The word can be a whole id, the beginning of an IP address,
 * or a part of a name. In names, a short word matches only the beginning of a word.
 */
function matchesWord(sql: Queryable, pattern: string) {
  const word = pattern.slice(1, -1)
  if (isUuid(word)) return sql`(entity_id = ${word} or actor_id = ${word}::uuid)`
  const inName = sql`search_text like ${isShort(word) ? `% ${word}%` : pattern}`
  return PART_OF_ADDRESS.test(word) ? sql`(${inName} or ip like ${`${word}%`})` : inName
}

const matching = (sql: Queryable, filter: AuditFilter, after: Cursor | null) => sql`
  true
  ${filter.entity === undefined ? sql`` : sql`and entity = ${filter.entity}`}
  ${filter.entityId === undefined ? sql`` : sql`and entity_id = ${filter.entityId}`}
  ${filter.actorId === undefined ? sql`` : sql`and actor_id = ${filter.actorId}`}
  ${filter.actorKind === undefined ? sql`` : sql`and actor_kind = ${filter.actorKind}`}
  ${filter.from === undefined ? sql`` : sql`and at >= ${filter.from}::timestamptz`}
  ${filter.to === undefined ? sql`` : sql`and at < ${filter.to}::timestamptz`}
  ${matchesEveryWord(sql, filter.search, (pattern) => matchesWord(sql, pattern))}
  ${after ? sql`and (at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)` : sql``}`

const newestOf = (sql: Queryable, condition: Fragment, limit: number) => sql`
  select * from audit_entries where ${condition} order by at desc, id desc limit ${limit}`

/**
 * Selects the first matching rows, newest first. Reads the rows of each action in the order of the index, and merges
 * them. A single query for several actions would sort all matching rows or read all rows.
 */
function newest(sql: Queryable, filter: AuditFilter, after: Cursor | null, limit: number): Fragment {
  const condition = matching(sql, filter, after)
  if (filter.actions === undefined) return newestOf(sql, condition, limit)
  const [first, ...more] = filter.actions.map(
    (action) => sql`(${newestOf(sql, sql`action = ${action} and ${condition}`, limit)})`,
  )
  if (!first) return newestOf(sql, sql`false`, limit)
  return sql`
    select * from (${more.reduce((all, each) => sql`${all} union all ${each}`, first)}) as of_each
    order by at desc, id desc limit ${limit}`
}

export const listEntries = (sql: Queryable, filter: AuditFilter, page: PageRequest) =>
  sql<EntryRow[]>`
    select id, at as created_at, actor_kind, actor_id, actor_name, action, entity, entity_id, entity_name,
           before, after, ip, request_id
    from (${newest(sql, filter, page.cursor, page.limit + 1)}) as entries
    order by at desc, id desc`

/** Counts the matching entries up to COUNT_CAP. Returns COUNT_CAP + 1 if there are more. */
export async function countEntries(sql: Queryable, filter: AuditFilter): Promise<number> {
  const [row] = await sql<[{ total: number }]>`
    select count(*)::int as total from (${newest(sql, filter, null, COUNT_CAP + 1)}) as matches`
  return row.total
}

/**
 * An audit entry as the page of its object shows it. It omits the caller's IP address, because people who may not read
 * the audit can open that page.
 */
export interface EntityEvent extends Pick<EntryRow, 'id' | 'action' | 'after' | 'created_at'> {
  actor: Actor
}

/** Lists the events of an object, newest first. */
export async function listEntityEvents(
  sql: Queryable,
  { entity, entityId, limit }: { entity: AuditEntity; entityId: string; limit: number },
): Promise<EntityEvent[]> {
  const rows = await listEntries(sql, { entity, entityId }, { limit, cursor: null })
  return rows.slice(0, limit).map((row) => ({
    id: row.id,
    action: row.action,
    after: row.after,
    created_at: row.created_at,
    actor: actorOfColumns(row),
  }))
}
