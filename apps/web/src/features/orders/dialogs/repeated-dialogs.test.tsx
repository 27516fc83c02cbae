import type { Order } from '@pegasus/contracts/orders/orders'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { ReserveDialog } from './reserve-dialog.tsx'
import { ReturnDialog } from './return-dialog.tsx'

const ORDER: object = {
  id: 'order',
  order_number: 'PO-1',
  items: [
    {
      id: 'Hook',
      name: 'Hook',
      sku: 'Hook',
      quantity: 9,
      shipped_quantity: 3,
      returned_quantity: 0,
      refunded_quantity: 0,
      reserved_quantity: 3,
      allocated_quantity: 3,
      is_set: false,
      parts: [],
    },
  ],
}

const browserFetch = window.fetch
let keys: (string | null)[] = []
beforeEach(() => {
  keys = []
  window.fetch = async (input, init) => {
    const isMeant = typeof input === 'string' && /^\/api\/orders\/order\/(return|reserve|release)/.test(input)
    if (!isMeant) return browserFetch(input, init)
    keys.push(new Headers(init?.headers).get('idempotency-key'))
    // The server has booked the pieces, but its response is lost.
    return Response.json({ code: 'unavailable', detail: 'No answer.' }, { status: 503 })
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

const order = ORDER as Order
const onClose = () => undefined

it.each([
  ['Return', 'Take back 1 piece', <ReturnDialog key="return" order={order} onClose={onClose} />],
  [
    'Reserve',
    'Reserve 1 piece',
    <ReserveDialog key="reserve" order={order} direction="reserve" onClose={onClose} />,
  ],
  [
    'Release',
    'Release 1 piece',
    <ReserveDialog key="release" order={order} direction="release" onClose={onClose} />,
  ],
] satisfies [string, string, ReactElement][])(
  'the %s dialog repeats a request whose response was lost with the same key, so that it is booked once',
  async (_, label, dialog) => {
    const screen = await render(<Providers>{dialog}</Providers>)
    await userEvent.fill(screen.getByLabelText('Pieces of Hook'), '1')
    for (const sent of [1, 2]) {
      await userEvent.click(screen.getByRole('button', { name: label }))
      await expect.poll(() => keys).toHaveLength(sent)
    }
    expect(keys[0]).toMatch(/\S{10}/)
    expect(keys[1]).toBe(keys[0])
  },
)
