import type { Spool } from '@pegasus/contracts/filament/spools'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Page } from '@playwright/test'
import { applyFilters, findControls, searchFor, untilLoaded } from '../support/controls.ts'
import { expect } from '../support/fixtures.ts'
import { bearer, get, post } from '../support/accounts.ts'
import { test } from '../support/staffed-shop.ts'

// Two people edit a spool. The second is refused, and the browser logs that as an error.
test.use({ allowedProblem: /status of 412/ })

const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
const undo = (page: Page) => toastOf(page).getByRole('button', { name: 'Undo' }).click()
const cards = (page: Page) => page.getByRole('list', { name: 'Spools' }).getByRole('article')

async function choose(page: Page, spool: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${spool}` }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('a person can add, use, weigh, correct, edit and archive identical spools, and undo ledger entries', async ({
  filledShop,
  openAs,
}) => {
  test.setTimeout(120_000)
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const color = `Walk Blue ${test.info().project.name}`
  const page = await openAs(filledShop, 'staff')
  await page.goto('/?tab=filament')

  // Add spools. The material fills in its defaults, and typed values stay.
  await page.getByRole('button', { name: 'Add Filament' }).click()
  const adding = page.getByRole('dialog', { name: 'Add Filament' })
  await adding.getByRole('button', { name: 'Add spool' }).click()
  await expect(adding.getByText('Material is required')).toBeVisible()
  const material = adding.getByRole('combobox', { name: 'Material' })
  await material.fill('PETG')
  // The fields that follow from the material are collapsed.
  await expect(adding.getByLabel('Density')).toBeHidden()
  await adding.getByText('Print settings and reordering').click()
  await expect(adding.getByLabel('Density')).toHaveValue('1.27')
  await expect(adding.getByLabel('Nozzle')).toHaveValue('240')
  await adding.getByLabel('Density').fill('1.1')
  await material.fill('ASA')
  await expect(adding.getByLabel('Density')).toHaveValue('1.1')
  await expect(adding.getByLabel('Nozzle')).toHaveValue('250')
  await adding.getByLabel('Brand').fill('Walkers')
  const question = adding.getByRole('alertdialog', { name: 'Discard what you typed?' })
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(question).toBeHidden()
  await expect(adding.getByLabel('Brand')).toBeFocused()
  await expect(adding.getByLabel('Brand')).toHaveValue('Walkers')
  await adding.getByLabel('Color', { exact: true }).fill(color)
  await adding.getByLabel('Color code').fill('1d4ed8')
  await adding.getByLabel('Low stock at').fill('800')
  await adding.getByLabel('Empty spool').fill('200')
  await adding.getByLabel('Remaining').fill('5OO')
  await adding.getByLabel('Spools').fill('2')
  await adding.getByRole('button', { name: 'Add 2 spools' }).click()
  await expect(adding.getByText(/^Remaining must be a number/)).toBeVisible()
  await expect(adding.getByLabel('Color code')).toHaveValue('#1D4ED8')
  await adding.getByLabel('Remaining').fill('500')
  await adding.getByRole('button', { name: 'Add 2 spools' }).click()
  await expect(toastOf(page)).toContainText(/2 spools added, S-\d+ to S-\d+/)

  // Find the spools with filters, which the URL contains.
  await searchFor(page, color)
  await applyFilters(page, async () => {
    await page.getByLabel('Material').selectOption('ASA')
  })
  await expect(cards(page)).toHaveCount(2)
  await page.reload()
  await expect(cards(page)).toHaveCount(2)
  const [spool, other] = await get<Spool[]>(
    `${url}/api/filament?search=${encodeURIComponent(color)}&sort=newest`,
    headers,
  )
  if (!spool || !other) throw new Error('two spools were added')
  const code = spool.label_code
  const card = cards(page).filter({ hasText: code })

  // Use filament by length. The weight is computed. Then undo it.
  await card.getByRole('button', { name: `Use ${code}` }).click()
  const using = page.getByRole('dialog', { name: 'Use filament' })
  await using.getByText('Length', { exact: true }).click()
  await using.getByLabel('Amount').fill('28.4')
  await expect(using.getByText('≈ 75 g')).toBeVisible()
  await using.getByRole('button', { name: 'Use 75 g' }).click()
  await expect(toastOf(page)).toContainText(`${code}: 500 g → 425 g`)
  await expect(card).toContainText('425')
  await undo(page)
  await expect(card).toContainText('500')

  // Weigh the spool on a scale. The weight of the empty spool is subtracted.
  await card.getByRole('button', { name: `Weigh ${code}` }).click()
  const weighing = page.getByRole('dialog', { name: 'Weigh spool' })
  await weighing.getByLabel('On the scale').fill('150')
  await expect(weighing.getByText('This is less than the weight of the empty spool.')).toBeVisible()
  await weighing.getByLabel('On the scale').fill('640')
  await weighing.getByRole('button', { name: 'Set to 440 g' }).click()
  await expect(card).toContainText('440')

  // Open the page of the spool. Its ledger lists all changes.
  await card.getByRole('link', { name: color }).click()
  await expect(page).toHaveURL(new RegExp(`spool=${spool.id}`))
  await expect(page.getByRole('heading', { name: `ASA ${color}`, level: 1 })).toBeVisible()
  await choose(page, code, 'Correct the remaining weight')
  const correcting = page.getByRole('dialog', { name: 'Correct the remaining weight' })
  await correcting.getByLabel('Remaining').fill('400')
  await correcting.getByRole('button', { name: 'Correct' }).click()
  await expect(correcting.getByText('Please enter a reason.')).toBeVisible()
  await correcting.getByLabel('Reason').fill('A tangle was cut off')
  await correcting.getByRole('button', { name: 'Correct' }).click()
  const entries = page.getByRole('main').getByRole('list').getByRole('listitem')
  await expect(entries).toHaveText([
    /^Corrected.*A tangle was cut off/,
    /^Weighed, 640\sg on the scale/,
    /^Undone/,
    /^Used, 28\.4 m/,
    /^Opening balance/,
  ])
  await entries.first().getByRole('button', { name: 'Undo' }).click()
  await expect(entries.first()).toContainText('440 g left')
  await choose(page, code, 'Mark as dried')
  await expect(page.getByRole('main').getByText(/Dried just now$/)).toBeVisible()

  // Another person saves first. The typed values stay, and the saved values are shown next to them.
  await choose(page, code, 'Edit')
  const editing = page.getByRole('dialog', { name: `Edit ${code}` })
  const current = await get<Spool>(`${url}/api/filament/${spool.id}`, headers)
  await fetch(`${url}/api/filament/${spool.id}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json', 'if-match': `"${current.revision}"` },
    body: JSON.stringify({ location: 'Dry box W', notes: 'From the fair' }),
  })
  await editing.getByLabel('Location').fill('Shelf W')
  await editing.getByLabel('Lot number').fill('L-77')
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(editing.getByRole('alert')).toContainText('Somebody else has changed this in the meantime.')
  await expect(editing.getByRole('alert')).toContainText('Location is now “Dry box W”')
  await expect(editing.getByLabel('Location')).toHaveValue('Shelf W')
  await expect(editing.getByLabel('Notes')).toHaveValue('From the fair')
  await editing.getByRole('button', { name: 'Use that' }).click()
  await editing.getByRole('button', { name: 'Save again' }).click()
  await expect(editing).toBeHidden()
  await expect(page.getByText('Dry box W')).toBeVisible()
  await expect(page.getByText('L-77')).toBeVisible()

  // The page shows what the queue needs, and the filaments that are low in all their spools together.
  const job = await post<PrintJob>(
    `${url}/api/print-queue`,
    {
      stl_file_id: filledShop.model.id,
      filament_id: spool.id,
      material: 'ASA',
      color,
      estimated_grams: 1200,
    },
    headers,
  )
  await page.getByRole('link', { name: 'Filament', exact: true }).filter({ visible: true }).last().click()
  const low = page.getByRole('region', { name: 'Running low' })
  await expect(low).toContainText(
    new RegExp(`ASA ${color}: Runs out on the first job \\(${job.label_code}\\)`),
  )
  await fetch(`${url}/api/print-queue/${job.id}`, { method: 'DELETE', headers })
  await choose(page, other.label_code, 'Archive')
  await expect(toastOf(page)).toContainText(`${other.label_code} archived`)
  // A phone names only the most urgent filament, and the number of the others.
  await expect(low).toContainText(
    test.info().project.name === 'phone' ? /\d+ more$/ : `ASA ${color}: 440 g left on 1 spool, low at 800 g`,
  )
  // A card is marked “Low” for its own spool, as in the filter. This spool has enough left, but its color is low.
  await expect(cards(page).filter({ hasText: code })).toContainText('Color low')

  // Archived spools and spools in the trash can be listed and restored.
  await applyFilters(page, async () => {
    await page.getByLabel('Status').selectOption('archived')
  })
  await page.getByRole('button', { name: `Use ${other.label_code} again` }).click()
  await expect(page.getByText('No filament found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear status' }).click()
  await expect(cards(page)).toHaveCount(2)
  await choose(page, code, 'Delete')
  await expect(cards(page)).toHaveCount(1)
  await undo(page)
  await expect(cards(page)).toHaveCount(2)
  await choose(page, code, 'Delete')
  await expect(cards(page)).toHaveCount(1)
  await page.getByRole('link', { name: 'Trash' }).click()
  await expect(page.getByRole('heading', { name: 'Trash', level: 1 })).toBeVisible()
  await expect(page.getByText('in 30 days').first()).toBeVisible()
  await page.getByRole('button', { name: `Restore ${code}` }).click()
  await expect(toastOf(page)).toContainText(`${code} is back`)
  await expect(page.getByRole('button', { name: `Restore ${code}` })).toHaveCount(0)
  await page.getByRole('link', { name: 'Filament', exact: true }).filter({ visible: true }).last().click()
  await expect(cards(page)).toHaveCount(2)
  await page.close()
  for (const { id } of [spool, other]) await fetch(`${url}/api/filament/${id}`, { method: 'DELETE', headers })
})

test('a viewer sees spools, their ledgers and totals, but no control to change them', async ({
  filledShop,
  openAs,
}) => {
  const page = await openAs(filledShop, 'viewer')
  const headers = bearer(filledShop.staff.owner)
  const [spool] = await get<Spool[]>(`${filledShop.product.url}/api/filament`, headers)
  for (const address of [
    '/?tab=filament',
    '/?tab=filament&view=colors',
    `/?tab=filament&spool=${spool?.id}`,
    '/?tab=print-queue',
    `/?tab=orders&order=${filledShop.orderId}`,
  ]) {
    await page.goto(address)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeAttached()
    await untilLoaded(page)
    const controls = [...(await findControls(page.getByRole('main')))]
    const changing = /"(Add|Weigh|Use |More for|Start |Complete |Requeue |Move |Undo|Sync|Print \d)/
    expect(controls.length).toBeGreaterThan(0)
    expect(controls.filter((control) => changing.test(control))).toEqual([])
  }
})
