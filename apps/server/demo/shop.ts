import type { App } from '../src/app.ts'
import { type Clock, DAY_MS } from '../src/platform/clock.ts'
import type { Database } from '../src/platform/database/database.ts'

/** The age of the shop. All accounts have existed since its first day. */
export const OPENED_MS_AGO = 200 * DAY_MS

/** A clock that can be moved, because a shop with a past cannot be created in a single moment. */
export interface MovableClock extends Clock {
  /** Moves the clock forward, or back if the duration is negative. */
  advance(durationMs: number): void
}

/** The parts of the server that the demo calls to fill a shop. */
export interface Shop {
  app: Pick<App, 'http'>
  database: Database
  clock: MovableClock
  currency: string
  /** The password of all accounts. The default is the public `DEMO_PASSWORD`. */
  password?: string
  /** Aborts the filling between two steps. */
  signal?: AbortSignal
  /** Receives how much of the shop is filled, from 0 to 1. */
  report?(share: number): void
}

export const moveTo = (clock: MovableClock, moment: Date): void =>
  clock.advance(moment.getTime() - clock.now().getTime())
