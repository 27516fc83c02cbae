import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { anItem } from '../../../test/support/stock-factories.ts'

const LINES = 1000
const SAMPLES = 11
const MAX_MEDIAN_MS = 200
/** Maximum time for each change of the whole order. The usual time is much shorter. */
const MAX_CHANGE_MS = 5000

it.each([
  { name: 'one item', skuOf: () => 'S-0', items: 1 },
  { name: 'as many items', skuOf: (index: number) => `S-${index}`, items: LINES },
])(
  `an order of ${LINES} lines of $name is read within ${MAX_MEDIAN_MS} ms, and changed within ${MAX_CHANGE_MS} ms`,
  async ({ name, skuOf, items }) => {
    const app = await buildTestApp()
    const headers = await app.as('staff')
    for (let index = 0; index < items; index += 1)
      await anItem(app, { sku: `S-${index}`, quantity: (LINES / items) * 2 })
    const lap = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
      const started = performance.now()
      return [await work(), performance.now() - started]
    }
    const call = (method: 'GET' | 'POST', path: string, payload?: object) =>
      app.http.inject({ method, url: `/api/orders${path}`, headers, ...(payload && { payload }) })
    const lines = Array.from({ length: LINES }, (_, index) => ({
      sku: skuOf(index),
      name: `Part ${index}`,
      quantity: 2,
      unit_price: 1,
    }))
    const [made, enteredMs] = await lap(() =>
      call('POST', '', { order_number: 'LARGE', customer_name: 'Ada', items: lines }),
    )
    const { id } = made.json<Order>()
    await app.database.sql`analyze`
    const laps: number[] = []
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const [answer, ms] = await lap(() => call('GET', `/${id}`))
      expect(answer.json<Order>().items.every((line) => line.allocated_quantity === 2)).toBe(true)
      laps.push(ms)
    }
    const median = laps.toSorted((a, b) => a - b)[Math.floor(SAMPLES / 2)] ?? Infinity
    const [reserved, reservedMs] = await lap(() => call('POST', `/${id}/reserve`, {}))
    expect(reserved.json<Order>().items.every((line) => line.reserved_quantity === 2)).toBe(true)
    const [shipped, shippedMs] = await lap(() => call('POST', `/${id}/ship`, {}))
    expect(shipped.json<Order>()).toMatchObject({ status: 'completed' })
    const [undone, undoneMs] = await lap(() =>
      call('POST', `/${id}/undo-shipment`, { shipment_id: shipped.json<Order>().shipments[0]?.id }),
    )
    expect(undone.json<Order>().items.every((line) => line.reserved_quantity === 2)).toBe(true)
    const [released, releasedMs] = await lap(() => call('POST', `/${id}/release`, {}))
    expect(released.json<Order>().items.every((line) => line.reserved_quantity === 0)).toBe(true)
    const changes = {
      entered: enteredMs,
      reserved: reservedMs,
      shipped: shippedMs,
      undone: undoneMs,
      released: releasedMs,
    }
    const figures = { read: median, ...changes }
    console.info(
      `${LINES} lines of ${name}: ${Object.entries(figures)
        .map(([step, ms]) => `${step} ${Math.round(ms)} ms`)
        .join(', ')}`,
    )
    expect(median).toBeLessThan(MAX_MEDIAN_MS)
    for (const [step, ms] of Object.entries(changes)) expect(ms, step).toBeLessThan(MAX_CHANGE_MS)
  },
)
