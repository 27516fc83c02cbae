import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { bearer, get, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

// A test provokes a refusal, because another person has changed the order first.
test.use({ allowedProblem: /status of 412/ })

test('after an order was cancelled elsewhere, its page says how many print jobs still wait for it, and offers to cancel them', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const name = `Waiting clip ${test.info().project.name}`
  const item = await post<InventoryItem>(`${url}/api/inventory`, { name }, headers)
  const items = [{ sku: item.sku, name, quantity: 3, unit_price: 1 }]
  const order = await post<Order>(`${url}/api/orders`, { customer_name: 'Ada', items }, headers)
  const job = { inventory_item_id: item.id, order_id: order.id, quantity: 1 }
  const jobs = [
    await post<PrintJob>(`${url}/api/print-queue`, job, headers),
    await post<PrintJob>(`${url}/api/print-queue`, job, headers),
  ]
  const page = await openAs(filledShop, 'employee')
  await page.goto(`${url}/?tab=orders&order=${order.id}`)
  await expect(page.getByRole('heading', { name: order.order_number })).toBeVisible()
  await post(`${url}/api/orders/${order.id}/cancel`, {}, headers)
  const note = page.getByText('2 print jobs still wait for this order', { exact: true })
  await expect(note).toBeVisible()
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel 2 print jobs too?' })
  await dialog.getByRole('button', { name: 'Keep in the queue' }).click()
  await expect(note).toBeVisible()
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await dialog.getByRole('button', { name: 'Cancel 2 print jobs' }).click()
  await expect(note).toBeHidden()
  await expect(dialog).toBeHidden()
  for (const { id } of jobs)
    expect(await get<PrintJob>(`${url}/api/print-queue/${id}`, headers)).toMatchObject({
      status: 'cancelled',
    })
})

test('a dialog whose order another person has changed keeps the typed values, and saves them at the second attempt', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const project = test.info().project.name
  const [hook, tray, lid, peg] = ['Hook', 'Tray', 'Lid', 'Peg'].map((name) => `${name} ${project}`)
  if (!hook || !tray || !lid || !peg) throw new Error('A name is missing.')
  for (const name of [hook, tray, lid, peg])
    await post<InventoryItem>(`${url}/api/inventory`, { name, sku: name, quantity: 1 }, headers)
  const line = (name: string, quantity: number, unit_price = 2) => ({ sku: name, name, quantity, unit_price })
  const items = [line(hook, 1), line(tray, 1), line(peg, 1)]
  const order = await post<Order>(`${url}/api/orders`, { customer_name: 'Ada', items }, headers)
  const page = await openAs(filledShop, 'employee')
  await page.goto(`${url}/?tab=orders&order=${order.id}`)
  await page.getByRole('button', { name: `More for ${order.order_number}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Change lines', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Lines of ${order.order_number}` })
  await dialog.getByLabel(`Quantity of ${hook}`).fill('5')
  await dialog.getByLabel(`Quantity of ${tray}`).fill('6')
  await dialog.getByLabel(`Price of ${peg}`).fill('9')
  const theirs = { items: [line(hook, 1, 3), line(tray, 4), line(peg, 1), line(lid, 2)] }
  const answer = await fetch(`${url}/api/orders/${order.id}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify(theirs),
  })
  expect(answer.status).toBe(200)
  const pegLine = order.items.find(({ sku }) => sku === peg)
  await post(
    `${url}/api/orders/${order.id}/ship`,
    { items: [{ line_id: pegLine?.id, quantity: 1 }] },
    headers,
  )
  await dialog.getByRole('button', { name: 'Save lines' }).click()
  await expect(dialog.getByText('Somebody else has changed this in the meantime.')).toBeVisible()
  const said = (text: string) => dialog.getByRole('listitem').filter({ hasText: text })
  await expect(said(`${hook} is now “1 piece at $3.00”`)).toBeVisible()
  await expect(said(`${tray} is now “4 pieces at $2.00”, but you entered another value`)).toBeVisible()
  await expect(said(`${lid} is now “2 pieces at $2.00”`)).toBeVisible()
  await expect(
    said(`Pieces of ${peg} were shipped in the meantime, so your new price is not used.`),
  ).toBeVisible()
  await expect(dialog.getByLabel(`Quantity of ${hook}`)).toHaveValue('5')
  await expect(dialog.getByLabel(`Price of ${hook}`)).toHaveValue('3')
  await expect(dialog.getByLabel(`Quantity of ${tray}`)).toHaveValue('6')
  await dialog.getByRole('button', { name: 'Use that' }).click()
  await expect(dialog.getByLabel(`Quantity of ${tray}`)).toHaveValue('4')
  await dialog.getByRole('button', { name: 'Save again' }).click()
  await expect(dialog).toBeHidden()
  expect(await get<Order>(`${url}/api/orders/${order.id}`, headers)).toMatchObject({
    items: [line(hook, 5, 3), line(tray, 4), line(peg, 1), line(lid, 2)],
    total_amount: 29,
  })
  await post(`${url}/api/orders/${order.id}/cancel`, {}, headers)
})
