import type { CostSettings, ItemCost } from '@pegasus/contracts/inventory/costs'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob } from '../../../../test/support/stock-factories.ts'
import { addedItem, callsOf } from '../../../../test/support/api-calls.ts'

const ANY = { 'if-match': '*' }

const RATES = {
  material_price_per_kg: 20,
  waste_percent: 10,
  printer_watts: 120,
  electricity_price_per_kwh: 0.3125,
  machine_price_per_hour: 0.5,
  labor_price_per_hour: 24,
  prepare_minutes_per_print: 5,
  finish_minutes_per_piece: 2.5,
  extras_per_piece: 0.25,
  failure_percent: 4,
  overhead_percent: 10,
  margin_percent: 60,
}

const shop = async (variables: Record<string, string> = {}) => {
  const app = await buildTestApp({ variables })
  const [admin, staff] = [callsOf(app, await app.as('admin')), callsOf(app, await app.as('staff'))]
  return { app, admin, staff }
}

describe('cost settings', () => {
  it('an admin can change the default cost settings, and the audit records the values before and after', async () => {
    const { app, admin, staff } = await shop()
    const before = await staff('GET /api/cost-settings')
    expect(before.etag).toBe('"0"')
    expect(before.json()).toMatchObject({
      currency: 'USD',
      is_changed: false,
      material_price_per_kg: 25,
      electricity_price_per_kwh: 0.3,
      labor_price_per_hour: 20,
      margin_percent: 50,
      updated_by: null,
    })
    expect((await admin('PUT /api/cost-settings', { margin_percent: 60 })).status).toBe(428)
    expect((await staff('PUT /api/cost-settings', { margin_percent: 60 }, ANY)).status).toBe(403)
    const changed = await admin('PUT /api/cost-settings', RATES, { 'if-match': '"0"' })
    expect(changed.status, changed.text).toBe(200)
    expect(changed.etag).toBe('"1"')
    expect(changed.json()).toMatchObject({ ...RATES, is_changed: true, updated_by: { name: 'The admin' } })
    const stale = await admin('PUT /api/cost-settings', { margin_percent: 50 }, { 'if-match': '"0"' })
    expect(stale.json()).toMatchObject({ code: 'precondition_failed', current: { margin_percent: 60 } })
    const same = await admin('PUT /api/cost-settings', { margin_percent: 60 }, ANY)
    expect(same.json<CostSettings>().revision).toBe(1)
    const entries = (await entriesOf(app)).filter(({ entity }) => entity === 'cost_settings')
    expect(entries).toMatchObject([
      {
        action: 'cost_settings.updated',
        before: { material_price_per_kg: 25, margin_percent: 50 },
        after: { material_price_per_kg: 20, margin_percent: 60 },
      },
    ])
    for (const wrong of [
      { failure_percent: 100 },
      { margin_percent: 100 },
      { waste_percent: -1 },
      { waste_percent: 1.005 },
      { labor_price_per_hour: 1.005 },
      { electricity_price_per_kwh: 0.000001 },
      { printer_watts: 1.5 },
      { overhead_percent: '5' },
    ])
      expect((await admin('PUT /api/cost-settings', wrong, ANY)).status).toBe(422)
    expect((await admin('GET /api/cost-settings')).json<CostSettings>().revision).toBe(1)
  })
})

