import { setTimeout as wait } from 'node:timers/promises'
import type { Product } from '@pegasus/contracts/products/products'
import { DEMO_PASSWORD } from './people.ts'

const LOOK_MS = 1_000
/** A product without a picture by then is published without one. */
const PICTURES_TAKE_MS = 10 * 60_000

interface Demo {
  /** The address of the product. */
  opsUrl: string
  /** The example shop, as the product's MAIN_SITE_URL names it. */
  shopUrl: string
  signal: AbortSignal
  picturesTakeMs?: number
}

/** The product's API with the session of an account. */
type Ask = <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object, revision?: number) => Promise<T>

async function signIn({ opsUrl, signal }: Demo): Promise<Ask> {
  const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const answer = await fetch(`${opsUrl}${path}`, {
      method,
      signal,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const login = await send('POST', '/auth/login', {}, { username: 'admin', password: DEMO_PASSWORD })
  const { access_token: token } = (await login.json()) as { access_token: string }
  return async <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object, revision?: number) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(revision !== undefined && { 'if-match': `"${revision}"` }),
    }
    const text = await (await send(method, path, headers, body)).text()
    return (text === '' ? null : JSON.parse(text)) as T
  }
}

const isMissing = ({ site_url: address }: Product, shopUrl: string): boolean =>
  !address?.startsWith(`${shopUrl}/`)

/** Adds the pictures that the library has drawn of its first model, if it has none of its own. */
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
 * Publishes the demo's products to the example shop with the calls of the app, each as soon as its pictures are
 * drawn. Published ones stay. Returns their number, and the reasons for the others. Throws the signal's reason.
 */
export async function publishProducts(demo: Demo): Promise<{ published: number; problems: string[] }> {
  const { shopUrl, signal, picturesTakeMs = PICTURES_TAKE_MS } = demo
  const ask = await signIn(demo)
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
      // Only this session: a visitor may be signed in with the same account by now.
      await ask('POST', '/auth/v1/logout?scope=local')
      return { published: products.length - problems.size, problems: [...problems.values()] }
    }
    await wait(LOOK_MS, undefined, { signal })
  }
}
