import { randomUUID } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { type Poller, createPoller } from '../poller.ts'
import type { ObjectStorage } from './object-storage.ts'
import { CLAIM_PAUSE_MS, type Claim, findOtherClaim, makeClaim } from './store-claim.ts'
import type { StoreIdentity } from './store-identity.ts'
import {
  beginClaimedUse,
  claimAgain,
  deleteOldStoreUses,
  forgetOtherStores,
  insertStoreUse,
  markOtherDatabase,
} from './store-uses.queries.ts'
import { KEPT_DAYS } from './unclaimed-files.ts'

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
  const begin = () => beginClaimedUse(sql, { id: randomUUID(), storeId })
  // The servers of a database all use the same store, so nobody uses the former store of this database anymore.
  await forgetOtherStores(sql, storeId)
  let use = await begin()
  /** More than one if the database was replaced while this server ran. */
  const ownIds = new Set([use.useId])
  await deleteOldStoreUses(sql, storeId, KEPT_DAYS + 1)
  if (acceptedBefore !== null)
    await insertStoreUse(sql, { id: randomUUID(), storeId, beganAt: new Date(0), seenAt: acceptedBefore })

  /** Returns the claim of another database, null if there is none, or undefined if the store cannot be read. */
  const findOther = async (): Promise<Claim | null | undefined> => {
    try {
      const other = await findOtherClaim({ database, storage })
      return other === null || ownIds.has(other.useId) ? null : other
    } catch (error) {
      log.warn({ err: error }, 'the claim of the file storage could not be read')
      return undefined
    }
  }
  /** Claims the store. A full or read-only store cannot be claimed, but it can be read. */
  const claim = (): Promise<void> =>
    makeClaim(storage, use).catch((error: unknown) =>
      log.warn({ err: error }, 'the file storage was not claimed'),
    )

  /**
   * The last claim of another database that this server has seen. If it is seen again, the other server has not renewed
   * it: this server could not overwrite it, or the store returned an outdated copy.
   */
  let seen = (await findOther())?.version
  await claim()
  return createPoller({
    name: 'use of the file storage',
    pauseMs: CLAIM_PAUSE_MS,
    async work() {
      const found = await findOther()
      const other = found && found.version !== seen ? found : null
      seen = found?.version ?? seen
      try {
        const mayExtend = found !== undefined && other === null
        use = (await claimAgain(sql, use.useId, { mayExtend })) ?? (await begin())
        ownIds.add(use.useId)
      } finally {
        // This server still runs even if the database does not respond, so its claim must not look abandoned.
        await claim()
      }
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
