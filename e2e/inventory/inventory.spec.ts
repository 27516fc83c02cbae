import { readFile } from 'node:fs/promises'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Locator, Page } from '@playwright/test'
import { applyFilters, openSheet, searchFor, untilLoaded } from '../support/controls.ts'
import { expect } from '../support/fixtures.ts'
import { bearer, get, type SignedInAccount, post } from '../support/accounts.ts'
import { test } from '../support/staffed-shop.ts'

// This test provokes refusals, and the browser logs each as an error.
test.use({ allowedProblem: /status of (404|409|412|422)/ })

const SAVE_FAILED = 'Failed to save inventory item. Please try again.'

const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
const undo = (page: Page) => toastOf(page).getByRole('button', { name: 'Undo' }).click()
const itemDialog = (page: Page) => page.getByRole('dialog', { name: 'Add/Edit Inventory Item' })
const isPhone = () => test.info().project.name === 'phone'

/** The rows of the list, without its header. */
const rows = (page: Page): Locator =>
  isPhone()
    ? page.getByRole('list', { name: 'Inventory items' }).getByRole('listitem')
    : page
        .getByRole('table', { name: 'Inventory items' })
        .getByRole('row')
        .filter({ has: page.getByRole('cell') })

/** Checks the number of items in the whole list, because rows outside the window are not rendered. */
const expectCount = (page: Page, count: number) =>
  expect(page.getByRole('main').getByRole('status').first()).toHaveText(
    `${count} ${count === 1 ? 'item' : 'items'}`,
  )

async function search(page: Page, words: string): Promise<void> {
  await searchFor(page, words)
  await expect(page).toHaveURL(new RegExp(`search=${words}`))
}

async function choose(page: Page, menu: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

const csvFile = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`${lines.join('\r\n')}\r\n`),
})

const HEAD = 'name,sku,quantity,reorder_point,location,bin_location,selling_price'

/** Deletes items, so that later tests do not see them. */
async function removeForTest(url: string, person: SignedInAccount, ids: readonly string[]): Promise<void> {
  await post(`${url}/api/inventory/bulk`, { ids, move: 'bin' }, bearer(person))
}

