import type { Order } from '@pegasus/contracts/orders/orders'
import {
  bearer,
  makeDataFolder,
  type ProductProcess,
  signIn,
  startProduct,
} from '../process/product-process.ts'
import type { SimulatedOrder, SimulatedShop } from './simulated-orders.ts'

/** Starts the server. It can be killed and started again on the same data. */
export async function aTrader(shop: SimulatedShop) {
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
    sendOrder: async (order: SimulatedOrder) => {
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

export type Trader = Awaited<ReturnType<typeof aTrader>>

export interface World {
  shop: SimulatedShop
  trader: Trader
  orders: SimulatedOrder[]
  /** The numbers of orders that people entered here. */
  entered: string[]
  /**
   * The pieces of parcels that were taken back here, by the shop's id of the order. Some of these parcels were reported
   * before.
   */
  takenBack: Map<number, { sku: string; quantity: number }[][]>
  /** The ids of the orders from which the shop's own staff sent pieces. */
  sentByStaff: Set<number>
  /** The shop's ids of the orders that people have found here. */
  seen: Set<number>
  /** The ids of all orders that people deleted here, even if they were restored afterwards. */
  deleted: Set<string>
  /** The ids of the deleted orders that came from the shop. */
  deletedOfShop: Set<string>
  items: { dragon: string; egg: string }
}
