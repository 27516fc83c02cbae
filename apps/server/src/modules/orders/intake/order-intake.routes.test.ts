import type { IntegrationOrder } from '@pegasus/contracts/integration'
import type { Order } from '@pegasus/contracts/orders/orders'
import { describe, expect, it } from 'vitest'
import { aKey, auditOf, keyHeader } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrintJob, anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { DAY_MS, SECOND_MS } from '../../../platform/clock.ts'

const aShop = async (app: TestApp): Promise<string> => (await aKey(app, { scope: ['integration'] })).key

const send = (app: TestApp, key: string, payload: unknown, idempotencyKey?: string) =>
  app.http.inject({
    method: 'POST',
    url: '/api/integration/orders',
    headers: { ...keyHeader(key), ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
    payload: payload as object,
  })

const sent = async (app: TestApp, key: string, payload: object): Promise<IntegrationOrder> => {
  const answer = await send(app, key, payload)
  if (answer.statusCode > 201) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.json<IntegrationOrder>()
}

const orders = async (app: TestApp) =>
  (await app.http.inject({ url: '/api/orders', headers: await app.as('viewer') })).json<Order[]>()

const HOOK = { sku: 'HOOK-1', name: 'Wall hook', quantity: 3, unit_price: 18.5 }
const STICKER = { sku: 'NOT-OURS', name: 'Sticker', quantity: 1, unit_price: 0 }
const ORDER = {
  order_number: 'PO-20261121-0862',
  customer_name: 'Ó Súilleabháin & Daughters',
  customer_email: 'o@example.com',
  total_amount: 1284.5,
  currency: 'USD',
  placed_at: '2026-11-20T10:30:00+02:00',
  due_at: '2126-12-01T00:00:00Z',
  external_id: 'wc-77',
  notes: 'gift',
  shipping_address: { name: 'Ó Súilleabháin', country: 'ie', line2: '' },
  shipping_amount: 4.9,
  discount_amount: 0,
  items: [HOOK, STICKER],
}
const NO_ADDRESS = {
  name: null,
  company: null,
  line1: null,
  line2: null,
  postal_code: null,
  city: null,
  region: null,
  country: null,
  phone: null,
}
/** Fields of a line without shipped, reserved or queued pieces. */
const UNTOUCHED = {
  is_ignored: false,
  is_set: false,
  parts: [],
  shipped_quantity: 0,
  reserved_quantity: 0,
  queued_quantity: 0,
  returned_quantity: 0,
  refunded_quantity: 0,
}

describe('POST /api/integration/orders', () => {
  describe('valid orders from a shop', () => {
    it('POST /api/integration/orders adds an order with 201, and people see the order with its stock', async () => {
      const app = await buildTestApp()
      const key = await aShop(app)
      const itemId = await anItem(app, { sku: 'hook-1', quantity: 7 })
      const answer = await send(app, key, ORDER)
      expect(answer.statusCode).toBe(201)
      const order = answer.json<IntegrationOrder>()
      expect(order).toEqual({
        id: expect.any(String),
        order_number: 'PO-20261121-0862',
        customer_name: 'Ó Súilleabháin & Daughters',
        status: 'pending',
        total_amount: 1284.5,
        currency: 'USD',
        placed_at: '2026-11-20T08:30:00Z',
        due_at: '2126-12-01T00:00:00Z',
        items: [
          {
            id: expect.any(String),
            ...HOOK,
            ...UNTOUCHED,
            inventory_item_id: itemId,
            available_quantity: 7,
            allocated_quantity: 3,
            short_by: 0,
            missing_quantity: 0,
            not_shipped_quantity: 0,
          },
          {
            id: expect.any(String),
            ...STICKER,
            ...UNTOUCHED,
            inventory_item_id: null,
            available_quantity: null,
            allocated_quantity: 0,
            short_by: 1,
            missing_quantity: 1,
            not_shipped_quantity: 0,
          },
        ],
        customer_email: 'o@example.com',
        shipping_address: { ...NO_ADDRESS, name: 'Ó Súilleabháin', country: 'IE' },
        shipping_amount: 4.9,
        tax_amount: null,
        discount_amount: 0,
        surcharge_amount: null,
        kept_amount: null,
        fee_amount: null,
        is_overdue: false,
        expected_start: null,
        expected_end: null,
        ready_to_pack: false,
        shipments: [],
        shop_problem: null,
        proposed_cancellations: [],
        is_history: false,
        revision: 1,
        source: 'integration',
        external_id: 'wc-77',
        notes: 'gift',
        created_at: app.clock.now().toISOString(),
        updated_at: app.clock.now().toISOString(),
      })
      expect((await orders(app))[0]).toMatchObject(order)
      expect(await auditOf(app, 'order')).toMatchObject([{ action: 'order.created', entity_id: order.id }])
    })

    it('POST /api/integration/orders requires only an order number and a total', async () => {
      const app = await buildTestApp()
      expect(await sent(app, await aShop(app), { order_number: ' A-1 ', total_amount: 0 })).toMatchObject({
        order_number: 'A-1',
        customer_name: '',
        status: 'pending',
        total_amount: 0,
        placed_at: app.clock.now().toISOString(),
        items: [],
        external_id: null,
      })
    })

    it('POST /api/integration/orders returns 200 for an unchanged order, and writes nothing', async () => {
      const app = await buildTestApp()
      const key = await aShop(app)
      await anItem(app, { sku: 'HOOK-1', quantity: 7 })
      const first = await sent(app, key, ORDER)
      const rows = () => app.database.sql`
        select to_jsonb(o) as row, (select jsonb_agg(to_jsonb(l) order by position) from order_lines l) as lines,
               (select count(*) from audit_entries where entity = 'order') as entries
        from orders o`
      const before = await rows()
      app.clock.advance(DAY_MS)
      for (const again of [
        ORDER,
        { ...ORDER, placed_at: '2026-11-20T08:30:00.000Z' },
        { order_number: ORDER.order_number, total_amount: 1284.5 },
      ]) {
        const answer = await send(app, key, again)
        expect([answer.statusCode, answer.json()]).toEqual([200, first])
      }
      expect(await rows()).toEqual(before)
    })

    it('an unchanged status in POST /api/integration/orders does not reopen an order that people cancelled', async () => {
      const app = await buildTestApp()
      const key = await aShop(app)
      const order = { order_number: 'A-1', total_amount: 5, status: 'pending' }
      const { id } = await sent(app, key, order)
      const staff = await app.as('staff')
      await app.http.inject({ method: 'POST', url: `/api/orders/${id}/cancel`, headers: staff })
      expect(await sent(app, key, order)).toMatchObject({ status: 'cancelled' })
      expect(await sent(app, key, { ...order, status: 'in_progress' })).toMatchObject({
        status: 'in_progress',
      })
    })

    it('POST /api/integration/orders changes the fields of a known order that differ, and keeps the other fields', async () => {
      const app = await buildTestApp()
      const key = await aShop(app)
      const hook = await anItem(app, { sku: 'HOOK-1', quantity: 7 })
      const gear = await anItem(app, { sku: 'GEAR', quantity: 2 })
      const first = await sent(app, key, ORDER)
      app.clock.advance(SECOND_MS)
      const number = { order_number: ORDER.order_number }
      const steps: [object, object][] = [
        [
          { ...number, total_amount: 10, status: 'in_progress' },
          { total_amount: 10, status: 'in_progress' },
        ],
        [
          { ...number, total_amount: 10, customer_name: 'Ann' },
          { customer_name: 'Ann', status: 'in_progress' },
        ],
        [
          { ...number, total_amount: 10, due_at: null, notes: '' },
          { due_at: null, notes: null, external_id: 'wc-77' },
        ],
        [{ ...number, total_amount: 10, external_id: null }, { external_id: null }],
      ]
      for (const [body, after] of steps) {
        const answer = await send(app, key, body)
        expect([answer.statusCode, answer.json()]).toEqual([200, expect.objectContaining(after)])
        expect(answer.json<IntegrationOrder>().items).toEqual(first.items)
      }
      const items = [{ ...HOOK, quantity: 4 }, { sku: 'gear', quantity: 1, unit_price: 2 }, STICKER]
      const more = await sent(app, key, { ...number, total_amount: 10, items })
      expect(more.items.map(({ inventory_item_id: id, quantity }) => [id, quantity])).toEqual([
        [hook, 4],
        [gear, 1],
        [null, 1],
      ])
      // Lines are matched by SKU, not by position.
      expect([more.items[0]?.id, more.items[2]?.id]).toEqual(first.items.map(({ id }) => id))
      expect((await sent(app, key, { ...number, total_amount: 10, items: [] })).items).toEqual([])
      const entries = await auditOf(app, 'order')
      expect(entries.map(({ action }) => action)).toEqual([
        'order.created',
        ...Array(6).fill('order.updated'),
      ])
      expect(entries[1]).toMatchObject({
        before: { status: 'pending', total_minor: 128_450 },
        after: { status: 'in_progress', total_minor: 1000 },
      })
      expect(await orders(app)).toHaveLength(1)
    })

    it('POST /api/integration/orders can remove an order line that a print job refers to', async () => {
      const app = await buildTestApp()
      const key = await aShop(app)
      const order = await sent(app, key, ORDER)
      const jobId = await aPrintJob(app, { orderId: order.id })
      await app.database.sql`
        update print_jobs set order_line_id = ${order.items[1]?.id ?? ''} where id = ${jobId}`
      expect((await sent(app, key, { ...ORDER, items: [HOOK] })).items).toHaveLength(1)
      const [row] = await app.database.sql`select order_id, order_line_id from print_jobs`
      expect(row).toEqual({ order_id: order.id, order_line_id: null })
    })

    it('50 identical parallel requests to POST /api/integration/orders on two processes add one order', async () => {
      const app = await buildTestApp()
      const replica = await app.replica()
      const key = await aShop(app)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => send(i % 2 ? app : replica, key, ORDER)),
      )
      const statuses = answers.map(({ statusCode }) => statusCode)
      console.info(`orders of 50 twins: ${(await orders(app)).length}`)
      expect(statuses.filter((code) => code === 201)).toHaveLength(1)
      expect(statuses.filter((code) => code === 200)).toHaveLength(49)
      expect(new Set(answers.map((answer) => answer.json<IntegrationOrder>().id)).size).toBe(1)
      expect(await orders(app)).toHaveLength(1)
      expect(await auditOf(app, 'order')).toHaveLength(1)
    })

    it("T93 a repeated Idempotency-Key returns an order's response or refuses another body, separately for each API key", async () => {
      const app = await buildTestApp()
      const [key, other] = [await aShop(app), await aShop(app)]
      const twins = await Promise.all(Array.from({ length: 10 }, () => send(app, key, ORDER, 'k1')))
      expect(new Set(twins.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
      expect(twins[0]?.statusCode).toBe(201)
      expect((await send(app, key, { ...ORDER, total_amount: 1 }, 'k1')).statusCode).toBe(409)
      expect(
        (await send(app, other, { ...ORDER, order_number: 'X', external_id: 'x' }, 'k1')).statusCode,
      ).toBe(201)
      expect((await send(app, key, ORDER, 'x'.repeat(255))).statusCode).toBe(200)
      expect((await send(app, key, ORDER, 'x'.repeat(256))).statusCode).toBe(400)
      // Two API keys of one owner are treated as two programs.
      const username = await app.anAccount('staff')
      const [mine, twin] = [await aKey(app, { username }), await aKey(app, { username })]
      expect(
        (await send(app, mine.key, { ...ORDER, order_number: 'Y', external_id: 'y' }, 'k2')).statusCode,
      ).toBe(201)
      expect(
        (await send(app, twin.key, { ...ORDER, order_number: 'Z', external_id: 'z' }, 'k2')).statusCode,
      ).toBe(201)
      // A refused request changed nothing, so its idempotency key can be used again.
      expect((await send(app, key, { ...ORDER, total_amount: 0.001 }, 'k3')).statusCode).toBe(422)
      expect((await send(app, key, ORDER, 'k3')).statusCode).toBe(200)
    })

    it('POST /api/integration/orders updates an order from another source, unless its currency differs', async () => {
      const app = await buildTestApp()
      const key = await aShop(app)
      const id = await anOrder(app, { orderNumber: 'M-1', source: 'manual', totalMinor: 100 })
      const answer = await send(app, key, { order_number: 'M-1', total_amount: 2 })
      expect([answer.statusCode, answer.json()]).toEqual([
        200,
        expect.objectContaining({ id, source: 'manual', total_amount: 2 }),
      ])
      await anOrder(app, { orderNumber: 'M-2', currency: 'JPY', totalMinor: 100 })
      expect((await send(app, key, { order_number: 'M-2', total_amount: 2 })).statusCode).toBe(409)
    })

    it('POST /api/integration/orders accepts every decimal of amounts in currencies with 0, 2 or 3 decimals', async () => {
      for (const [currency, amount] of [
        ['JPY', 1250],
        ['KWD', 1.255],
        ['USD', 0.07],
      ] as const) {
        const app = await buildTestApp({ variables: { CURRENCY: currency } })
        const order = { order_number: 'A', total_amount: amount, items: [{ ...HOOK, unit_price: amount }] }
        const key = await aShop(app)
        expect(await sent(app, key, order)).toMatchObject({
          total_amount: amount,
          currency,
          items: [{ unit_price: amount }],
        })
        const decimals = { JPY: 0.5, KWD: 0.0001, USD: 0.001 }[currency]
        expect((await send(app, key, { ...order, total_amount: decimals })).statusCode).toBe(422)
      }
    })
  })

  it('POST /api/integration/orders refuses invalid input with 422 and the field, and writes nothing', async () => {
    const app = await buildTestApp()
    const key = await aShop(app)
    const line = (change: object) => ({ ...ORDER, items: [HOOK, { ...STICKER, ...change }] })
    const bad: [unknown, string][] = [
      [{ ...ORDER, order_number: undefined }, 'order_number'],
      [{ ...ORDER, order_number: '' }, 'order_number'],
      [{ ...ORDER, order_number: ' ' }, 'order_number'],
      [{ ...ORDER, order_number: 7 }, 'order_number'],
      [{ ...ORDER, order_number: 'x'.repeat(65) }, 'order_number'],
      [{ ...ORDER, order_number: 'a\0' }, 'order_number'],
      [{ ...ORDER, total_amount: undefined }, 'total_amount'],
      [{ ...ORDER, total_amount: '5' }, 'total_amount'],
      [{ ...ORDER, total_amount: -1 }, 'total_amount'],
      [{ ...ORDER, total_amount: 1.005 }, 'total_amount'],
      [{ ...ORDER, total_amount: 1e12 }, 'total_amount'],
      [{ ...ORDER, currency: 'EUR' }, 'currency'],
      [{ ...ORDER, status: 'shipped' }, 'status'],
      [{ ...ORDER, customer_name: 'x'.repeat(201) }, 'customer_name'],
      [{ ...ORDER, notes: 'half \ud800' }, 'notes'],
      [{ ...ORDER, placed_at: 'yesterday' }, 'placed_at'],
      [{ ...ORDER, placed_at: '2026-11-20' }, 'placed_at'],
      [{ ...ORDER, placed_at: '0000-01-01T00:00:00Z' }, 'placed_at'],
      [{ ...ORDER, placed_at: '2026-02-30T00:00:00Z' }, 'placed_at'],
      [{ ...ORDER, due_at: '2026-11-20T00:00:00+30:00' }, 'due_at'],
      [{ ...ORDER, items: {} }, 'items'],
      [{ ...ORDER, items: Array(1001).fill(HOOK) }, 'items'],
      [line({ quantity: 0 }), 'items.1.quantity'],
      [line({ quantity: 1.5 }), 'items.1.quantity'],
      [line({ quantity: 1_000_000_001 }), 'items.1.quantity'],
      [line({ unit_price: -1 }), 'items.1.unit_price'],
      [line({ unit_price: 0.001 }), 'items.1.unit_price'],
      [line({ sku: 'x'.repeat(65) }), 'items.1.sku'],
      [line({ name: null }), 'items.1.name'],
      [[ORDER], ''],
    ]
    for (const [body, path] of bad) {
      const answer = await send(app, key, body)
      const [error] = answer.json<{ errors?: { path: string }[] }>().errors ?? []
      expect([body, answer.statusCode, error?.path]).toEqual([body, 422, path])
    }
    expect(await orders(app)).toEqual([])
    await sent(app, key, ORDER)
    // No two orders can have the same external id.
    expect((await send(app, key, { ...ORDER, order_number: 'other' })).json()).toMatchObject({
      code: 'external_id_taken',
    })
    expect(await orders(app)).toHaveLength(1)
  })
})
