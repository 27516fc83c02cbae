import { createCube, createGear, createSphere, createVase } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import type { Model } from '@pegasus/contracts/stl-library/models'
import type { Page } from '@playwright/test'
import { findControls, untilLoaded } from '../support/controls.ts'
import { expect } from '../support/fixtures.ts'
import { turnModel } from '../support/model-view.ts'
import { bearer, type SignedInAccount } from '../support/accounts.ts'
import { test } from '../support/staffed-shop.ts'

interface NewModel {
  title: string
  triangles: Float32Array
  license?: string
  tags?: readonly string[]
}

/** Adds a model and waits until it is measured. */
async function addModel(url: string, person: SignedInAccount, model: NewModel): Promise<Model> {
  const form = new FormData()
  form.append('title', model.title)
  form.append('use_ai', 'false')
  form.append('license_type', model.license ?? 'CC0')
  form.append('tags', JSON.stringify(model.tags ?? []))
  form.append('file', new Blob([writeBinaryStl(model.triangles).slice()]), `${model.title}.stl`)
  const headers = bearer(person)
  const answer = await fetch(`${url}/api/stl-files/upload`, { method: 'POST', headers, body: form })
  expect(answer.status, await answer.clone().text()).toBe(201)
  const { id } = (await answer.json()) as Model
  const read = async () => (await (await fetch(`${url}/api/stl-files/${id}`, { headers })).json()) as Model
  await expect.poll(async () => (await read()).analysis_status, { timeout: 100_000 }).toBe('done')
  return read()
}

const cardOf = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })
const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
const search = async (page: Page, words: string) => {
  await page.getByRole('searchbox').fill(words)
  await page.getByRole('searchbox').press('Enter')
}

test('a model can be found by a misspelled word, turned, given a license, deleted and restored', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const title = `Turbine rotor ${test.info().project.name}`
  const { id } = await addModel(url, filledShop.staff.owner, {
    title,
    triangles: createGear(21),
    license: 'Custom',
    tags: ['turbine'],
  })
  const page = await openAs(filledShop, 'staff')
  await page.goto('/?tab=stl-library')

  // The model is found in spite of two typing errors.
  await search(page, 'trubine rotr')
  // On a phone, the sort order and the link to the trash are in the filter sheet.
  if (!isPhone()) await expect(page.getByLabel('Sort by')).toHaveValue('relevance')
  await cardOf(page, title)
    .getByRole('button', { name: `View ${title}` })
    .click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()

  await turnModel(page)

  // The license says how the model may be used.
  await expect(page.getByText('Sale not cleared')).toBeVisible()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit model' })
  await dialog.getByLabel('License').selectOption('CC BY')
  await dialog.getByLabel('Attribution URL').fill('javascript:alert(1)')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Attribution URL must be a web address (http or https)')).toBeVisible()
  await dialog.getByLabel('Attribution URL').fill('https://models.example.com/turbine')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('May be sold', { exact: true })).toBeVisible()
  await expect(page.getByText(/^“Turbine rotor.*, CC BY$/)).toBeVisible()

  // Move the model to the trash, which has its own address, and back.
  await page.getByRole('button', { name: `More for ${title}` }).click()
  await page.getByRole('menuitem', { name: 'Delete model' }).click()
  await expect(toastOf(page)).toContainText('is in the trash')
  await expect(page.getByText('No STL files found')).toBeVisible()
  if (isPhone()) await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByRole('link', { name: 'Trash' }).click()
  await expect(page).toHaveURL(/view=bin/)
  await expect(page.getByText(/in (29|30) days/).first()).toBeVisible()
  await page.getByRole('button', { name: `Restore ${title}` }).click()
  await expect(toastOf(page)).toContainText('is back in the library')
  // The button has disappeared with its row. The focus moves to the main part of the page, and not to its top.
  await expect(page.getByRole('main')).toBeFocused()
  await page.getByRole('main').getByRole('link', { name: 'STL Library' }).click()
  await expect(page).toHaveURL(/search=/)
  await expect(cardOf(page, title)).toContainText('CC BY')
  await removeForTest(page, url, filledShop.staff.owner, id)
})

const isPhone = () => test.info().project.name === 'phone'

