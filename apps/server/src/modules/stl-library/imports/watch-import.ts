import { setTimeout as wait } from 'node:timers/promises'
import type { ImportStatus } from '@pegasus/contracts/stl-library/imports'
import { type Clock, SECOND_MS } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import { publish } from '../../events/index.ts'
import { noteProgress } from './imports.queries.ts'

const PAUSE_MS = SECOND_MS

/** Thrown if the import was cancelled, so that there is nothing to report. */
export class UnwantedError extends Error {
  override name = 'UnwantedError'
}

export interface Progress {
  receivedBytes: number
  totalBytes: number | null
}

/**
 * Runs `work` on an import and saves its progress every second. Aborts the work with an UnwantedError soon after the
 * import no longer has the given status, even if another process changed it.
 */
export async function whileWanted<T>(
  deps: { database: Database; clock: Clock; log: ServiceLog },
  watched: { id: string; status: ImportStatus; progress: Progress; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { database, clock, log } = deps
  const { id, status, progress } = watched
  const unwanted = new AbortController()
  const over = new AbortController()

  const look = (): Promise<boolean> =>
    database.transaction(async (tx) => {
      const noted = await noteProgress(tx, id, { ...progress, status, now: clock.now() })
      if (noted === 'noted') await publish(tx, { type: 'updated', entity: 'stl_import', id })
      return noted !== 'unwanted'
    })
  const watch = async (): Promise<void> => {
    for (;;) {
      await wait(PAUSE_MS, undefined, { signal: over.signal }).catch(() => undefined)
      if (over.signal.aborted) return
      // If the database stays unreachable, the import fails anyway, so continue.
      const isWanted = await look().catch((error: unknown) => {
        log.warn({ err: error, importId: id }, 'the progress of an import was not written down')
        return true
      })
      if (!isWanted) return unwanted.abort(new UnwantedError('The import was cancelled.'))
    }
  }
  const watching = watch()
  try {
    return await work(AbortSignal.any([watched.signal, unwanted.signal]))
  } catch (error) {
    unwanted.signal.throwIfAborted()
    throw error
  } finally {
    over.abort()
    await watching
  }
}
