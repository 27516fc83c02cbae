import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceLog } from './service-log.ts'

/** Work that every process does again and again, for as long as it runs. */
export interface Poller {
  /** Does it now. Throws what the work throws. */
  run(): Promise<void>
  start(): void
  stop(): Promise<void>
}

/**
 * For what must happen soon after its time has come, and is harmless when two processes do it at once. A round that
 * fails is logged, and the next one comes all the same.
 */
export function createPoller(options: {
  /** What is done, for the log. */
  name: string
  /** The pause between two rounds. */
  pauseMs: number
  work(): Promise<unknown>
  log: ServiceLog
}): Poller {
  const { name, pauseMs, work, log } = options
  const stopping = new AbortController()
  let kept: Promise<void> | undefined

  const keep = async (): Promise<void> => {
    for (;;) {
      await wait(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      if (stopping.signal.aborted) return
      await work().catch((error: unknown) => log.warn({ err: error, round: name }, 'a round was put off'))
    }
  }
  return {
    async run() {
      await work()
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
