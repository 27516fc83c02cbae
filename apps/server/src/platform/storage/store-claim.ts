import { hostname } from 'node:os'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS } from '../clock.ts'
import type { Queryable } from '../database/database.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { StartupError } from '../startup-error.ts'
import type { ObjectStorage } from './object-storage.ts'
import type { StoreIdentity } from './store-identity.ts'
import { type ClaimedUse, isOwnUse } from './store-uses.queries.ts'

/**
 * The object in which servers claim a store: `{use_id, claimed_at, host}`. The database of the server has the same use
 * with the same time (`store-uses.ts`). Servers of one database overwrite each other's claims.
 */
export const STORE_CLAIM = 'store-use'

/** How often a running server renews its claim. */
export const CLAIM_PAUSE_MS = 30 * SECOND_MS

/** How long a claim is watched, and the pause between two looks. */
export interface Watch {
  durationMs: number
  pauseMs: number
}

/**
 * A server that runs has renewed its claim in this time, even on a busy machine. The time is also longer than two minutes
 * and a renewal, so that no file of the other server counts as stored while this server ran (`unclaimed-files.ts`).
 */
const USUAL_WATCH: Watch = { durationMs: 150 * SECOND_MS, pauseMs: 2 * SECOND_MS }

/** A claim that was found in a store. */
export interface Claim extends ClaimedUse {
  host: string
  /** Differs after each renewal. Its time is that of the store's clock. */
  version: string
}

interface Deps {
  database: { sql: Queryable }
  storage: ObjectStorage
}

/**
 * Throws StartupError if a server of another database uses this store, because each would delete the files of the other.
 * If the store has the claim of another database, this takes 150 seconds: only a claim that is renewed belongs to a
 * server that runs.
 */
export async function refuseOtherDatabase(
  deps: Deps & { store: StoreIdentity; log: ServiceLog; watch?: Watch; stopping?: AbortSignal },
): Promise<void> {
  const { storage, store, log, watch = USUAL_WATCH, stopping } = deps
  const found = await findOtherClaim(deps).catch((error: unknown) => {
    // Without the storage, nothing can be deleted. The claim is read again with each heartbeat.
    log.warn({ err: error }, 'the claim of the file storage could not be read')
    return null
  })
  if (found === null) return
  log.warn(
    { store: store.place, host: found.host },
    'another database has used the file storage: waiting 150 seconds to see whether its server still runs',
  )
  const renewed = await watchClaim(storage, found, { watch, isOther: () => findOtherClaim(deps), stopping })
  if (renewed !== null)
    throw new StartupError(
      `Another database uses ${store.place} now: its server on ${renewed.host} has just renewed its claim, the object ${STORE_CLAIM}. ` +
        'Each server would delete the files of the other. This server does not start, and has changed no file. ' +
        'Stop the other server, or set STORAGE_URL (or DATA_DIR) to a folder or bucket of its own.',
    )
}

/** Returns the name of the machine whose server renews the claim of the store while it is watched, or null. */
export async function findRunningHost(
  storage: ObjectStorage,
  { log, watch = USUAL_WATCH }: { log: ServiceLog; watch?: Watch | undefined },
): Promise<string | null> {
  const found = await readClaim(storage)
  if (found === null) return null
  log.warn(
    { host: found.host },
    'a server has used the object store: waiting 150 seconds to see whether it still runs',
  )
  const renewed = await watchClaim(storage, found, { watch, isOther: () => readClaim(storage) })
  return renewed?.host ?? null
}

/**
 * Returns the claim as soon as it is renewed and still that of another database. Returns null if it is removed, taken
 * over by this database, or not renewed in time. While the store cannot be read, the other server cannot renew its claim
 * either, so the time begins again.
 */
async function watchClaim(
  storage: ObjectStorage,
  found: Claim,
  {
    watch,
    isOther,
    stopping,
  }: { watch: Watch; isOther: () => Promise<Claim | null>; stopping?: AbortSignal | undefined },
): Promise<Claim | null> {
  let end = performance.now() + watch.durationMs
  while (performance.now() < end) {
    await wait(watch.pauseMs, undefined, { signal: stopping })
    const claim = await readClaim(storage).catch(() => undefined)
    if (claim === null) return null
    if (claim === undefined) end = performance.now() + watch.durationMs
    else if (claim.version !== found.version) return isOther().catch(() => claim)
  }
  return null
}

/** Claims the store with this use of this server, whatever was there before. */
export async function makeClaim(storage: ObjectStorage, { useId, claimedAt }: ClaimedUse): Promise<void> {
  const claim = JSON.stringify({ use_id: useId, claimed_at: claimedAt, host: hostname() })
  await storage.put(STORE_CLAIM, Readable.from([Buffer.from(claim)]))
}

/**
 * Returns the claim of the store if another database made it, otherwise null. A copy of a database also contains the
 * use of the original's server, but not the times at which it claimed the store after the copy was made.
 */
export async function findOtherClaim({ database, storage }: Deps): Promise<Claim | null> {
  const claim = await readClaim(storage)
  return claim === null || (await isOwnUse(database.sql, claim)) ? null : claim
}

async function readClaim(storage: ObjectStorage): Promise<Claim | null> {
  const stored = await storage.stat(STORE_CLAIM)
  const opened = stored && (await storage.open(STORE_CLAIM))
  if (stored === null || opened === null) return null
  const text = Buffer.concat(await opened.stream.toArray()).toString()
  return { ...parseClaim(text), version: `${stored.modifiedAt.toISOString()} ${text}` }
}

const UUID = /^[0-9a-f-]{36}$/

/** A text that no server has written is a claim of nobody, which is never renewed. */
function parseClaim(text: string): ClaimedUse & { host: string } {
  try {
    const { use_id: useId, claimed_at: claimedAt, host } = JSON.parse(text) as Record<string, unknown>
    if (typeof useId === 'string' && UUID.test(useId) && !Number.isNaN(Date.parse(String(claimedAt))))
      return { useId, claimedAt: String(claimedAt), host: String(host) }
  } catch {
    // Treated like a claim with other contents.
  }
  return { useId: '', claimedAt: new Date(0).toISOString(), host: 'an unknown machine' }
}