describe('the cost of an item', () => {
  it('GET /api/inventory/{id}/cost adds up the lines of the cost and compares the sum with the price', async () => {
    const { admin, staff } = await shop()
    await admin('PUT /api/cost-settings', RATES, ANY)
    const { id } = await addedItem(staff, {
      weight_grams: 31.5,
      print_time_minutes: 95,
      pieces_per_print: 2,
      selling_price: 18.5,
    })
    const cost = (await staff(`GET /api/inventory/${id}/cost`)).json<ItemCost>()
    // Calculated by hand: 31.5 g x 1.1 at 20/kg; 120 W for 95 min at 0.3125/kWh, divided by two pieces; and
    // so on.
    expect(cost.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['material', 0.69],
      ['electricity', 0.03],
      ['machine', 0.4],
      ['preparation', 1],
      ['failures', 0.09],
      ['finishing', 1],
      ['extras', 0.25],
      ['overhead', 0.35],
    ])
    expect(cost).toMatchObject({
      currency: 'USD',
      unit_cost: 3.81,
      suggested_price: 9.53,
      selling_price: 18.5,
      profit: 14.69,
      margin_percent: 79.41,
      markup_percent: 385.56,
      missing: [],
    })
    expect(cost.lines[0]).toMatchObject({
      formula: '31.5 g + 10 % waste, at 20.00 USD/kg',
      inputs: [
        { name: 'weight_grams', value: 31.5, unit: 'g' },
        { name: 'waste_percent', value: 10, unit: '%' },
        { name: 'material_price_per_kg', value: 20, unit: 'USD/kg' },
      ],
    })
    const cents = cost.lines.reduce((sum, line) => sum + Math.round(line.amount * 100), 0)
    expect(cents).toBe(Math.round(cost.unit_cost * 100))
  })

  it('the cost of an item contains entered amounts instead of calculated ones, and names missing fields', async () => {
    const { staff } = await shop()
    const entered = await addedItem(staff, { material_cost: 0.78, labor_cost: 1.5 })
    const cost = (await staff(`GET /api/inventory/${entered.id}/cost`)).json<ItemCost>()
    expect(cost.lines.map(({ kind, amount, is_entered: by }) => [kind, amount, by])).toEqual([
      ['material', 0.78, true],
      ['failures', 0.04, false],
      ['labor', 1.5, true],
      ['overhead', 0.23, false],
    ])
    expect(cost).toMatchObject({ missing: ['print_time_minutes'], profit: null, margin_percent: null })
    const empty = await addedItem(staff, { selling_price: 0 })
    const sum = (await staff(`GET /api/inventory/${empty.id}/cost`)).json<ItemCost>()
    expect(sum.missing).toEqual(['weight_grams', 'print_time_minutes'])
    expect(sum.margin_percent).toBeNull()
    expect((await staff(`GET /api/inventory/${crypto.randomUUID()}/cost`)).status).toBe(404)
  })

  it('the cost of an item uses the share of failures from the settings until twenty pieces have been printed', async () => {
    const { app, admin, staff } = await shop()
    await admin('PUT /api/cost-settings', RATES, ANY)
    const item = await addedItem(staff, { weight_grams: 30, print_time_minutes: 45 })
    const failures = async () => {
      const { lines } = (await staff(`GET /api/inventory/${item.id}/cost`)).json<ItemCost>()
      const line = lines.find(({ kind }) => kind === 'failures')
      return [line?.inputs[0]?.value, line?.formula.split(', ')[1]]
    }
    const print = async (good: number, bad: number) => {
      const jobId = await aPrintJob(app, { itemId: item.id, quantity: good + bad })
      await staff(`POST /api/print-queue/${jobId}/start`, {})
      const counts = { good_quantity: good, rejected_quantity: bad }
      const done = await staff(`POST /api/print-queue/${jobId}/complete`, counts)
      expect(done.status, done.text).toBe(200)
    }
    expect(await failures()).toEqual([4, undefined])
    await print(12, 3)
    expect(await failures()).toEqual([4, undefined])
    await print(13, 2)
    expect(await failures()).toEqual([16.67, 'as 5 of 30 pieces failed'])
  })

  it('the saved cost of an item stays the same when the cost settings change', async () => {
    const { admin, staff } = await shop()
    const { id } = await addedItem(staff, { weight_grams: 100, print_time_minutes: 60 })
    const costOf = async () => (await staff(`GET /api/inventory/${id}/cost`)).json<ItemCost>()
    const first = await costOf()
    expect(first.saved).toMatchObject({ unit_cost: first.unit_cost, lines: first.lines, version: 1 })
    await admin('PUT /api/cost-settings', { material_price_per_kg: 50 }, ANY)
    const now = await costOf()
    expect(now.unit_cost).toBeGreaterThan(first.unit_cost)
    expect(now.saved).toEqual(first.saved)
    // Changing other fields keeps the saved calculation. Changing a cost field, or a request to save, saves a new one.
    await staff(`PUT /api/inventory/${id}`, { notes: 'x' })
    expect((await costOf()).saved).toEqual(first.saved)
    await staff(`PUT /api/inventory/${id}`, { weight_grams: 101 })
    expect((await costOf()).saved?.unit_cost).toBe((await costOf()).unit_cost)
    await admin('PUT /api/cost-settings', { material_price_per_kg: 60 }, ANY)
    const saved = (await staff(`POST /api/inventory/${id}/cost`)).json<ItemCost>()
    expect(saved.saved?.unit_cost).toBe(saved.unit_cost)
  })

  it('the cost of an item is in whole yen for a currency without decimals', async () => {
    const { staff } = await shop({ CURRENCY: 'JPY' })
    const { id } = await addedItem(staff, { weight_grams: 33.3, print_time_minutes: 61, selling_price: 1500 })
    const cost = (await staff(`GET /api/inventory/${id}/cost`)).json<ItemCost>()
    for (const amount of [cost.unit_cost, cost.suggested_price, ...cost.lines.map((line) => line.amount)])
      expect(Number.isInteger(amount)).toBe(true)
    expect((await staff(`PUT /api/inventory/${id}`, { selling_price: 1500.5 })).status).toBe(422)
  })
})
