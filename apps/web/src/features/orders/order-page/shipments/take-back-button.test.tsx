import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../../gallery/providers.tsx'
import { TakeBackButton } from './take-back-button.tsx'

const SHIPMENT: Order['shipments'][number] = {
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
  tell_problem: 'The shop holds back pieces of this parcel. Please release them there.',
  created_at: new Date().toISOString(),
}

it('taking back a shipment that was reported in part asks first, and says what the shop keeps showing', async () => {
  const takenBack: string[] = []
  const actions = {
    isPending: false,
    takeShipmentBack: ({ id }: { id: string }) => void takenBack.push(id),
  }
  const button = (shipment: typeof SHIPMENT) => (
    <Providers>
      <TakeBackButton shipment={shipment} actions={actions} />
    </Providers>
  )
  const screen = await render(button({ ...SHIPMENT, is_partly_told: true }))
  const name = 'Undo shipment 1'
  await userEvent.click(screen.getByRole('button', { name }))
  await expect
    .element(
      screen.getByText(/A part of this shipment was reported to the shop\. The shop keeps showing that part/),
    )
    .toBeVisible()
  expect(takenBack).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Undo shipment', exact: true }))
  expect(takenBack).toEqual(['parcel'])
  // A shipment that was not reported to the shop is undone without a question.
  await screen.rerender(button(SHIPMENT))
  await userEvent.click(screen.getByRole('button', { name }))
  expect(takenBack).toEqual(['parcel', 'parcel'])
})

it('a shipment whose pieces came back cannot be undone, and says why', async () => {
  const actions = { isPending: false, takeShipmentBack: () => undefined }
  const screen = await render(
    <Providers>
      <TakeBackButton shipment={{ ...SHIPMENT, has_returned_pieces: true }} actions={actions} />
    </Providers>,
  )
  await expect.element(screen.getByText('Pieces came back, so it cannot be undone.')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Undo shipment 1' })).not.toBeInTheDocument()
})
