import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import '@/styles/index.css'
import { NewOrderDialog } from './new-order-dialog.tsx'
import { TypedLines } from './typed-lines.tsx'

it('a new order with a due day in the past shows a warning, and one that is due later does not', async () => {
  const screen = await render(
    <Providers>
      <NewOrderDialog newItemAddress="/" onClose={() => undefined} onShow={() => undefined} />
    </Providers>,
  )
  const due = screen.getByLabelText('Due')
  const warning = screen.getByText('This day is in the past: the order will be overdue.')
  await userEvent.fill(due, '2020-01-01')
  await expect.element(warning).toBeVisible()
  await userEvent.fill(due, '2999-01-01')
  await expect.element(warning).not.toBeInTheDocument()
})

it('the fields of an order line have visible labels', async () => {
  const line = { key: 'hook', sku: 'HOOK', name: 'Hook', quantity: '2', price: '5' }
  const screen = await render(
    <Providers>
      <TypedLines lines={[line]} onChange={() => undefined} />
    </Providers>,
  )
  const head = (text: string) => screen.getByText(text, { exact: true })
  await expect.element(head('Quantity')).toBeVisible()
  const leftOf = (element: Element) => Math.round(element.getBoundingClientRect().left)
  expect(leftOf(head('Quantity').element())).toBe(
    leftOf(screen.getByLabelText('Quantity of Hook').element().parentElement!),
  )
  expect(leftOf(head('Price').element())).toBe(
    leftOf(screen.getByLabelText('Price of Hook').element().parentElement!),
  )
})