/**
 * Deletes the model, so that later tests do not see it. Closes the page first, because it would request the model
 * again.
 */
async function removeForTest(page: Page, url: string, person: SignedInAccount, id: string): Promise<void> {
  await page.close()
  await fetch(`${url}/api/stl-files/${id}`, { method: 'DELETE', headers: bearer(person) })
}

test('a person can remove filters of the library one by one, save them under a name, and find them in the URL', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'employee')
  await page.goto('/?tab=stl-library')
  await page.getByRole('button', { name: 'More filters' }).click()
  const dialog = page.getByRole('dialog', { name: 'More filters' })
  await dialog.getByLabel('Tags').fill('robo')
  await dialog.getByRole('option', { name: /robot arm/ }).click()
  await dialog.getByLabel('Fits my bed').selectOption({ label: 'Another bed…' })
  await dialog.getByLabel('Bed width').fill('0')
  await dialog.getByRole('button', { name: /^(Show models|Apply Filters)$/ }).click()
  await expect(dialog.getByRole('alert')).toContainText('Enter width, depth and height')
  for (const [side, mm] of [
    ['width', '123.5'],
    ['depth', '140'],
    ['height', '150'],
  ] as const)
    await dialog.getByLabel(`Bed ${side}`).fill(mm)
  await dialog.getByLabel('Selling prints').selectOption('forbidden')
  await dialog.getByRole('button', { name: /^(Show models|Apply Filters)$/ }).click()
  await expect(dialog).toBeHidden()

  await expect(cardOf(page, filledShop.model.title)).toBeVisible()
  await page.reload()
  const filters = page.getByRole('list', { name: 'Filters' })
  await expect(filters.getByRole('listitem')).toHaveText([
    'Tag: robot arm',
    'Fits 123.5 × 140 × 150 mm',
    'May not be sold',
  ])
  await expect(cardOf(page, filledShop.model.title)).toBeVisible()
  expect(new URL(page.url()).searchParams.get('fits')).toBe('123.5x140x150')

  await page.getByRole('button', { name: 'Saved searches' }).click()
  await page.getByRole('menuitem', { name: /Save current search/ }).click()
  const saved = page.getByRole('dialog', { name: 'Saved searches' })
  await saved.getByLabel('Save this search as').fill('Arms for the small bed')
  await saved.getByRole('button', { name: 'Save search' }).click()
  await expect(saved).toBeHidden()

  await filters.getByRole('button', { name: /^Clear selling/ }).click()
  await expect(filters.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(filters).toBeHidden()
  expect(new URL(page.url()).search).toBe('?tab=stl-library')

  await page.getByRole('button', { name: 'Saved searches' }).click()
  await page.getByRole('menuitem', { name: 'Arms for the small bed' }).click()
  await expect(filters.getByRole('listitem')).toHaveCount(3)
  await page.getByRole('button', { name: 'Saved searches' }).click()
  await page.getByRole('menuitem', { name: /Save current search/ }).click()
  await saved.getByRole('button', { name: 'Delete Arms for the small bed' }).click()
  const kept = saved.getByRole('button', { name: 'Delete Arms for the small bed' })
  await expect(kept).toHaveCount(0)

  // Undo can be reached with the keyboard although a dialog is open.
  await expect(toastOf(page)).toContainText('deleted')
  await page.keyboard.press('F8')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /^Undo/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(kept).toBeVisible()
})

