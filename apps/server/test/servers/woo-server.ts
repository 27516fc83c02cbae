import { aMainSite, json, type SiteBehaviour, type SiteRequest, type TestSite } from './main-site-server.ts'

export const WOO_KEY = 'ck_0123456789abcdef'
export const WOO_SECRET = 'cs_fedcba9876543210'

type Stored = Record<string, unknown> & { id: number; sku: string }
interface WooImage {
  id?: number
  src?: string
  name?: string
  alt?: string
}

/** A WooCommerce shop with the API `wc/v3`: no idempotency keys, unique SKUs, copied pictures. */
export interface WooShop {
  url: string
  requests: TestSite['requests']
  products: Map<number, Stored>
  /** All copied pictures, by id. */
  attachments: Map<number, { id: number; src: string; name: string; alt: string }>
  /** Sets how the next requests are answered; null for normal. A request may `take` effect first. */
  behave(behaviour: SiteBehaviour | null): void
  /** Runs a request and returns the shop's response. */
  take(request: SiteRequest): SiteBehaviour
}

/** An error in the format of WordPress. */
export const wooError = (status: number, code: string, message: string, data: object = {}): SiteBehaviour =>
  json(status, { code, message, data: { status, ...data } })

export async function aWooShop(): Promise<WooShop> {
  const site = await aMainSite()
  const products = new Map<number, Stored>()
  const attachments: WooShop['attachments'] = new Map()
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

  const takeProduct = ({ method, path, body }: SiteRequest): SiteBehaviour => {
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

  const takeCategory = ({ method, path, body }: SiteRequest): SiteBehaviour => {
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

  const take = (request: SiteRequest): SiteBehaviour => {
    const { authorization } = request.headers
    if (authorization !== `Basic ${Buffer.from(`${WOO_KEY}:${WOO_SECRET}`).toString('base64')}`)
      return wooError(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
    if (request.path.startsWith('/wp-json/wc/v3/products/categories')) return takeCategory(request)
    if (request.path.startsWith('/wp-json/wc/v3/products')) return takeProduct(request)
    return wooError(404, 'rest_no_route', 'No route was found matching the URL and request method.')
  }

  const asItShould: SiteBehaviour = (response, request) => take(request)(response, request)
  site.behave(asItShould)
  return {
    url: site.url,
    requests: site.requests,
    products,
    attachments,
    behave: (behaviour) => site.behave(behaviour ?? asItShould),
    take,
  }
}
