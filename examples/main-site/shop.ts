import { randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { handOver } from './hand-over.ts'
import { cancelOrder, completeOrder, keepShipment, listOrders, setStock } from './order-calls.ts'
import { MAX_PIECES, messagePage, orderPage, ordersPage, productPage, STYLE, storefront } from './pages.ts'
import { readProduct } from './read-product.ts'
import { openStore, type ShopOrder, type ShopProduct, type ShopState } from './shop-store.ts'

export interface ShopOptions {
  host: string
  port: number
  /** The path of the file that stores the shop's state. */
  file: string
  adminKey: string
  /** Name of the header that contains the admin key, in lower case. */
  adminHeader: string
  /** The address at which Pegasus Ops accepts orders. */
  opsUrl: string
  currency: string
  /** The secret that signs events about orders. If it is empty, no events are sent. */
  webhookSecret?: string
}

export interface Shop {
  url: string
  close(): Promise<void>
}

interface Answer {
  status: number
  type: string
  body: string
  headers?: Record<string, string>
}

/** Shipping costs of every order. */
const SHIPPING = 4.9
const MAX_BODY_BYTES = 1024 * 1024
const POLICY =
  "default-src 'none'; style-src 'self'; img-src http: https: data:; media-src http: https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
})
const html = (body: string, status = 200): Answer => ({ status, type: 'text/html; charset=utf-8', body })
const seeOther = (location: string): Answer => ({
  status: 303,
  type: 'text/plain',
  body: '',
  headers: { location },
})
const notFound = (): Answer => html(messagePage('Not found', 'There is nothing at this address.'), 404)

class BadRequest extends Error {}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new BadRequest('The request is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadRequest('The body is not JSON')
  }
}

