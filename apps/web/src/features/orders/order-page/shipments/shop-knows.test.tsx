import { SHIPMENT_REPORTED_WITHIN_MS } from '@pegasus/contracts/orders/order-changes'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../../gallery/providers.tsx'
import { ShopKnows } from './shop-knows.tsx'

const MINUTE_MS = 60_000

/** Returns a shipment that was sent some time ago, and whose report failed. */
const failed = (agoMs: number): Order['shipments'][number] => ({
  id: 'parcel',
  number: 1,
  carrier: null,
  tracking_number: null,
  tracking_url: null,
  postage_amount: null,
  items: [{ line_id: 'line', quantity: 2 }],
  told_at: null,
  is_tracking_old_in_shop: false,
  is_partly_told: false,
  tell_problem: 'Down.',
  created_at: new Date(Date.now() - agoMs).toISOString(),
})

const YOUNG = failed(SHIPMENT_REPORTED_WITHIN_MS - MINUTE_MS)
const OLD = failed(SHIPMENT_REPORTED_WITHIN_MS + MINUTE_MS)

it.each([
  [
    'is still repeated',
    YOUNG,
    true,
    'Not yet reported to the shop: Down. The server tries again for up to 30 days after the shipment.',
  ],
  [
    'is not repeated after 30 days',
    OLD,
    true,
    'Not reported to the shop: Down. The server stopped trying after 30 days. Mark the pieces as sent in the shop.',
  ],
  [
    'is not repeated without the shop of the order',
    YOUNG,
    false,
    'Not reported to the shop: Down. The server does not try again, because the shop that is set up now does not know this order.',
  ],
  ['has succeeded', { ...OLD, told_at: new Date().toISOString() }, true, 'Reported to the shop.'],
])('a shipment says that its report %s', async (_, shipment, isReported, text) => {
  const screen = await render(
    <Providers>
      <ShopKnows shipment={shipment} isReported={isReported} />
    </Providers>,
  )
  await expect.element(screen.getByText(text, { exact: true })).toBeVisible()
})

it('a shipment whose first report is still due says nothing', async () => {
  const { container } = await render(
    <Providers>
      <ShopKnows shipment={{ ...YOUNG, tell_problem: null }} isReported />
    </Providers>,
  )
  expect(container.textContent).not.toContain('shop')
})
