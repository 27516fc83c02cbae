import { HOUR_MS, addMs } from '../../src/platform/clock.ts'
import { aMainSite, json, type SiteBehavior, type SiteRequest, type TestSite } from './main-site-server.ts'

export const WOO_KEY = 'ck_0123456789abcdef'
export const WOO_SECRET = 'cs_fedcba9876543210'

type Stored = Record<string, unknown> & { id: number; sku: string }
interface WooImage {
  id?: number
  src?: string
  name?: string
  alt?: string
}

/** A refund as `GET orders/{id}/refunds` lists it. Quantities and amounts are negative. */
export interface WooRefund extends Record<string, unknown> {
  id: number
  amount: string
  reason: string
  line_items: {
    id: number
    sku: string
    quantity: number
    total: string
    total_tax: string
    meta_data: { id: number; key: string; value: string }[]
  }[]
}

export interface WooOrder extends Record<string, unknown> {
  id: number
  status: string
  date_modified_gmt: string
  notes: { id: number; note: string; customer_note: boolean }[]
}

/**
 * A WooCommerce shop with the API `wc/v3`. It has no idempotency keys, its SKUs are unique, and it copies
 * pictures.
 */
export interface WooShop {
  url: string
  requests: TestSite['requests']
  products: Map<number, Stored>
  /** The orders by their id, as the shop sends them, including the changes that it received. */
  orders: Map<number, WooOrder>
  /** The refunds by the id of their order. */
  refunds: Map<number, WooRefund[]>
  /**
   * Refunds pieces of an order, as a person does in the shop: the order gets the amount, and becomes
   * `refunded` if its whole total is refunded. Its lines and its total stay as they are. Returns the changed
   * order.
   */
  refund(id: number, refund: WooRefundInput): WooOrder
  /** All copied pictures by their id. */
  attachments: Map<number, { id: number; src: string; name: string; alt: string }>
  /**
   * Sets how the shop responds to the next requests. Null means normally. A behavior may first `take` the
   * request, so that the request has its effect.
   */
  behave(behavior: SiteBehavior | null): void
  /** Performs a request and returns the shop's response. */
  take(request: SiteRequest): SiteBehavior
}

interface WooRefundInput {
  amount: string
  /** Refunded pieces and amounts of each line, by the id of the line. */
  lines?: Readonly<Record<number, { quantity: number; total: string; tax?: string }>>
  shipping?: string
  fee?: string
  /** The time of the refund, which is also the time of the order's last change. */
  at: string
}

/** Returns an error in the format of WordPress. */
export const wooError = (status: number, code: string, message: string, data: object = {}): SiteBehavior =>
  json(status, { code, message, data: { status, ...data } })

/**
 * Returns the time, in ms, with which WordPress compares the GMT time of an order. A time with an offset is first
 * converted to the time zone of the site (UTC+2). A time without an offset stays as it is.
 */
const comparedTime = (text: string): number =>
  /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? addMs(new Date(text), 2 * HOUR_MS).getTime() : Date.parse(`${text}Z`)

