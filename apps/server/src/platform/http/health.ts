import { getHealth, getReadiness } from '@pegasus/contracts/health'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { ObjectStorage } from '../storage/object-storage.ts'
import type { Endpoints } from './endpoints.ts'

const PING_TIMEOUT_MS = 2000
/** One check of the dependencies serves all requests within this time, so that health checks cost nothing. */
const ANSWER_KEPT_MS = 1000

type Checks = { database: 'ok' | 'failed'; storage: 'ok' | 'failed' }

const outcome = (check: Promise<unknown>): Promise<'ok' | 'failed'> =>
  check.then(
    () => 'ok' as const,
    () => 'failed' as const,
  )

export function serveHealth(
  endpoints: Endpoints,
  deps: { database: Database; storage: ObjectStorage },
): void {
  let latest: { at: number; checks: Promise<Checks> } | null = null

  const lookAround = async (): Promise<Checks> => {
    const [database, storage] = await Promise.all([
      outcome(deps.database.ping(PING_TIMEOUT_MS)),
      outcome(deps.storage.check()),
    ])
    return { database, storage }
  }
  const readChecks = (): Promise<Checks> => {
    const now = performance.now()
    if (!latest || now - latest.at > ANSWER_KEPT_MS) latest = { at: now, checks: lookAround() }
    return latest.checks
  }

  endpoints.add(getHealth, async () => ({ status: 'ok' as const }))
  endpoints.add(getReadiness, async () => {
    const checks = await readChecks()
    const failed = Object.entries(checks).flatMap(([name, state]) => (state === 'ok' ? [] : [name]))
    if (failed.length > 0)
      throw new AppError('UNAVAILABLE', {
        say: `Not ready: ${failed.join(' and ')} cannot be reached.`,
        retryAfterSeconds: 2,
      })
    return { status: 'ok' as const, checks }
  })
}
