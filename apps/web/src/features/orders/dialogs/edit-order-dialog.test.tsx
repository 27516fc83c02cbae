import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { EditOrderDialog } from './edit-order-dialog.tsx'

const WARNING = 'This day is in the past: the order will be overdue.'

const anOrder = (status: Order['status']) =>
  ({
    id: '0198c0de-0000-7000-8000-000000000001',
    revision: 1,
    order_number: 'PO-1',
    status,
    customer_name: 'Ada',
    customer_email: null,
    shipping_address: null,
    currency: 'USD',
    total_amount: 20,
    shipping_amount: null,
    surcharge_amount: null,
    kept_amount: null,
    tax_amount: null,
    discount_amount: null,
    fee_amount: null,
    due_at: '2021-01-01T12:00:00Z',
    notes: null,
    shipments: [],
    items: [],
  }) as unknown as Order

const dialog = (status: Order['status']) => (
  <Providers>
    <EditOrderDialog order={anOrder(status)} onClose={() => undefined} />
  </Providers>
)

it('an open order that gets a due day in the past shows a warning, and one that is due later does not', async () => {
  const screen = await render(dialog('pending'))
  const due = screen.getByLabelText('Due')
  const warning = screen.getByText(WARNING)
  await expect.element(due).toHaveValue('2021-01-01')
  await expect.element(warning).not.toBeInTheDocument()
  await userEvent.fill(due, '2020-01-01')
  await expect.element(warning).toBeVisible()
  await userEvent.fill(due, '2999-01-01')
  await expect.element(warning).not.toBeInTheDocument()
})

it('a completed order is never overdue, so its due day has no warning', async () => {
  const screen = await render(dialog('completed'))
  await userEvent.fill(screen.getByLabelText('Due'), '2020-01-01')
  await expect.element(screen.getByLabelText('Due')).toHaveValue('2020-01-01')
  await expect.element(screen.getByText(WARNING)).not.toBeInTheDocument()
})
