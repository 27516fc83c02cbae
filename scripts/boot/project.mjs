import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** @param {string[]} parts */
export const inProject = (...parts) => join(ROOT, ...parts)

/** One line for what takes time or changes something; a run with nothing to do stays silent. @param {string} line */
export const say = (line) => console.error(`[pegasus] ${line}`)

/** @param {number} startedAt from `Date.now()` */
export const secondsSince = (startedAt) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`

/** An error whose message says all there is to say: it is shown without a stack. */
export class PlainError extends Error {
  isForPeople = true
}

/** The way out after a signal: past every `finally`, to end by that very signal. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Interrupted by ${signal}`)
    this.signal = signal
  }
}
