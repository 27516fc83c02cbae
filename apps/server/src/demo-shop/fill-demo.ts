import type { App } from '../app.ts'
import type { Database } from '../platform/database/database.ts'
import type { Clock } from '../platform/clock.ts'

/** A clock that can be set to past times while a demo is filled. */
export interface MovableClock extends Clock {
  /** Moves the clock by this duration. A negative duration moves it back. */
  advance(durationMs: number): void
}

/** Creates a clock that shows the present time until `advance` is called. */
export function createMovableClock(): MovableClock {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    elapsedMs: () => performance.now() + aheadMs,
    advance: (durationMs) => {
      aheadMs += durationMs
    },
  }
}

/** The demo contains every third model of the catalog. That fills every screen, and takes a third of the time. */
const MODEL_STEP = 3
/** How many days of history the demo has. */
const DAYS = 21

/** Fills the demo's shop with people, models, stock, orders, print jobs and products. */
export async function fillDemo(shop: {
  app: Pick<App, 'http'>
  database: Database
  clock: MovableClock
  currency: string
  password: string
  report: (share: number) => void
}): Promise<void> {
  // The files that also fill `npm run demo`. Import them only here, so that other requests and starts stay fast.
  const [{ fillShop }, { DEMO_MODELS, INCH_MODEL, OPEN_MODEL }] = await Promise.all([
    import('../../demo/fill-shop.ts'),
    import('../../demo/models/catalog.ts'),
  ])
  const models = DEMO_MODELS.filter(
    ({ fileName }, index) => index % MODEL_STEP === 0 || fileName === OPEN_MODEL || fileName === INCH_MODEL,
  )
  await fillShop(shop, { now: new Date(), models, days: DAYS })
}
