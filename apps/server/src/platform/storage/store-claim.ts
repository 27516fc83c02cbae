import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock.ts'
import type { Queryable } from '../database/database.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { StartupError } from '../startup-error.ts'
import type { ObjectStorage } from './object-storage.ts'
import type { StoreIdentity } from './store-identity.ts'
import { readStoreUse } from './store-uses.queries.ts'

/**
 * The object in which servers claim a store. It contains the id of a use (`store-uses.ts`), which the database of the
 * server also has. Servers of one database overwrite each other's ids, because each knows all of them.
 */
export const STORE_CLAIM = 'store-use'

/** How often a running server renews its claim. */
export const CLAIM_PAUSE_MS = 30 * SECOND_MS
/** A server that runs has renewed its claim in this time, even on a busy machine. */
const WATCH_MS = 75 * SECOND_MS
const LOOK_PAUSE_MS = 2 * SECOND_MS
/** The server of a claim that is older than this has ended. The clocks of the store and the server can differ. */
const MAX_CLAIM_AGE_MS = HOUR_MS
/** Each claim is made right after the use was recorded in the database, whose clock can differ. */
const MAX_RECORD_AGE_MS = 2 * MINUTE_MS

interface Claim {
  useId: string
  at: Date
}

interface Deps {
  database: { sql: Queryable }
  storage: ObjectStorage
}

/**
 * Waits until it is certain that no server of another database uses this store. Throws StartupError if one does,
 * because each would delete the files of the other. A claim that another server has left when it crashed makes this
 * take 75 seconds.
 */
export async function refuseOtherDatabase(
  deps: Deps & {
    store: StoreIdentity
    clock: Clock
    log: ServiceLog
    watchMs?: number
    lookPauseMs?: number
  },
): Promise<void> {
  const { storage, store, clock, log, watchMs = WATCH_MS, lookPauseMs = LOOK_PAUSE_MS } = deps
  const found = await findOtherClaim(deps).catch((error: unknown) => {
    // Without the storage, nothing can be deleted. The claim is read again with each heartbeat.
    log.warn({ err: error }, 'the claim of the file storage could not be read')
    return null
  })
  if (found === null || found.at.getTime() < clock.now().getTime() - MAX_CLAIM_AGE_MS) return
  log.warn(
    { store: store.place, claimedAt: found.at },
    'another database has used the file storage: waiting to see whether its server still runs',
  )
  for (let waited = 0; waited < watchMs; waited += lookPauseMs) {
    await wait(lookPauseMs)
    const claim = await readClaim(storage).catch(() => found)
    if (claim === null) return
    if (claim.useId !== found.useId || claim.at.getTime() !== found.at.getTime())
      throw new StartupError(
        `Another database uses ${store.place} now: its server has just renewed its claim (the object ${STORE_CLAIM}). ` +
          'Each server would delete the files of the other. This server does not start, and no file was changed. ' +
          'Stop the other server, or set STORAGE_URL (or DATA_DIR) to a folder or bucket of its own.',
      )
  }
}

/** Claims the store with this use, whatever was there before. */
export async function makeClaim(storage: ObjectStorage, useId: string): Promise<void> {
  await storage.put(STORE_CLAIM, Readable.from([Buffer.from(useId)]))
}

/**
 * Claims the store for this database with the last of the ids that this server has used. Returns whether a server of
 * another database had claimed it in the meantime.
 */
export async function renewClaim(deps: Deps, useIds: readonly string[]): Promise<boolean> {
  const other = await findOtherClaim(deps)
  await makeClaim(deps.storage, useIds.at(-1) ?? '')
  return other !== null && !useIds.includes(other.useId)
}

/** Removes this server's claim, so that a server of another database can start at once. */
export async function endClaim(storage: ObjectStorage, useId: string): Promise<void> {
  const claim = await readClaim(storage)
  if (claim?.useId === useId) await storage.delete(STORE_CLAIM)
}

/**
 * Returns the claim if a server of another database made it. A copy of a database also contains the use of the
 * original's server, but not the times at which that server was seen after the copy was made.
 */
async function findOtherClaim({ database, storage }: Deps): Promise<Claim | null> {
  const claim = await readClaim(storage)
  if (claim === null) return null
  const use = await readStoreUse(database.sql, claim.useId)
  const isOwn = use !== null && use.seenAt.getTime() > claim.at.getTime() - MAX_RECORD_AGE_MS
  return isOwn ? null : claim
}

async function readClaim(storage: ObjectStorage): Promise<Claim | null> {
  const [stored, opened] = await Promise.all([storage.stat(STORE_CLAIM), storage.open(STORE_CLAIM)])
  if (opened === null) return null
  const useId = Buffer.concat(await opened.stream.toArray()).toString()
  return stored === null ? null : { useId, at: stored.modifiedAt }
}
