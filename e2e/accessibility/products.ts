import { expect, type Page } from '@playwright/test'
import { NO_SUCH_ID } from '../support/pages.ts'
import { PHOTO } from '../support/photo.ts'
import { button, press, shows, showsAlert, showsHeading, showsWords, type Screen } from './screen.ts'

const BASICS = { Name: 'Wall hook', Price: '12.50', Stock: '4', Description: 'Holds a coat.' }

/** Fills step 1, unless the account already has a draft. */
async function fillBasics(page: Page): Promise<void> {
  await showsHeading('New Product')(page)
  for (const [label, value] of Object.entries(BASICS))
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByLabel('Category').selectOption('accessories')
}

const openStep = (step: number) => async (page: Page) => {
  await fillBasics(page)
  for (let at = 1; at < step; at += 1) await press(page, 'Next')
  await shows((there) => there.getByRole('group', { name: new RegExp(`^Step ${step} of 4`) }))(page)
}

/**
 * Removes the draft from the browser and keeps the server from storing it, so that the next screen starts without a
 * draft.
 */
const forgettingDrafts = async (page: Page) => {
  await page.route('**/api/drafts*', (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 503, json: { detail: 'The database cannot be reached at the moment.' } }),
  )
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.includes('product-draft')) localStorage.removeItem(key)
  })
}

const wizard = (screen: Pick<Screen, 'name' | 'open'> & Partial<Screen>): Screen => ({
  as: 'staff',
  address: '/wizard',
  prepare: forgettingDrafts,
  ...screen,
})

const withoutBusy = (page: Page) => expect(page.locator('[aria-busy=true]')).toHaveCount(0)

/** The screens of the wizard, the media page and the catalog. */
export const PRODUCT_SCREENS: readonly Screen[] = [
  wizard({ name: 'New product, Basics', open: showsHeading('New Product') }),
  wizard({
    name: 'New product, Basics with nothing right',
    open: async (page) => {
      await press(page, 'Next')
      await showsAlert('Category is required')(page)
    },
  }),
  wizard({
    name: 'New product, start from a model',
    open: async (page) => {
      await press(page, 'From a model')
      await shows((there) => there.getByRole('dialog').getByRole('listitem'))(page)
    },
  }),
  wizard({
    name: 'New product, drafts',
    open: async (page) => {
      await page.getByRole('button', { name: /^Drafts/ }).click()
      await showsHeading('No drafts')(page)
    },
  }),
  wizard({
    name: 'New product, Media',
    open: async (page) => {
      await openStep(2)(page)
      await page.getByLabel('Images and videos').setInputFiles([PHOTO, { ...PHOTO, name: 'not.heic' }])
      await shows((there) => there.getByRole('list', { name: 'Media of the product' }))(page)
      await shows((there) => button(there, 'Retry not.heic'))(page)
    },
  }),
  wizard({
    name: 'New product, Extras',
    open: async (page) => {
      await openStep(3)(page)
      await press(page, 'Add tier')
      await page.getByLabel('Bulk tiers (JSON)').blur()
    },
  }),
  wizard({
    name: 'New product, Review',
    open: async (page) => {
      await openStep(4)(page)
      await shows((there) => there.getByRole('list', { name: 'Findings' }))(page)
    },
  }),
  wizard({
    name: 'New product, Review of what may not be sold',
    as: 'admin',
    open: async (page) => {
      await fillBasics(page)
      await press(page, 'Next')
      await press(page, 'Next')
      await page.getByLabel('License').selectOption('cc-by-nc')
      await press(page, 'Next')
      await shows((there) => there.getByLabel('Why this may be sold'))(page)
    },
  }),
  {
    name: 'Media upload',
    as: 'staff',
    address: '/admin/media',
    open: async (page) => {
      await press(page, 'Upload Files')
      await showsAlert('Please enter a slug and select files')(page)
      await page.getByLabel('Product slug').fill('screens')
      await page
        .getByLabel('Files', { exact: true })
        .setInputFiles([PHOTO, { ...PHOTO, name: 'broken.webm' }])
      await press(page, 'Upload Files')
      await shows((there) => button(there, 'Retry broken.webm'))(page)
      await page.getByLabel('Files', { exact: true }).setInputFiles([PHOTO, PHOTO])
      await showsWords('screens-2.jpg')(page)
      await withoutBusy(page)
    },
  },
  {
    name: 'Media upload, access denied',
    as: 'viewer',
    address: '/admin/media',
    open: showsHeading('Access Denied'),
  },
  { name: 'Products', as: 'staff', address: '/?tab=products', open: showsWords('Letter tray') },
  {
    name: 'Products, nothing found',
    as: 'viewer',
    address: '/?tab=products&search=no+such+product',
    open: showsHeading('No products found'),
  },
  {
    name: 'Products, the trash',
    as: 'staff',
    address: '/?tab=products&view=bin',
    open: showsHeading('The trash is empty'),
  },
  {
    name: 'Product',
    as: 'staff',
    address: ({ productId }) => `/?tab=products&product=${productId}`,
    open: showsWords('Not published yet.'),
  },
  {
    name: 'Product, seen by a viewer',
    as: 'viewer',
    address: ({ productId }) => `/?tab=products&product=${productId}`,
    open: showsWords('Not published yet.'),
  },
  {
    name: 'Product, edited',
    as: 'staff',
    address: ({ productId }) => `/?tab=products&product=${productId}&edit=1`,
    open: showsHeading('Edit product'),
  },
  {
    name: 'Product not found',
    as: 'viewer',
    address: `/?tab=products&product=${NO_SUCH_ID}`,
    open: showsHeading('Product not found'),
  },
]
