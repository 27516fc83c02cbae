import { type Clock, addMs } from '../../../platform/clock.ts'

/** Gives what was read last if it is no older than that, and reads it otherwise. */
export type KeptAnswer<T> = (maxAgeMs?: number) => Promise<T>

/**
 * Keeps what a provider publishes. All who ask while it is read wait for the same call, and after a failure nobody asks the provider
 * again for a moment: a provider that does not answer must not hold up each request for as long as it may take.
 */
export function keepAnswer<T>(
  read: () => Promise<T>,
  { clock, keptMs, pauseMs }: { clock: Clock; keptMs: number; pauseMs: number },
): KeptAnswer<T> {
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
