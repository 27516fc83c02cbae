import type { ItemCost } from '@pegasus/contracts/inventory/costs'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { OrderEarnings } from '@pegasus/contracts/orders/sales'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { ProductReview, ProductStart } from '@pegasus/contracts/products/setup'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { expect, it } from 'vitest'
import { type Calls, addedItem, callsOf } from '../../../../test/support/api-calls.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { addVersion } from '../../../../test/support/library/model-upload.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { anOrder } from '../../../../test/support/stock-factories.ts'

/** Rates at which the cost of a piece has no fractions of a cent. */
const RATES = {
  material_price_per_kg: 25,
  waste_percent: 5,
  printer_watts: 120,
  electricity_price_per_kwh: 0.3,
  machine_price_per_hour: 0.18,
  labor_price_per_hour: 20,
  prepare_minutes_per_print: 6,
  finish_minutes_per_piece: 3,
  failure_percent: 0,
  overhead_percent: 0,
}

/** 120 g and 200 min for four pieces. A piece needs 30 g and 50 min. */
const PLATE = { pieces: 4, grams: 120, minutes: 200 }
const SHARED_PLATE = 'part.gcode prints 4 pieces on a plate: 50 min and 30 g for each piece.'

async function aShop() {
  const app = await buildTestApp()
  const [admin, staff] = [callsOf(app, await app.as('admin')), callsOf(app, await app.as('staff'))]
  const set = await admin('PUT /api/cost-settings', RATES, { 'if-match': '*' })
  expect(set.status, set.text).toBe(200)
  return { app, staff, modelId: await aModel(app, { title: 'Dragon' }) }
}

const send = async <T>(staff: Calls, what: Parameters<Calls>[0], body?: object): Promise<T> => {
  const answer = await staff(what, body, { 'if-match': '*' })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.json<T>()
}

const costOf = (staff: Calls, itemId: string) => send<ItemCost>(staff, `GET /api/inventory/${itemId}/cost`)

it('the item page, the wizard, the job plan and the shipment show the same cost for an item without figures', async () => {
  const { app, staff, modelId } = await aShop()
  const item = await addedItem(staff, { sku: 'DRG', quantity: 5, stl_file_id: modelId })
  const unknown = await costOf(staff, item.id)
  expect(unknown).toMatchObject({ missing: ['weight_grams', 'print_time_minutes'], sliced_from: [] })
  const sliceId = await aSlice(app, modelId, PLATE)

  // 30 g for 0.75, electricity for 0.03, machine time for 0.15, a quarter of a preparation for 0.50, and 1.00 for
  // finishing. The sliced file contains its waste.
  const cost = await costOf(staff, item.id)
  const source = { id: sliceId, file_name: 'part.gcode', fields: ['weight_grams', 'print_time_minutes'] }
  expect(cost).toMatchObject({ unit_cost: 2.43, missing: [], sliced_from: [source] })
  expect(cost.lines[0]).toMatchObject({
    formula: '30 g, at 25.00 USD/kg',
    inputs: [{ name: 'weight_grams', value: 30 }, { name: 'material_price_per_kg' }],
  })
  const saved = await send<ItemCost>(staff, `POST /api/inventory/${item.id}/cost`)
  expect(saved.saved).toMatchObject({ unit_cost: 2.43, sliced_from: [source] })

  const begun = await send<ProductStart>(staff, `GET /api/products/start?inventory_item_id=${item.id}`)
  expect(begun).toMatchObject({ cost: 2.43, weight_grams: 30 })
  const review = (body: object) => send<ProductReview>(staff, 'POST /api/products/review', body)
  const assumptions = ['Weight and time are those of the sliced file part.gcode.']
  expect((await review({ inventory_item_id: item.id })).cost_sheet).toMatchObject({
    basis: 'item',
    unit_cost: 2.43,
    sliced_from: [source],
    assumptions,
  })
  expect((await review({ stl_file_ids: [modelId] })).cost_sheet).toMatchObject({
    basis: 'models',
    unit_cost: 2.43,
    sliced_from: [source],
    assumptions: [...assumptions, SHARED_PLATE],
  })

  const job = await send<PrintJob>(staff, 'POST /api/print-queue', {
    inventory_item_id: item.id,
    quantity: 8,
  })
  expect(job).toMatchObject({ planned_cost: 8 * 2.43, estimated_grams: 240, estimated_minutes: 400 })

  const orderId = await anOrder(app, {
    lines: [{ sku: 'DRG', name: 'Dragon', quantity: 3, unitPriceMinor: 1000 }],
  })
  await send<Order>(staff, `POST /api/orders/${orderId}/ship`, {})
  expect(await send<OrderEarnings>(staff, `GET /api/orders/${orderId}/earnings`)).toMatchObject({
    cost: 7.29,
    margin: 22.71,
  })
})

