import { hash, verify } from '@node-rs/argon2'
import { normalizePassword } from '@pegasus/contracts/auth/password-rules'
import { createBoundedQueue } from '../../../platform/workers/bounded-queue.ts'

/** The package's const enum is not there at run time; this is its Argon2id. */
const ARGON2ID = 2

/** argon2id as OWASP's minimum puts it: 19 MiB, two passes, one lane. */
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

/** Hashing fills a core for tens of milliseconds: two at a time leave the server able to answer. */
const CONCURRENCY = 2
const MAX_WAITING = 200

export interface PasswordHashing {
  hash(password: string): Promise<string>
  /**
   * Whether the password belongs to the hash. Without a hash (no such account) it takes the same time and
   * says no, so that an answer's cost tells nobody which names exist.
   */
  matches(password: string, hash: string | null): Promise<boolean>
}

/** Throws PoolBusyError from either function when too many are waiting. */
export async function createPasswordHashing(): Promise<PasswordHashing> {
  const queue = createBoundedQueue({ concurrency: CONCURRENCY, maxWaiting: MAX_WAITING })
  const nobodysHash = await hash('nobody has this password', PARAMETERS)
  return {
    hash: (password) => queue.run(() => hash(normalizePassword(password), PARAMETERS)),
    matches: async (password, stored) => {
      const isRight = await queue.run(() => verify(stored ?? nobodysHash, normalizePassword(password)))
      return isRight && stored !== null
    },
  }
}
