import { setTimeout as wait } from 'node:timers/promises'

/**
 * Longer than the database work for a response. Responses that must look the same for known and unknown addresses take
 * this long for both. Otherwise the time of a few inserts could be measured.
 */
const EVEN_MS = 200

/** Runs the work, and returns or throws its result after a fixed minimum time. */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), wait(EVEN_MS)])
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
