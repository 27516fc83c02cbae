import type { Slice } from '@pegasus/contracts/slices/slices'
import { bearer, get, hireStaff } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { uploadPart } from '../support/model-files.ts'
import { openShop } from '../support/shop.ts'
import { type StaffedShop, test as base } from '../support/staffed-shop.ts'

const test = base.extend<{ shop: StaffedShop }>({
  shop: async ({}, use) => {
    const shop = await openShop()
    await use({ ...shop, staff: await hireStaff(shop.product.url) })
    await shop.close()
  },
})

test('staff enter the printer, nozzle and material that a sliced file does not name', async ({
  shop,
  openAs,
}) => {
  const { url } = shop.product
  const headers = bearer(shop.staff.staff)
  const { id: modelId } = await uploadPart(url, headers, { title: 'Unnamed bracket' })
  const form = new FormData()
  form.append('file', new Blob(['G28\nG1 X1\n']), 'bracket.gcode')
  const address = `${url}/api/stl-files/${modelId}/slices`
  expect((await fetch(address, { method: 'POST', headers, body: form })).status).toBe(201)
  const page = await openAs(shop, 'staff')
  await page.goto(`${url}/?tab=stl-library&model=${modelId}`)
  const row = page.getByRole('listitem').filter({ hasText: 'bracket.gcode' })
  await expect(row).toContainText('The file does not name its material.')
  await row.getByRole('button', { name: 'Edit bracket.gcode' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit bracket.gcode' })
  await dialog.getByLabel('Printer model').fill('Ender 3')
  await dialog.getByLabel('Nozzle').fill('0.6')
  await dialog.getByLabel('Material').fill('PETG')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(row).toContainText('Ender 3 · 0.6 mm nozzle')
  await expect(row).toContainText('PETG')
  expect(await get<Slice[]>(address, headers)).toMatchObject([
    { printer_model: 'Ender 3', nozzle_mm: 0.6, material: 'PETG' },
  ])
})
