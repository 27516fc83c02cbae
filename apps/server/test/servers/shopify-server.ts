import { aMainSite, json, type SiteBehaviour, type SiteRequest, type TestSite } from './main-site-server.ts'

export const SHOPIFY_TOKEN = 'shpat_0123456789abcdef'

interface File {
  id: string
  source: string
  image: { url: string } | null
}
export interface ShopifyStored {
  id: string
  handle: string
  title: string
  variants: { id: string; price: string; inventoryQuantity: number }[]
  files: File[]
  metafields: Map<string, string>
  input: Record<string, unknown>
}

/**
 * A Shopify shop with the three calls of the adapter. It identifies products by their handle, and copies pictures.
 */
export interface ShopifyShop {
  url: string
  requests: TestSite['requests']
  products: Map<string, ShopifyStored>
  /** The number of pictures that were copied. */
  copied(): number
  /** Sets how the next requests are answered; null for normal. A request may `take` effect first. */
  behave(behaviour: SiteBehaviour | null): void
  take(request: SiteRequest): SiteBehaviour
}

interface Input {
  title: string
  handle: string
  files: { id?: string; originalSource?: string; filename?: string }[]
  variants: { id?: string; price: string; inventoryQuantities?: { quantity: number; locationId: string }[] }[]
  metafields?: { key: string; value: string }[]
}

const query = (request: SiteRequest): string => String((request.body as { query?: string } | null)?.query)
/** Whether a call creates or changes a product. */
export const isSetting = (request: SiteRequest): boolean => query(request).startsWith('mutation Publish')

/** The response for too many calls, as in the documentation: status 200, with the budget. */
export const throttled = ({ lacking }: { lacking: number }): SiteBehaviour =>
  json(200, {
    errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
    extensions: {
      cost: {
        requestedQueryCost: 100 + lacking,
        actualQueryCost: null,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 100, restoreRate: 100 },
      },
    },
  })

export async function aShopifyShop(): Promise<ShopifyShop> {
  const site = await aMainSite()
  const products = new Map<string, ShopifyStored>()
  let lastId = 100
  let copies = 0
  const nextId = (kind: string) => {
    lastId += 1
    return `gid://shopify/${kind}/${lastId}`
  }

  const tell = (product: ShopifyStored | undefined) =>
    product
      ? {
          id: product.id,
          handle: product.handle,
          title: product.title,
          onlineStoreUrl: `${site.url}/products/${product.handle}`,
          variants: { nodes: product.variants },
          media: { nodes: product.files.map(({ id, image }) => ({ id, image })) },
          own: product.metafields.has('slug') ? { value: product.metafields.get('slug') } : null,
          sentMedia: product.metafields.has('media') ? { value: product.metafields.get('media') } : null,
        }
      : null

  const set = (input: Input) => {
    const known = products.get(input.handle)
    const files = input.files.map((file) => {
      const there = known?.files.find(({ id }) => id === file.id)
      if (there) return there
      copies += 1
      const url = `https://cdn.shopify.com/s/files/1/files/${file.filename ?? 'x.jpg'}?v=${copies}`
      return { id: nextId('MediaImage'), source: file.originalSource ?? '', image: { url } }
    })
    const product: ShopifyStored = {
      id: known?.id ?? nextId('Product'),
      handle: input.handle,
      title: input.title,
      variants: input.variants.map(({ id, price, inventoryQuantities }) => ({
        id: id ?? nextId('ProductVariant'),
        price: Number(price).toFixed(2),
        inventoryQuantity: inventoryQuantities?.[0]?.quantity ?? 0,
      })),
      files,
      metafields:
        input.metafields === undefined
          ? (known?.metafields ?? new Map())
          : new Map(input.metafields.map(({ key, value }) => [key, value])),
      input: { ...input },
    }
    products.set(input.handle, product)
    return { set: { product: tell(product), userErrors: [] } }
  }

  const take = (request: SiteRequest): SiteBehaviour => {
    if (request.headers['x-shopify-access-token'] !== SHOPIFY_TOKEN)
      return json(401, {
        errors: '[API] Invalid API key or access token (unrecognized login or wrong password)',
      })
    if (!/^\/admin\/api\/\d{4}-\d{2}\/graphql\.json$/.test(request.path))
      return json(404, { errors: 'Not Found' })
    const { variables } = request.body as { variables: Record<string, unknown> }
    if (query(request).startsWith('query Find')) {
      const product = tell(products.get(String(variables['handle'])))
      return json(200, { data: { product, location: { id: 'gid://shopify/Location/1' } } })
    }
    if (isSetting(request)) return json(200, { data: set(variables['input'] as Input) })
    const fields = variables['metafields'] as { ownerId: string; key: string; value: string }[]
    for (const { ownerId, key, value } of fields)
      [...products.values()].find(({ id }) => id === ownerId)?.metafields.set(key, value)
    return json(200, { data: { set: { userErrors: [] } } })
  }

  const asItShould: SiteBehaviour = (response, request) => take(request)(response, request)
  site.behave(asItShould)
  return {
    url: site.url,
    requests: site.requests,
    products,
    copied: () => copies,
    behave: (behaviour) => site.behave(behaviour ?? asItShould),
    take,
  }
}
