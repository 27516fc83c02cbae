import type { ErrorBody } from '@pegasus/contracts/fields'
import type { Product } from '@pegasus/contracts/products/products'
import { expect } from 'vitest'
import { buildTestApp } from './build-test-app.ts'
import type { SiteBehavior } from '../servers/main-site-server.ts'
import { get, post, publish } from './publishing.ts'

/** The address of the server. */
export const OPS = 'https://ops.example'
export const MEDIA = '/storage/v1/object/public/product-images/images/products'

/** A simulated server of a shop system, which stores the products that it receives. */
interface ReadyMadeShop<P> {
  url: string
  products: ReadonlyMap<unknown, P>
  behave(behavior: SiteBehavior | null): void
}

/** Builds the server with this shop as its main site, and creates an account that may publish products. */
export async function anAppWith<S extends ReadyMadeShop<unknown>>(shop: S, kind: string, key: string) {
  const app = await buildTestApp({
    variables: { MAIN_SITE_KIND: kind, MAIN_SITE_URL: shop.url, MAIN_SITE_ADMIN_KEY: key, PUBLIC_URL: OPS },
  })
  return { shop, app, staff: await app.as('staff') }
}

/** Returns the only product of the shop. Fails if the shop does not have exactly one product. */
export function onlyProduct<P>({ products }: ReadyMadeShop<P>): P {
  const all = [...products.values()]
  expect(all).toHaveLength(1)
  return all[0] as P
}

/**
 * Publishes a product while the shop fails. The product must be kept, and publishing it again must succeed once the
 * shop works.
 */
export async function expectNothingLost<P>(
  { shop, app, staff }: Awaited<ReturnType<typeof anAppWith<ReadyMadeShop<P>>>>,
  product: { name: string },
  failure: { behavior: SiteBehavior; words: string },
): Promise<void> {
  shop.behave(failure.behavior)
  const refused = await post(app, staff, product)
  expect([refused.statusCode, refused.json<ErrorBody>().detail]).toEqual([
    502,
    expect.stringContaining(failure.words),
  ])
  const { product_id: id } = refused.json<{ product_id: string }>()
  expect(await get<Product>(app, staff, `/${id}`)).toMatchObject({ status: 'failed', name: product.name })
  shop.behave(null)
  expect((await publish(app, staff, id)).statusCode).toBe(200)
}
