import { hash, verify } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { normalizePassword } from '@pegasus/contracts/auth/password-rules'
import { createBoundedQueue } from '../../../platform/workers/bounded-queue.ts'

/**
 * The number of the algorithm Argon2id. The package exports it only as a const enum, which does not exist at run time.
 */
const ARGON2ID = 2

/** The cost of creating or verifying a hash. */
export interface HashingCost {
  memoryKib: number
  passes: number
}

/** The minimum cost that OWASP recommends for argon2id. */
const OWASP_MINIMUM: HashingCost = { memoryKib: 19 * 1024, passes: 2 }

/**
 * The maximum number of hashes at the same time. Each keeps a core busy for tens of milliseconds, and the server must
 * still handle other requests.
 */
const CONCURRENCY = 2
const MAX_WAITING = 200

/** Matches an imported bcrypt hash, and captures its cost. */
const BCRYPT = /^\$2[aby]\$(\d{2})\$[./\dA-Za-z]{53}$/

/** Returns the cost of a bcrypt hash, or null for any other text. */
export function bcryptCostOf(hash: string): number | null {
  const [, cost] = BCRYPT.exec(hash) ?? []
  return cost === undefined ? null : Number(cost)
}

export interface PasswordHashing {
  hash(password: string): Promise<string>
  /**
   * Returns whether the password matches the hash. If the hash is null because there is no such account, takes the same
   * time and returns false. So the time does not reveal which names exist. Also checks imported bcrypt hashes, which
   * take the time of their own cost.
   */
  matches(password: string, hash: string | null): Promise<boolean>
}

/** Creates the password hashing. Its functions throw PoolBusyError if too many calls are waiting. */
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
      // The other system has hashed the password as it was typed, so do not normalize it.
      if (stored !== null && bcryptCostOf(stored) !== null)
        return queue.run(() => verifyBcrypt(password, stored))
      const isRight = await queue.run(() => verify(stored ?? nobodysHash, normalizePassword(password)))
      return isRight && stored !== null
    },
  }
}
