import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { EMBEDDED_POSTGRES } from '../servers/postgres-server.ts'
import { startExternalPostgres } from '../servers/external-postgres.ts'
import { aMainSite, json, type SiteRequest, type TestSite } from '../servers/main-site-server.ts'
import { aWooShop, WOO_KEY, WOO_SECRET } from '../servers/woo-server.ts'
import { untilWaiting } from '../support/database/lock-waits.ts'
import { wooOrder } from '../support/shop-apps.ts'
import { silentLog } from '../support/silent-log.ts'
import { bearer, isLongRun, makeDataFolder, signIn, startProduct, until } from './product-process.ts'

const PATIENCE_MS = 60_000
const STOCK = 100

/** The tables that each operation writes. The short run kills the server only at the first and the last table. */
const TABLES = {
  shipping: ['orders', 'shipments', 'movements', 'items', 'order_lines', 'shipment_lines', 'audit_entries'],
  fetching: ['orders', 'order_lines', 'order_news', 'audit_entries', 'shop_readings'],
  mapping: ['sku_mappings', 'sku_mapping_items', 'order_lines', 'audit_entries'],
} as const
type Operation = keyof typeof TABLES

/** Starts a server on its own database, with a shop. It can be killed and started again. */
async function aTrader<Shop extends Pick<TestSite, 'url'>>(site: Shop, shopVariables = {}) {
  const { url: databaseUrl } = await startExternalPostgres(EMBEDDED_POSTGRES)
  const variables = {
    DATABASE_URL: databaseUrl,
    ROOT_SECRET: 'a secret of forty characters for the kills',
    MAIN_SITE_URL: site.url,
    ...shopVariables,
  }
  const dataDir = await makeDataFolder()
  let product = await startProduct(dataDir, variables)
  let headers = bearer((await signIn(product.url)).access_token)
  const database = await openDatabase({
    url: databaseUrl,
    log: silentLog,
    applicationName: 'test',
    maxConnections: 2,
  })
  onTestFinished(() => database.close())
  return {
    site,
    database,
    /** Sends a request. Returns null if the server was killed during the request. */
    send: async <T>(
      method: string,
      path: string,
      body?: object,
      more: Record<string, string> = {},
    ): Promise<T | null> => {
      try {
        const answer = await fetch(`${product.url}${path}`, {
          method,
          headers: { ...headers, ...more, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        })
        return (await answer.json()) as T
      } catch {
        return null
      }
    },
    kill: async () => {
      product.signalGroup('SIGKILL')
      await product.ended
    },
    revive: async () => {
      product = await startProduct(dataDir, variables)
      headers = bearer((await signIn(product.url)).access_token)
    },
  }
}
type Trader = Awaited<ReturnType<typeof aTrader<TestSite>>>

/** Runs an operation, and kills the server at its first write to the table. */
const killAt = (trader: Trader, table: string, operate: () => Promise<unknown>): Promise<void> =>
  trader.database.transaction(async (tx) => {
    await tx`lock table ${tx(table)} in share mode`
    const isWaiting = async () => {
      const waiting = await trader.database.sql`
        select from pg_locks where relation = ${table}::regclass and not granted`
      return waiting.length > 0
    }
    const answer = operate()
    expect(await until(isWaiting, PATIENCE_MS), `nothing wrote ${table}`).toBe(true)
    await trader.kill()
    expect(await answer).toBeNull()
  })

const countAudited = async ({ sql }: Database, action: string, name: string): Promise<number> =>
  (await sql`select from audit_entries where action = ${action} and entity_name = ${name}`).length

/**
 * Each operation returns its work, during which the server is killed, and the expected states before and after the
 * work.
 */
const OPERATIONS: Readonly<
  Record<
    Operation,
    (
      trader: Trader,
      name: string,
    ) => Promise<{ run(): Promise<unknown>; state(): Promise<unknown>; before: unknown; after: unknown }>
  >
> = {
  async shipping({ send, database }, name) {
    const items = [{ sku: 'DRG', quantity: 2, unit_price: 1 }]
    const order = (await send<Order>('POST', '/api/orders', { order_number: name, items }))!
    await send('POST', `/api/orders/${order.id}/reserve`, {})
    const [item] = (await send<InventoryItem[]>('GET', '/api/inventory'))!
    const { quantity = 0, reserved_quantity: reserved = 0 } = item ?? {}
    return {
      run: () => send('POST', `/api/orders/${order.id}/ship`, {}, { 'idempotency-key': name }),
      async state() {
        const now = (await send<Order>('GET', `/api/orders/${order.id}`))!
        const [left] = (await send<InventoryItem[]>('GET', '/api/inventory'))!
        const [line] = now.items
        return [
          [now.status, now.shipments.length, line?.shipped_quantity, line?.reserved_quantity],
          [left?.quantity, left?.reserved_quantity],
          await countAudited(database, 'order.shipped', name),
        ]
      },
      before: [['in_progress', 0, 0, 2], [quantity, reserved], 0],
      after: [['completed', 1, 2, 0], [quantity - 2, reserved - 2], 1],
    }
  },

  async fetching({ send, site, database }, name) {
    const order = { order_number: name, total_amount: 3, items: [{ sku: 'DRG', quantity: 3, unit_price: 1 }] }
    site.behave(json(200, { orders: [order], next: null }))
    return {
      run: () => send('POST', '/api/orders/sync'),
      async state() {
        const found = (await send<Order[]>('GET', `/api/orders?search=${name}`))!
        return [
          found.map(({ items }) => items.map((line) => [line.quantity, line.inventory_item_id !== null])),
          await countAudited(database, 'order.created', name),
        ]
      },
      // The server fetches orders when it starts, so it may already have the order.
      before: expect.toSatisfy((state) => ['[[],0]', '[[[[3,true]]],1]'].includes(JSON.stringify(state))),
      after: [[[[3, true]]], 1],
    }
  },

  async mapping({ send, database }, name) {
    const items = [{ sku: name, quantity: 1, unit_price: 1 }]
    const order = (await send<Order>('POST', '/api/orders', { order_number: name, items }))!
    const [item] = (await send<InventoryItem[]>('GET', '/api/inventory'))!
    const parts = [{ inventory_item_id: item?.id, quantity: 2 }]
    return {
      run: () => send('POST', '/api/orders/unknown-skus/map', { sku: name, items: parts }),
      async state() {
        const { items: lines } = (await send<Order>('GET', `/api/orders/${order.id}`))!
        const skus = (await send<{ sku: string }[]>('GET', '/api/orders/unknown-skus'))!
        return [
          lines.map((line) => [line.is_set, ...line.parts.map((part) => part.quantity)]),
          skus.some(({ sku }) => sku === name),
          await countAudited(database, 'sku.mapped', name),
        ]
      },
      before: [[[false]], true, 0],
      after: [[[true, 2]], false, 1],
    }
  },
}

it.each(Object.keys(TABLES) as Operation[])(
  '%s is done completely or not at all if the server is killed at any step, and a repeated request completes it',
  { timeout: 600_000 },
  async (name) => {
    const trader = await aTrader(await aMainSite())
    await trader.send('POST', '/api/inventory', { name: 'Dragon', sku: 'DRG', quantity: STOCK })
    const tables = TABLES[name]
    for (const table of isLongRun ? tables : [tables[0], tables.at(-1)!]) {
      const operation = await OPERATIONS[name](trader, `${name}-${table}`.toUpperCase())
      await killAt(trader, table, operation.run)
      await trader.revive()
      expect(await operation.state(), `before: ${table}`).toEqual(operation.before)
      expect(await operation.run(), `again: ${table}`).not.toBeNull()
      expect(await operation.state(), `after: ${table}`).toEqual(operation.after)
    }
  },
)

const tellsTracking = ({ method, path, body }: SiteRequest): boolean =>
  method === 'POST' && path.includes('/notes') && JSON.stringify(body).includes('New tracking.')

it("the shop is told each of two changed trackings once, even if the server is killed after the shop's first response", {
  timeout: 600_000,
}, async () => {
  const shop = await aWooShop()
  const now = new Date().toISOString().slice(0, 19)
  for (const id of [7, 8])
    shop.orders.set(id, wooOrder(id, { date_created_gmt: now, date_modified_gmt: now }))
  const { send, database, kill, revive } = await aTrader(shop, {
    MAIN_SITE_KIND: 'woocommerce',
    MAIN_SITE_ADMIN_KEY: `${WOO_KEY}:${WOO_SECRET}`,
  })
  const parcels = async () =>
    (await send<Order[]>('GET', '/api/orders'))!.map(({ id, order_number: orderNumber, shipments }) => ({
      path: `/api/orders/${id}`,
      orderNumber,
      ...shipments[0],
    }))
  const isTrueOfAll = (isDone: (parcel: Awaited<ReturnType<typeof parcels>>[number]) => boolean) =>
    until(async () => (await parcels()).every(isDone), PATIENCE_MS)
  /** Makes shipments and changed trackings a minute old. The server then reports them at once. */
  const becomeDue = () => database.sql`
    update shipments
    set created_at = created_at - interval '1 minute', tracking_changed_at = tracking_changed_at - interval '1 minute'`
  /** Returns the tracking numbers that the customer of each order was told. */
  const told = () =>
    [...shop.orders.values()].map(({ notes }) =>
      notes.flatMap(({ note }) => (/New tracking\..*(JD\d+)/.exec(note) ?? []).slice(1)),
    )

  await send('POST', '/api/inventory', { name: 'Dragon', sku: 'DRG', quantity: STOCK })
  await send('POST', '/api/orders/sync')
  const orders = await parcels()
  expect(orders).toHaveLength(2)
  for (const { path } of orders) await send('POST', `${path}/ship`, {})
  await becomeDue()
  expect(await isTrueOfAll(({ told_at: at }) => typeof at === 'string')).toBe(true)

  const taken = Promise.withResolvers<() => void>()
  shop.behave((response, request) => {
    const answer = shop.take(request)
    if (tellsTracking(request)) taken.resolve(() => answer(response, request))
    else answer(response, request)
  })
  for (const { path, orderNumber, id } of await parcels()) {
    const tracking = { carrier: 'DHL', tracking_number: `JD0${orderNumber}` }
    await send('PATCH', `${path}/shipments/${id}`, tracking, { 'if-match': '*' })
  }
  await becomeDue()
  const answerFirst = await taken.promise
  // The server gets the response, but a lock keeps it from saving the result.
  await database.transaction(async (tx) => {
    await tx`select from shipments for update`
    answerFirst()
    await untilWaiting({ database }, 1)
    await kill()
  })
  expect(told().flat()).toHaveLength(1)
  expect(await database.sql`select from shipments where tracking_due`).toHaveLength(2)

  shop.behave(null)
  await revive()
  expect(await isTrueOfAll(({ is_tracking_due: isDue }) => isDue === false)).toBe(true)
  expect(told()).toEqual([['JD07'], ['JD08']])
})
