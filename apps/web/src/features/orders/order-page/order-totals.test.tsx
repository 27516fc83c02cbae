import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { OrderTotals } from './order-totals.tsx'

/** An order of one piece for $5 with a total of $7. */
const anOrder = (source: string): Order => {
  const order: object = {
    source,
    currency: 'USD',
    items: [{ quantity: 1, refunded_quantity: 0, unit_price: 5 }],
    shipping_amount: null,
    tax_amount: null,
    discount_amount: null,
    surcharge_amount: null,
    kept_amount: null,
    fee_amount: null,
    total_amount: 7,
  }
  return order as Order
}

it('for an order that a person entered, an unexplained difference in the total does not mention a shop', async () => {
  const screen = await render(<OrderTotals order={anOrder('manual')} />)
  await expect.element(screen.getByText('Not explained by the amounts above')).toBeVisible()
  await expect.element(screen.getByText(/shop/)).not.toBeInTheDocument()
  await screen.rerender(<OrderTotals order={anOrder('main_site')} />)
  await expect.element(screen.getByText('Not explained by the shop')).toBeVisible()
})

it('money kept from refunds is shown below the total, because the surcharges include it', async () => {
  const order = { ...anOrder('main_site'), surcharge_amount: 2, kept_amount: 2 } as Order
  const { container } = await render(<OrderTotals order={order} />)
  const names = [...container.querySelectorAll('dt')].map((name) => name.textContent)
  expect(names).toEqual(['Lines', 'Surcharges', 'Total', 'Kept from refunds'])
})

it('the rows above the total of an order show how the total follows from its lines', async () => {
  const items = [{ quantity: 3, refunded_quantity: 0, unit_price: 2.3 }]
  const amounts = { shipping_amount: 4.9, tax_amount: 1, discount_amount: 1, total_amount: 11.8 }
  const order = { ...anOrder('main_site'), items, ...amounts } as Order
  const { container } = await render(<OrderTotals order={order} />)
  const rows = [...container.querySelectorAll('dt')].map((name) => [
    name.textContent,
    name.nextElementSibling?.textContent.replace('−', '-'),
  ])
  expect(rows).toEqual([
    ['Lines', '$6.90'],
    ['Shipping', '$4.90'],
    ['Tax', '$1.00'],
    ['Discount', '-$1.00'],
    ['Total', '$11.80'],
  ])
})

it('the amounts of an order are shown in its own currency', async () => {
  const order = { ...anOrder('main_site'), currency: 'EUR', shipping_amount: 2 } as Order
  const { container } = await render(<OrderTotals order={order} />)
  expect([...container.querySelectorAll('dd')].map((amount) => amount.textContent)).toEqual([
    '€5.00',
    '€2.00',
    '€7.00',
  ])
})
