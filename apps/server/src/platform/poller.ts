import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceLog } from './log/service-log.ts'

/** Work that every server process repeats as long as it runs. */
export interface Poller {
  /** Runs the work now. Throws the error of the work, if it fails. */
  run(): Promise<void>
  start(): void
  stop(): Promise<void>
}

/**
 * Creates a poller. Use it for work that must run soon after it is due, and that two processes may do at the same time.
 * A failed run is logged, and the next run follows after the usual pause.
 */
export function createPoller(options: {
  /** The name of the work in the log. */
  name: string
  /** The pause between two runs. */
  pauseMs: number
  /** `stopping` is aborted when the poller stops, so that long work can end early. */
  work(stopping: AbortSignal): Promise<unknown>
  log: ServiceLog
}): Poller {
  const { name, pauseMs, work, log } = options
  const stopping = new AbortController()
  let kept: Promise<void> | undefined

  const keep = async (): Promise<void> => {
    for (;;) {
      await wait(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      if (stopping.signal.aborted) return
      await work(stopping.signal).catch((error: unknown) =>
        log.warn({ err: error, round: name }, 'a round was put off'),
      )
    }
  }
  return {
    async run() {
      await work(stopping.signal)
    },
    start() {
      kept ??= keep()
    },
    async stop() {
      stopping.abort()
      await kept
    },
  }
}
