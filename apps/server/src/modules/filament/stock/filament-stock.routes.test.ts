import {
  type FilamentForecast,
  type FilamentStock,
  forecastSentence,
} from '@pegasus/contracts/filament/stock'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob, aSpool, advance, anItem } from '../../../../test/support/stock-factories.ts'

const read = async <T>(app: TestApp, what: 'stock' | 'forecast'): Promise<T[]> =>
  (await app.http.inject({ url: `/api/filament/${what}`, headers: await app.as('viewer') })).json<T[]>()

describe('GET /api/filament/stock', () => {
  it('the filament stock counts each material and color over all spools that are not archived, and marks low stock', async () => {
    const app = await buildTestApp()
    await aSpool(app, { color: 'Black', remainingGrams: 200, lowStockGrams: 500 })
    await aSpool(app, { color: 'black', brand: 'eSun', remainingGrams: 250.5 })
    await aSpool(app, { color: 'Black', remainingGrams: 900, archivedAt: app.clock.now() })
    await aSpool(app, { color: 'White', colorHex: '#ffffff', lowStockGrams: 100 })
    await aSpool(app, { material: 'PETG', color: 'Red', remainingGrams: 0 })
    await aSpool(app, { color: 'Gone', lowStockGrams: 100, archivedAt: app.clock.now() })
    await aSpool(app, { color: 'Forgotten', archivedAt: app.clock.now() })
    const stock = await read<FilamentStock>(app, 'stock')
    const shown = stock.map((row) => [
      row.color,
      row.spools,
      row.remaining_grams,
      row.low_stock_grams,
      row.is_low,
    ])
    expect(shown).toEqual([
      ['Black', 2, 450.5, 500, true],
      ['Gone', 0, 0, 100, true],
      ['Red', 0, 0, null, false],
      ['White', 1, 1000, 100, false],
    ])
    expect(stock.at(-1)).toMatchObject({ material: 'PLA', color_hex: '#FFFFFF' })
  })
})

describe('GET /api/filament/forecast', () => {
  it('the filament forecast names the queued job at which each material and color runs out', async () => {
    const app = await buildTestApp()
    const black = await aSpool(app, { color: 'Black', remainingGrams: 300 })
    await aSpool(app, { color: 'White', remainingGrams: 800 })
    const itemId = await anItem(app, { name: 'Bracket', material_used: 'pla', color: 'black' })
    await aPrintJob(app, { itemId, quantity: 1, priority: 3, estimatedGrams: 120 })
    await aPrintJob(app, { itemId, quantity: 1, priority: 2, estimatedGrams: 150 })
    const running = await aPrintJob(app, { itemId, spoolId: black, estimatedGrams: 100, priority: 9 })
    await advance(app, running, { to: 'in_progress', progress: 0.5 })
    await aPrintJob(app, { material: 'PLA', color: 'White', estimatedGrams: 300 })
    await aPrintJob(app, { material: 'PLA', color: 'White' })
    await aPrintJob(app, { material: 'ASA', color: 'Red', estimatedGrams: 10, priority: 5 })
    await aPrintJob(app, { material: 'PLA', itemId: await anItem(app), estimatedGrams: 1100 })
    const forecast = await read<FilamentForecast>(app, 'forecast')
    const rows = forecast.map((row) => [
      row.material,
      row.is_any_color ? 'any' : row.color.toLowerCase(),
      row.jobs,
      row.remaining_grams,
      row.needed_grams,
      forecastSentence(row),
    ])
    expect(rows).toEqual([
      ['pla', 'black', 3, 300, 320, 'Runs out on the third job (J-00001), 20 g short'],
      ['ASA', 'red', 1, 0, 10, 'Runs out on the first job (J-00006), 10 g short'],
      ['PLA', 'white', 2, 800, 300, null],
      ['PLA', 'any', 1, 1100, 1100, null],
    ])
    expect(forecast[2]?.jobs_without_estimate).toBe(1)
  })
})