it('each value that a person entered for an item takes precedence over the value of its sliced file', async () => {
  const { app, staff, modelId } = await aShop()
  await aSlice(app, modelId, PLATE)
  const add = (fields: object) => addedItem(staff, { stl_file_id: modelId, ...fields })
  const material = ({ lines }: ItemCost) => lines.find(({ kind }) => kind === 'material')

  const own = await costOf(staff, (await add({ weight_grams: 10, print_time_minutes: 60 })).id)
  expect(own).toMatchObject({ missing: [], sliced_from: [] })
  expect(material(own)?.formula).toBe('10 g + 5 % waste, at 25.00 USD/kg')
  expect(own.lines.find(({ kind }) => kind === 'machine')?.formula).toBe('60 min × 0.18 USD/h')

  const weighed = await costOf(staff, (await add({ weight_grams: 10, pieces_per_print: 2 })).id)
  expect(material(weighed)?.formula).toBe('10 g + 5 % waste, at 25.00 USD/kg')
  expect(weighed.lines.find(({ kind }) => kind === 'machine')?.formula).toBe(
    '200 min × 0.18 USD/h ÷ 4 pieces',
  )
  expect(weighed.sliced_from).toMatchObject([{ fields: ['print_time_minutes'] }])

  const timed = await costOf(staff, (await add({ print_time_minutes: 60, pieces_per_print: 2 })).id)
  expect(material(timed)?.formula).toBe('30 g, at 25.00 USD/kg')
  expect(timed.lines.find(({ kind }) => kind === 'machine')?.formula).toBe('60 min × 0.18 USD/h ÷ 2 pieces')
  expect(timed.sliced_from).toMatchObject([{ fields: ['weight_grams'] }])

  const bought = await costOf(staff, (await add({ material_cost: 1.2, print_time_minutes: 60 })).id)
  expect(material(bought)).toMatchObject({ amount: 1.2, is_entered: true })
  expect(bought).toMatchObject({ missing: [], sliced_from: [] })
})

it('the cost of an item uses the newest sliced file of the current version that states weight and time', async () => {
  const { app, staff, modelId } = await aShop()
  const { id } = await addedItem(staff, { stl_file_id: modelId })
  const figures = async () => {
    const [source] = (await costOf(staff, id)).sliced_from
    const { sliced_piece: piece } = await send<Model>(staff, `GET /api/stl-files/${modelId}`)
    return [source?.id, piece?.slice_id, piece?.grams, piece?.minutes]
  }
  expect(await figures()).toEqual([undefined, undefined, undefined, undefined])
  const first = await aSlice(app, modelId, { pieces: 2, grams: 60, minutes: 90, material: 'PETG' })
  expect(await figures()).toEqual([first, first, 30, 45])
  const { sliced_piece: piece } = await send<Model>(staff, `GET /api/stl-files/${modelId}`)
  expect(piece).toEqual({
    slice_id: first,
    file_name: 'part.gcode',
    material: 'PETG',
    grams: 30,
    minutes: 45,
    pieces: 2,
    plates: 1,
  })
  await aSlice(app, modelId, { grams: null })
  expect(await figures()).toEqual([first, first, 30, 45])
  const second = await aSlice(app, modelId, { pieces: 3, grams: 100, minutes: 100 })
  expect(await figures()).toEqual([second, second, 33.33, 33.33])
  expect(
    (await staff(`DELETE /api/stl-files/${modelId}/slices/${second}`, undefined, { 'if-match': '*' })).status,
  ).toBe(204)
  expect(await figures()).toEqual([first, first, 30, 45])

  const bytes = writeBinaryStl(createCube(20))
  const added = await addVersion(app, await app.as('staff'), modelId, { bytes })
  expect(added.statusCode, added.body).toBe(201)
  expect(await figures()).toEqual([undefined, undefined, undefined, undefined])
  const third = await aSlice(app, modelId, { grams: 20, minutes: 30 })
  expect(await figures()).toEqual([third, third, 20, 30])
})

