import type { Order } from '@pegasus/contracts/orders/orders'
import '@/styles/index.css'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { OrderLink } from './order-link.tsx'

it('the focus ring of an order surrounds its row, and does not cut the line below the number', async () => {
  const order: Partial<Order> = { order_number: 'PO-1' }
  const screen = await render(
    <Providers>
      <div style={{ position: 'relative' }}>
        <OrderLink order={order as Order} to="/" />
        <span>10 pieces of 1 item</span>
      </div>
    </Providers>,
  )
  await userEvent.keyboard('{Tab}')
  const link = screen.getByRole('link', { name: 'PO-1' })
  await expect.element(link).toHaveFocus()
  expect(getComputedStyle(link.element()).outlineStyle).toBe('none')
  const ring = getComputedStyle(link.element(), '::after')
  expect([ring.outlineStyle, ring.outlineWidth, ring.outlineOffset]).toEqual(['solid', '2px', '-2px'])
})
