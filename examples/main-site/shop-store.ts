import { readFile, rename, writeFile } from 'node:fs/promises'

/** A received product, with the shop's own id. */
export interface ShopProduct {
  id: string
  /** The idempotency key of its request. The same key means the same product. */
  key: string | null
  name: string
  slug: string
  category: string
  price: number
  stock: number
  description: string
  tags: string[]
  images: string[]
  videos: string[]
  posterUrl: string | null
  bulkTiers: { quantity: number; price: number }[] | null
  license: string | null
  designer: string | null
  designerUrl: string | null
}

/** The shipping address of an order. */
export interface ShopAddress {
  line1: string
  postalCode: string
  city: string
  country: string
}

/** A parcel that Pegasus Ops has reported. A repeated call has the same id. */
export interface ShopShipment {
  id: string
  carrier: string | null
  trackingNumber: string | null
  trackingUrl: string | null
  items: { sku: string; quantity: number }[]
}

export interface ShopOrder {
  number: string
  /** The secret part of the address of the order's page. An order of an older version has none, and no page. */
  token: string
  placedAt: string
  customer: string
  email: string
  slug: string
  name: string
  quantity: number
  /** The pieces that the order took from the stock. The others are printed to order. */
  takenFromStock: number
  unitPrice: number
  shipping: number
  address: ShopAddress
  status: 'pending' | 'completed' | 'cancelled'
  /** Time of the last change. */
  changedAt: string
  /** Parcels that Pegasus Ops reported. */
  shipments: ShopShipment[]
  /** The result of sending the order to Pegasus Ops. */
  handedOver: boolean
  problem: string | null
}

export interface ShopState {
  products: ShopProduct[]
  orders: ShopOrder[]
  /** An API key of Pegasus Ops with the scope `integration`. */
  apiKey: string
}

export interface ShopStore {
  readonly state: ShopState
  /** Changes the state, and resolves once it is on disk. Changes run one after another. */
  change<T>(work: (state: ShopState) => T): Promise<T>
}

const EMPTY: ShopState = { products: [], orders: [], apiKey: '' }

const EMPTY_ORDER = {
  token: '',
  takenFromStock: 0,
  shipping: 0,
  address: { line1: '', postalCode: '', city: '', country: 'US' },
  status: 'pending' as const,
  changedAt: '',
  shipments: [],
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Opens the state of the shop. It is one JSON file, which is replaced as a whole. A real shop would use a database. */
export async function openStore(file: string): Promise<ShopStore> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return JSON.stringify(EMPTY)
    throw error
  })
  const state = { ...EMPTY, ...(JSON.parse(text) as Partial<ShopState>) }
  // An older version stored fewer fields of an order.
  state.orders = state.orders.map((order) => ({
    ...EMPTY_ORDER,
    ...order,
    changedAt: order.changedAt || order.placedAt,
  }))
  let last: Promise<unknown> = Promise.resolve()

  const save = async (): Promise<void> => {
    await writeFile(`${file}.new`, JSON.stringify(state, null, 2), { flush: true })
    await rename(`${file}.new`, file)
  }

  return {
    state,
    change(work) {
      const turn = last.then(async () => {
        const result = work(state)
        await save()
        return result
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}
