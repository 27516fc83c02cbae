import { randomUUID } from 'node:crypto'
import { MINUTE_MS, SECOND_MS } from '../clock.ts'
import type { Queryable } from '../database/database.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { type Poller, createPoller } from '../poller.ts'
import { KEPT_DAYS } from './unclaimed-files.ts'
import { deleteOldStoreUses, extendStoreUse, insertStoreUse } from './store-uses.queries.ts'

const HEARTBEAT_MS = 30 * SECOND_MS
/**
 * After a longer pause, a new use begins. If the database was replaced by an older copy while this server ran, the time
 * in between does not count as a use.
 */
const MAX_PAUSE_SECONDS = (5 * MINUTE_MS) / SECOND_MS

/**
 * Records that this server uses the store, from now on and with each heartbeat. Files that were stored before
 * `acceptedBefore` count as files of this database.
 */
export async function beginStoreUse(options: {
  database: { sql: Queryable }
  storeId: string
  acceptedBefore: Date | null
  log: ServiceLog
}): Promise<Poller> {
  const { storeId, acceptedBefore, log } = options
  const { sql } = options.database
  let id = randomUUID() as string
  await insertStoreUse(sql, { id, storeId })
  await deleteOldStoreUses(sql, storeId, KEPT_DAYS + 1)
  if (acceptedBefore !== null)
    await insertStoreUse(sql, { id: randomUUID(), storeId, beganAt: new Date(0), seenAt: acceptedBefore })
  return createPoller({
    name: 'use of the file storage',
    pauseMs: HEARTBEAT_MS,
    async work() {
      if (await extendStoreUse(sql, id, MAX_PAUSE_SECONDS)) return
      id = randomUUID()
      await insertStoreUse(sql, { id, storeId })
    },
    log,
  })
}
