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
import { randomFrom } from './random.ts'
import {
  OTHER_SKU,
  SIMULATED_SHOPS,
  SKU,
  orderNumberOf,
  type SimulatedOrder,
  type SimulatedShop,
} from './simulated-shops.ts'

/** Number of random events. `PEGASUS_EVENTS` overrides the numbers of the short and the long test run. */
const EVENTS = Number(process.env['PEGASUS_EVENTS'] ?? (isLongRun ? 10_000 : 80))
const KILLS = Math.max(2, EVENTS / 100)
const FIRST_STOCK = 40
const PATIENCE_MS = 60_000

const DRAGON = {
  name: 'Dragon',
  slug: 'dragon',
  category: 'miniatures',
  price: 20,
  stock: 5,
  description: 'Breathes fire',
  images: ['https://cdn.example/dragon.jpg'],
  license: 'cc0',
}

/** Starts the product. It can be killed and started again on the same data. */
async function aTrader(shop: SimulatedShop) {
  const dataDir = await makeDataFolder()
  let product: ProductProcess = await startProduct(dataDir, shop.variables)
  let token = (await signIn(product.url)).access_token
  /** Sends a request. Returns null if the product was killed during the request. */
  const send = async <T>(method: string, path: string, body?: object): Promise<T | null> => {
    try {
      const answer = await fetch(`${product.url}${path}`, {
        method,
        headers: { ...bearer(token), ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      return (await answer.json()) as T
    } catch {
      return null
    }
  }
  return {
    send,
    /** Returns all orders, page by page. */
    async orders(): Promise<Order[]> {
      const all: Order[] = []
      for (let next: string | undefined = '/api/orders?limit=1000'; next; ) {
        const answer: Response = await fetch(`${product.url}${next}`, { headers: bearer(token) })
        all.push(...((await answer.json()) as Order[]))
        next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      }
      return all
    },
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

const must = <T>(value: T | null): T => {
  if (value === null) throw new Error('the product did not answer')
  return value
}

interface World {
  shop: SimulatedShop
  trader: Trader
  orders: SimulatedOrder[]
  /** Orders with a shipment that was taken back, possibly after it was reported to the shop. */
  takenBack: Set<number>
  itemId: string
}

/** Performs one random event. */
async function doSomething(
  random: () => number,
  { shop, trader, orders, takenBack, itemId }: World,
): Promise<void> {
  const below = (limit: number) => Math.floor(random() * limit)
  const anyOrder = orders[below(orders.length)]
  const change = async (order: SimulatedOrder) => {
    order.changedAt = new Date(order.changedAt.getTime() + 1000)
    shop.put(order)
    // A third of the events are lost, and some events are sent twice.
    if (random() < 0.66) await trader.tell(order)
    if (random() < 0.2) await trader.tell(order)
  }
  const step = random()
  if (step < 0.3 || !anyOrder) {
    const order = {
      id: orders.length + 1,
      sku: random() < 0.3 ? OTHER_SKU : SKU,
      quantity: 1 + below(4),
      isCancelled: false,
      changedAt: new Date(Date.now() - 60_000),
    }
    orders.push(order)
    return change(order)
  }
  if (step < 0.36) {
    // The shop cancels only orders without shipped pieces.
    if (shop.parcelsOf(anyOrder.id) === 0 && !anyOrder.isCancelled) {
      anyOrder.isCancelled = true
      await change(anyOrder)
    }
    return
  }
  if (step < 0.42)
    return trader.tell({ ...anyOrder, changedAt: new Date(anyOrder.changedAt.getTime() - 500) })
  if (step < 0.5) return void (await trader.send('POST', '/api/orders/sync'))
  if (step < 0.56)
    return void (await trader.send('POST', `/api/inventory/${itemId}/adjust`, {
      delta: 1 + below(4),
      reason: 'printed',
    }))
  if (step < 0.6) {
    const items = [{ inventory_item_id: itemId, quantity: 1 }]
    const decision = below(3)
    const path = `/api/orders/unknown-skus/${['map', 'map', 'forget'][decision]}`
    return void (await trader.send('POST', path, {
      sku: OTHER_SKU,
      ...(decision < 2 && { items }),
    }))
  }
  const [known] =
    (await trader.send<Order[]>('GET', `/api/orders?search=${orderNumberOf(anyOrder.id)}`)) ?? []
  const [line] = known?.items ?? []
  if (!known || !line) return
  const some = { items: [{ line_id: line.id, quantity: 1 + below(line.quantity) }] }
  if (step < 0.7)
    return void (await trader.send('POST', `/api/orders/${known.id}/reserve`, below(2) ? some : {}))
  if (step < 0.76) return void (await trader.send('POST', `/api/orders/${known.id}/release`, {}))
  if (step < 0.9) {
    // Two people ship the same pieces at the same time.
    const body = below(2) ? some : {}
    await Promise.all([1, 2].map(() => trader.send('POST', `/api/orders/${known.id}/ship`, body)))
    return
  }
  const parcel = known.shipments.at(-1)
  if (step < 0.95 && parcel) {
    takenBack.add(anyOrder.id)
    return void (await trader.send('POST', `/api/orders/${known.id}/undo-shipment`, {
      shipment_id: parcel.id,
    }))
  }
  if (step < 0.97)
    return void (await trader.send('POST', `/api/orders/${known.id}/return`, {
      items: [{ line_id: line.id, quantity: 1, to: below(2) ? 'stock' : 'scrap' }],
    }))
  await trader.send('POST', `/api/orders/${known.id}/${below(2) ? 'hold' : 'resume'}`, {})
}

/** Returns the contradictions between the stock movements, the order lines, the parcels and the shop. */
async function findContradictions(
  trader: Trader,
  { shop, orders, takenBack, itemId }: World,
): Promise<string[]> {
  const item = must(await trader.send<InventoryItem>('GET', `/api/inventory/${itemId}`))
  const ours = new Map((await trader.orders()).map((order) => [order.order_number, order]))
  const wrong: string[] = []
  const lines = [...ours.values()].flatMap((order) => order.items)
  const reserved = lines.reduce((sum, line) => sum + line.reserved_quantity, 0)
  if (reserved !== item.reserved_quantity)
    wrong.push(`reserved ${item.reserved_quantity}, of lines ${reserved}`)
  if (item.quantity < item.reserved_quantity)
    wrong.push(`${item.quantity} pieces, ${item.reserved_quantity} reserved`)
  for (const { id, quantity, isCancelled } of orders) {
    const order = ours.get(orderNumberOf(id))
    const [line] = order?.items ?? []
    if (!order || !line) {
      wrong.push(`${orderNumberOf(id)} is missing`)
      continue
    }
    const inParcels = order.shipments
      .flatMap(({ items }) => items)
      .reduce((sum, each) => sum + each.quantity, 0)
    const sentThere = shop.piecesSentOf(id)
    // A shop that counts pieces keeps the pieces of a parcel that was taken back, so it needs no new parcel for them.
    const parcelsAfterTakingBack =
      sentThere === null ? order.shipments.length <= shop.parcelsOf(id) : inParcels <= sentThere
    const told = {
      quantity: line.quantity === quantity,
      shipped: line.shipped_quantity <= quantity && line.shipped_quantity === inParcels,
      cancelled:
        !isCancelled || inParcels > 0 || (order.status === 'cancelled' && line.reserved_quantity === 0),
      parcels: takenBack.has(id)
        ? parcelsAfterTakingBack
        : order.shipments.length === shop.parcelsOf(id) && (sentThere ?? inParcels) === inParcels,
      completed: (order.status === 'completed') === (line.shipped_quantity === quantity) || isCancelled,
    }
    for (const [name, isTrue] of Object.entries(told))
      if (!isTrue)
        wrong.push(
          `${orderNumberOf(id)} ${name}: ${JSON.stringify({ quantity, isCancelled, status: order.status, line, shipments: order.shipments.length, there: shop.parcelsOf(id), sentThere, isTakenBack: takenBack.has(id) })}`,
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
    const orders: SimulatedOrder[] = []
    const world = { shop, trader, orders, takenBack: new Set<number>(), itemId: item.id }
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
        .filter((line) => line.inventory_item_id !== null)
        .reduce(
          (sum, line) => sum + Math.max(0, line.quantity - line.shipped_quantity - line.reserved_quantity),
          0,
        )
      return Math.max(0, now.available_quantity - needed)
    }
    expect(await until(async () => shop.stock() === (await offered()), PATIENCE_MS, 500)).toBe(true)
    console.info(
      `simulation of ${kind}: ${EVENTS} events, ${KILLS} kills, ${orders.length} orders, 0 contradictions`,
    )
  },
)
