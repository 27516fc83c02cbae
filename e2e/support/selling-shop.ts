import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { startShop } from '../../examples/main-site/shop.ts'
import { expect } from './fixtures.ts'
import { uploadPart } from './model-files.ts'
import { bearer, hireStaff, type SignedInAccount } from './accounts.ts'
import { openShop } from './shop.ts'
import { test as base, type StaffedShop } from './staffed-shop.ts'

/** A product with a running main site, an account for each role, and a model whose license allows selling prints. */
export interface SellingShop extends StaffedShop {
  /** The address of the example shop. */
  siteUrl: string
  model: Model
}

export const ADMIN_KEY = 'a-key-of-the-example-shop'

export const test = base.extend<object, { sellingShop: SellingShop }>({
  sellingShop: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'pegasus-main-site-'))
      const site = await startShop({
        host: '127.0.0.1',
        port: 0,
        file: join(folder, 'shop.json'),
        adminKey: ADMIN_KEY,
        adminHeader: 'x-admin-key',
        opsUrl: 'http://127.0.0.1:9',
        currency: 'USD',
      })
      const shop = await openShop({ MAIN_SITE_URL: site.url, MAIN_SITE_ADMIN_KEY: ADMIN_KEY })
      const staff = await hireStaff(shop.product.url)
      const model = await addDrawnModel(shop.product.url, staff.staff)
      await use({ ...shop, staff, siteUrl: site.url, model })
      await shop.close()
      await site.close()
      rmSync(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

/** Adds a model to the library and waits for its pictures. Its license allows selling prints. */
async function addDrawnModel(url: string, person: SignedInAccount): Promise<Model> {
  const headers = bearer(person)
  const { id } = await uploadPart(url, headers, {
    title: 'Follower base',
    description: 'The base of the arm.',
    tags: JSON.stringify(['robot arm', 'so-101']),
    license_type: 'CC BY',
    attribution_url: 'https://models.example.com/so-101',
  })
  const read = async () => (await (await fetch(`${url}/api/stl-files/${id}`, { headers })).json()) as Model
  await expect.poll(async () => (await read()).thumbnail_path).not.toBeNull()
  return read()
}
