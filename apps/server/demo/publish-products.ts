import { setTimeout as wait } from 'node:timers/promises'
import type { Product } from '@pegasus/contracts/products/products'
import { type Ask, signInToDemo } from './sign-in.ts'

const LOOK_MS = 1_000
/** The longest wait for a product's pictures. After that, the product is published without them. */
const PICTURES_TAKE_MS = 10 * 60_000

interface Demo {
  /** The address at which Pegasus Ops is reached. */
  opsUrl: string
  /** The address of the example shop, as in the server's MAIN_SITE_URL. */
  shopUrl: string
  signal: AbortSignal
  picturesTakeMs?: number
}

const isMissing = ({ site_url: address }: Product, shopUrl: string): boolean =>
  !address?.startsWith(`${shopUrl}/`)

/** Adds the library's pictures of the product's first model, if the product has no pictures of its own. */
async function withPictures(ask: Ask, product: Product): Promise<void> {
  const [modelId] = product.stl_file_ids
  if (modelId === undefined || product.images.length > 0 || product.stl_thumbnail_path === null) return
  const media = await ask<Pick<Product, 'images' | 'posterUrl'>>('POST', '/api/products/start/pictures', {
    stl_file_id: modelId,
    slug: product.slug,
  })
  await ask('PUT', `/api/products/${product.id}`, media, product.revision)
}

/**
 * Publishes the demo's products to the example shop through the API. Each product is published as soon as its
 * pictures are drawn. Published products stay unchanged. Returns the number of published products, and the
 * reasons why others were not published. Throws the signal's reason.
 */
export async function publishProducts(demo: Demo): Promise<{ published: number; problems: string[] }> {
  const { shopUrl, signal, picturesTakeMs = PICTURES_TAKE_MS } = demo
  const ask = await signInToDemo(demo)
  const problems = new Map<string, string>()
  const endsAt = performance.now() + picturesTakeMs
  for (;;) {
    const products = await ask<Product[]>('GET', '/api/products?status=published&limit=1000')
    const left = products.filter((product) => isMissing(product, shopUrl) && !problems.has(product.id))
    const isLate = performance.now() > endsAt
    for (const product of left) {
      const isDrawn = product.stl_thumbnail_path !== null || product.stl_file_ids.length === 0
      if (!isDrawn && !isLate) continue
      await withPictures(ask, product)
        .then(() => ask('POST', `/api/products/${product.id}/publish`, {}))
        .catch((error: unknown) => {
          signal.throwIfAborted()
          problems.set(product.id, error instanceof Error ? error.message : String(error))
        })
    }
    if (left.length === 0) {
      // Sign out only this session, because a visitor may have signed in with the same account in the
      // meantime.
      await ask('POST', '/auth/v1/logout?scope=local')
      return { published: products.length - problems.size, problems: [...problems.values()] }
    }
    await wait(LOOK_MS, undefined, { signal })
  }
}
