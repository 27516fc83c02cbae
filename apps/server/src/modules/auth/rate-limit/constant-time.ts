import { setTimeout as wait } from 'node:timers/promises'

/**
 * Longer than the database work for a response. Responses that must not reveal whether an address has an
 * account always take this long. Otherwise the time for a few inserts could be measured.
 */
const EVEN_MS = 200

/** Runs the work, and returns or throws its result no earlier than after a fixed time. */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), wait(EVEN_MS)])
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
