import { afterEach, beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { AddJobDialog } from './add-job-dialog.tsx'

const ORDER_ID = '0198c0de-0000-7000-8000-000000000002'

const browserFetch = window.fetch
beforeEach(() => {
  window.fetch = async (input, init) => {
    const { pathname } = new URL(new Request(input).url)
    if (pathname === `/api/orders/${ORDER_ID}`)
      return Response.json({ order_number: 'PO-00007', due_at: '2026-12-24T12:00:00Z' })
    if (pathname.startsWith('/api/')) return Response.json([])
    return browserFetch(input, init)
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

it('a job for an order names the order and is due with it', async () => {
  const request = { itemId: '', modelId: '', orderId: ORDER_ID, quantity: '2' }
  const screen = await render(
    <Providers>
      <AddJobDialog request={request} onClose={() => undefined} onShow={() => undefined} />
    </Providers>,
  )
  const dialog = screen.getByRole('dialog', { name: 'Add Job' })
  await expect.element(dialog.getByText('For order PO-00007')).toBeVisible()
  await expect.element(dialog.getByLabelText('Due')).toHaveValue('2026-12-24')
  await expect.element(dialog.getByLabelText('Quantity')).toHaveValue('2')
})
