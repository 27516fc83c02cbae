import { SHIPMENT_REPORTED_WITHIN_MS } from '@pegasus/contracts/orders/order-changes'
import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../../gallery/providers.tsx'
import { ReportState } from './report-state.tsx'

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
  has_returned_pieces: false,
  told_at: null,
  is_tracking_old_in_shop: false,
  sends_changed_tracking: true,
  is_tracking_due: false,
  tracking_problem: null,
  is_partly_told: false,
  tell_problem: 'Down',
  created_at: new Date(Date.now() - agoMs).toISOString(),
})

const YOUNG = failed(SHIPMENT_REPORTED_WITHIN_MS - MINUTE_MS)
const OLD = failed(SHIPMENT_REPORTED_WITHIN_MS + MINUTE_MS)
const REPORTED = { ...OLD, told_at: new Date().toISOString(), tell_problem: null }

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
  [
    'is followed by the changed tracking',
    { ...REPORTED, is_tracking_old_in_shop: true, is_tracking_due: true },
    true,
    'Reported to the shop. The changed tracking is sent to the shop now.',
  ],
  [
    'is followed by a changed tracking that the shop refuses so far',
    { ...REPORTED, is_tracking_old_in_shop: true, is_tracking_due: true, tracking_problem: 'Down' },
    true,
    'The changed tracking is not yet reported to the shop: Down. The server tries again for up to 30 days after the change.',
  ],
  [
    'has a tracking that only a person can change',
    { ...REPORTED, is_tracking_old_in_shop: true },
    true,
    'Reported to the shop with the earlier tracking. Change it in the shop as well.',
  ],
  ['has succeeded', REPORTED, true, 'Reported to the shop.'],
])('a shipment says that its report %s', async (_, shipment, isReported, text) => {
  const screen = await render(
    <Providers>
      <ReportState shipment={shipment} isReported={isReported} />
    </Providers>,
  )
  await expect.element(screen.getByText(text, { exact: true })).toBeVisible()
})

it('a shipment whose first report to the shop is still due shows no state of the report', async () => {
  const { container } = await render(
    <Providers>
      <ReportState shipment={{ ...YOUNG, tell_problem: null }} isReported />
    </Providers>,
  )
  expect(container.textContent).not.toContain('shop')
})