const isSame = (given: unknown, wanted: string): boolean => {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns the price of one piece for this quantity. */
function priceFor({ price, bulkTiers }: ShopProduct, quantity: number): number {
  const reached = (bulkTiers ?? []).filter((tier) => tier.quantity <= quantity)
  return reached.sort((a, b) => b.quantity - a.quantity)[0]?.price ?? price
}

/** Stores a product. The same key or slug means the same product, even if its other fields have changed. */
function keep(state: ShopState, fields: Omit<ShopProduct, 'id' | 'key'>, key: string | null) {
  const byKey = key === null ? undefined : state.products.find((product) => product.key === key)
  const known = byKey ?? state.products.find((product) => product.slug === fields.slug)
  const isTaken = state.products.some((other) => other !== known && other.slug === fields.slug)
  if (isTaken) return null
  if (known) return { isNew: false, product: Object.assign(known, fields) }
  const product = { id: randomUUID(), key, ...fields }
  state.products.unshift(product)
  return { isNew: true, product }
}

function placeOrder(state: ShopState, slug: string, form: URLSearchParams): ShopOrder | string {
  const product = state.products.find((each) => each.slug === slug)
  const quantity = Number(form.get('quantity'))
  const customer = form.get('customer')?.trim() ?? ''
  const email = form.get('email')?.trim() ?? ''
  if (!product || !Number.isInteger(quantity) || quantity < 1) return 'Please enter the number of pieces.'
  if (quantity > MAX_PIECES) return `At most ${MAX_PIECES} pieces can be ordered at once.`
  if (customer === '' || !email.includes('@')) return 'Please enter your name and your email address.'
  // Pieces that are not in stock are printed to order.
  const takenFromStock = Math.min(product.stock, quantity)
  product.stock -= takenFromStock
  const order: ShopOrder = {
    token: randomUUID(),
    number: `WEB-${String(state.orders.length + 1).padStart(5, '0')}`,
    placedAt: new Date().toISOString(),
    customer,
    email,
    slug,
    name: product.name,
    quantity,
    takenFromStock,
    unitPrice: priceFor(product, quantity),
    shipping: SHIPPING,
    address: {
      line1: form.get('line1')?.trim() ?? '',
      postalCode: form.get('postal_code')?.trim() ?? '',
      city: form.get('city')?.trim() ?? '',
      country: form.get('country')?.trim().toUpperCase() || 'US',
    },
    status: 'pending',
    changedAt: new Date().toISOString(),
    shipments: [],
    handedOver: false,
    problem: null,
  }
  state.orders.push(order)
  return order
}

/** Starts the shop; port 0 means any free port. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const { currency, opsUrl, webhookSecret = '' } = options
  const store = await openStore(options.file)
  const { state } = store

  const bringOrder = async (order: ShopOrder): Promise<void> => {
    const problem = await handOver(order, { opsUrl, apiKey: state.apiKey, webhookSecret, currency })
    await store.change(() => Object.assign(order, { handedOver: problem === null, problem }))
  }

  /** Returns the order whose page or action has this path. */
  const findOrder = (path: string, end = ''): ShopOrder | undefined =>
    state.orders.find(({ token }) => token !== '' && path === `/orders/${token}${end}`)

  /** Responds to calls about orders, parcels and stock, which need the admin key. */
  const adminOrders = async (
    request: IncomingMessage,
    { pathname: path, searchParams }: URL,
  ): Promise<Answer> => {
    if (request.method === 'GET' && path === '/api/admin/orders')
      return json(200, listOrders(state, searchParams, currency))
    if (request.method === 'PUT' && path === '/api/admin/stock') {
      const body = parseJson(await readBody(request)) as { products?: unknown }
      const unknown = await store.change((shop) => setStock(shop, body.products))
      return typeof unknown === 'string' ? json(422, { error: unknown }) : json(200, { unknown })
    }
    const [, number, part] = /^\/api\/admin\/orders\/([^/]+)(\/shipments)?$/.exec(path) ?? []
    const order = state.orders.find((each) => each.number === decodeURIComponent(number ?? ''))
    if (request.method !== (part ? 'POST' : 'PUT') || !order) return json(404, { error: 'Not found' })
    const body = parseJson(await readBody(request)) as Record<string, unknown>
    if (!part) {
      if (body['status'] !== 'completed') return json(422, { error: 'status must be completed' })
      await store.change(() => completeOrder(order))
      return json(200, { order_number: order.number, status: order.status })
    }
    const isNew = await store.change(() => keepShipment(order, body))
    return json(isNew ? 201 : 200, { order_number: order.number, status: order.status })
  }

  const admin = async (request: IncomingMessage, url: URL): Promise<Answer> => {
    const { pathname: path } = url
    if (!isSame(request.headers[options.adminHeader], options.adminKey))
      return json(401, { error: 'The admin key is missing or wrong' })
    if (!path.startsWith('/api/admin/products')) return adminOrders(request, url)
    const slug = path.slice('/api/admin/products/'.length)
    if (request.method === 'GET' && path === '/api/admin/products') return json(200, state.products)
    if (request.method === 'GET') {
      const product = state.products.find((each) => each.slug === slug)
      return product ? json(200, product) : json(404, { error: 'There is no such product' })
    }
    if (request.method !== 'POST' || path !== '/api/admin/products') return json(404, { error: 'Not found' })
    const fields = readProduct(parseJson(await readBody(request)))
    if (typeof fields === 'string') return json(422, { error: fields })
    const key = request.headers['idempotency-key']
    // Respond only when the product is on disk, so that the caller can rely on it.
    const kept = await store.change((shop) => keep(shop, fields, typeof key === 'string' ? key : null))
    if (!kept) return json(409, { error: 'Another product has this slug' })
    const { isNew, product } = kept
    return json(isNew ? 201 : 200, { id: product.id, slug: product.slug, url: `/products/${product.slug}` })
  }

  const post = async (request: IncomingMessage, path: string): Promise<Answer> => {
    const form = new URLSearchParams(await readBody(request))
    const [, slug] = /^\/products\/([a-z0-9-]+)\/checkout$/.exec(path) ?? []
    if (slug !== undefined) {
      const order = await store.change((shop) => placeOrder(shop, slug, form))
      if (typeof order === 'string') return html(messagePage('This did not work', order), 422)
      await bringOrder(order)
      const link = { href: `/orders/${order.token}`, text: 'To your order' }
      return html(messagePage('Thank you', `Your order ${order.number} has been placed.`, link), 201)
    }
    const cancelled = findOrder(path, '/cancel')
    if (cancelled) {
      if (await store.change((shop) => cancelOrder(shop, cancelled))) await bringOrder(cancelled)
      return seeOther(`/orders/${cancelled.token}`)
    }
    if (path === '/admin/api-key')
      await store.change((shop) => void (shop.apiKey = form.get('key')?.trim() ?? ''))
    else if (path === '/admin/orders/hand-over')
      for (const order of state.orders.filter(({ handedOver }) => !handedOver)) await bringOrder(order)
    else return notFound()
    return seeOther('/admin/orders')
  }

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const url = new URL(request.url ?? '/', 'http://shop')
    const { pathname: path } = url
    if (path.startsWith('/api/admin/')) return admin(request, url)
    if (request.method === 'POST') return post(request, path)
    if (path === '/') return html(storefront(state, currency))
    if (path === '/admin/orders') return html(ordersPage(state, currency))
    if (path === '/style.css') return { status: 200, type: 'text/css; charset=utf-8', body: STYLE }
    const order = findOrder(path)
    if (order) return html(orderPage(order, currency))
    const product = state.products.find(({ slug }) => path === `/products/${slug}`)
    return product ? html(productPage(product, currency)) : notFound()
  }

  const server = createServer((request, response) => {
    void answer(request)
      .catch((error: unknown) =>
        error instanceof BadRequest
          ? json(400, { error: error.message })
          : json(500, { error: 'Something went wrong in the shop' }),
      )
      .then((result) => send(response, result))
  })
  await once(server.listen({ host: options.host, port: options.port }), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://${options.host}:${port}`, close: () => stop(server) }
}

function send(response: ServerResponse, { status, type, body, headers = {} }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(body)
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
