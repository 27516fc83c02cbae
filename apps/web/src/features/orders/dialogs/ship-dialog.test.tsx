import type { Order, OrderLine } from '@pegasus/contracts/orders/orders'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { EndOrderDialog } from './end-order-dialog.tsx'
import { ShipDialog } from './ship-dialog.tsx'

/** An order of ten hooks, of which some are shipped with one shipment. All others are in stock. */
const anOrder = (shipped: number): Order => {
  const line: Partial<OrderLine> = {
    id: 'Hook',
    sku: 'Hook',
    name: 'Hook',
    quantity: 10,
    shipped_quantity: shipped,
    reserved_quantity: 0,
    allocated_quantity: 10 - shipped,
    is_ignored: false,
    is_set: false,
    parts: [],
    color_hex: null,
    stl_thumbnail_path: null,
  }
  const order: object = {
    id: 'order',
    order_number: 'PO-1',
    source: 'manual',
    items: [line],
    shipments: shipped > 0 ? [{ number: 1, items: [{ line_id: 'Hook', quantity: shipped }] }] : [],
  }
  return order as Order
}

const dialog = (order: Order) => (
  <Providers>
    <ShipDialog order={order} onClose={() => undefined} />
  </Providers>
)

const browserFetch = window.fetch
const sent: unknown[] = []
beforeEach(() => {
  window.fetch = async (input, init) => {
    if (input === '/api/orders/carriers') return Response.json([])
    if (input !== '/api/orders/order/ship') return browserFetch(input, init)
    sent.push(await new Response(init?.body).json())
    return Response.json({ code: 'order_state', detail: 'Check what is left to ship.' }, { status: 409 })
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

it('pieces that someone else ships while the Ship dialog is open are subtracted, and the dialog says so', async () => {
  const screen = await render(dialog(anOrder(0)))
  await userEvent.fill(screen.getByLabelText('Pieces of Hook'), '5')
  await screen.rerender(dialog(anOrder(3)))
  await expect.element(screen.getByLabelText('Pieces of Hook')).toHaveValue('2')
  await expect
    .element(
      screen.getByText(
        '3 pieces of this order were shipped in the meantime. They are subtracted here. Please check the quantities.',
      ),
    )
    .toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Ship 2 pieces' }))
  await expect.element(screen.getByText('Check what is left to ship.')).toBeVisible()
  expect(sent).toMatchObject([{ items: [{ line_id: 'Hook', quantity: 2 }], last_shipment_number: 1 }])
  const all = anOrder(10)
  await screen.rerender(dialog({ ...all, shipments: all.shipments.map((each) => ({ ...each, number: 2 })) }))
  await expect.element(screen.getByText(/No pieces are left to ship\.$/)).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Ship', exact: true })).toBeDisabled()
})

it('the Ship dialog offers the pieces of a shipment again after someone undoes it', async () => {
  const screen = await render(dialog(anOrder(0)))
  await userEvent.fill(screen.getByLabelText('Pieces of Hook'), '5')
  await screen.rerender(dialog(anOrder(3)))
  await expect.element(screen.getByLabelText('Pieces of Hook')).toHaveValue('2')
  await screen.rerender(dialog(anOrder(0)))
  await expect.element(screen.getByLabelText('Pieces of Hook')).toHaveValue('5')
  await expect.element(screen.getByText(/in the meantime/)).not.toBeInTheDocument()
})

it('the Ship dialog offers the parts of a set one by one, and proposes whole sets', async () => {
  const [hook] = anOrder(0).items
  const part = (id: string, shipped: number, free: number): object => ({
    ...hook,
    id,
    name: id,
    quantity: 4,
    pieces_per_set: 2,
    shipped_quantity: shipped,
    allocated_quantity: free,
  })
  const parts: object[] = [part('Left', 3, 1), part('Right', 0, 3)]
  const order = {
    ...anOrder(0),
    items: [{ ...hook, id: 'Pair', name: 'Pair', quantity: 2, is_set: true, parts }],
  }
  const screen = await render(dialog(order as Order))
  await expect.element(screen.getByLabelText('Pieces of Pair')).not.toBeInTheDocument()
  // One whole set can leave: its left parts are shipped already.
  await expect.element(screen.getByLabelText('Pieces of Left')).toHaveValue('0')
  await expect.element(screen.getByLabelText('Pieces of Right')).toHaveValue('2')
  await userEvent.fill(screen.getByLabelText('Pieces of Left'), '1')
  sent.length = 0
  await userEvent.click(screen.getByRole('button', { name: 'Ship 3 pieces' }))
  await expect.element(screen.getByText('Check what is left to ship.')).toBeVisible()
  expect(sent).toMatchObject([
    {
      items: [
        { line_id: 'Left', quantity: 1 },
        { line_id: 'Right', quantity: 2 },
      ],
    },
  ])
})

it('the Ship dialog offers a report to the shop only for an order that is reported to it', async () => {
  const report = 'Report it to the shop, which informs the customer'
  const order = { ...anOrder(0), source: 'integration' }
  const screen = await render(dialog({ ...order, is_reported_to_shop: false }))
  await expect.element(screen.getByLabelText('Pieces of Hook')).toBeVisible()
  await expect.element(screen.getByLabelText(report)).not.toBeInTheDocument()
  await screen.rerender(dialog({ ...order, is_reported_to_shop: true }))
  await expect.element(screen.getByLabelText(report)).toBeChecked()
})

it('the dialog that completes an order says that the shop is told, if the order is reported to it', async () => {
  const sentence = 'The shop is told that the order is completed.'
  const ending = (isReported: boolean, action: 'cancel' | 'complete') => (
    <Providers>
      <EndOrderDialog
        order={{ ...anOrder(0), is_reported_to_shop: isReported }}
        action={action}
        left={1}
        reserved={0}
        onConfirm={() => undefined}
        onClose={() => undefined}
      />
    </Providers>
  )
  const screen = await render(ending(true, 'complete'))
  await expect.element(screen.getByText(sentence)).toBeVisible()
  await screen.rerender(ending(false, 'complete'))
  await expect.element(screen.getByText('1 piece will not be shipped.')).toBeVisible()
  await expect.element(screen.getByText(sentence)).not.toBeInTheDocument()
  await screen.rerender(ending(true, 'cancel'))
  await expect.element(screen.getByText(/no more pieces are shipped/)).toBeVisible()
  await expect.element(screen.getByText(sentence)).not.toBeInTheDocument()
})

it('the dialog that cancels an order announces the question about its print jobs only if it has some', async () => {
  const order = anOrder(0)
  const dialogOf = (queued: number) => (
    <Providers>
      <EndOrderDialog
        order={{ ...order, items: order.items.map((line) => ({ ...line, queued_quantity: queued })) }}
        action="cancel"
        left={10}
        reserved={0}
        onConfirm={() => undefined}
        onClose={() => undefined}
      />
    </Providers>
  )
  const screen = await render(dialogOf(0))
  await expect.element(screen.getByText(/no more pieces are shipped/)).toBeVisible()
  const question = screen.getByText(/choose what happens to its print jobs/)
  await expect.element(question).not.toBeInTheDocument()
  await screen.rerender(dialogOf(4))
  await expect.element(question).toBeVisible()
})