test.describe('concurrent edits of a model', () => {
  // The second person is refused, and the browser logs that as an error.
  test.use({ allowedProblem: /status of 412/ })

  test("if two people edit a model, the second person sees the first person's changes and loses nothing", async ({
    filledShop,
    openAs,
  }) => {
    const { url } = filledShop.product
    const title = `Shared vase ${test.info().project.name}`
    const { id } = await addModel(url, filledShop.staff.owner, { title, triangles: createVase() })
    const [first, second] = [await openAs(filledShop, 'staff'), await openAs(filledShop, 'admin')]
    const openEdit = async (page: Page) => {
      await page.goto(`/?tab=stl-library&model=${id}`)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      return page.getByRole('dialog', { name: 'Edit model' })
    }
    const one = await openEdit(first)
    const two = await openEdit(second)
    await one.getByLabel('Title').fill(`${title}, thick`)
    await one.getByLabel('Print material').fill('PETG')
    await one.getByRole('button', { name: 'Save' }).click()
    await expect(one).toBeHidden()

    await two.getByLabel('Title').fill(`${title}, tall`)
    await two.getByLabel('Print notes').fill('Spiral vase.')
    await two.getByRole('button', { name: 'Save' }).click()
    await expect(two.getByRole('alert')).toContainText('Somebody else has changed this in the meantime.')
    await expect(two.getByRole('alert')).toContainText(`Title is now “${title}, thick”`)
    await expect(two.getByLabel('Title')).toHaveValue(`${title}, tall`)
    await expect(two.getByLabel('Print material')).toHaveValue('PETG')
    await expect(two.getByLabel('Print notes')).toHaveValue('Spiral vase.')
    await two.getByRole('button', { name: 'Use that' }).click()
    await expect(two.getByLabel('Title')).toHaveValue(`${title}, thick`)
    await two.getByRole('button', { name: 'Save again' }).click()
    await expect(two).toBeHidden()
    await expect(second.getByText('Spiral vase.')).toBeVisible()
    await expect(second.getByRole('heading', { name: `${title}, thick` })).toBeVisible()
    await first.close()
    await removeForTest(second, url, filledShop.staff.owner, id)
  })
})

test('many models can be changed, deleted and restored together', async ({ filledShop, openAs }) => {
  const { url } = filledShop.product
  const name = `Spacer ${test.info().project.name}`
  const added = []
  for (const side of [11, 12, 13])
    added.push(
      await addModel(url, filledShop.staff.owner, {
        title: `${name} ${side}`,
        triangles: createCube(side),
        license: 'Custom',
      }),
    )
  const page = await openAs(filledShop, 'staff')
  await page.goto(`/?tab=stl-library&search=${encodeURIComponent(name)}&sort=title`)
  await expect(page.getByRole('article')).toHaveCount(3)
  // Focus and check the checkbox with the keyboard.
  const box = page.getByRole('checkbox', { name: `Select ${name} 11` })
  await box.focus()
  await page.keyboard.press('Space')
  await page.getByRole('checkbox', { name: `Select ${name} 12` }).check()
  const bar = page.getByRole('region', { name: 'Selection' })
  await expect(bar).toContainText('2 selected')

  await bar.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit 2 models' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Please choose what to change.')
  await dialog.getByLabel('Selling prints').selectOption('forbidden')
  await dialog.getByLabel('Add tags').fill('shim')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(cardOf(page, `${name} 11`)).toContainText('prints may not be sold')
  await expect(cardOf(page, `${name} 12`)).toContainText('shim')
  await expect(cardOf(page, `${name} 13`)).not.toContainText('shim')

  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(bar).toBeHidden()
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  // The bar with the button is gone, but the toast with the result is still shown.
  await expect(toastOf(page)).toContainText('2 models back in the library')
  await expect(page.getByRole('article')).toHaveCount(3)
  await page.getByRole('checkbox', { name: `Select ${name} 13` }).check()
  await page.keyboard.press('Escape')
  await expect(bar).toBeHidden()
  for (const { id } of added) await removeForTest(page, url, filledShop.staff.owner, id)
})

