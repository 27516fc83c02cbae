import { ratePerSecond } from '../lib/figures.ts'
import type { Throughput } from '../lib/load.ts'
import { requireFrom } from '../lib/workspace-packages.ts'
import { ACCOUNT } from '../lib/server-process.ts'
import { WINDOW_MS } from '../lib/settings.ts'

interface Argon2 {
  verify(hash: string, password: string): Promise<boolean>
}

/** Returns a function that measures how many passwords per second the hash function itself can check. */
export function hashRate(passwordHash: string): (concurrency: number) => Promise<Throughput> {
  const { verify } = requireFrom('server')('@node-rs/argon2') as Argon2
  const check = async () => {
    if (!(await verify(passwordHash, ACCOUNT.password))) throw new Error('the password should be right')
  }
  return async (concurrency) => ({
    perSecond: await ratePerSecond(check, { windowMs: WINDOW_MS, concurrency }),
    p95Ms: Number.NaN,
  })
}
