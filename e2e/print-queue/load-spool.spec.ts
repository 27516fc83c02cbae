import type { Spool } from '@pegasus/contracts/filament/spools'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { bearer, get, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { type FilledShop, test } from '../support/staffed-shop.ts'

/** Paths of the objects that a test has added, in order. */
const added: string[] = []

/** Adds an object. It is deleted after the test, even if the test fails. */
async function add<Added extends { id: string }>(
  { product, staff }: FilledShop,
  path: string,
  body: object,
): Promise<Added> {
  const object = await post<Added>(product.url + path, body, bearer(staff.staff))
  added.push(`${path}/${object.id}`)
  return object
}

const addSpool = (shop: FilledShop, color: string) =>
  add<Spool>(shop, '/api/filament', {
    material: 'PETG',
    color,
    brand: test.info().project.name,
    weight_grams: 1000,
  })

test.afterEach(async ({ filledShop: { product, staff } }) => {
  // Delete the newest object first, because a job refers to its item.
  for (const path of added.splice(0).toReversed())
    await fetch(product.url + path, { method: 'DELETE', headers: bearer(staff.staff) })
})

test('a person can load a spool into a printer from the page of the spool, which moves it out of another one', async ({
  filledShop,
  openAs,
  isMobile,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.staff)
  const project = test.info().project.name
  const aPrinter = (name: string, slots: object[]) =>
    add<Printer>(filledShop, '/api/printers', { name: `${name} ${project}`, slots })
  const [teal, plum] = [await addSpool(filledShop, 'Teal'), await addSpool(filledShop, 'Plum')]
  const one = await aPrinter('One', [{ slot: 1, filament_id: null }])
  const two = await aPrinter('Two', [
    { slot: 1, filament_id: plum.id },
    { slot: 2, filament_id: null },
  ])
  const slotsOf = async ({ id }: Printer) =>
    (await get<Printer>(`${url}/api/printers/${id}`, headers)).slots.map(({ filament_id: spool }) => spool)

  const page = await openAs(filledShop, 'staff')
  await page.goto(`${url}/?tab=filament&spool=${teal.id}`)
  const open = async () => {
    if (isMobile) await page.getByRole('button', { name: `More for ${teal.label_code}` }).click()
    await page.getByRole(isMobile ? 'menuitem' : 'button', { name: 'Load into a printer' }).click()
  }
  const dialog = page.getByRole('dialog', { name: `Load ${teal.label_code}` })
  const load = () => dialog.getByRole('button', { name: 'Load', exact: true }).click()
  const find = (text: string) => dialog.getByRole('combobox', { name: 'Printer' }).fill(text)
  const pick = async ({ name }: Printer) => {
    await find(name)
    await dialog.getByRole('option', { name }).click()
  }
  await open()
  await load()
  await expect(dialog.getByText('Please choose a printer.')).toBeVisible()
  await pick(one)
  await expect(dialog.getByLabel('Slot')).toHaveCount(0)
  await load()
  await expect(dialog).toHaveCount(0)
  expect(await slotsOf(one)).toEqual([teal.id])

  await open()
  await expect(dialog.getByText(`Now in ${one.name}. Loading moves it.`)).toBeVisible()
  await pick(two)
  // By default, the first empty slot is chosen.
  await expect(dialog.getByLabel('Slot')).toHaveValue('2')
  await dialog.getByLabel('Slot').selectOption('1: PETG Plum')
  await expect(dialog.getByText(`${plum.label_code} leaves this slot.`)).toBeVisible()
  await load()
  await expect(dialog).toHaveCount(0)
  expect([await slotsOf(one), await slotsOf(two)]).toEqual([[null], [teal.id, null]])
  await page.close()
})

test('a print started without a spool shows the unbooked filament, and books it on the spool that is loaded later', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.staff)
  const teal = await addSpool(filledShop, 'Teal')
  const printer = await add<Printer>(filledShop, '/api/printers', {
    name: `Bare ${test.info().project.name}`,
    slots: [{ slot: 1, filament_id: null }],
  })
  const item = await add<InventoryItem>(filledShop, '/api/inventory', {
    name: `Bare hook ${test.info().project.name}`,
  })
  const wanted = { inventory_item_id: item.id, quantity: 1, material: 'PETG', estimated_grams: 42 }
  const job = await add<PrintJob>(filledShop, '/api/print-queue', wanted)
  const page = await openAs(filledShop, 'staff')
  await page.goto(`${url}/?tab=print-queue&view=printers&printer=${printer.id}`)
  await page.getByRole('button', { name: `Start on ${printer.name}` }).click()
  const start = page.getByRole('dialog', { name: `Start on ${printer.name}` })
  await start.getByLabel('Job').selectOption({ value: job.id })
  await expect(
    start.getByText(`No spool is loaded in ${printer.name}. Without one, no filament is booked.`),
  ).toBeVisible()
  await start.getByRole('button', { name: 'Start', exact: true }).click()
  const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
  await expect(toast).toContainText('No matching spool is loaded, so 42 g will not be booked.')

  await page.goto(`${url}/?tab=print-queue&job=${job.id}`)
  await expect(page.getByText('No matching spool is loaded, so 42 g will not be booked.')).toBeVisible()
  await page.getByRole('link', { name: 'Load a spool' }).click()
  const load = page.getByRole('dialog', { name: `Load ${printer.name}` })
  await load.getByLabel('Spool').selectOption({ value: teal.id })
  await load.getByRole('button', { name: 'Load', exact: true }).click()
  await expect(load).toHaveCount(0)
  await post(`${url}/api/print-queue/${job.id}/complete`, {}, headers)
  expect(await get<Spool>(`${url}/api/filament/${teal.id}`, headers)).toMatchObject({ remaining_grams: 958 })
  await page.close()
})