test('people can import, add, edit, move and delete items, take pieces from stock, and undo a movement', async ({
  filledShop,
  openAs,
}) => {
  test.setTimeout(180_000)
  const { url } = filledShop.product
  const { owner } = filledShop.staff
  const tag = `WALK${test.info().project.name.toUpperCase()}`
  const page = await openAs(filledShop, 'staff')
  await page.goto('/?tab=inventory')
  if (!isPhone()) {
    // At first, the items are cards. The browser remembers another choice.
    await expect(page.getByRole('article').first()).toBeVisible()
    await page.getByRole('radio', { name: 'List' }).click()
    await expect(page).toHaveURL(/layout=list/)
    await page.goto('/?tab=inventory')
    await expect(page.getByRole('table', { name: 'Inventory items' })).toBeVisible()
  }

  // For a file with errors, the errors are listed by row, and nothing is imported.
  await choose(page, 'Inventory tools', 'Import CSV')
  const importing = page.getByRole('dialog', { name: 'Import CSV' })
  const good = Array.from(
    { length: 10 },
    (_, n) => `${tag} part ${n},${tag}-${n},${12 + n},5,${tag} rack,Bin ${n},1${n}.50`,
  )
  await importing
    .getByLabel('CSV file')
    .setInputFiles(csvFile('faulty.csv', [HEAD, good[0] ?? '', `,${tag}-X,-1,5,,,`]))
  const errors = importing.getByRole('region', { name: 'Errors by row' })
  await expect(errors.getByRole('row', { name: /^3 .*name.*Name is required/ })).toBeVisible()
  await expect(errors.getByRole('row', { name: /^3 .*quantity/ })).toBeVisible()
  await expect(importing.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
  expect(await get<InventoryItem[]>(`${url}/api/inventory?search=${tag}`, bearer(owner))).toEqual([])

  // For the corrected file, a preview is shown before the import.
  await importing.getByLabel('CSV file').setInputFiles(csvFile('mended.csv', [HEAD, ...good]))
  await expect(importing.getByText('10 rows: 10 new, 0 changed, 0 unchanged.')).toBeVisible()
  await importing.getByRole('button', { name: 'Import 10 items' }).click()
  await expect(toastOf(page)).toContainText('Imported: 10 new, 0 changed')
  await search(page, tag)
  await expectCount(page, 10)

  // Add an item with default values. An invalid number becomes 0. After a refusal, the typed values stay.
  await page.getByRole('button', { name: 'Add Item' }).filter({ visible: true }).click()
  const dialog = itemDialog(page)
  for (const [label, value] of [
    ['Quantity', '1'],
    ['Reorder point', '5'],
    ['Max stock', '100'],
    ['Status', 'In Stock'],
  ] as const)
    await expect(dialog.getByLabel(label, { exact: true })).toHaveValue(value)
  await dialog.getByLabel('Quantity', { exact: true }).fill('')
  await dialog.getByRole('button', { name: 'Add item' }).click()
  await expect(dialog.getByText('Name is required')).toBeVisible()
  await expect(dialog.getByText('Quantity is required')).toBeVisible()
  await dialog.getByLabel('Name', { exact: true }).fill(`${tag} added`)
  await dialog.getByLabel('Quantity', { exact: true }).fill('many')
  await dialog.getByLabel('SKU', { exact: true }).fill(`${tag}-0`)
  await expect(dialog.getByLabel('Quantity', { exact: true })).toHaveValue('0')
  await dialog.getByLabel('Quantity', { exact: true }).fill('-3')
  await dialog.getByRole('button', { name: 'Add item' }).click()
  await expect(dialog.getByText('Enter 0 or more.')).toBeVisible()
  await dialog.getByLabel('Quantity', { exact: true }).fill('9')
  await dialog.getByRole('combobox', { name: 'Source STL' }).fill(filledShop.model.title.slice(0, 4))
  await dialog.getByRole('option', { name: filledShop.model.title }).click()
  await dialog.getByLabel('Selling price').fill('7.40')
  await dialog.getByRole('button', { name: 'Add item' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: SAVE_FAILED })).toHaveText(SAVE_FAILED)
  await expect(dialog.getByText('Another item has this SKU.')).toBeVisible()
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue(`${tag} added`)
  await dialog.getByLabel('SKU', { exact: true }).fill(`${tag}-NEW`)
  await dialog.getByRole('button', { name: 'Add item' }).click()
  await expect(dialog).toBeHidden()
  await expect(toastOf(page)).toContainText(`“${tag} added” added as I-`)
  const row = rows(page).filter({ hasText: `${tag} added` })
  await expect(row).toContainText('$7.40')
  await expect(row).toContainText('In Stock')
  const found = await get<InventoryItem[]>(`${url}/api/inventory?search=${tag}`, bearer(owner))
  const item = found.find(({ sku }) => sku === `${tag}-NEW`)
  if (!item) throw new Error('the item was added')

  // Several quick clicks on minus become one movement. Its effects appear at once, and it can be undone.
  const minus = row.getByRole('button', { name: `Take one of ${tag} added` })
  // Click without a pause, because two clicks that are half a second apart are two movements.
  await minus.evaluate((button: HTMLElement) => {
    for (let n = 0; n < 4; n += 1) button.click()
  })
  await expect(row).toContainText('Low Stock')
  await expect(toastOf(page)).toContainText(`${tag} added: 9 → 5`)
  await undo(page)
  await expect(toastOf(page)).toContainText(`Undone. ${tag} added: 5 → 9`)
  await expect(row.getByLabel(`Quantity of ${tag} added`)).toHaveValue('9')
  await expect(row).toContainText('In Stock')

  // A typed number is recorded as a count.
  await row.getByLabel(`Quantity of ${tag} added`).fill('11')
  await row.getByLabel(`Quantity of ${tag} added`).press('Enter')
  await expect(toastOf(page)).toContainText(`${tag} added: 9 → 11`)

  // Two people edit the item. The second person sees the first person's changes and keeps the typed values.
  await row.getByRole('link', { name: `${tag} added` }).click()
  await expect(page.getByRole('heading', { name: `${tag} added`, level: 1 })).toBeVisible()
  await page.getByRole('button', { name: `Edit ${tag} added` }).click()
  await dialog.getByLabel('Notes').fill('Mine.')
  await dialog.getByLabel('Reorder point').fill('4')
  const theirs = await fetch(`${url}/api/inventory/${item.id}`, {
    method: 'PUT',
    headers: { ...bearer(owner), 'content-type': 'application/json' },
    body: JSON.stringify({ reorder_point: 6, color: 'Signal Orange' }),
  })
  expect(theirs.status).toBe(200)
  await dialog.getByRole('button', { name: 'Save item' }).click()
  await expect(dialog.getByText('Somebody else has changed this in the meantime.')).toBeInViewport()
  await expect(dialog.getByText('Reorder point is now “6”, but you entered another value')).toBeVisible()
  await expect(dialog.getByLabel('Notes')).toHaveValue('Mine.')
  await expect(dialog.getByLabel('Color', { exact: true })).toHaveValue('Signal Orange')
  await expect(dialog.getByLabel('Reorder point')).toHaveValue('4')
  await dialog.getByRole('button', { name: 'Use that' }).click()
  await dialog.getByRole('button', { name: 'Save again' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Reorder point 6')).toBeVisible()
  await expect(page.getByText('Mine.')).toBeVisible()

  // Take pieces with a reason, but not more than there are. Move the item to another location. Undo both in the
  // history.
  await page.getByRole('button', { name: 'Take', exact: true }).click()
  const taking = page.getByRole('dialog', { name: 'Take pieces' })
  await taking.getByLabel('Pieces taken').fill('2')
  await expect(taking.getByText('9 in stock afterwards')).toBeVisible()
  await taking.getByLabel('Reason').fill('Sample or test')
  await taking.getByRole('button', { name: 'Take', exact: true }).click()
  await expect(toastOf(page)).toContainText(`${tag} added: 11 → 9`)
  await page.getByRole('button', { name: 'Reserve', exact: true }).click()
  const reserving = page.getByRole('dialog', { name: 'Reserve pieces' })
  await reserving.getByLabel('Pieces to reserve').fill('10')
  await reserving.getByRole('button', { name: 'Reserve', exact: true }).click()
  await expect(reserving.getByRole('alert')).toBeVisible()
  await expect(reserving.getByLabel('Pieces to reserve')).toHaveValue('10')
  await reserving.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  const moving = page.getByRole('dialog', { name: 'Move to another location' })
  await moving.getByLabel('Location', { exact: true }).fill(`${tag} rack`)
  await moving.getByLabel('Bin location').fill('Bin 3')
  await moving.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(toastOf(page)).toContainText(`${tag} added: moved to ${tag} rack / Bin 3`)
  const history = page.getByRole('listitem').filter({ hasText: 'Sample or test' })
  await expect(history).toContainText('Taken')
  await expect(history).toContainText('−2')
  await expect(page.getByRole('listitem').filter({ hasText: 'Opening stock' })).toContainText('+9')
  await history.getByRole('button', { name: 'Undo' }).click()
  await expect(toastOf(page)).toContainText(`Undone. ${tag} added: 9 → 11`)
  await expect(history.getByRole('button', { name: 'Undo' })).toHaveCount(0)

  // The page shows how the cost is calculated, and a picture of the label.
  await expect(page.getByRole('heading', { name: 'Cost of a piece' })).toBeVisible()
  await expect(page.getByText('Profit per piece')).toBeVisible()
  await page.getByRole('button', { name: /^QR Code/ }).click()
  const picture = page.getByRole('dialog', { name: 'QR Code' }).getByRole('img', { name: /^Code I-/ })
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  await page.getByRole('dialog', { name: 'QR Code' }).getByRole('button', { name: 'Close' }).click()

  // Duplicate the item. The copy has another name, another SKU and no stock.
  await choose(page, `More for ${tag} added`, 'Duplicate')
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue(`${tag} added (copy)`)
  await expect(dialog.getByLabel('SKU', { exact: true })).toHaveValue('')
  await expect(dialog.getByLabel('Quantity', { exact: true })).toHaveValue('0')
  await dialog.getByLabel('Identical items').fill('2')
  await dialog.getByRole('button', { name: 'Add 2 items' }).click()
  await expect(toastOf(page)).toContainText('2 items added')
  await undo(page)
  await expect(toastOf(page)).toContainText('Undone, 2 items in the trash')

  // Move the item to the trash and restore it. The list is then as before.
  await choose(page, `More for ${tag} added`, 'Delete')
  await expect(toastOf(page)).toContainText(`“${tag} added” is in the trash`)
  await expectCount(page, 10)
  await choose(page, 'Inventory tools', 'Trash')
  await expect(page).toHaveURL(/view=bin/)
  await page.getByRole('button', { name: `Restore ${tag} added`, exact: true }).click()
  await expect(toastOf(page)).toContainText(`“${tag} added” is back in the inventory`)
  await page.getByRole('main').getByRole('link', { name: 'Inventory' }).click()
  await expectCount(page, 11)

  // Filter by location, whose name is shown, and then also for low stock, which finds nothing.
  await openSheet(page)
  await page.getByRole('button', { name: 'More filters' }).click()
  const filtering = page.getByRole('dialog', { name: 'More filters' })
  await filtering.getByLabel('Location').selectOption(`${tag} rack / Bin 3`)
  await filtering.getByRole('button', { name: 'Show items' }).click()
  await expectCount(page, 2)
  await applyFilters(page, () => page.getByText('Low Stock Only', { exact: true }).click())
  await expect(page.getByRole('heading', { name: 'No inventory items found' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear Low Stock Only' }).click()
  await page.getByRole('button', { name: `Clear location: ${tag} rack / Bin 3` }).click()

  // Select items with the mouse. The link of an item covers its row, except for the checkbox.
  if (!isPhone()) {
    const box = rows(page)
      .filter({ hasText: `${tag} part 9` })
      .getByRole('checkbox', { name: `Select ${tag} part 9`, exact: true })
    await box.click()
    await expect(box).toBeChecked()
    await box.click()
    await expect(box).not.toBeChecked()
    const all = page.getByRole('checkbox', { name: 'Select all listed items' })
    await all.click()
    await expect(page.getByText('11 selected')).toBeVisible()
    await box.click()
    await expect(page.getByText('10 selected')).toBeVisible()
    await expect(all).toBeChecked({ indeterminate: true })
    await all.click()
    await all.click()
    await expect(page.getByRole('region', { name: 'Selection' })).toBeHidden()
  }

  // Show the list as cards in another order. The URL contains both.
  await openSheet(page)
  await page.getByRole('radio', { name: 'Cards' }).click()
  await expect(page).toHaveURL(/layout=cards/)
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeHidden()
  await openSheet(page)
  await page.getByLabel('Sort by').selectOption('most')
  await page.reload()
  const card = page.getByRole('article').first()
  for (const words of [
    `${tag} part 9`,
    `${tag}-9`,
    'No source model',
    'In Stock',
    'reorder 5',
    `${tag} rack · Bin 9`,
    '$19.50',
    'QR Code',
    'Edit',
  ])
    await expect(card).toContainText(words)
  await expect(card.getByLabel(`Quantity of ${tag} part 9`)).toHaveValue('21')

  // Change several items together.
  for (const n of [7, 8]) await page.getByLabel(`Select ${tag} part ${n}`, { exact: true }).check()
  const bar = page.getByRole('region', { name: 'Selection' })
  await expect(bar.getByRole('status')).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Edit' }).click()
  const many = page.getByRole('dialog', { name: 'Edit 2 items' })
  await many.getByRole('button', { name: 'Save' }).click()
  await expect(many.getByText('Please choose what to change.')).toBeVisible()
  await many.getByLabel('Status').selectOption('On Hold')
  await many.getByRole('button', { name: 'Save' }).click()
  await expect(toastOf(page)).toContainText('2 items changed')
  await expect(page.getByRole('article').filter({ hasText: `${tag}-8` })).toContainText('On Hold')

  // An exported file equals the imported file.
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    choose(page, 'Inventory tools', 'Export CSV'),
  ])
  const table = await readFile(await file.path(), 'utf8')
  expect(table.trim().split('\n')).toHaveLength(12)
  expect(table).toContain(`${tag}-9`)

  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(toastOf(page)).toContainText('2 items are in the trash')
  await undo(page)
  await expect(toastOf(page)).toContainText('2 items back in the inventory')
  await page.close()
  await removeForTest(url, owner, [item.id, ...found.map(({ id }) => id)])
})

test('locations can be added, renamed and restored, but cannot be deleted while they have contents', async ({
  filledShop,
  openAs,
}) => {
  test.setTimeout(90_000)
  const { url } = filledShop.product
  const { owner } = filledShop.staff
  const name = `Loft ${test.info().project.name}`
  const box = `Box of the ${name}`
  const page = await openAs(filledShop, 'employee')
  await page.goto('/?tab=inventory&view=locations')
  await page.getByRole('button', { name: 'Add location' }).click()
  const adding = page.getByRole('dialog', { name: 'Add location' })
  await adding.getByRole('button', { name: 'Add location' }).click()
  await expect(adding.getByText('Name is required')).toBeVisible()
  await adding.getByLabel('Name').fill(name)
  await adding.getByRole('button', { name: 'Add location' }).click()
  await expect(toastOf(page)).toContainText(`${name} added as L-`)

  // The new location is expanded. Add a bin to it.
  const place = page.getByRole('region', { name, exact: true })
  await expect(place).toContainText('This location is empty.')
  await place.getByRole('button', { name: 'Add inside' }).click()
  await adding.getByLabel('Kind').selectOption('bin')
  await adding.getByLabel('Name').fill(box)
  await adding.getByRole('button', { name: 'Add location' }).click()
  await expect(page.getByRole('region', { name: `${name} / ${box}` })).toBeVisible()
  const body = { name: `Thing in the ${name}`, location: name, bin_location: box }
  const item = await post<InventoryItem>(`${url}/api/inventory`, body, bearer(owner))
  await expect(page.getByRole('link', { name: body.name })).toBeVisible()

  // Rename the location. Its contents move with it.
  await page.getByRole('list', { name: 'Locations' }).getByRole('link', { name, exact: true }).click()
  await place.getByRole('button', { name: 'Rename or move' }).click()
  const editing = page.getByRole('dialog', { name: `Edit ${name}` })
  await editing.getByLabel('Name').fill(`${name} 2`)
  await editing.getByRole('button', { name: 'Save' }).click()
  const renamed = page.getByRole('region', { name: `${name} 2`, exact: true })
  await expect(renamed.getByRole('link', { name: body.name })).toBeVisible()
  await renamed.getByRole('button', { name: `Delete ${name} 2` }).click()
  await expect(toastOf(page)).toContainText('not empty')

  // Show the contents of the location as a list of items.
  await renamed.getByRole('link', { name: 'Show as a list' }).click()
  await expectCount(page, 1)
  await removeForTest(url, owner, [item.id])
  await page.goBack()
  await page.getByRole('list', { name: 'Locations' }).getByRole('link', { name: box }).click()
  const bin = page.getByRole('region', { name: `${name} 2 / ${box}` })
  await expect(bin).toContainText('This location is empty.')
  await bin.getByRole('button', { name: /^Delete/ }).click()
  await expect(toastOf(page)).toContainText(`${name} 2 / ${box} is deleted`)
  await page.getByRole('button', { name: `Restore ${name} 2 / ${box}` }).click()
  await expect(toastOf(page)).toContainText(`${name} 2 / ${box} is back`)
})

test('an empty inventory explains how to begin, without buttons for viewers', async ({ newShop, openAs }) => {
  const asOwner = await openAs(newShop, 'owner')
  await asOwner.goto('/?tab=inventory')
  await expect(asOwner.getByRole('heading', { name: 'No inventory items found' })).toBeVisible()
  await expect(asOwner.getByRole('button', { name: 'Import CSV' })).toBeVisible()
  await asOwner.getByRole('button', { name: 'Add Item' }).click()
  await expect(asOwner).toHaveURL(/add=1/)
  await expect(itemDialog(asOwner)).toBeVisible()
  const asViewer = await openAs(newShop, 'viewer')
  await asViewer.goto('/?tab=inventory&add=1')
  await expect(asViewer.getByRole('heading', { name: 'No inventory items found' })).toBeVisible()
  await untilLoaded(asViewer)
  await expect(asViewer.getByRole('main').getByRole('button', { name: /Add|Import/ })).toHaveCount(0)
  await expect(asViewer.getByRole('dialog')).toHaveCount(0)
})
