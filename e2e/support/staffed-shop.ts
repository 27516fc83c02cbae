import type { BrowserContext, Page } from '@playwright/test'
import type { Role } from '@pegasus/contracts/roles'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { expect, test as base } from './fixtures.ts'
import { PART } from './model-files.ts'
import { bearer, hireStaff, type SignedInAccount, post, type Staff, welcomeNewcomers } from './accounts.ts'
import { fillShop, openShop, type Shop } from './shop.ts'

/** The address of the filled shop's main site, where nothing answers. */
export const MAIN_SITE = 'https://shop.example.com'

export interface StaffedShop extends Shop {
  staff: Staff
}

export interface FilledShop extends StaffedShop {
  model: Model
  orderId: string
  apiKeyId: string
  /** In the catalogue, and not published. */
  productId: string
  /** An account that has signed up and waits for approval. */
  waitingId: string
}

const PRODUCT = {
  name: 'Letter tray, two storeys, for envelopes of every size that the post office takes',
  slug: 'letter-tray',
  category: 'other',
  price: 21.5,
  stock: 7,
  description: 'Stacks.\nدرج الرسائل',
  tags: ['office', 'paper'],
  bulkTiers: [{ quantity: 10, price: 18 }],
}

interface PerWorker {
  /** A shop with an account of every role, and nothing else. Tests add nothing to it. */
  newShop: StaffedShop
  /**
   * A shop after a day's work: a model, stock, spools, orders, a queue and an API key. A test that changes something
   * restores it.
   */
  filledShop: FilledShop
}

interface PerTest {
  /** Opens a page of a shop in a browser of that role; null means not signed in. */
  openAs: (shop: StaffedShop, role: Role | null) => Promise<Page>
}

/** The shops start when a test first needs one, and serve all later tests of the worker. */
export const test = base.extend<PerTest, PerWorker>({
  newShop: [
    async ({}, use) => {
      const shop = await openShop()
      await use({ ...shop, staff: await hireStaff(shop.product.url) })
      await shop.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  filledShop: [
    async ({}, use) => {
      const shop = await openShop({ MAIN_SITE_URL: `${MAIN_SITE}/` })
      const { url } = shop.product
      const staff = await hireStaff(url)
      const { waitingId } = await welcomeNewcomers(url, staff.owner)
      const model = await addModel(url, staff.owner)
      await fillShop(shop, { stlFileId: model.id })
      const [order] = await shop.database.sql<{ id: string }[]>`
        select id from orders where order_number = 'PO-001'`
      const key = { user_id: staff.owner.id, label: 'Printer agents of the back room', scope: ['print-jobs'] }
      const { id: apiKeyId } = await post<{ id: string }>(`${url}/api/api-keys`, key, bearer(staff.owner))
      const { id: productId } = await post<{ id: string }>(
        `${url}/api/products`,
        PRODUCT,
        bearer(staff.owner),
      )
      await use({ ...shop, staff, model, productId, orderId: order?.id ?? '', apiKeyId, waitingId })
      await shop.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  openAs: async ({ browser, watch }, use) => {
    const contexts = new Map<string, BrowserContext>()
    await use(async (shop, role) => {
      const { url } = shop.product
      const key = `${role} at ${url}`
      const context =
        contexts.get(key) ?? (await browser.newContext(contextOf(url, role && shop.staff[role])))
      if (!contexts.has(key)) await watch(context)
      contexts.set(key, context)
      return context.newPage()
    })
    for (const context of contexts.values()) await context.close()
  },
})

/** A browser with a stored session at one address of the product. */
export const contextOf = (url: string, person: Pick<SignedInAccount, 'localStorage'> | null) => ({
  baseURL: url,
  storageState: { cookies: [], origins: person ? [{ origin: url, localStorage: person.localStorage }] : [] },
})

/** A model with everything that a card can show, measured and drawn. */
async function addModel(url: string, person: SignedInAccount): Promise<Model> {
  const headers = bearer(person)
  const form = new FormData()
  form.append('description', 'The base of the arm.\nالقاعدة')
  form.append(
    'tags',
    JSON.stringify(['robot arm', 'base', 'so-101', 'wide', 'a rather long tag of some words']),
  )
  form.append('license_type', 'CC BY-NC')
  form.append('attribution_url', 'https://models.example.com/so-101')
  form.append('print_material', 'PETG')
  form.append('print_notes', 'Four walls.')
  form.append('file', new Blob([PART.bytes.slice()]), PART.name)
  const uploaded = await fetch(`${url}/api/stl-files/upload`, { method: 'POST', headers, body: form })
  if (!uploaded.ok) throw new Error(`upload: ${uploaded.status} ${await uploaded.text()}`)
  const model = (await uploaded.json()) as Model
  const readStatus = async () => {
    const response = await fetch(`${url}/api/stl-files/${model.id}`, { headers })
    return ((await response.json()) as Model).analysis_status
  }
  await expect.poll(readStatus, { timeout: 30_000 }).toBe('done')
  return model
}
