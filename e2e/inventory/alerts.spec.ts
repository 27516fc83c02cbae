import { expect } from '../support/fixtures.ts'
import { bearer, post } from '../support/accounts.ts'
import { test } from '../support/staffed-shop.ts'

test('an item at its reorder point causes one alert, which links to the item', async ({
  filledShop,
  openAs,
}) => {
  test.setTimeout(90_000)
  const { url } = filledShop.product
  const headers = bearer(filledShop.staff.staff)
  const addItem = (name: string) =>
    post<{ id: string }>(`${url}/api/inventory`, { name, quantity: 6, reorder_point: 5 }, headers)
  const takeOne = ({ id }: { id: string }) =>
    post(`${url}/api/inventory/${id}/adjust`, { delta: -1 }, headers)
  // Turn off the alerts about orders. The shop's orders can become due at any time, and their alerts would be counted.
  const off = { in_app: false, by_mail: false }
  const change = await fetch(`${url}/api/alerts/preferences`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify({ new_order: off, order_overdue: off, order_cancelled: off }),
  })
  expect(change.status).toBe(200)
  const page = await openAs(filledShop, 'staff')
  await page.goto('/')
  const bell = page.getByRole('button', { name: /^Alerts/ }).filter({ visible: true })
  const inbox = page.getByRole('dialog', { name: 'Alerts' })
  // Name the list, because the dialog also has the list "Needs you now", which may contain the same items.
  const alerts = inbox.getByRole('list', { name: 'Alerts', exact: true })
  const alertOf = (name: string) => alerts.getByRole('listitem').filter({ hasText: name })

  // When this alert has arrived, all earlier alerts have arrived as well.
  await takeOne(await addItem('Hook of yesterday'))
  await expect(bell).toHaveAccessibleName(/unread$/)
  await bell.click()
  await expect(alertOf('Hook of yesterday')).toBeVisible()
  await inbox.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(inbox.getByText('Nothing unread')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(bell).toBeFocused()
  await expect(bell).toHaveAccessibleName('Alerts')

  const bracket = await addItem('Bracket for the bell')
  await takeOne(bracket)
  await expect(bell).toHaveAccessibleName(/unread$/)
  await takeOne(bracket)
  await takeOne(await addItem('Clapper'))
  await bell.click()
  // When this alert has arrived, all earlier alerts have arrived as well.
  await expect(alertOf('Clapper')).toBeVisible()
  await expect(alertOf('Bracket for the bell')).toHaveCount(1)
  await expect(alertOf('Bracket for the bell')).toContainText('5 left, reorder at 5')
  const unread = await alerts.getByRole('button', { name: /^Mark .* as read$/ }).count()
  await expect(inbox.getByText(`${unread} unread alerts`)).toBeVisible()
  await alerts.getByRole('button', { name: 'Mark Clapper as read' }).click()
  await expect(inbox.getByText(new RegExp(`^${unread - 1} unread alerts?$`))).toBeVisible()
  await expect(alerts.getByRole('link', { name: /Clapper/ })).toBeFocused()

  // The person turns off a kind of alert here, and it stays off.
  await inbox.getByRole('button', { name: 'Alert settings' }).click()
  const mail = inbox.getByRole('switch', { name: 'Print job failed: By email' })
  await mail.click()
  await expect(mail).toBeChecked()
  await expect(async () => {
    const answer = await fetch(`${url}/api/alerts/preferences`, { headers })
    expect(JSON.stringify(await answer.json())).toContain(
      '"job_failed":{"in_app":true,"by_mail":true,"by_push":true}',
    )
  }).toPass()
  await mail.click()
  await expect(mail).not.toBeChecked()

  await alerts.getByRole('link', { name: /Bracket for the bell/ }).click()
  await expect(page).toHaveURL(new RegExp(`tab=inventory&item=${bracket.id}`))
  await expect(inbox).toBeHidden()
  await expect(bell).toHaveAccessibleName(unread > 2 ? `Alerts, ${unread - 2} unread` : 'Alerts')
})
