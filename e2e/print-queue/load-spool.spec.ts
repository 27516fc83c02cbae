import type { Spool } from '@pegasus/contracts/filament/spools'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { bearer, get, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

test('a person can load a spool into a printer from the page of the spool, which moves it out of another one', async ({
  filledShop,
  openAs,
  isMobile,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.staff)
  const project = test.info().project.name
  const aSpool = (color: string) =>
    post<Spool>(
      `${url}/api/filament`,
      { material: 'PETG', color, brand: project, weight_grams: 1000 },
      headers,
    )
  const aPrinter = (name: string, slots: object[]) =>
    post<Printer>(`${url}/api/printers`, { name: `${name} ${project}`, slots }, headers)
  const [teal, plum] = [await aSpool('Teal'), await aSpool('Plum')]
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
  // The first empty slot is chosen.
  await expect(dialog.getByLabel('Slot')).toHaveValue('2')
  await dialog.getByLabel('Slot').selectOption('1: PETG Plum')
  await expect(dialog.getByText(`${plum.label_code} leaves this slot.`)).toBeVisible()
  await load()
  await expect(dialog).toHaveCount(0)
  expect([await slotsOf(one), await slotsOf(two)]).toEqual([[null], [teal.id, null]])
  await page.close()
  for (const { id } of [one, two]) await fetch(`${url}/api/printers/${id}`, { method: 'DELETE', headers })
  for (const { id } of [teal, plum]) await fetch(`${url}/api/filament/${id}`, { method: 'DELETE', headers })
})
