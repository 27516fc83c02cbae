import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import {
  bearer,
  isLongRun,
  makeDataFolder,
  type ProductProcess,
  signIn,
  startProduct,
  until,
} from '../process/product-process.ts'
import { findWrongOrders, findWrongStock, must, piecesInParcel, sumOf } from './order-invariants.ts'
import { actOnMany, undoReturn } from './order-events.ts'
import { randomFrom } from './random.ts'
import { editInShop, refundPiece, someLines } from './shop-edits.ts'
import {
  DRAGON,
  EGG_SKU,
  OTHER_SKU,
  SIMULATED_SHOPS,
  SKU,
  leftOf,
  orderNumberOf,
  type SimulatedOrder,
  type SimulatedShop,
  totalOf,
} from './simulated-shops.ts'

/** Number of random events. `PEGASUS_EVENTS` overrides the numbers of the short and the long test run. */
const EVENTS = Number(process.env['PEGASUS_EVENTS'] ?? (isLongRun ? 10_000 : 80))
const KILLS = Math.max(2, EVENTS / 100)
const FIRST_STOCK = 40
const PATIENCE_MS = 60_000

/** Starts the server. It can be killed and started again on the same data. */
async function aTrader(shop: SimulatedShop) {
  const dataDir = await makeDataFolder()
  let product: ProductProcess = await startProduct(dataDir, shop.variables)
  let token = (await signIn(product.url)).access_token
  /** Sends a request. Returns null if the server was killed during the request. */
  const send = async <T>(
    method: string,
    path: string,
    body?: object,
    revision?: number,
  ): Promise<T | null> => {
    try {
      const answer = await fetch(`${product.url}${path}`, {
        method,
        headers: {
          ...bearer(token),
          ...(body && { 'content-type': 'application/json' }),
          ...(revision !== undefined && { 'if-match': `"${revision}"` }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return (await answer.json()) as T
    } catch {
      return null
    }
  }
  /** Returns all rows of a list, page by page. */
  const all = async <T>(path: string): Promise<T[]> => {
    const rows: T[] = []
    for (let next: string | undefined = path; next; ) {
      const answer: Response = await fetch(`${product.url}${next}`, { headers: bearer(token) })
      rows.push(...((await answer.json()) as T[]))
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    return rows
  }
  return {
    send,
    orders: (): Promise<Order[]> => all<Order>('/api/orders?limit=1000'),
    all,
    tell: async (order: SimulatedOrder) => {
      const { body, headers } = shop.eventOf(order)
      const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
      await fetch(`${product.url}/api/integration/webhooks/${shop.kind}`, options).catch(() => null)
    },
    kill: () => product.signalGroup('SIGKILL'),
    revive: async () => {
      await product.ended
      product = await startProduct(dataDir, shop.variables)
      token = (await signIn(product.url)).access_token
    },
  }
}

type Trader = Awaited<ReturnType<typeof aTrader>>

interface World {
  shop: SimulatedShop
  trader: Trader
  orders: SimulatedOrder[]
  /** The numbers of orders that people entered here. */
  entered: string[]
  /** Parcels of the shop's orders that were taken back, possibly after they were reported, by the id of the order. */
  takenBack: Map<number, { sku: string; quantity: number }[][]>
  /** Orders of which the shop's own staff sent pieces. */
  sentByStaff: Set<number>
  items: { dragon: string; egg: string }
}

/** People do something with an order that is here. */
async function handle(
  below: (limit: number) => number,
  { trader, takenBack }: World,
  known: Order,
  orderOfShop: SimulatedOrder | null,
): Promise<void> {
  const act = (action: string, body: object = {}) =>
    trader.send('POST', `/api/orders/${known.id}/${action}`, body)
  const some = known.items
    .filter(() => below(2) === 0)
    .map((line) => ({ line_id: line.id, quantity: 1 + below(line.quantity) }))
  const choice = some.length > 0 && below(2) === 0 ? { items: some } : {}
  const step = below(100)
  if (step < 20) return void (await act('reserve', choice))
  if (step < 32) return void (await act('release', choice))
  // Two people ship the same pieces at the same time.
  if (step < 62) return void (await Promise.all([1, 2].map(() => act('ship', choice))))
  const parcel = known.shipments[below(known.shipments.length)]
  if (step < 70 && parcel) {
    const answer = (await act('undo-shipment', { shipment_id: parcel.id })) as { code?: string } | null
    // Without an answer, the server was killed before or after it took the parcel back.
    if (!orderOfShop || answer?.code !== undefined) return
    const pieces = piecesInParcel(known, parcel)
    return void takenBack.set(orderOfShop.id, [...(takenBack.get(orderOfShop.id) ?? []), pieces])
  }
  if (step < 80) {
    const items = known.items.map((line) => ({
      line_id: line.id,
      quantity: 1,
      to: below(2) ? 'stock' : 'scrap',
    }))
    return void (await act('return', { items: items.slice(0, 1 + below(items.length)) }))
  }
  if (step < 83) return undoReturn(trader, known.id)
  if (step < 87) return void (await act(below(2) ? 'hold' : 'resume'))
  const due = [null, '2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z'][below(3)]
  const lines = known.items.map(({ sku, name, unit_price }) => ({
    sku,
    name,
    unit_price,
    quantity: 1 + below(4),
  }))
  const edit = [
    { due_at: due },
    { fee_amount: below(5) / 4 },
    { notes: `Note ${below(9)}` },
    { items: lines },
  ]
  // The lines of the shop's orders change only in the shop.
  await trader.send('PUT', `/api/orders/${known.id}`, edit[below(orderOfShop ? 3 : 4)], known.revision)
  if (!orderOfShop && below(3) === 0) await act(below(2) ? 'cancel' : 'complete', { close_short: true })
}

/** Performs one random event. */
async function doSomething(random: () => number, world: World): Promise<void> {
  const { shop, trader, orders, entered, items, sentByStaff } = world
  const below = (limit: number) => Math.floor(random() * limit)
  const anyOrder = orders[below(orders.length)]
  const change = async (order: SimulatedOrder) => {
    // A comparison asks for recent changes only, so a change long after the order must have a recent time.
    order.changedAt = new Date(Math.max(order.changedAt.getTime() + 1000, Date.now() - 60_000))
    shop.put(order)
    // A third of the events are lost, and some events are sent twice.
    if (random() < 0.66) await trader.tell(order)
    if (random() < 0.2) await trader.tell(order)
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
    return trader.tell({ ...anyOrder, changedAt: new Date(anyOrder.changedAt.getTime() - 500) })
  if (step < 0.51) return void (await trader.send('POST', '/api/orders/sync'))
  if (step < 0.58)
    return void (await trader.send('POST', `/api/inventory/${below(2) ? items.dragon : items.egg}/adjust`, {
      delta: 1 + below(6),
      reason: 'printed',
    }))
  if (step < 0.61) {
    const parts = [{ inventory_item_id: items.dragon, quantity: 1 }]
    const decision = below(3)
    const path = `/api/orders/unknown-skus/${['map', 'map', 'forget'][decision]}`
    return void (await trader.send('POST', path, { sku: OTHER_SKU, ...(decision < 2 && { items: parts }) }))
  }
  if (step < 0.64) return actOnMany(trader, below)
  const byHand = entered.length > 0 && below(6) === 0
  const number = byHand ? entered[below(entered.length)]! : orderNumberOf(anyOrder.id)
  const [known] = (await trader.send<Order[]>('GET', `/api/orders?search=${number}`)) ?? []
  if (known && known.items.length > 0) await handle(below, world, known, byHand ? null : anyOrder)
}

/** Returns the contradictions between the stock movements, the order lines, the parcels and the shop. */
async function findContradictions(trader: Trader, world: World): Promise<string[]> {
  const { shop, orders, takenBack, sentByStaff, items } = world
  const all = await trader.orders()
  const ours = new Map(all.map((order) => [order.order_number, order]))
  const staffed = new Set([...sentByStaff].map(orderNumberOf))
  const isSentByStaff = (order: Order) => staffed.has(order.order_number)
  const wrong = [
    ...(await findWrongStock(trader, items.dragon, all, isSentByStaff)),
    ...(await findWrongStock(trader, items.egg, all, isSentByStaff)),
    ...findWrongOrders(all),
  ]
  for (const sold of orders) {
    const { id, lines, isCancelled } = sold
    const order = ours.get(orderNumberOf(id))
    if (!order) {
      wrong.push(`${orderNumberOf(id)} is missing`)
      continue
    }
    const inParcels = sumOf(
      order.shipments.flatMap((parcel) => parcel.items),
      (each) => each.quantity,
    )
    // Pieces were shipped before the change from the shop was known, so the order page shows that it was refused.
    const isRefused = order.shop_problem !== null && (inParcels > 0 || takenBack.has(id))
    // The shop took back a parcel of its staff, but we count the pieces as those of a parcel of ours.
    const isWithdrawn = order.shop_problem?.includes('took back pieces') === true
    const isSentThere = lines.every(({ sku, refunded, quantity }) => {
      const there = shop.piecesSentOf(id, sku)
      if (there === null || isWithdrawn) return true
      const own = order.items.filter((line) => line.sku === sku)
      const here = sumOf(own, (line) => line.shipped_quantity)
      // The staff can send pieces of a SKU that nobody has mapped.
      if (own.some((line) => line.inventory_item_id === null && line.shipped_quantity < there)) return true
      // The shop refunds pieces that were shipped here but not yet reported, so it takes only the others as sent.
      const refused = isRefused ? refunded : sumOf(own, (line) => line.refunded_quantity)
      if (takenBack.has(id)) {
        const withdrawn = (takenBack.get(id) ?? []).flat().filter((piece) => piece.sku === sku)
        // The shop keeps pieces of parcels that were taken back here, and no others.
        const inShopOnly = Math.min(there, quantity) - here
        if (here > there || inShopOnly > sumOf(withdrawn, (piece) => piece.quantity)) return false
        // The page of the order says so while these pieces are left to ship.
        const isToShip = Math.min(there, quantity - refunded) > here && order.status !== 'cancelled'
        return !isToShip || sentByStaff.has(id) || order.shop_problem !== null
      }
      // The staff and a person here can send the same piece at the same time.
      return Math.min(there, quantity) <= here && there >= here - refused
    })
    const reported = order.shipments.filter((parcel) => parcel.told_at !== null).length
    // A shop that counts pieces needs no parcel for pieces that it already counts as sent.
    // A parcel that was taken back may have been reported before.
    const most = order.shipments.length + (takenBack.get(id)?.length ?? 0)
    const least = takenBack.has(id) && shop.sendPiece !== null ? 0 : order.shipments.length
    const isReported = sentByStaff.has(id) || (least <= shop.parcelsOf(id) && shop.parcelsOf(id) <= most)
    const areParcelsThere = shop.sendPiece !== null || reported <= shop.parcelsOf(id)
    const linesOf = (sku: string) => order.items.filter((line) => line.sku === sku)
    const isWhole = order.items.every((line) => line.shipped_quantity >= line.quantity)
    const told = {
      lines:
        isRefused ||
        isCancelled ||
        (order.items.every((line) => lines.some(({ sku }) => sku === line.sku)) &&
          lines.every(
            (line) =>
              sumOf(linesOf(line.sku), (each) => each.quantity - each.refunded_quantity) === leftOf(line),
          )),
      amounts: isRefused || isCancelled || order.total_amount === totalOf(sold),
      cancelled:
        !isCancelled ||
        inParcels > 0 ||
        (order.status === 'cancelled' && order.items.every((line) => line.reserved_quantity === 0)),
      parcels: isReported && areParcelsThere && isSentThere,
      completed: (order.status === 'completed') === isWhole || isCancelled,
    }
    for (const [name, isTrue] of Object.entries(told))
      if (!isTrue)
        wrong.push(
          `${orderNumberOf(id)} ${name}: ${JSON.stringify({ sold, status: order.status, problem: order.shop_problem, total: order.total_amount, lines: order.items.map((line) => [line.sku, line.quantity, line.refunded_quantity, line.shipped_quantity, line.returned_quantity]), shipments: order.shipments.length, there: shop.parcelsOf(id), sentThere: lines.map(({ sku }) => shop.piecesSentOf(id, sku)), takenBack: takenBack.get(id), isStaffed: sentByStaff.has(id) })}`,
        )
  }
  return wrong
}

it.each(Object.keys(SIMULATED_SHOPS) as SimulatedShop['kind'][])(
  'after random events and kills, our stock, orders and parcels agree with those of a %s shop',
  { timeout: isLongRun ? 3_600_000 : 180_000 },
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
    // Orders that are placed before the first comparison leave the stock as it is.
    must(await trader.send('POST', '/api/orders/sync'))
    const orders: SimulatedOrder[] = []
    const items = { dragon: item.id, egg: egg.id }
    const world = {
      shop,
      trader,
      orders,
      entered: [],
      takenBack: new Map(),
      sentByStaff: new Set<number>(),
      items,
    }
    for (let event = 1; event <= EVENTS; event += 1) {
      const isKilled = event % Math.ceil(EVENTS / (KILLS + 1)) === 0
      const work = doSomething(random, world)
      if (isKilled) trader.kill()
      await work
      if (isKilled) await trader.revive()
    }
    must(await trader.send('POST', '/api/orders/sync'))
    let wrong: string[] = []
    const isSettled = async () => {
      wrong = await findContradictions(trader, world)
      return wrong.length === 0
    }
    await until(isSettled, PATIENCE_MS, 500)
    expect(wrong, `seed ${seed}`).toEqual([])
    const offered = async () => {
      const now = must(await trader.send<InventoryItem>('GET', `/api/inventory/${item.id}`))
      const needed = (await trader.orders())
        .filter(({ status }) => status === 'pending' || status === 'in_progress')
        .flatMap(({ items }) => items)
        .filter((line) => line.inventory_item_id === item.id)
        .reduce(
          (sum, line) => sum + Math.max(0, line.quantity - line.shipped_quantity - line.reserved_quantity),
          0,
        )
      return Math.max(0, now.available_quantity - needed)
    }
    expect(await until(async () => shop.stock() === (await offered()), PATIENCE_MS, 500)).toBe(true)
    const all = await trader.orders()
    const lines = all.flatMap((order) => order.items)
    const counts = {
      events: EVENTS,
      kills: KILLS,
      orders: all.length,
      lines: lines.length,
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
