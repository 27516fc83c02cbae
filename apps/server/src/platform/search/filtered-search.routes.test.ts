import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { anItem, anOrder, aProduct, aSpool } from '../../../test/support/stock-factories.ts'

/** Returns the body of a list as text. */
const read = async (app: TestApp, url: string): Promise<string> => {
  const response = await app.http.inject({ url, headers: await app.as('admin') })
  expect([url, response.statusCode]).toEqual([url, 200])
  return response.body
}

/** The lists that are searched. Each contains the name Meier, which its filter excludes, and the similar name Meyer. */
const LISTS: Readonly<Record<string, { url: string; fill: (app: TestApp) => Promise<unknown> }>> = {
  orders: {
    url: '/api/orders?status=pending',
    fill: (app) =>
      Promise.all([
        anOrder(app, { customerName: 'Meier', status: 'completed' }),
        anOrder(app, { customerName: 'Meyer' }),
      ]),
  },
  items: {
    url: '/api/inventory?material=PLA',
    fill: (app) =>
      Promise.all([
        anItem(app, { name: 'Meier', material_used: 'PETG' }),
        anItem(app, { name: 'Meyer', material_used: 'PLA' }),
      ]),
  },
  'exported items': {
    url: '/api/inventory/export?material=PLA',
    fill: (app) =>
      Promise.all([
        anItem(app, { name: 'Meier', material_used: 'PETG' }),
        anItem(app, { name: 'Meyer', material_used: 'PLA' }),
      ]),
  },
  products: {
    url: '/api/products?status=not_published',
    fill: (app) =>
      Promise.all([
        aProduct(app, { name: 'Meier', publishedAt: app.clock.now() }),
        aProduct(app, { name: 'Meyer' }),
      ]),
  },
  spools: {
    url: '/api/filament?material=PLA',
    fill: (app) =>
      Promise.all([
        aSpool(app, { name: 'Meier', material: 'PETG' }),
        aSpool(app, { name: 'Meyer', material: 'PLA' }),
      ]),
  },
}

it.each(Object.entries(LISTS))(
  'similar names do not stand in for names that a filter excludes: %s',
  async (_, { url, fill }) => {
    const app = await buildTestApp()
    await fill(app)
    expect(await read(app, `${url}&search=meier`)).not.toContain('Meyer')
    // This name does not occur in any list, so the search accepts the similar one.
    expect(await read(app, `${url}&search=mejer`)).toContain('Meyer')
  },
)
