import { type Page, expect } from '@playwright/test'
import type { FilledShop } from '../support/staffed-shop.ts'
import { press, shows, showsHeading, showsWords, type Screen, withSlicer } from './screen.ts'

const MODEL = ({ model }: FilledShop): string => `/?tab=stl-library&model=${model.id}`

const selectOne = async (page: Page) => {
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check()
  await shows((there) => there.getByRole('region', { name: 'Selection' }))(page)
}

/** Makes the server list the models as the contents of the trash, without deleting any. */
const withBin = (page: Page) =>
  page.route('**/api/stl-files?*deleted=true*', async (route) => {
    const { searchParams, origin } = new URL(route.request().url())
    searchParams.delete('deleted')
    const answer = await route.fetch({ url: `${origin}/api/stl-files?${searchParams}` })
    const models = (await answer.json()) as object[]
    await route.fulfill({
      response: answer,
      json: models.map((model) => ({ ...model, deleted_at: new Date().toISOString() })),
    })
  })

/** Makes the server refuse a save, as if another person had saved first. */
const quickerElsewhere = (page: Page) =>
  page.route('**/api/stl-files/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    return route.fulfill({ status: 412, json: { detail: 'Somebody else has changed this in the meantime.' } })
  })

/** Screens of the library: list, search and models. */
export const LIBRARY_SCREENS: readonly Screen[] = [
  {
    name: 'Slice on the server, with faults',
    as: 'staff',
    address: MODEL,
    prepare: withSlicer,
    open: async (page) => {
      await press(page, 'Slice on the server')
      const dialog = page.getByRole('dialog', { name: 'Slice on the server' })
      await dialog.getByLabel('Pieces').fill('0')
      await dialog.getByRole('button', { name: 'Slice', exact: true }).click()
      await showsWords(/Pieces must be a whole number/)(page)
    },
  },
  {
    name: 'STL Library, more filters',
    as: 'viewer',
    address: '/?tab=stl-library',
    open: async (page) => {
      await press(page, 'More filters')
      await page.getByRole('combobox', { name: 'Tags' }).fill('r')
      await shows((there) => there.getByRole('option', { name: /robot arm/ }))(page)
    },
  },
  {
    name: 'STL Library, filtered',
    as: 'viewer',
    address: '/?tab=stl-library&search=robto&tags=robot+arm&sale=forbidden',
    open: shows((page) => page.getByRole('button', { name: /^Clear selling/ })),
  },
  {
    name: 'STL Library, saved searches',
    as: 'viewer',
    address: '/?tab=stl-library&search=arm',
    open: async (page) => {
      await press(page, 'Saved searches')
      await page.getByRole('menuitem', { name: /^Save current search/ }).click()
      await shows((there) => there.getByLabel('Save this search as'))(page)
    },
  },
  { name: 'STL Library, a model selected', as: 'staff', address: '/?tab=stl-library', open: selectOne },
  {
    name: 'STL Library, many at once',
    as: 'staff',
    address: '/?tab=stl-library',
    open: async (page) => {
      await selectOne(page)
      await press(page, 'Edit')
      await shows((there) => there.getByRole('dialog', { name: /^Edit \d+ model/ }))(page)
    },
  },
  { name: 'Model, for staff', as: 'staff', address: MODEL, open: shows((page) => page.getByText('Current')) },
  {
    name: 'Edit model',
    as: 'staff',
    address: MODEL,
    open: async (page) => {
      await press(page, 'Edit')
      await shows((there) => there.getByRole('dialog', { name: 'Edit model' }))(page)
    },
  },
  {
    name: 'Edit model, somebody else was quicker',
    as: 'staff',
    address: MODEL,
    prepare: quickerElsewhere,
    open: async (page) => {
      await press(page, 'Edit')
      await page.getByRole('textbox', { name: 'Title' }).fill('Another title')
      await press(page, 'Save')
      await expect(page.getByRole('alert')).toContainText('Somebody else has changed this')
    },
  },
  {
    name: 'Upload new version',
    as: 'staff',
    address: MODEL,
    open: async (page) => {
      await press(page, 'Upload new version')
      await shows((there) => there.getByRole('dialog', { name: 'Upload new version' }))(page)
    },
  },
  {
    name: 'Trash',
    as: 'staff',
    address: '/?tab=stl-library&view=bin',
    prepare: withBin,
    open: shows((page) => page.getByRole('button', { name: /^Restore / })),
  },
  {
    name: 'Trash, empty',
    as: 'viewer',
    address: '/?tab=stl-library&view=bin',
    prepare: (page) => page.route('**/api/stl-files?*deleted=true*', (route) => route.fulfill({ json: [] })),
    open: showsHeading('The trash is empty'),
  },
]
