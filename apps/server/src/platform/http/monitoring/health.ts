import { getHealth, getReadiness } from '@pegasus/contracts/health'
import type { Database } from '../../database/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { type ScannerState, stateOfScanner } from '../../malware-scan/scanner-state.ts'
import type { MalwareScanner } from '../../malware-scan/clamd.ts'
import { type ObjectStorage, StorageFullError } from '../../storage/object-storage.ts'
import type { Endpoints } from '../endpoints.ts'

const PING_TIMEOUT_MS = 2000
/** The result of a health check is reused for this long, so that frequent checks are cheap. */
const ANSWER_KEPT_MS = 1000

interface Checks {
  database: 'ok' | 'failed'
  storage: 'ok' | 'full' | 'failed'
  scanner: ScannerState
}

const outcome = (check: Promise<unknown>): Promise<Checks['storage']> =>
  check.then(
    () => 'ok' as const,
    (error: unknown) => (error instanceof StorageFullError ? 'full' : 'failed'),
  )

const isUp = async (check: Promise<unknown>): Promise<'ok' | 'failed'> =>
  (await outcome(check)) === 'ok' ? 'ok' : 'failed'

export function serveHealth(
  endpoints: Endpoints,
  deps: { database: Database; storage: ObjectStorage; scanner: MalwareScanner | null },
): void {
  let latest: { at: number; checks: Promise<Checks> } | null = null

  const lookAround = async (): Promise<Checks> => {
    const [database, storage, scanner] = await Promise.all([
      isUp(deps.database.ping(PING_TIMEOUT_MS)),
      outcome(deps.storage.check()),
      stateOfScanner(deps.scanner),
    ])
    return { database, storage, scanner }
  }
  const readChecks = (): Promise<Checks> => {
    const now = performance.now()
    if (!latest || now - latest.at > ANSWER_KEPT_MS) latest = { at: now, checks: lookAround() }
    return latest.checks
  }

  endpoints.add(getHealth, async () => ({ status: 'ok' as const }))
  endpoints.add(getReadiness, async () => {
    const { database, storage, scanner } = await readChecks()
    if (database === 'ok' && storage !== 'failed')
      return { status: 'ok' as const, checks: { database, storage, ...(scanner !== 'off' && { scanner }) } }
    const failed = [database === 'failed' && 'database', storage === 'failed' && 'storage'].filter(Boolean)
    throw new AppError('UNAVAILABLE', {
      text: `Not ready: ${failed.join(' and ')} cannot be reached.`,
      retryAfterSeconds: 2,
    })
  })
}
