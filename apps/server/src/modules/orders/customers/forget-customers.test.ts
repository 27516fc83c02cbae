import { expect, it } from 'vitest'
import { aWooApp, orderOf, ordersOf, sync, wooOrder } from '../../../../test/support/shop-apps.ts'
import { DAY_MS, SECOND_MS, addMs } from '../../../platform/clock.ts'

it('an order that was deleted 30 days ago loses its customer, and stays deleted when the shop sends it again', async () => {
  const { shop, app } = await aWooApp()
  const send = (note: string) => {
    const at = addMs(app.clock.now(), SECOND_MS).toISOString().slice(0, 19)
    shop.orders.set(7, wooOrder(7, { customer_note: note, date_modified_gmt: at }))
    return sync(app)
  }
  await send('Ring twice')
  const { id } = await orderOf(app)
  const headers = { ...(await app.as('staff')), 'if-match': '*' }
  expect((await app.http.inject({ method: 'DELETE', url: `/api/orders/${id}`, headers })).statusCode).toBe(
    204,
  )
  app.clock.advance(DAY_MS)
  await send('Ring three times')
  /** Returns whether any column of the order still contains data of the customer. */
  const hasWords = async () => {
    const { sql } = app.database
    const [row] = await sql<
      { text: string }[]
    >`select to_jsonb(o)::text as text from orders o where id = ${id}`
    return /\b(?:ada|lovelace|square|ring)\b/i.test(row?.text ?? '')
  }
  app.clock.advance(28 * DAY_MS)
  await app.cleanup.run()
  expect(await hasWords()).toBe(true)
  app.clock.advance(DAY_MS)
  await app.cleanup.run()
  expect(await hasWords()).toBe(false)
  await send('Ring four times')
  expect([await ordersOf(app), await hasWords()]).toEqual([[], false])
})
