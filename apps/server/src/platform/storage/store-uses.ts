import { randomUUID } from 'node:crypto'
import { MINUTE_MS, SECOND_MS } from '../clock.ts'
import type { Queryable } from '../database/database.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { type Poller, createPoller } from '../poller.ts'
import type { ObjectStorage } from './object-storage.ts'
import { CLAIM_PAUSE_MS, endClaim, makeClaim, renewClaim } from './store-claim.ts'
import type { StoreIdentity } from './store-identity.ts'
import {
  deleteOldStoreUses,
  extendStoreUse,
  insertStoreUse,
  markOtherDatabase,
} from './store-uses.queries.ts'
import { KEPT_DAYS } from './unclaimed-files.ts'

/**
 * The longest pause within a use. After a longer pause, a new use begins. So if an older copy has replaced the database
 * while this server ran, the time since that copy was made is not part of a use.
 */
const MAX_PAUSE_SECONDS = (5 * MINUTE_MS) / SECOND_MS

/**
 * Records that this server uses the store, from now on and with each heartbeat, in the database and with a claim in the
 * store. Files that were stored before `acceptedBefore` count as files of this database. If a heartbeat finds the claim
 * of another database, no server of this database deletes stored files for an hour. The returned poller removes the
 * claim when it stops.
 */
export async function beginStoreUse(options: {
  database: { sql: Queryable }
  storage: ObjectStorage
  store: StoreIdentity
  acceptedBefore: Date | null
  log: ServiceLog
}): Promise<Poller> {
  const { database, storage, store, acceptedBefore, log } = options
  const { sql } = database
  const storeId = store.id
  let id: string = randomUUID()
  /** More than one if the database was replaced while this server ran. */
  const ids = [id]
  await insertStoreUse(sql, { id, storeId })
  await deleteOldStoreUses(sql, storeId, KEPT_DAYS + 1)
  if (acceptedBefore !== null)
    await insertStoreUse(sql, { id: randomUUID(), storeId, beganAt: new Date(0), seenAt: acceptedBefore })

  // A full or read-only store cannot be claimed, but it can be read.
  const warn = (error: unknown): false => {
    log.warn({ err: error }, 'the file storage was not claimed')
    return false
  }
  const claimAgain = async (): Promise<void> => {
    const isShared = await renewClaim({ database, storage }, ids).catch(warn)
    if (!isShared) return
    await markOtherDatabase(sql, id)
    log.error(
      { store: store.place },
      'another database uses the same file storage: stored files are not deleted until its servers have stopped for an hour',
    )
  }

  await makeClaim(storage, id).catch(warn)
  const poller = createPoller({
    name: 'use of the file storage',
    pauseMs: CLAIM_PAUSE_MS,
    async work() {
      if (!(await extendStoreUse(sql, id, MAX_PAUSE_SECONDS))) {
        id = randomUUID()
        ids.push(id)
        await insertStoreUse(sql, { id, storeId })
      }
      await claimAgain()
    },
    log,
  })
  return {
    ...poller,
    async stop() {
      await poller.stop()
      await endClaim(storage, id).catch((error: unknown) =>
        log.warn({ err: error }, 'the claim of the file storage was not removed'),
      )
    },
  }
}
