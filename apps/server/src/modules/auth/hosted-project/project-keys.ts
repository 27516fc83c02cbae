import { type CryptoKey, type JSONWebKeySet, type JWSHeaderParameters, createLocalJWKSet } from 'jose'
import { type Clock, SECOND_MS, addMs } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ProjectCalls } from './project-calls.ts'

/** How long the key set is cached, as the specification requires. */
const KEPT_MS = 600 * SECOND_MS
/** Minimum time between two reads of the key set for tokens with unknown keys, because anybody can send such tokens. */
const REREAD_UNKNOWN_MS = 30 * SECOND_MS

/** Returns the public key that a token names. Throws BAD_JWT if the project has no such key. */
export type FindProjectKey = (header: JWSHeaderParameters) => Promise<CryptoKey>

interface Kept {
  set: ReturnType<typeof createLocalJWKSet>
  ids: ReadonlySet<unknown>
  readAt: Date
}

const keptOf = (keys: JSONWebKeySet, readAt: Date): Kept => ({
  set: createLocalJWKSet(keys),
  ids: new Set(keys.keys.map(({ kid }) => kid)),
  readAt,
})

/** Creates the cache of the project's public keys. While the project does not respond, the cached keys stay in use. */
export function createProjectKeys({
  calls,
  clock,
}: {
  calls: Pick<ProjectCalls, 'readKeys'>
  clock: Clock
}): FindProjectKey {
  let cachedKeys: Kept | null = null
  let reading: Promise<Kept> | null = null

  const readNow = async (): Promise<Kept> => {
    try {
      cachedKeys = keptOf(await calls.readKeys(), clock.now())
      return cachedKeys
    } catch (error) {
      if (cachedKeys) return cachedKeys
      throw error
    } finally {
      reading = null
    }
  }
  const read = (): Promise<Kept> => (reading ??= readNow())
  const isOlder = ({ readAt }: Kept, ms: number): boolean => addMs(readAt, ms) <= clock.now()

  return async (header) => {
    let found = cachedKeys === null || isOlder(cachedKeys, KEPT_MS) ? await read() : cachedKeys
    if (!found.ids.has(header.kid) && isOlder(found, REREAD_UNKNOWN_MS)) found = await read()
    if (header.kid === undefined || !found.ids.has(header.kid))
      throw new AppError('BAD_JWT', { detail: 'token names no key of the hosted project' })
    return found.set(header)
  }
}
