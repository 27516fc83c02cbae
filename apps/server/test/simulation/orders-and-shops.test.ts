import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { isLongRun, until } from '../process/product-process.ts'
import { must, sumOf } from './order-invariants.ts'
import { actOnMany, decideSku, restoreOrders } from './order-events.ts'
import { handle } from './order-handling.ts'
import { randomFrom } from './random.ts'
import { findContradictions } from './shop-contradictions.ts'
import { editInShop, refundPiece, someLines } from './shop-edits.ts'
import {
  DRAGON,
  EGG_SKU,
  OTHER_SKU,
  SKU,
  orderNumberOf,
  type SimulatedOrder,
  type SimulatedShop,
} from './simulated-orders.ts'
import { SIMULATED_SHOPS } from './simulated-shops.ts'
import { type World, aTrader } from './simulated-trader.ts'

/** Number of random events. `PEGASUS_EVENTS` overrides the numbers of the short and the long test run. */
const EVENTS = Number(process.env['PEGASUS_EVENTS'] ?? (isLongRun ? 10_000 : 40))
const KILLS = Math.max(2, EVENTS / 100)
const FIRST_STOCK = 40
const PATIENCE_MS = 60_000

/** Performs one random event. */
async function doSomething(random: () => number, world: World): Promise<void> {
  const { shop, trader, orders, entered, items, sentByStaff } = world
  const below = (limit: number) => Math.floor(random() * limit)
  const anyOrder = orders[below(orders.length)]
  const change = async (order: SimulatedOrder) => {
    // A comparison asks only for recent changes, so the change gets a recent time. It must also be later than the last
    // change of the order in the shop, which can be the report of a parcel.
    const last = Math.max(order.changedAt.getTime(), shop.changedAt(order.id)?.getTime() ?? 0)
    order.changedAt = new Date(Math.max(last + 1000, Date.now() - 60_000))
    shop.put(order)
    // A third of the events are lost, and some events are sent twice.
    if (random() < 0.66) await trader.sendOrder(order)
    if (random() < 0.2) await trader.sendOrder(order)
  }
  const step = random()
  if (step < 0.22 || !anyOrder) {
    const at = new Date(Date.now() - 60_000)
    const amounts = { shipping: below(6), surcharge: below(2), discount: below(3) }
    const order = { id: orders.length + 1, lines: someLines(below), ...amounts, isCancelled: false }
    orders.push({ ...order, placedAt: new Date(), changedAt: at })
    return change(orders.at(-1)!)
  }
  if (step < 0.26) {
    const order_number = `HAND-${String(entered.length + 1).padStart(5, '0')}`
    const lines = someLines(below).map(({ sku, quantity }) => ({ sku, name: sku, quantity, unit_price: 7 }))
    entered.push(order_number)
    const body = { order_number, customer_name: 'Ada', items: lines, shipping_amount: below(3) }
    return void (await trader.send('POST', '/api/orders', body))
  }
  if (step < 0.36) {
    // The shop cancels and edits only orders without shipped pieces.
    if (anyOrder.isCancelled || shop.parcelsOf(anyOrder.id) > 0 || sentByStaff.has(anyOrder.id)) return
    if (below(3) === 0) anyOrder.isCancelled = true
    else editInShop(anyOrder, below)
    return change(anyOrder)
  }
  if (step < 0.4) {
    if (shop.hasRefunds && !anyOrder.isCancelled && refundPiece(anyOrder, below)) await change(anyOrder)
    return
  }
  if (step < 0.43) {
    const { sku } = anyOrder.lines[below(anyOrder.lines.length)]!
    if (!shop.sendPiece || anyOrder.isCancelled) return
    const isDone = below(4) === 0 ? shop.cancelSent(anyOrder, sku) : shop.sendPiece(anyOrder, sku)
    if (!isDone) return
    sentByStaff.add(anyOrder.id)
    return change(anyOrder)
  }
  if (step < 0.46)
    return trader.sendOrder({ ...anyOrder, changedAt: new Date(anyOrder.changedAt.getTime() - 500) })
  if (step < 0.51) return void (await trader.send('POST', '/api/orders/sync'))
  if (step < 0.53) {
    // A person counts fewer pieces than are recorded, sometimes fewer than are reserved.
    const path = `/api/inventory/${below(2) ? items.dragon : items.egg}`
    const item = await trader.send<InventoryItem>('GET', path)
    const quantity = Math.max(0, (item?.quantity ?? 0) - 1 - below(8))
    return void (item && (await trader.send('POST', `${path}/count`, { quantity })))
  }
  if (step < 0.58)
    return void (await trader.send('POST', `/api/inventory/${below(2) ? items.dragon : items.egg}/adjust`, {
      delta: 1 + below(6),
      reason: 'printed',
    }))
  if (step < 0.61) return decideSku(trader, { sku: OTHER_SKU, ...items }, below)
  if (step < 0.62)
    return restoreOrders(
      trader,
      [...world.deleted].filter(() => below(2) === 0),
    )
  if (step < 0.64) return actOnMany(trader, below)
  const byHand = entered.length > 0 && below(6) === 0
  const number = byHand ? entered[below(entered.length)]! : orderNumberOf(anyOrder.id)
  const [known] = (await trader.send<Order[]>('GET', `/api/orders?search=${number}`)) ?? []
  if (known && !byHand) world.seen.add(anyOrder.id)
  if (known && known.items.length > 0) await handle(below, world, known, byHand ? null : anyOrder)
}