test.describe('a slot that changes while a dialog is open', () => {
  test.use({ allowedProblem: /status of 412/ })

  test('a dialog that loads a spool names a change of the slot by another person, and loads the spool anyway if asked', async ({
    filledShop,
    openAs,
    isMobile,
  }) => {
    const { url } = filledShop.product
    const headers = bearer(filledShop.staff.staff)
    const project = test.info().project.name
    const [teal, plum] = [await addSpool(filledShop, 'Teal'), await addSpool(filledShop, 'Plum')]
    const printer = await add<Printer>(filledShop, '/api/printers', {
      name: `Three ${project}`,
      slots: [{ slot: 1, filament_id: null }],
    })
    const holds = async () =>
      (await get<Printer>(`${url}/api/printers/${printer.id}`, headers)).slots[0]?.filament_id
    const somebodyLoads = (spool: Spool | null) =>
      post(`${url}/api/printers/${printer.id}/load`, { slot: 1, filament_id: spool?.id ?? null }, headers)

    const page = await openAs(filledShop, 'staff')
    await page.goto(`${url}/?tab=print-queue&view=printers&printer=${printer.id}`)
    await page.getByRole('button', { name: 'Load slot 1' }).click()
    const dialog = page.getByRole('dialog', { name: `Load ${printer.name}` })
    await dialog.getByLabel('Spool').selectOption({ value: teal.id })
    await somebodyLoads(plum)
    await dialog.getByRole('button', { name: 'Load', exact: true }).click()
    await expect(
      dialog.getByText(`Slot 1 holds ${plum.label_code} (PETG Plum) now. It was changed in the meantime.`),
    ).toBeVisible()
    expect(await holds()).toBe(plum.id)
    await dialog.getByRole('button', { name: 'Load anyway' }).click()
    await expect(dialog).toHaveCount(0)
    expect(await holds()).toBe(teal.id)

    await page.goto(`${url}/?tab=filament&spool=${plum.id}`)
    if (isMobile) await page.getByRole('button', { name: `More for ${plum.label_code}` }).click()
    await page.getByRole(isMobile ? 'menuitem' : 'button', { name: 'Load into a printer' }).click()
    const fromSpool = page.getByRole('dialog', { name: `Load ${plum.label_code}` })
    await fromSpool.getByRole('combobox', { name: 'Printer' }).fill(printer.name)
    await fromSpool.getByRole('option', { name: printer.name }).click()
    await expect(fromSpool.getByText(`${teal.label_code} leaves this slot.`)).toBeVisible()
    await somebodyLoads(null)
    await fromSpool.getByRole('button', { name: 'Load', exact: true }).click()
    await expect(fromSpool.getByText('Slot 1 is empty now. It was changed in the meantime.')).toBeVisible()
    expect(await holds()).toBeNull()
    await fromSpool.getByRole('button', { name: 'Load anyway' }).click()
    await expect(fromSpool).toHaveCount(0)
    expect(await holds()).toBe(plum.id)
    await page.close()
  })
})
