import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { Page } from '@playwright/test'
import { bearer, get, post } from '../support/accounts.ts'
import { expect } from '../support/fixtures.ts'
import { test } from '../support/staffed-shop.ts'

// The tests provoke refusals: of a shipment, and of a change after another person's change.
test.use({ allowedProblem: /status of (409|412)/ })

const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

async function choose(page: Page, number: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${number}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('a person can reserve, partly ship, return and cancel an order that was entered by hand, and can undo these steps', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const project = test.info().project.name
  const name = `Order clip ${project}`
  const item = await post<InventoryItem>(
    `${url}/api/inventory`,
    { name, sku: `CLIP-${project}`, quantity: 3, selling_price: 4.5 },
    headers,
  )
  const stock = async () => {
    const { quantity, reserved_quantity } = await get<InventoryItem>(
      `${url}/api/inventory/${item.id}`,
      headers,
    )
    return [quantity, reserved_quantity]
  }
  const number = `HAND-${project}`
  const page = await openAs(filledShop, 'employee')
  await page.goto(`${url}/?tab=orders`)

  await page.getByRole('button', { name: 'New order' }).click()
  const dialog = page.getByRole('dialog', { name: 'New order' })
  await dialog.getByLabel('Customer').fill('Ada Lovelace')
  await dialog.getByLabel('Order number').fill(number)
  await dialog.getByLabel('Shipping').fill('2.50')
  await dialog.getByRole('combobox', { name: 'Items' }).fill(name)
  await expect(dialog.getByRole('option', { name: new RegExp(name) })).toBeVisible()
  await page.keyboard.press('Enter')
  await dialog.getByLabel(`Quantity of ${name}`).fill('0')
  await dialog.getByRole('button', { name: 'Add order' }).click()
  await expect(dialog.getByText(/^Each line needs a whole number/)).toBeVisible()
  await dialog.getByLabel(`Quantity of ${name}`).fill('5')
  await dialog.getByRole('button', { name: 'Add order' }).click()

  await expect(page.getByRole('heading', { name: number })).toBeVisible()
  await expect(page.getByText('$25.00', { exact: true })).toBeVisible()
  await expect(page.getByText('5 ordered = 3 in stock + 2 missing', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Reserve 3 pieces' }).click()
  await toastOf(page).filter({ hasText: '3 pieces reserved' }).getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('5 ordered = 3 in stock + 2 missing', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Reserve 3 pieces' }).click()
  await expect(page.getByText('5 ordered = 3 reserved + 2 missing', { exact: true })).toBeVisible()
  expect(await stock()).toEqual([3, 3])

  await page.getByRole('button', { name: 'Ship', exact: true }).click()
  const shipping = page.getByRole('dialog', { name: `Ship ${number}` })
  const pieces = shipping.getByLabel(`Pieces of ${name}`)
  await expect(pieces).toHaveValue('3')
  await pieces.fill('4')
  await shipping.getByRole('button', { name: 'Ship 4 pieces' }).click()
  await expect(
    shipping.getByText(/only 3 are available for this order\. Nothing was shipped\.$/),
  ).toBeVisible()
  await pieces.fill('2')
  await shipping.getByLabel('Carrier').fill('DHL')
  await shipping.getByLabel('Tracking number').fill('JD01')
  await shipping.getByRole('button', { name: 'Ship 2 pieces' }).click()
  await expect(page.getByText('Shipment 1 · 2 pieces')).toBeVisible()
  await expect(page.getByText('DHL JD01', { exact: true })).toBeVisible()
  expect(await stock()).toEqual([1, 1])
  await toastOf(page).filter({ hasText: 'is shipped' }).getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('5 ordered = 3 reserved + 2 missing', { exact: true })).toBeVisible()
  expect(await stock()).toEqual([3, 3])

  await page.getByRole('button', { name: 'Ship', exact: true }).click()
  const postage = page.getByRole('dialog', { name: `Ship ${number}` }).getByLabel('Postage')
  await postage.fill('3.999')
  await page.getByRole('button', { name: 'Ship 3 pieces' }).click()
  await expect(page.getByText('Amounts in USD have at most 2 decimals.')).toBeVisible()
  await postage.fill('3.90')
  await page.getByRole('button', { name: 'Ship 3 pieces' }).click()
  await expect(page.getByText('5 ordered = 3 shipped + 2 missing', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Add tracking or postage of shipment 2' }).click()
  const tracking = page.getByRole('dialog', { name: 'Tracking and postage of shipment 2' })
  await tracking.getByLabel('Carrier').fill('GLS')
  await tracking.getByLabel('Tracking number').fill('JD02')
  await expect(tracking.getByLabel('Postage')).toHaveValue('3.90')
  await tracking.getByLabel('Postage').fill('4.20')
  await tracking.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('GLS JD02', { exact: true })).toBeVisible()
  await expect(page.getByText('Postage $4.20', { exact: true })).toBeVisible()
  await expect(
    page.getByText(/ − \$4\.20 postage/).or(page.getByText(/^The cost of \d+ shipped/)),
  ).toBeVisible()
  await choose(page, number, 'Take pieces back')
  const back = page.getByRole('dialog', { name: `Return of ${number}` })
  await back.getByLabel(`Pieces of ${name}`).fill('1')
  await back.getByRole('button', { name: 'Take back 1 piece' }).click()
  await expect(page.getByText(/ = 3 shipped \+ 1 in stock \+ 1 missing, 1 returned$/)).toBeVisible()
  expect(await stock()).toEqual([1, 0])
  await page.getByRole('button', { name: `Undo the return of 1 × ${name}` }).click()
  await expect(page.getByText('5 ordered = 3 shipped + 2 missing', { exact: true })).toBeVisible()
  await expect(page.getByText('Return undone', { exact: true })).toBeVisible()
  expect(await stock()).toEqual([0, 0])

  await choose(page, number, 'Hold')
  await expect(page.getByText('On hold', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByText('In progress', { exact: true })).toBeVisible()
  await choose(page, number, 'Cancel order')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click()
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible()
})

test('two people can change the same order without losing either change', async ({ filledShop, openAs }) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const order_number = `EDIT-${test.info().project.name}`
  const { id } = await post<Order>(`${url}/api/orders`, { order_number, customer_name: 'Ada' }, headers)
  const page = await openAs(filledShop, 'employee')
  await page.goto(`${url}/?tab=orders&order=${id}`)
  await choose(page, order_number, 'Edit')
  const dialog = page.getByRole('dialog', { name: `Edit ${order_number}` })
  await dialog.getByLabel('Notes').fill('Ring twice')
  const answer = await fetch(`${url}/api/orders/${id}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify({ customer_email: 'ada@example.com' }),
  })
  expect(answer.status).toBe(200)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Save again' }).click()
  await expect(dialog).toBeHidden()
  expect(await get<Order>(`${url}/api/orders/${id}`, headers)).toMatchObject({
    customer_email: 'ada@example.com',
    notes: 'Ring twice',
  })

  const name = `Shared clip ${test.info().project.name}`
  const item = await post<InventoryItem>(`${url}/api/inventory`, { name, quantity: 3 }, headers)
  const items = [{ sku: item.sku, name, quantity: 3, unit_price: 1 }]
  const shared = await post<Order>(`${url}/api/orders`, { customer_name: 'Ada', items }, headers)
  await page.goto(`${url}/?tab=orders&order=${shared.id}&do=pick`)
  const picking = page.getByRole('dialog', { name: `Pick ${shared.order_number}` })
  await picking.getByLabel(`Pieces of ${name}`).fill('3')
  await picking.getByLabel(`Pieces of ${name}`).press('Enter')
  await expect(picking.getByRole('status').filter({ hasText: 'picked' })).toHaveText('3 of 3 pieces picked')
  const two = { items: [{ line_id: shared.items[0]?.id, quantity: 2 }] }
  await post(`${url}/api/orders/${shared.id}/ship`, two, headers)
  await expect(picking.getByText('2 pieces of this order were shipped in the meantime.')).toBeVisible()
  await expect(picking.getByRole('status').filter({ hasText: 'picked' })).toHaveText('1 of 1 piece picked')
})

test('the page of an order with 1,000 lines shows all lines on request, each with a way to pick it', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const order_number = `LONG-${test.info().project.name}`
  const items = Array.from({ length: 1000 }, (_, at) => ({
    sku: `LONG-${at + 1}`,
    name: `Washer ${at + 1}`,
    quantity: 1,
    unit_price: 0.1,
  }))
  const { id } = await post<Order>(
    `${url}/api/orders`,
    { order_number, customer_name: 'Ada', items },
    headers,
  )
  const page = await openAs(filledShop, 'employee')
  await page.goto(`${url}/?tab=orders&order=${id}`)
  const lines = page.getByRole('list', { name: 'Lines' })
  await expect(lines.getByText('Washer 50', { exact: true })).toBeVisible()
  await expect(lines.getByRole('listitem')).toHaveCount(50)
  await page.getByRole('button', { name: 'Show all 1,000 lines', exact: true }).click()
  await expect(lines.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '1000')
  const last = lines.getByText('Washer 1000', { exact: true })
  await expect(async () => {
    await lines.evaluate((list) => list.scrollIntoView({ block: 'end' }))
    await expect(last).toBeInViewport({ timeout: 300 })
  }).toPass()
  expect(await lines.getByRole('listitem').count()).toBeLessThan(100)

  await page.goto(`${url}/?tab=orders&order=${id}&do=pick`)
  const dialog = page.getByRole('dialog', { name: `Pick ${order_number}` })
  await dialog.getByLabel('Code').fill('LONG-987')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('1 of 1,000 pieces picked')).toBeVisible()
  await expect(dialog.getByLabel('Pieces of Washer 987', { exact: true })).toBeInViewport()
  expect(await dialog.getByRole('listitem').count()).toBeLessThan(60)
  await dialog.getByRole('button', { name: 'Ship 1 piece' }).click()
  await expect(
    page
      .getByRole('dialog', { name: `Ship ${order_number}` })
      .getByRole('listitem')
      .first(),
  ).toBeVisible()
})

test('orders due today are shown above the list, and the palette opens the picking dialog of an order', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const project = test.info().project.name
  const sku = `DUE-${project}`
  const location = `Shelf of ${sku}`
  const item = await post<InventoryItem>(
    `${url}/api/inventory`,
    { name: sku, sku, quantity: 2, location },
    headers,
  )
  const order_number = `LATE-${project}`
  const { id } = await post<Order>(
    `${url}/api/orders`,
    {
      order_number,
      customer_name: 'Grace Hopper',
      due_at: '2020-01-02T12:00:00Z',
      items: [{ sku, name: sku, quantity: 2, unit_price: 1 }],
    },
    headers,
  )
  const page = await openAs(filledShop, 'employee')
  await page.goto(`${url}/?tab=orders`)
  if (project === 'phone') {
    // A phone shows a link to the overdue orders beside the number of orders.
    await page.getByRole('link', { name: /^\d+ overdue/ }).click()
    await expect(page.getByRole('link', { name: new RegExp(order_number) })).toBeVisible()
  } else {
    const due = page.locator('section', { has: page.getByRole('heading', { name: 'To ship today' }) })
    await expect(due.getByRole('link', { name: order_number })).toBeVisible()
    await expect(due.getByText('Overdue', { exact: true }).first()).toBeVisible()
  }
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search everything, or run a command').fill(order_number)
  await page.getByRole('option', { name: `Pick ${order_number}` }).click()
  const dialog = page.getByRole('dialog', { name: `Pick ${order_number}` })
  await dialog.getByRole('button', { name: `One more of ${sku}` }).click()
  // The picked pieces are kept when the dialog is closed and the page is reloaded. The scan dialog opens it again.
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.reload()
  await page.getByRole('button', { name: 'Scan', exact: true }).filter({ visible: true }).click()
  await page.getByRole('dialog', { name: 'Scan' }).getByLabel('Code', { exact: true }).fill(order_number)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Found' }).getByRole('link', { name: 'Pick' }).click()
  await expect(dialog.getByRole('status').filter({ hasText: 'picked' })).toHaveText('1 of 2 pieces picked')
  await expect(dialog.getByText(location, { exact: true })).toBeVisible()
  await dialog.getByLabel('Code').fill(item.label_code)
  await dialog.getByLabel('Code').press('Enter')
  await expect(dialog.getByRole('status').filter({ hasText: 'picked' })).toHaveText('2 of 2 pieces picked')
  await dialog.getByRole('button', { name: 'Ship all' }).click()
  await page.getByRole('button', { name: 'Ship 2 pieces' }).click()
  await expect(page.getByText('2 ordered = 2 shipped', { exact: true })).toBeVisible()
  expect((await get<Order>(`${url}/api/orders/${id}`, headers)).status).toBe('completed')

  const lines = Array.from({ length: 12 }, (_, index) => ({
    sku: `${sku}-${index + 1}`,
    name: `${sku} part ${index + 1}`,
    quantity: index === 11 ? 3 : 1,
    unit_price: 1,
  }))
  const long = await post<Order>(`${url}/api/orders`, { customer_name: 'Ada', items: lines }, headers)
  await page.goto(`${url}/?tab=orders&order=${long.id}&do=pick`)
  const picking = page.getByRole('dialog', { name: `Pick ${long.order_number}` })
  const scan = async (part: number, left: string) => {
    await picking.getByLabel('Code').fill(`${sku}-${part}`)
    await picking.getByLabel('Code').press('Enter')
    await expect(picking.getByText(`${sku} part ${part}: ${left}`)).toBeVisible()
  }
  await scan(12, '2 left')
  await expect(picking.getByRole('listitem').nth(11)).toBeInViewport({ ratio: 1 })
  await scan(1, 'none left')
  await expect(picking.getByRole('listitem').first()).toBeInViewport({ ratio: 1 })
  await scan(12, '1 left')
  // The next scan moves the finished line to the end of the list.
  await expect(
    picking.getByRole('listitem').last().getByText(`${sku} part 1`, { exact: true }),
  ).toBeAttached()
  await picking.getByRole('button', { name: 'Start again' }).click()
  await expect(picking.getByRole('status').filter({ hasText: 'picked' })).toHaveText('0 of 14 pieces picked')
  // Delete the order, because its unknown SKUs would appear in other tests.
  await page.close()
  await fetch(`${url}/api/orders/${long.id}`, {
    method: 'DELETE',
    headers: { ...headers, 'if-match': '*' },
  })
})

test('a person can ship, reserve or print several selected orders together', async ({
  filledShop,
  openAs,
}) => {
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.owner)
  const project = test.info().project.name
  const sku = `BULK-${project}`
  const item = await post<InventoryItem>(`${url}/api/inventory`, { name: sku, sku, quantity: 2 }, headers)
  const numbers = [`${sku}-1`, `${sku}-2`]
  for (const order_number of numbers)
    await post<Order>(
      `${url}/api/orders`,
      { order_number, customer_name: 'Ada', items: [{ sku, name: sku, quantity: 1, unit_price: 3 }] },
      headers,
    )
  const page = await openAs(filledShop, 'employee')
  await page.goto(`${url}/?tab=orders&search=${sku}`)
  await expect(page.getByText('2 orders', { exact: true })).toBeVisible()
  // On a phone, rows have no checkboxes.
  if (project === 'phone') return expect(page.getByRole('checkbox')).toHaveCount(0)
  for (const number of numbers) await page.getByRole('checkbox', { name: `Select ${number}` }).check()
  const bar = page.getByRole('region', { name: 'Selection' })
  await expect(bar.getByText('$6.00')).toBeVisible()
  const download = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Packing slips' }).click()
  expect((await download).suggestedFilename()).toBe('packing-slips.pdf')
  await bar.getByRole('button', { name: 'Ship', exact: true }).click()
  await expect(toastOf(page).filter({ hasText: '2 orders shipped' })).toBeVisible()
  const statuses = async () =>
    (await get<Order[]>(`${url}/api/orders?search=${sku}`, headers)).map(({ status }) => status).toSorted()
  expect(await statuses()).toEqual(['completed', 'completed'])

  // Orders whose action failed are listed one by one and stay selected.
  await post<Order>(
    `${url}/api/orders`,
    {
      order_number: `${sku}-3`,
      customer_name: 'Ada',
      items: [{ sku, name: sku, quantity: 1, unit_price: 3 }],
    },
    headers,
  )
  await expect(page.getByText('3 orders', { exact: true })).toBeVisible()
  // There is one free piece, and another order that is due earlier needs it.
  await post(`${url}/api/inventory/${item.id}/adjust`, { delta: 1, reason: 'Printed' }, headers)
  const due = new Date()
  due.setDate(due.getDate() + 1)
  const lines = [{ sku, name: sku, quantity: 1, unit_price: 3 }]
  const urgent = { order_number: `${sku}-0`, customer_name: 'Eve', due_at: due.toISOString(), items: lines }
  await post<Order>(`${url}/api/orders`, urgent, headers)
  await expect(page.getByText('4 orders', { exact: true })).toBeVisible()
  await page.getByRole('checkbox', { name: `Select ${sku}-3` }).check()
  await bar.getByRole('button', { name: 'Reserve', exact: true }).click()
  await expect(bar.getByText(`is promised to ${sku}-0. ${sku}-0 is due `)).toBeVisible()
  await page.getByRole('checkbox', { name: `Select ${sku}-0` }).check()
  await bar.getByRole('button', { name: 'Reserve', exact: true }).click()
  await expect(toastOf(page).filter({ hasText: '1 order reserved' })).toBeVisible()
  for (const number of [`${sku}-2`, `${sku}-3`])
    await page.getByRole('checkbox', { name: `Select ${number}` }).check()
  const more = async (item: string) => {
    await bar.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  await more('Hold')
  await expect(bar.getByText(`${sku}-2: Order ${sku}-2 is completed.`)).toBeVisible()
  await toastOf(page).filter({ hasText: '1 order put on hold' }).getByRole('button', { name: 'Undo' }).click()
  await expect(toastOf(page).filter({ hasText: '1 order resumed' })).toBeVisible()
  await page.getByRole('checkbox', { name: `Select ${sku}-3` }).check()
  await more('Cancel orders')
  const question = page.getByRole('dialog', { name: 'Cancel 1 order?' })
  await expect(question.getByText(/1 order is completed or cancelled already/)).toBeVisible()
  await question.getByRole('button', { name: 'Cancel 1 order' }).click()
  await expect(toastOf(page).filter({ hasText: '1 order cancelled' })).toBeVisible()
  await expect(bar.getByText(/Book a return of the pieces instead/)).toBeVisible()
  expect(await statuses()).toEqual(['cancelled', 'completed', 'completed', 'in_progress'])
})
