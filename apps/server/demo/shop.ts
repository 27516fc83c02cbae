import type { App } from '../src/app.ts'
import { type Clock, DAY_MS } from '../src/platform/clock.ts'
import type { Database } from '../src/platform/database/database.ts'

/** The shop's first day: its people have been there since. */
export const OPENED_MS_AGO = 120 * DAY_MS

/** A clock that can be moved, since a shop with a past cannot be made in one moment. */
export interface MovableClock extends Clock {
  /** Moves it on, or back where the duration is negative. */
  advance(durationMs: number): void
}

/** The product as it is, on whatever it was built: what the demo fills through its own doors. */
export interface Shop {
  app: Pick<App, 'http'>
  database: Database
  clock: MovableClock
  currency: string
  /** Ends the filling between two steps. */
  signal?: AbortSignal
}

export const moveTo = (clock: MovableClock, moment: Date): void =>
  clock.advance(moment.getTime() - clock.now().getTime())
