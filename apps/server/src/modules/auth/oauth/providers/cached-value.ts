import { type Clock, addMs } from '../../../../platform/clock.ts'

/** Returns the cached value. Reads it again first if it is older than `maxAgeMs`. */
export type CachedValue<T> = (maxAgeMs?: number) => Promise<T>

/**
 * Caches the data that a provider publishes. Requests that arrive during a read wait for that read. After a
 * failure, the provider is not called again for `pauseMs`. Otherwise a provider that does not respond would
 * delay every request until its timeout.
 */
export function createCachedValue<T>(
  read: () => Promise<T>,
  { clock, keptMs, pauseMs }: { clock: Pick<Clock, 'now'>; keptMs: number; pauseMs: number },
): CachedValue<T> {
  let kept: { value: T; at: Date } | null = null
  let failed: { error: unknown; at: Date } | null = null
  let running: Promise<T> | null = null
  const isWithin = (at: Date, durationMs: number): boolean => addMs(at, durationMs) > clock.now()

  const readAnew = async (): Promise<T> => {
    try {
      const value = await read()
      kept = { value, at: clock.now() }
      failed = null
      return value
    } catch (error) {
      failed = { error, at: clock.now() }
      throw error
    } finally {
      running = null
    }
  }

  return async (maxAgeMs = keptMs) => {
    if (kept && isWithin(kept.at, maxAgeMs)) return kept.value
    if (failed && isWithin(failed.at, pauseMs)) throw failed.error
    running ??= readAnew()
    return running
  }
}