it('the cost of a product of several models adds up their sliced files, and names the models without figures', async () => {
  const { app, staff, modelId } = await aShop()
  await aSlice(app, modelId, PLATE)
  const stand = await aModel(app, { title: 'Stand' })
  const bodies = { stl_file_ids: [modelId, stand] }
  const both = await send<ProductReview>(staff, 'POST /api/products/review', bodies)
  expect(both.cost_sheet?.assumptions).toEqual([
    'One piece of each of the 2 models in PLA.',
    'Weight and time are those of the sliced file part.gcode.',
    SHARED_PLATE,
    '“Stand” has no estimate, so the cost does not include it.',
  ])
  await aSlice(app, stand, { grams: 10.1, minutes: 10 })
  const { cost_sheet: sheet } = await send<ProductReview>(staff, 'POST /api/products/review', bodies)
  // The preparation of the stand counts fully. The four dragons of a plate share one preparation, so each counts a
  // quarter.
  expect(sheet?.lines.slice(0, 4).map(({ formula }) => formula)).toEqual([
    '40.1 g, at 25.00 USD/kg',
    '120 W × 60 min × 0.3 USD/kWh',
    '60 min × 0.18 USD/h',
    '6 min × 1.25 plates × 20.00 USD/h',
  ])
  expect(sheet?.lines[3]).toMatchObject({ kind: 'preparation', amount: 2.5 })
  expect(sheet?.sliced_from).toHaveLength(2)
  // The shares of a plate are added up without rounding.
  const shares = [
    { pieces: 3, formula: '6 min × 0.6667 plates × 20.00 USD/h', amount: 1.33 },
    { pieces: 500, formula: '6 min × 0.004 plates × 20.00 USD/h', amount: 0.01 },
  ]
  for (const { pieces, ...preparation } of shares) {
    for (const id of bodies.stl_file_ids) await aSlice(app, id, { pieces })
    const shared = await send<ProductReview>(staff, 'POST /api/products/review', bodies)
    expect(shared.cost_sheet?.lines[3]).toMatchObject(preparation)
  }
})

it('a cost is provisional until somebody has decided whether one piece needs all plates of its sliced file', async () => {
  const { app, staff, modelId } = await aShop()
  const { id } = await addedItem(staff, { stl_file_id: modelId })
  const plates = [
    await aSlice(app, modelId, { format: 'gcode.3mf', plate: 1 }),
    await aSlice(app, modelId, { format: 'gcode.3mf', plate: 2 }),
  ]
  const isProvisional = async () => (await costOf(staff, id)).sliced_from.map((slice) => slice.is_provisional)
  expect(await isProvisional(), 'two files with one plate each').toEqual([false])
  await app.database.sql`
    update sliced_files set object_key = 'slices/dragon', sha256 = 'd', created_at = ${app.clock.now()}
    where id = any(${plates}::uuid[])`
  const sentence =
    'It is not decided whether one piece needs all plates of part.gcode.3mf, so the cost counts one plate.'
  const stand = await aModel(app, { title: 'Stand' })
  const bodies = [{ inventory_item_id: id }, { stl_file_ids: [modelId] }, { stl_file_ids: [modelId, stand] }]
  const areNamed = async () => {
    const reviews = await Promise.all(
      bodies.map((body) => send<ProductReview>(staff, 'POST /api/products/review', body)),
    )
    return reviews.map(({ cost_sheet: sheet }) => sheet?.assumptions.includes(sentence))
  }
  expect([await isProvisional(), await areNamed()]).toEqual([[true], [true, true, true]])
  const { saved } = await send<ItemCost>(staff, `POST /api/inventory/${id}/cost`)
  expect(saved?.sliced_from).toMatchObject([{ is_provisional: true }])
  await send(staff, `PUT /api/stl-files/${modelId}/slices/${plates[0]}`, { needs_all_plates: false })
  expect([await isProvisional(), await areNamed()]).toEqual([[false], [false, false, false]])
})

it('the weight and the time of a sliced file are read through an index', async () => {
  const { app } = await aShop()
  const plan = await app.database.transaction(async (tx) => {
    await tx`set local enable_seqscan = off`
    return tx<Record<'QUERY PLAN', string>[]>`
      explain select i.id, f.grams from items i left join library_models m on m.id = i.stl_file_id
      left join lateral newest_sliced_print(m.current_version_id) f on true where i.id = ${crypto.randomUUID()}`
  })
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  expect(text).toMatch(/Index Scan using sliced_files_\w+ on sliced_files/)
})
