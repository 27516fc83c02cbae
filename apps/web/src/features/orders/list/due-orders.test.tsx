import { afterEach, beforeEach, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { DueOrders } from './due-orders.tsx'

/** A due order, the most overdue first. The object has only the fields that the card reads. */
const anOrder = (index: number, isOverdue: boolean) => ({
  id: `order-${index}`,
  order_number: `PO-${index}`,
  customer_name: 'Ann',
  status: 'pending',
  due_at: new Date(Date.UTC(2026, 10, 1, 0, index)).toISOString(),
  is_overdue: isOverdue,
  items: [],
})

const browserFetch = window.fetch
let overdue: number
beforeEach(() => {
  window.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(new Request(input).url)
    if (pathname !== '/api/orders') return browserFetch(input, init)
    const isCount = searchParams.get('limit') === '1'
    const orders = Array.from({ length: isCount ? 1 : 50 }, (_, index) => anOrder(index, index < overdue))
    return Response.json(orders, { headers: { 'x-total-count': isCount ? String(overdue) : '60' } })
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

const card = () => (
  <Providers>
    <DueOrders listAddress="/orders?due=today" addressOf={(id) => `/orders/${id}`} nowMs={0} />
  </Providers>
)

it('the card To ship today counts all due orders, also those that are not loaded', async () => {
  overdue = 3
  const screen = await render(card())
  await expect.element(screen.getByText('3 overdue, 57 due today')).toBeVisible()
})

it('the card To ship today counts all overdue orders if no loaded order is due later, and links to all', async () => {
  overdue = 55
  const screen = await render(card())
  await expect.element(screen.getByText('55 overdue, 5 due today')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Show 47 more orders' }))
  await expect
    .element(screen.getByRole('link', { name: 'Show all 60 orders' }))
    .toHaveAttribute('href', '/orders?due=today')
})
