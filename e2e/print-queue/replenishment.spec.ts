import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Page } from '@playwright/test'
import { bearer, get, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { type FilledShop, test } from '../support/staffed-shop.ts'

const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

/** Adds an item with a proposal from last night: it has three of ten pieces, and a plate prints four. */
async function aProposedItem(shop: FilledShop, name: string): Promise<InventoryItem> {
  const item = await post<InventoryItem>(
    `${shop.product.url}/api/inventory`,
    { name, quantity: 3, reorder_point: 5, max_stock: 10, stl_file_id: shop.model.id, pieces_per_print: 4 },
    bearer(shop.staff.staff),
  )
  await shop.database.transaction(
    (tx) => tx`
      insert into replenishment_proposals (id, item_id, state, missing, proposed_at)
      values (gen_random_uuid(), ${item.id}, 'open', 7, now())`,
  )
  return item
}

test('a person can accept, change or dismiss a nightly proposal, and only accepting it queues a job', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.staff)
  const project = test.info().project.name
  const names = [`Night dragon ${project}`, `Night egg ${project}`, `Night nest ${project}`] as const
  const items: InventoryItem[] = []
  // Dismiss the proposals that other tests may have left.
  const address = `${url}/api/inventory/replenishment/proposals`
  const { proposals } = await get<{ proposals: { id: string }[] }>(address, headers)
  if (proposals.length > 0) await post(`${address}/dismiss`, { ids: proposals.map(({ id }) => id) }, headers)
  for (const name of names) items.push(await aProposedItem(filledShop, name))
  const [dragon, egg, nest] = names
  const jobsOf = ({ id }: InventoryItem) =>
    get<PrintJob[]>(`${url}/api/print-queue?inventory_item_id=${id}`, headers)

  const page = await openAs(filledShop, 'staff')
  await page.goto(`${url}/?tab=print-queue`)
  await page.getByRole('link', { name: '3 items to replenish' }).click()
  await expect(page.getByRole('heading', { name: 'Replenishment', level: 1 })).toBeVisible()
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await expect(row(dragon)).toContainText('10 wanted − 3 on the shelf = 7 → 2 plates of 4 → 1 to stock')
  for (const item of items) expect(await jobsOf(item)).toEqual([])

  await page.getByRole('button', { name: `Accept ${dragon}` }).click()
  await expect(toastOf(page)).toContainText('Queued 1 print')
  await expect(row(dragon)).toHaveCount(0)
  expect(await jobsOf(items[0]!)).toMatchObject([{ quantity: 7, plates: 2 }])

  const pieces = page.getByLabel(`Pieces of ${egg}`)
  await pieces.fill('none')
  await expect(page.getByRole('button', { name: `Accept ${egg}` })).toBeDisabled()
  // A comma separates thousands, as in the other number fields.
  await pieces.fill('1,000')
  await expect(pieces).toHaveAttribute('aria-invalid', 'false')
  await pieces.fill('4')
  await pieces.press('Enter')
  await expect(row(egg)).toHaveCount(0)
  expect(await jobsOf(items[1]!)).toMatchObject([{ quantity: 4, plates: 1 }])

  await page.getByRole('button', { name: `Dismiss ${nest}` }).click()
  await expect(page.getByRole('heading', { name: 'Nothing is proposed' })).toBeVisible()
  await toastOf(page).getByRole('button', { name: 'Undo' }).click()
  await expect(row(nest)).toBeVisible()
  await page.getByRole('button', { name: `Dismiss ${nest}` }).click()
  await expect(row(nest)).toHaveCount(0)
  expect(await jobsOf(items[2]!)).toEqual([])

  const admin = await openAs(filledShop, 'admin')
  await admin.goto(`${url}/?tab=print-queue&view=replenishment`)
  await admin.getByLabel('Propose each night').selectOption('After 04:00')
  await expect(toastOf(admin)).toContainText('The hour is saved.')
  await page.reload()
  await expect(page.getByText(/^Each night after 04:00/)).toBeVisible()
  for (const { id } of items) await fetch(`${url}/api/inventory/${id}`, { method: 'DELETE', headers })
})

test('a person can request the proposals at once, and the page says if there is nothing new', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.staff)
  const name = `Low dragon ${test.info().project.name}`
  const body = {
    name,
    quantity: 3,
    reorder_point: 5,
    max_stock: 10,
    stl_file_id: filledShop.model.id,
    pieces_per_print: 4,
  }
  const page = await openAs(filledShop, 'staff')
  await page.goto(`${url}/?tab=print-queue&view=replenishment`)
  const propose = page.getByRole('button', { name: 'Propose now' })
  // Propose the low items of other tests first, so that the click finds nothing new.
  await post(`${url}/api/inventory/replenishment/proposals`, {}, headers)
  await page.reload()
  await propose.click()
  await expect(page.getByRole('status').filter({ hasText: 'There is nothing new to propose' })).toBeVisible()
  const item = await post<InventoryItem>(`${url}/api/inventory`, body, headers)
  await propose.click()
  await expect(toastOf(page)).toContainText('1 item proposed')
  await expect(page.getByText('There is nothing new to propose')).toHaveCount(0)
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText(
    '10 wanted − 3 on the shelf',
  )
  await fetch(`${url}/api/inventory/${item.id}`, { method: 'DELETE', headers })
})
