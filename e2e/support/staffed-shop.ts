import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { Role } from '@pegasus/contracts/roles'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { keepAxe } from './accessibility.ts'
import { expect, expectNoProblems, test as base, watchForProblems } from './fixtures.ts'
import { uploadPart } from './model-files.ts'
import { visit } from './in-app.ts'
import { bearer, hireStaff, type SignedInAccount, post, type Staff, welcomeNewcomers } from './accounts.ts'
import { fillShop, openShop, type Shop } from './shop.ts'

/** The address of the filled shop's main site. No server responds there. */
export const MAIN_SITE = 'https://shop.example.com'

export interface StaffedShop extends Shop {
  staff: Staff
}

export interface FilledShop extends StaffedShop {
  model: Model
  orderId: string
  apiKeyId: string
  /** A product in the catalog that is not published. */
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
  /** A shop with an account for each role and no other data. No test adds data to it. */
  newShop: StaffedShop
  /**
   * A shop after a day's work: a model, stock, spools, orders, a queue and an API key. A test that changes something
   * restores it.
   */
  filledShop: FilledShop
  /** The pages that `lookAs` keeps open, by shop and role. */
  keptPages: Map<string, KeptPage>
}

type Prepare = (page: Page) => Promise<unknown>

interface KeptPage {
  page: Page
  /** Whether the page has the app loaded, with unchanged data from the server. */
  isInApp: boolean
  /** All problems that the page has reported so far. */
  problems: string[]
}

interface PerTest {
  /**
   * Opens a page in a new browser in which an account with this role is signed in. Null means that nobody is signed in.
   */
  openAs: (shop: StaffedShop, role: Role | null) => Promise<Page>
  /**
   * Opens an address as a role, for tests that change nothing. These tests share one page per role, in which the app
   * stays loaded. `prepare` runs before the address is opened and may change the server's responses or the browser's
   * storage; the app is then loaded again, both for this address and for the next one.
   */
  lookAs: (shop: StaffedShop, role: Role | null, address: string, prepare?: Prepare) => Promise<Page>
}

/** Each shop starts when a test needs it, and serves all later tests of the same worker. */
export const test = base.extend<PerTest, PerWorker>({
  newShop: [
    async ({}, use) => {
      const shop = await openShop()
      await use({ ...shop, staff: await hireStaff(shop.product.url) })
      await shop.close()
    },
    { scope: 'worker', timeout: 200_000 },
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
    { scope: 'worker', timeout: 200_000 },
  ],
  openAs: async ({ browser, watch, keptPages }, use) => {
    // The test may change the shop. An open page of the shop would request and render each change, so it leaves the
    // app.
    for (const kept of keptPages.values()) {
      kept.isInApp = false
      await kept.page.goto(NO_APP)
    }
    const contexts = new Map<string, BrowserContext>()
    await use(async (shop, role) => {
      const { url } = shop.product
      const key = `${role} at ${url}`
      const known = contexts.get(key)
      if (known) return known.newPage()
      const page = await openBrowserOf(browser, url, role && shop.staff[role], watch)
      contexts.set(key, page.context())
      return page
    })
    for (const context of contexts.values()) await context.close()
  },
  keptPages: [
    async ({}, use) => {
      const pages = new Map<string, KeptPage>()
      await use(pages)
      for (const { page } of pages.values()) await page.context().close()
    },
    { scope: 'worker' },
  ],
  lookAs: async ({ browser, keptPages, allowedProblem }, use) => {
    await use(async (shop, role, address, prepare) => {
      const { url } = shop.product
      const key = `${role} at ${url}`
      const kept =
        keptPages.get(key) ?? (await keepPage(browser, url, role && shop.staff[role], keptPages, key))
      const { page } = kept
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.mouse.move(0, 0)
      const isInApp = kept.isInApp && !prepare
      // If the address cannot be opened, the next address loads the app again.
      kept.isInApp = false
      if (isInApp) {
        await page.evaluate(() => sessionStorage.clear())
        await visit(page, address)
        kept.isInApp = true
        return page
      }
      await page.goto(NO_APP)
      await page.evaluate(() => sessionStorage.clear())
      await prepare?.(page)
      await page.goto(address)
      // The sign-in pages are loaded each time, because they depend on how they were opened.
      kept.isInApp = !prepare && role !== null
      return page
    })
    for (const { problems } of keptPages.values()) expectNoProblems(problems.splice(0), allowedProblem)
  },
})

async function keepPage(
  browser: Browser,
  url: string,
  person: SignedInAccount | null,
  keptPages: Map<string, KeptPage>,
  key: string,
): Promise<KeptPage> {
  const problems: string[] = []
  const page = await openBrowserOf(browser, url, person, async (context) => {
    await keepAxe(context)
    await watchForProblems(context, problems)
  })
  const kept = { page, isInApp: false, problems }
  keptPages.set(key, kept)
  return kept
}

/** The path of a page that does not load the app. */
const NO_APP = '/readyz'

/** Opens a browser in which the person is signed in. Its page has not opened the app yet. */
export async function openBrowserOf(
  browser: Browser,
  url: string,
  person: Pick<SignedInAccount, 'localStorage'> | null,
  watch: (context: BrowserContext) => Promise<void>,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: url })
  await watch(context)
  const page = await context.newPage()
  if (!person) return page
  // The option `storageState` would make Playwright open and close another page.
  await page.goto(NO_APP)
  await page.evaluate((entries) => {
    for (const { name, value } of entries) localStorage.setItem(name, value)
  }, person.localStorage)
  return page
}

/** Adds a model with all data that a card can show, and waits until it is measured and drawn. */
async function addModel(url: string, person: SignedInAccount): Promise<Model> {
  const headers = bearer(person)
  const model = await uploadPart(url, headers, {
    description: 'The base of the arm.\nالقاعدة',
    tags: JSON.stringify(['robot arm', 'base', 'so-101', 'wide', 'a rather long tag of some words']),
    license_type: 'CC BY-NC',
    attribution_url: 'https://models.example.com/so-101',
    print_material: 'PETG',
    print_notes: 'Four walls.',
  })
  const readStatus = async () => {
    const response = await fetch(`${url}/api/stl-files/${model.id}`, { headers })
    return ((await response.json()) as Model).analysis_status
  }
  await expect.poll(readStatus, { timeout: 100_000 }).toBe('done')
  return model
}
