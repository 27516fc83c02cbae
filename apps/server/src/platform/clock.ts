/** The current time, which tests can set. */
export interface Clock {
  now(): Date
  /** Milliseconds since a fixed moment of this process. They never jump, even if the clock of the machine is set. */
  elapsedMs(): number
}

export const systemClock: Clock = { now: () => new Date(), elapsedMs: () => performance.now() }

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export const addMs = (moment: Date, durationMs: number): Date => new Date(moment.getTime() + durationMs)