test('a bulk edit asks again before it changes models that other people have changed since the selection', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const name = `Washer ${test.info().project.name}`
  const added = []
  for (const side of [14, 15])
    added.push(
      await addModel(url, filledShop.staff.owner, {
        title: `${name} ${side}`,
        triangles: createCube(side),
      }),
    )
  const page = await openAs(filledShop, 'staff')
  await page.goto(`/?tab=stl-library&search=${encodeURIComponent(name)}&sort=title`)
  for (const side of [14, 15]) await page.getByRole('checkbox', { name: `Select ${name} ${side}` }).check()
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit 2 models' })
  await dialog.getByLabel('License').selectOption('CC BY')

  const others = await fetch(`${url}/api/stl-files/${added[1]?.id}`, {
    method: 'PUT',
    headers: { ...bearer(filledShop.staff.owner), 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify({ license_type: 'CC BY-NC' }),
  })
  expect(others.status).toBe(200)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const left = page.getByRole('dialog', { name: 'Edit 1 model' })
  await expect(left.getByRole('alert')).toContainText('1 model not changed')
  await expect(left.getByRole('alert')).toContainText(
    `${name} 15: Somebody else has changed this model in the meantime, so it was skipped. License: CC BY-NC.`,
  )
  await left.getByRole('button', { name: 'Apply anyway' }).click()
  await expect(left).toBeHidden()
  for (const side of [14, 15])
    await expect(cardOf(page, `${name} ${side}`).getByText('CC BY', { exact: true })).toBeVisible()

  // Changes that the same person made are not shown as those of others.
  await bar.getByRole('button', { name: 'Edit' }).click()
  await left.getByLabel('License').selectOption('CC0')
  await left.getByRole('button', { name: 'Save' }).click()
  await expect(left).toBeHidden()
  await expect(cardOf(page, `${name} 15`).getByText('CC0', { exact: true })).toBeVisible()
  for (const { id } of added) await removeForTest(page, url, filledShop.staff.owner, id)
})

test('the upload form completes tags from the library', async ({ filledShop, openAs }) => {
  const page = await openAs(filledShop, 'staff')
  await page.goto('/?tab=stl-library&upload=1')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tags').fill('Office, robo')
  await expect(dialog.locator('datalist option[value="Office, robot arm"]')).toHaveCount(1)
})

test('a person can add a new version of a model, and can make an earlier version the current one again', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const title = `Bracket ${test.info().project.name}`
  const { id } = await addModel(url, filledShop.staff.owner, { title, triangles: createCube(17) })
  const page = await openAs(filledShop, 'staff')
  await page.goto(`/?tab=stl-library&model=${id}`)
  await page.getByRole('button', { name: 'Upload new version' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload new version' })
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('Please select a file to upload.')
  await dialog.getByLabel('File').setInputFiles({
    name: 'bracket-b.stl',
    mimeType: 'model/stl',
    buffer: Buffer.from(writeBinaryStl(createGear(9))),
  })
  await dialog.getByLabel('Note').fill('Nine teeth.')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog).toBeHidden()
  const versions = page.getByRole('main').getByRole('listitem')
  const current = versions.filter({ has: page.getByText('Current', { exact: true }) })
  await expect(current).toContainText('Nine teeth.')
  await page.getByRole('button', { name: 'Make version 1 current' }).click()
  await expect(current).toContainText(`${title}.stl`)
  await removeForTest(page, url, filledShop.staff.owner, id)
})

test('the viewer shows a large model in simplified form until its file has loaded', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const title = `Sphere ${test.info().project.name}`
  const triangles = createSphere(40, 512)
  const { id } = await addModel(url, filledShop.staff.owner, { title, triangles })
  const page = await openAs(filledShop, 'viewer')
  const released = Promise.withResolvers<void>()
  await page.route('**/api/stl-files/*/file', async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto(`/?tab=stl-library&model=${id}`)
  const view = page.getByRole('region', { name: '3D view' })
  await expect(view.getByLabel(/^3D view of/)).toBeVisible()
  const note = view.getByText(/^Simplified [\d,]+ of [\d,]+ triangles$/)
  await expect(note).toContainText(`of ${(triangles.length / 9).toLocaleString('en-US')} triangles`)
  released.resolve()
  await expect(note).toBeHidden()
  await expect(view.getByLabel(/^3D view of/)).toBeVisible()
  await removeForTest(page, url, filledShop.staff.owner, id)
})

test('a viewer can find, open and download models, but sees no control to edit them', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'viewer')
  const editing = /Edit|Delete|Restore|Upload|Select|Make version|Keep|current/
  for (const address of [
    '/?tab=stl-library',
    `/?tab=stl-library&model=${filledShop.model.id}`,
    '/?tab=stl-library&view=bin',
  ]) {
    await page.goto(address)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeAttached()
    await untilLoaded(page)
    const controls = [...(await findControls(page.getByRole('main')))]
    expect(controls.length).toBeGreaterThan(0)
    expect(controls.filter((control) => editing.test(control))).toEqual([])
  }
})
