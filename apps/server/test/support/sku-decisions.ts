import type { Order } from '@pegasus/contracts/orders/orders'
import type { OrderedSku, SkuDecision } from '@pegasus/contracts/orders/sku-mappings'
import { buildTestApp } from './build-test-app.ts'
import { anItem } from './stock-factories.ts'

/** Returns a line of an order, at 1.00 for each piece. */
export const aLine = (sku: string, quantity = 1) => ({ sku, name: `A ${sku}`, quantity, unitPriceMinor: 100 })

/** Starts an app with a dragon and an egg in stock. Returns functions that map, ignore and forget SKUs. */
export async function aShop() {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const dragon = await anItem(app, { sku: 'DRG', name: 'Dragon', quantity: 10 })
  const egg = await anItem(app, { sku: 'EGG', name: 'Egg', quantity: 4 })
  const send = async <T>(url: string, payload?: object) => {
    const answer = await app.http.inject({
      method: payload ? 'POST' : 'GET',
      url,
      headers: staff,
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, body: answer.json<T & { detail: string }>() }
  }
  const decide = (what: 'map' | 'ignore' | 'forget', payload: object) =>
    send<SkuDecision>(`/api/orders/unknown-skus/${what}`, payload)
  const map = (sku: string, ...items: readonly (readonly [string, number])[]) =>
    decide('map', { sku, items: items.map(([id, quantity]) => ({ inventory_item_id: id, quantity })) })
  const inbox = async (state = 'unknown') =>
    (await send<OrderedSku[]>(`/api/orders/unknown-skus?state=${state}`)).body
  const read = async (id: string) => (await send<Order>(`/api/orders/${id}`)).body
  const act = (id: string, what: string, payload: object = {}) =>
    send<Order>(`/api/orders/${id}/${what}`, payload)
  return { app, staff, dragon, egg, send, decide, map, inbox, read, act }
}
