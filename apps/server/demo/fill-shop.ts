import { densityOf } from '@pegasus/contracts/filament/filament-weight'
import { claimLowStockCrossings } from '../src/modules/inventory/index.ts'
import { claimOrderAlerts, claimShippedOrders } from '../src/modules/orders/index.ts'
import {
  claimFailedPrintJobs,
  claimFinishedPrintJobs,
  claimPrinterErrors,
} from '../src/modules/print-queue/index.ts'
import { SYSTEM_ACTOR } from '../src/platform/actor.ts'
import type { Queryable } from '../src/platform/database/database.ts'
import { type AddedModel, addModels } from './add-models.ts'
import { addPeople } from './add-people.ts'
import { addProducts } from './add-products.ts'
import { addOrderWithUnknownSku, addReturn } from './add-unusual-orders.ts'
import { furnishOffice, setCostRates } from './furnish-office.ts'
import { DEMO_MODELS, type DemoModel } from './models/catalog.ts'
import { passwordOf } from './people.ts'
import { moveTo, OPENED_MS_AGO, type Shop } from './shop.ts'
import { DEMO_FILAMENTS } from './stock/filaments.ts'
import { DEMO_ITEMS } from './stock/items.ts'
import type { StockedItem } from './stock/steps.ts'
import { planStory } from './stock/story.ts'
import { writeStory } from './write-story.ts'

/** Share of a part's volume that is plastic: walls and a sparse infill. */
const SOLID_SHARE = 0.45
const MINUTES_PER_GRAM = 2.4
const MINUTES_PER_PIECE = 10
/** The share of the filling time that the uploads take, from 0 to 1. */
const UPLOADS_SHARE = 0.4

/** Adds the weight and the print time of a piece to each item, calculated from its model. */
function stockItems(models: ReadonlyMap<string, AddedModel>): StockedItem[] {
  return DEMO_ITEMS.filter((item) => models.has(item.model)).map((item) => {
    const { volumeMm3, uploadedAt: modelAt } = models.get(item.model)!
    const density = densityOf(DEMO_FILAMENTS.find(({ key }) => key === item.filament)?.material ?? '')
    const grams = (volumeMm3 / 1000) * density * SOLID_SHARE
    const weightGrams = Math.round(grams * 10) / 10
    const printMinutes = Math.round(MINUTES_PER_PIECE + grams * MINUTES_PER_GRAM)
    return { ...item, weightGrams, printMinutes, modelAt }
  })
}

/**
 * Fills a shop as if it had been open for months. Parts that exist are skipped, so a repeated run continues
 * where an interrupted run stopped, and changes nothing in a complete shop. Returns whether anything was
 * missing.
 */
export async function fillShop(
  shop: Shop,
  options: { now: Date; ownerPassword?: string; models?: readonly DemoModel[]; days?: number },
): Promise<boolean> {
  const { now, ownerPassword = passwordOf(shop), models = DEMO_MODELS } = options
  const { database, clock, currency, signal } = shop
  const report = (share: number) => shop.report?.(share)
  moveTo(clock, new Date(now.getTime() - OPENED_MS_AGO))
  const actors = await addPeople(shop, ownerPassword)
  const added = await addModels(shop, models, now, (count) => report((count / models.length) * UPLOADS_SHARE))
  await setCostRates(shop)
  moveTo(clock, now)

  const items = stockItems(added)
  const isFilled = await database.transaction(async (tx) => {
    // The remaining steps are one transaction, so a single row shows whether they have run.
    const [known] = await tx`select 1 from items limit 1`
    if (known) return false
    const { steps, stock, addedAt } = planStory(items, now, options.days)
    const itemIds = await writeStory(tx, steps, {
      actors,
      models: added,
      currency,
      signal,
      onStep: (count) => report(UPLOADS_SHARE + (count / steps.length) * (1 - UPLOADS_SHARE)),
    })
    await addProducts(tx, {
      items,
      itemIds,
      models,
      added,
      quantityOf: (sku) => stock.get(sku)?.quantity ?? 0,
      addedAt,
      actor: actors.get('admin') ?? SYSTEM_ACTOR,
    })
    const [sold] = items.filter(({ priceMinor }) => priceMinor > 0)
    if (sold) await addOrderWithUnknownSku(tx, { item: sold, currency }, { actor: SYSTEM_ACTOR, now })
    await forgetNews(tx, now)
    return true
  })
  const isReturned = await addReturn(shop)
  const isFurnished = await furnishOffice(shop, now)
  return isFilled || isReturned || isFurnished
}

/**
 * Claims all alert events of the past months without sending alerts, so that inboxes do not begin with old
 * alerts.
 */
async function forgetNews(tx: Queryable, now: Date): Promise<void> {
  const orders = (_tx: Queryable, limit: number) => claimOrderAlerts(tx, now, limit)
  const sources = [
    claimLowStockCrossings,
    claimFailedPrintJobs,
    claimFinishedPrintJobs,
    claimPrinterErrors,
    claimShippedOrders,
    orders,
  ]
  for (const take of sources) while ((await take(tx, 100)).length > 0);
}
