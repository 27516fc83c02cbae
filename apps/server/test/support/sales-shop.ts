import type { Order } from '@pegasus/contracts/orders/orders'
import type { SalesRow } from '@pegasus/contracts/orders/sales'
import { expect } from 'vitest'
import { type TestApp, buildTestApp } from './build-test-app.ts'
import { anItem } from './stock-factories.ts'

const NOW = new Date('2031-03-31T22:30:00Z')

/** Moves the app's clock to a moment. */
export const goTo = (app: TestApp, moment: Date) =>
  app.clock.advance(moment.getTime() - app.clock.now().getTime())

/** Builds a shop in which each piece of an item costs 2.00. Its clock stands at the night before April 1 in Vienna. */
export async function aSalesShop() {
  const app = await buildTestApp()
  goTo(app, NOW)
  const staff = await app.as('staff')
  const dragon = await anItem(app, { sku: 'DRG', name: 'Dragon', quantity: 50 })
  const stand = await anItem(app, { sku: 'STD', name: 'Stand', quantity: 50 })
  const send = async <T>(url: string, payload?: object, headers = {}) => {
    const answer = await app.http.inject({
      method: payload ? 'POST' : 'GET',
      url,
      // Each call gets a new token, because the clock moves beyond the lifetime of a token.
      headers: { ...(await app.as('staff')), ...headers },
      ...(payload && { payload }),
    })
    if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
    return answer.json<T>()
  }
  // The amounts of an item replace the whole calculation except the overhead, so set the overhead to zero.
  const priced = await app.http.inject({
    method: 'PUT',
    url: '/api/cost-settings',
    headers: { ...(await app.as('admin')), 'if-match': '*' },
    payload: {
      machine_price_per_hour: 0,
      electricity_price_per_kwh: 0,
      extras_per_piece: 0,
      failure_percent: 0,
      overhead_percent: 0,
    },
  })
  expect(priced.statusCode, priced.body).toBe(200)
  const costs = async (id: string, material: number) => {
    const answer = await app.http.inject({
      method: 'PUT',
      url: `/api/inventory/${id}`,
      headers: { ...staff, 'if-match': '*' },
      payload: { material_cost: material, labor_cost: 0, print_time_minutes: 0 },
    })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  await costs(dragon, 2)
  const act = (id: string, what: string, payload: object = {}) =>
    send<Order>(`/api/orders/${id}/${what}`, payload)
  const report = (query: string) => send<SalesRow[]>(`/api/reports/sales?${query}`)
  return { app, staff, dragon, stand, send, act, report, costs }
}

export const line = (sku: string, quantity: number, unitPriceMinor: number) => ({
  sku,
  name: `A ${sku}`,
  quantity,
  unitPriceMinor,
})
