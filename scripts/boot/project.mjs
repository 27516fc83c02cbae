import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Returns the path of a file in the project.
 * @param {string[]} parts
 */
export const inProject = (...parts) => join(ROOT, ...parts)

/**
 * Prints a line on stderr. Use it only for work that takes time or changes files, so that other runs print nothing.
 * @param {string} line
 */
export const say = (line) => console.error(`[pegasus] ${line}`)

/**
 * Returns the time since a moment, such as `1.5 s`.
 * @param {number} startedAt from `Date.now()`
 */
export const secondsSince = (startedAt) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`

/** An error whose message explains everything, so that no stack trace is shown. */
export class PlainError extends Error {
  isForPeople = true
}

/** Thrown after a signal. The process then ends by that signal, but only after every `finally` has run. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Interrupted by ${signal}`)
    this.signal = signal
  }
}
