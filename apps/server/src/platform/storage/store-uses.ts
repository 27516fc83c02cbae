import { randomUUID } from 'node:crypto'
import { MINUTE_MS, SECOND_MS } from '../clock.ts'
import type { Queryable } from '../database/database.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { type Poller, createPoller } from '../poller.ts'
import type { ObjectStorage } from './object-storage.ts'
import { CLAIM_PAUSE_MS, findOtherClaim, makeClaim } from './store-claim.ts'
import type { StoreIdentity } from './store-identity.ts'
import {
  type ClaimedUse,
  claimWithoutUse,
  deleteOldStoreUses,
  extendStoreUse,
  insertStoreUse,
  isUsedByOtherDatabase,
  markOtherDatabase,
} from './store-uses.queries.ts'
import { KEPT_DAYS } from './unclaimed-files.ts'

/**
 * After a longer pause, a new use begins. If the database was replaced by an older copy while this server ran, the time
 * in between does not count as a use.
 */
const MAX_PAUSE_SECONDS = (5 * MINUTE_MS) / SECOND_MS

/**
 * Records that this server uses the store, from now on and with each heartbeat, in the database and with a claim in the
 * store. Files that were stored before `acceptedBefore` count as files of this database. If a heartbeat finds the claim
 * of another database, no server of this database deletes stored files for an hour, and this time does not count as a
 * use.
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
  const beginUse = () => insertStoreUse(sql, { id: randomUUID(), storeId })
  let use = await beginUse()
  /** More than one if the database was replaced while this server ran. */
  const ownIds = new Set([use.useId])
  await deleteOldStoreUses(sql, storeId, KEPT_DAYS + 1)
  if (acceptedBefore !== null)
    await insertStoreUse(sql, { id: randomUUID(), storeId, beganAt: new Date(0), seenAt: acceptedBefore })

  // A full or read-only store cannot be claimed, but it can be read.
  const claim = (): Promise<void> =>
    makeClaim(storage, use).catch((error: unknown) =>
      log.warn({ err: error }, 'the file storage was not claimed'),
    )
  const continueUse = async (): Promise<ClaimedUse> => {
    const isShared = await isUsedByOtherDatabase(sql)
    const continued = isShared
      ? await claimWithoutUse(sql, use.useId)
      : await extendStoreUse(sql, use.useId, MAX_PAUSE_SECONDS)
    return continued ?? beginUse()
  }
  const findOther = async () => {
    const other = await findOtherClaim({ database, storage }).catch((error: unknown) => {
      log.warn({ err: error }, 'the claim of the file storage could not be read')
      return null
    })
    return other === null || ownIds.has(other.useId) ? null : other
  }

  await claim()
  return createPoller({
    name: 'use of the file storage',
    pauseMs: CLAIM_PAUSE_MS,
    async work() {
      try {
        use = await continueUse()
        ownIds.add(use.useId)
      } catch (error) {
        // This server still runs, so its claim must not look abandoned.
        await claim()
        throw error
      }
      const other = await findOther()
      await claim()
      if (other === null) return
      await markOtherDatabase(sql, { id: use.useId, storeId })
      log.error(
        { store: store.place, host: other.host },
        'another database uses the same file storage: stored files are not deleted until its servers have stopped for an hour',
      )
    },
    log,
  })
}
