import { hash, verify } from '@node-rs/argon2'
import { normalizePassword } from '@pegasus/contracts/auth/password-rules'
import { createBoundedQueue } from '../../../platform/workers/bounded-queue.ts'

/** The package's const enum is not there at run time; this is its Argon2id. */
const ARGON2ID = 2

/** How much work a hash is, to make and to check. */
export interface HashingCost {
  memoryKib: number
  passes: number
}

/** The minimum that OWASP gives for argon2id. */
const OWASP_MINIMUM: HashingCost = { memoryKib: 19 * 1024, passes: 2 }

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
export async function createPasswordHashing(cost = OWASP_MINIMUM): Promise<PasswordHashing> {
  const queue = createBoundedQueue({ concurrency: CONCURRENCY, maxWaiting: MAX_WAITING })
  const parameters = {
    algorithm: ARGON2ID,
    memoryCost: cost.memoryKib,
    timeCost: cost.passes,
    parallelism: 1,
  }
  const nobodysHash = await hash('nobody has this password', parameters)
  return {
    hash: (password) => queue.run(() => hash(normalizePassword(password), parameters)),
    matches: async (password, stored) => {
      const isRight = await queue.run(() => verify(stored ?? nobodysHash, normalizePassword(password)))
      return isRight && stored !== null
    },
  }
}