export async function aWooShop(): Promise<WooShop> {
  const site = await aMainSite()
  const products = new Map<number, Stored>()
  const attachments: WooShop['attachments'] = new Map()
  const orders: WooShop['orders'] = new Map()
  const refunds: WooShop['refunds'] = new Map()
  const categories = new Map<string, number>([['uncategorized', 15]])
  let lastId = 100

  const copied = (given: WooImage[]) =>
    given.map((image) => {
      const known = attachments.get(image.id ?? 0)
      if (known) return known
      lastId += 1
      const { name = `image-${lastId}`, alt = '' } = image
      const copy = { id: lastId, src: `${site.url}/wp-content/uploads/${lastId}.jpg`, name, alt }
      attachments.set(lastId, copy)
      return copy
    })

  const merge = (product: Stored, given: Record<string, unknown>): Stored => {
    const images = given['images'] ? { images: copied(given['images'] as WooImage[]) } : {}
    return Object.assign(product, given, images, {
      id: product.id,
      permalink: `${site.url}/product/${String(given['slug'] ?? product['slug'])}/`,
    })
  }

  const takeProduct = ({ method, path, body }: SiteRequest): SiteBehavior => {
    const { pathname, searchParams } = new URL(path, site.url)
    const given = body as Record<string, unknown>
    const id = Number(pathname.split('/').at(-1))
    const known = products.get(id)
    if (method === 'GET') {
      const sku = searchParams.get('sku')
      return json(
        200,
        [...products.values()].filter((product) => sku === null || product.sku === sku),
      )
    }
    if (method === 'PUT')
      return known
        ? json(200, merge(known, given))
        : wooError(400, 'woocommerce_rest_product_invalid_id', 'Invalid ID.')
    const twin = [...products.values()].find(({ sku }) => sku === given['sku'])
    if (twin)
      return wooError(400, 'product_invalid_sku', 'Invalid or duplicated SKU.', {
        resource_id: twin.id,
        unique_sku: `${twin.sku}-1`,
      })
    lastId += 1
    const product = merge({ id: lastId, sku: String(given['sku']) }, given)
    products.set(product.id, product)
    return json(201, product)
  }

  const takeBatch = (body: unknown): SiteBehavior => {
    const { update } = body as { update: { id: number; stock_quantity: number; manage_stock: boolean }[] }
    if (update.length > 100)
      return wooError(
        413,
        'woocommerce_rest_request_entity_too_large',
        'Unable to accept more than 100 items.',
      )
    return json(200, {
      update: update.map(({ id, ...given }) => {
        const product = products.get(id)
        if (product) return Object.assign(product, given)
        return {
          id,
          error: {
            code: 'woocommerce_rest_product_invalid_id',
            message: 'Invalid ID.',
            data: { status: 400 },
          },
        }
      }),
    })
  }

  const listOrders = ({ searchParams }: URL): SiteBehavior => {
    const since = comparedTime(searchParams.get('modified_after') ?? '1970-01-01T00:00:00')
    const [size, offset] = [Number(searchParams.get('per_page')), Number(searchParams.get('offset') ?? 0)]
    const included = searchParams.get('include')?.split(',').map(Number)
    if (size > 100) return wooError(400, 'rest_invalid_param', 'Invalid parameter(s): per_page')
    const changed = [...orders.values()]
      .filter((order) => Date.parse(`${order.date_modified_gmt}Z`) > since)
      // Orders in the trash are listed only on request.
      .filter((order) => order.status !== 'trash' && (included?.includes(order.id) ?? true))
      .toSorted((a, b) => (a.date_modified_gmt < b.date_modified_gmt ? -1 : 1))
    const fields = searchParams.get('_fields')?.split(',')
    const shown = changed.slice(offset, offset + size)
    return json(
      200,
      fields ? shown.map((order) => Object.fromEntries(fields.map((name) => [name, order[name]]))) : shown,
    )
  }

  const refund: WooShop['refund'] = (id, { amount, lines = {}, shipping, fee, at }) => {
    const order = orders.get(id)!
    lastId += 2
    const ordered = order['line_items'] as { id: number; sku: string }[]
    const made: WooRefund = {
      id: lastId,
      amount,
      reason: '',
      date_created_gmt: at,
      line_items: Object.entries(lines).map(([lineId, { quantity, total, tax = '0.00' }], index) => ({
        id: lastId * 100 + index,
        sku: ordered.find((line) => line.id === Number(lineId))?.sku ?? '',
        quantity: -quantity,
        total: `-${total}`,
        total_tax: `-${tax}`,
        meta_data: [{ id: lastId * 100 + index, key: '_refunded_item_id', value: lineId }],
      })),
      shipping_lines: shipping ? [{ id: lastId * 100 + 50, total: `-${shipping}`, total_tax: '0.00' }] : [],
      fee_lines: fee ? [{ id: lastId * 100 + 60, total: `-${fee}`, total_tax: '0.00' }] : [],
    }
    refunds.set(id, [made, ...(refunds.get(id) ?? [])])
    const all = refunds.get(id)!
    const left = Number(order['total']) - all.reduce((sum, each) => sum + Number(each.amount), 0)
    return Object.assign(order, {
      refunds: all.map((each) => ({ id: each.id, reason: '', total: `-${each.amount}` })),
      date_modified_gmt: at,
      ...(left < 0.005 && { status: 'refunded' }),
    })
  }

  const takeOrder = ({ method, path, body }: SiteRequest): SiteBehavior => {
    const url = new URL(path, site.url)
    const [id, what] = url.pathname.replace('/wp-json/wc/v3/orders', '').split('/').slice(1)
    if (id === undefined) return listOrders(url)
    const order = orders.get(Number(id))
    if (!order) return wooError(404, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.')
    if (method === 'PUT') return json(200, Object.assign(order, body))
    if (what === 'refunds') {
      const size = Number(url.searchParams.get('per_page') ?? 10)
      const from = (Number(url.searchParams.get('page') ?? 1) - 1) * size
      return json(200, (refunds.get(order.id) ?? []).slice(from, from + size))
    }
    if (what !== 'notes') return json(200, order)
    if (method === 'GET') return json(200, order.notes)
    lastId += 1
    const { note, customer_note } = body as WooOrder['notes'][number]
    order.notes.push({ id: lastId, note, customer_note })
    return json(201, order.notes.at(-1))
  }

  const takeCategory = ({ method, path, body }: SiteRequest): SiteBehavior => {
    const slug = new URL(path, site.url).searchParams.get('slug') ?? ''
    if (method === 'GET') return json(200, categories.has(slug) ? [{ id: categories.get(slug), slug }] : [])
    const wanted = String((body as Record<string, unknown>)['slug'])
    if (categories.has(wanted))
      return wooError(400, 'term_exists', 'A term with the name provided already exists with this parent.', {
        resource_id: categories.get(wanted),
      })
    lastId += 1
    categories.set(wanted, lastId)
    return json(201, { id: lastId, slug: wanted })
  }

  const take = (request: SiteRequest): SiteBehavior => {
    const { authorization } = request.headers
    if (authorization !== `Basic ${Buffer.from(`${WOO_KEY}:${WOO_SECRET}`).toString('base64')}`)
      return wooError(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
    if (request.path.startsWith('/wp-json/wc/v3/products/categories')) return takeCategory(request)
    if (request.path === '/wp-json/wc/v3/products/batch') return takeBatch(request.body)
    if (request.path.startsWith('/wp-json/wc/v3/orders')) return takeOrder(request)
    if (request.path.startsWith('/wp-json/wc/v3/products')) return takeProduct(request)
    return wooError(404, 'rest_no_route', 'No route was found matching the URL and request method.')
  }

  const asItShould: SiteBehavior = (response, request) => take(request)(response, request)
  site.behave(asItShould)
  return {
    url: site.url,
    requests: site.requests,
    products,
    attachments,
    orders,
    refunds,
    refund,
    behave: (behavior) => site.behave(behavior ?? asItShould),
    take,
  }
}
