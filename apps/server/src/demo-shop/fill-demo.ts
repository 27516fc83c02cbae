import type { App } from '../app.ts'
import type { Database } from '../platform/database/database.ts'
import type { Clock } from '../platform/clock.ts'

/** A clock that the filling moves through the past months. */
export interface MovableClock extends Clock {
  /** Moves the clock forwards. */
  advance(durationMs: number): void
}

/** Creates a clock that shows the present time until `advance` moves it. */
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

/** Every third model of the catalog is enough for each screen, and takes a third of the time. */
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
  // The data of `npm run demo`. It is loaded only here, so that no other start or request pays for it.
  const [{ fillShop }, { DEMO_MODELS, INCH_MODEL, OPEN_MODEL }] = await Promise.all([
    import('../../demo/fill-shop.ts'),
    import('../../demo/models/catalog.ts'),
  ])
  const models = DEMO_MODELS.filter(
    ({ fileName }, index) => index % MODEL_STEP === 0 || fileName === OPEN_MODEL || fileName === INCH_MODEL,
  )
  await fillShop(shop, { now: new Date(), models, days: DAYS })
}
