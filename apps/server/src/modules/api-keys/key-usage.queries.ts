import { RECENT_CALLS_SHOWN } from '@pegasus/contracts/api-keys'
import type { Row } from '../../platform/database/column-types.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { insertInto } from '../../platform/database/write-rows.ts'

export interface KeyCall {
  id: string
  at: Date
  method: string
  path: string
  status: number
  ip: string | null
  requestId: string
}

/** The uses of a key since the last write to the database. */
export interface KeyUse {
  count: number
  lastUsed: Date | null
  lastIp: string | null
  /** The latest calls, oldest first. */
  calls: readonly KeyCall[]
}

/** Adds the given uses to those stored in the database. Skips keys that were deleted in the meantime. */
export async function addUses(tx: Queryable, uses: ReadonlyMap<string, KeyUse>): Promise<void> {
  // Lock in a fixed order, so that two processes that write the same keys cannot deadlock.
  const keyIds = [...uses.keys()].toSorted()
  const known = await tx<{ id: string }[]>`
    select id from api_keys where id = any(${keyIds}::uuid[]) order by id for no key update`
  const rows = known.map(({ id }) => ({ id, ...(uses.get(id) as KeyUse) }))
  for (const { id, count, lastUsed, lastIp } of rows)
    await tx`
      update api_keys
      set usage_count = usage_count + ${count},
          last_used_ip = case when ${lastUsed}::timestamptz >= coalesce(last_used, '-infinity') then ${lastIp}
                              else last_used_ip end,
          last_used = greatest(last_used, ${lastUsed}::timestamptz)
      where id = ${id}`
  const calls = rows.flatMap(({ id: keyId, calls }) =>
    calls.map(({ id, at, method, path, status, ip, requestId }) => ({
      id,
      key_id: keyId,
      at,
      method,
      path,
      status,
      ip,
      request_id: requestId,
    })),
  )
  if (calls.length === 0) return
  // If the response to an earlier write was lost, the write is repeated, and some of these calls are already stored.
  // Skip those calls.
  await tx`
    ${insertInto(tx, 'key_calls', calls)} on conflict (id) do nothing`
  await forgetOldCalls(tx, keyIds)
}

const forgetOldCalls = (tx: Queryable, keyIds: readonly string[]) => tx`
  delete from key_calls c
  using unnest(${[...keyIds]}::uuid[]) key_id,
        lateral (select at, id from key_calls where key_calls.key_id = key_id.key_id
                 order by at desc, id desc offset ${RECENT_CALLS_SHOWN - 1} limit 1) last_shown
  where c.key_id = key_id.key_id and (c.at, c.id) < (last_shown.at, last_shown.id)`

export type KeyCallRow = Row<'key_calls', 'at' | 'method' | 'path' | 'status' | 'ip' | 'request_id'>

export const listCalls = (sql: Queryable, keyId: string): Promise<KeyCallRow[]> =>
  sql<KeyCallRow[]>`
    select at, method, path, status, ip, request_id from key_calls where key_id = ${keyId}
    order by at desc, id desc limit ${RECENT_CALLS_SHOWN}`
