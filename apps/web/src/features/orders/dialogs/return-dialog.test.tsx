import type { Order } from '@pegasus/contracts/orders/orders'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { ReturnDialog } from './return-dialog.tsx'

const part = (id: string, shipped: number, returned: number) => ({
  id,
  name: id,
  pieces_per_set: 2,
  shipped_quantity: shipped,
  returned_quantity: returned,
  refunded_quantity: 0,
})

/** Two sets of two left and two right parts, of which one set was refunded. */
const SET: object = {
  id: 'order',
  order_number: 'PO-1',
  items: [
    {
      ...part('Pair', 0, 0),
      quantity: 2,
      refunded_quantity: 1,
      is_set: true,
      parts: [part('Left', 4, 1), part('Right', 1, 0), part('Screw', 0, 0)],
    },
  ],
}

it('the Return dialog offers the shipped parts of a set one by one, with the refunded parts filled in', async () => {
  const screen = await render(
    <Providers>
      <ReturnDialog order={SET as Order} onClose={() => undefined} />
    </Providers>,
  )
  await expect.element(screen.getByLabelText('Pieces of Left')).toHaveValue('1')
  await expect.element(screen.getByText('of 3')).toBeVisible()
  await expect.element(screen.getByLabelText('Pieces of Right')).toHaveValue('1')
  await expect.element(screen.getByLabelText('Pieces of Screw')).not.toBeInTheDocument()
  await expect.element(screen.getByLabelText('Pieces of Pair')).not.toBeInTheDocument()
  await expect.element(screen.getByRole('button', { name: 'Take back 2 pieces' })).toBeEnabled()
})
