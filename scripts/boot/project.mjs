import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** @param {string[]} parts */
export const inProject = (...parts) => join(ROOT, ...parts)

/**
 * Prints a line about work that takes time or changes files. A run without such work prints nothing.
 * @param {string} line
 */
export const say = (line) => console.error(`[pegasus] ${line}`)

/** @param {number} startedAt from `Date.now()` */
export const secondsSince = (startedAt) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`

/** An error whose message is sufficient, so that it is shown without a stack trace. */
export class PlainError extends Error {
  isForPeople = true
}

/** Thrown after a signal, so that every `finally` runs before the process ends by that signal. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Interrupted by ${signal}`)
    this.signal = signal
  }
}