it.each(Object.keys(SIMULATED_SHOPS) as SimulatedShop['kind'][])(
  'after random events and kills, our stock, orders and parcels agree with those of a %s shop',
  { timeout: isLongRun ? 3_600_000 : 600_000 },
  async (kind) => {
    const shop = await SIMULATED_SHOPS[kind]()
    const trader = await aTrader(shop)
    const seed = Number(process.env['PEGASUS_SEED'] ?? '17')
    const random = randomFrom(seed)
    const item = must(
      await trader.send<InventoryItem>('POST', '/api/inventory', {
        name: 'Dragon',
        sku: SKU,
        quantity: FIRST_STOCK,
      }),
    )
    must(await trader.send('POST', '/api/admin/products', { ...DRAGON, inventory_item_id: item.id }))
    const egg = must(
      await trader.send<InventoryItem>('POST', '/api/inventory', {
        name: 'Egg',
        sku: EGG_SKU,
        quantity: FIRST_STOCK,
      }),
    )
    // Orders that were placed before the first comparison do not change the stock, so make the first comparison now.
    must(await trader.send('POST', '/api/orders/sync'))
    const orders: SimulatedOrder[] = []
    const items = { dragon: item.id, egg: egg.id }
    const world: World = {
      shop,
      trader,
      orders,
      entered: [],
      takenBack: new Map(),
      sentByStaff: new Set<number>(),
      seen: new Set<number>(),
      deleted: new Set<string>(),
      deletedOfShop: new Set<string>(),
      items,
    }
    for (let event = 1; event <= EVENTS; event += 1) {
      const isKilled = event % Math.ceil(EVENTS / (KILLS + 1)) === 0
      const work = doSomething(random, world)
      if (isKilled) trader.kill()
      await work
      if (isKilled) await trader.revive()
    }
    // Deleted orders of the shop are restored, because they are compared with the shop. Orders entered by hand stay
    // deleted.
    await restoreOrders(trader, world.deletedOfShop)
    let wrong: string[] = []
    const isSettled = async () => {
      // Make the regular comparison, which also finds changes from the time in which parcels were reported.
      must(await trader.send('POST', '/api/orders/sync'))
      wrong = await findContradictions(trader, world)
      return wrong.length === 0
    }
    await until(isSettled, PATIENCE_MS, 500)
    expect(wrong, `seed ${seed}`).toEqual([])
    const offered = async () => {
      const now = must(await trader.send<InventoryItem>('GET', `/api/inventory/${item.id}`))
      const needed = (await trader.orders())
        .filter(({ status }) => status === 'pending' || status === 'in_progress')
        .flatMap((order) => pieceLines(order.items))
        .filter((line) => line.inventory_item_id === item.id)
        .reduce(
          (sum, line) => sum + Math.max(0, line.quantity - line.shipped_quantity - line.reserved_quantity),
          0,
        )
      return Math.max(0, now.available_quantity - needed)
    }
    expect(await until(async () => shop.stock() === (await offered()), PATIENCE_MS, 500)).toBe(true)
    const all = await trader.orders()
    const lines = all.flatMap((order) => pieceLines(order.items))
    const counts = {
      events: EVENTS,
      kills: KILLS,
      orders: all.length,
      lines: lines.length,
      sets: all.flatMap((order) => order.items).filter((line) => line.is_set).length,
      deleted: world.deleted.size,
      parcels: sumOf(all, (order) => order.shipments.length),
      shipped: sumOf(lines, (line) => line.shipped_quantity),
      returned: sumOf(lines, (line) => line.returned_quantity),
      refunded: sumOf(
        orders.flatMap((order) => order.lines),
        (line) => line.refunded,
      ),
    }
    console.info(`simulation of ${kind}, 0 contradictions: ${JSON.stringify(counts)}`)
  },
)
