import type { ErrorBody } from '@pegasus/contracts/fields'
import type { Product } from '@pegasus/contracts/products/products'
import { expect } from 'vitest'
import { buildTestApp } from './build-test-app.ts'
import type { SiteBehaviour } from '../servers/main-site-server.ts'
import { get, post, publish } from './publishing.ts'

/** Where the product answers, and where its media are below that. */
export const OPS = 'https://ops.example'
export const MEDIA = '/storage/v1/object/public/product-images/images/products'

/** A server that answers as a ready-made shop does, and what it has been given. */
interface ReadyMadeShop<P> {
  url: string
  products: ReadonlyMap<unknown, P>
  behave(behaviour: SiteBehaviour | null): void
}

/** The product with that shop as its main site, and somebody who publishes. */
export async function anAppWith<S extends ReadyMadeShop<unknown>>(shop: S, kind: string, key: string) {
  const app = await buildTestApp({
    variables: { MAIN_SITE_KIND: kind, MAIN_SITE_URL: shop.url, MAIN_SITE_ADMIN_KEY: key, PUBLIC_URL: OPS },
  })
  return { shop, app, staff: await app.as('staff') }
}

/** What the shop has, once it is said to have one product and no other. */
export function onlyProduct<P>({ products }: ReadyMadeShop<P>): P {
  const all = [...products.values()]
  expect(all).toHaveLength(1)
  return all[0] as P
}

/** Publishes into a shop that fails, and once more when it no longer does: nothing may be lost in between. */
export async function expectNothingLost<P>(
  { shop, app, staff }: Awaited<ReturnType<typeof anAppWith<ReadyMadeShop<P>>>>,
  product: { name: string },
  failure: { behaviour: SiteBehaviour; words: string },
): Promise<void> {
  shop.behave(failure.behaviour)
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
