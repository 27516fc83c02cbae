import type { Slice } from '@pegasus/contracts/slices/slices'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { gcode3mfOf } from '../../packages/mesh/test/gcode-tools.ts'
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

test('if a person says that one piece needs all plates of a file, its weight and its jobs include all of them', async ({
  shop,
  openAs,
}) => {
  const { url } = shop.product
  const headers = bearer(shop.staff.staff)
  const { id: modelId } = await uploadPart(url, headers, { title: 'Dragon' })
  const bytes = gcode3mfOf([
    { part: 'head', grams: 10, minutes: 30 },
    { part: 'body', grams: 30, minutes: 150 },
    { part: 'tail', grams: 20, minutes: 60 },
  ])
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'dragon.gcode.3mf')
  const address = `${url}/api/stl-files/${modelId}/slices`
  expect((await fetch(address, { method: 'POST', headers, body: form })).status).toBe(201)

  const page = await openAs(shop, 'staff')
  await page.goto(`${url}/?tab=stl-library&model=${modelId}`)
  const question = page.getByLabel('Does one piece need all 3 plates of dragon.gcode.3mf?')
  await expect(question).toHaveValue('open')
  await expect(page.getByText('a job prints one plate, and the cost counts one plate.')).toBeVisible()
  await expect(page.getByLabel('Pieces on dragon.gcode.3mf, plate 2')).toBeVisible()
  await question.selectOption({ label: 'Yes, one piece needs all plates' })
  await expect(page.getByText('All plates together: 60 g · 4 h 00 min.')).toBeVisible()
  await expect(page.getByText('One piece of dragon.gcode.3mf, with all 3 plates of the file.')).toBeVisible()
  await expect(page.getByLabel('Pieces on dragon.gcode.3mf, plate 2')).toBeHidden()
  await expect(page.getByLabel('Pieces on dragon.gcode.3mf')).toHaveValue('1')
  const slices = await get<Slice[]>(address, headers)
  expect(slices.map((slice) => slice.needs_all_plates)).toEqual([true, true, true])

  const added = await fetch(`${url}/api/print-queue`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ stl_file_id: modelId, quantity: 1 }),
  })
  const job = (await added.json()) as PrintJob
  expect(job).toMatchObject({ estimated_grams: 60, estimated_minutes: 240 })
  await page.goto(`${url}/?tab=print-queue&job=${job.id}`)
  await expect(page.getByText('One piece needs all 3 plates of its sliced file.')).toBeVisible()
})
