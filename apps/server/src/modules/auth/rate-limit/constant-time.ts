import { setTimeout as wait } from 'node:timers/promises'

/**
 * The minimum time of a response that must not reveal whether an address has an account. It must be longer than the
 * database work, because somebody could measure the time of a few inserts.
 */
const CONSTANT_MS = 200

/** Runs `work`. Returns its result or throws its error no earlier than `CONSTANT_MS` after the start. */
export async function inConstantTime<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), wait(CONSTANT_MS)])
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
