import '@/styles/index.css'
import type { Order, OrderLine } from '@pegasus/contracts/orders/orders'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { setEntryOwner } from '@/lib/session/account-entry.ts'
import { Providers } from '../../../../gallery/providers.tsx'
import { subtractShipped } from '@/components/picking/kept-picks.ts'
import { PickDialog } from './pick-dialog.tsx'

const aLine = (id: string, quantity: number, shipped: number): Partial<OrderLine> => ({
  id,
  sku: id,
  name: id,
  quantity,
  inventory_item_id: null,
  is_set: false,
  parts: [],
  shipped_quantity: shipped,
  color_hex: null,
  stl_thumbnail_path: null,
})

const aShipment = (number: number, hooks: number, trays: number): object => ({
  number,
  items: [
    { line_id: 'Hook', quantity: hooks },
    { line_id: 'Tray', quantity: trays },
  ],
})

/** An order of ten hooks and two trays, of which some are shipped with one shipment. */
const anOrder = ({ hooks = 0, trays = 0, shipment = 1 } = {}): Order => {
  const order: object = {
    id: 'order',
    order_number: 'PO-1',
    items: [aLine('Hook', 10, hooks), aLine('Tray', 2, trays)],
    shipments: hooks + trays > 0 ? [aShipment(shipment, hooks, trays)] : [],
  }
  return order as Order
}

const dialog = (order: Order) => (
  <Providers>
    <PickDialog order={order} onClose={() => undefined} onPicked={() => undefined} />
  </Providers>
)

/** Counts four hooks and a tray by hand, and closes the dialog. */
async function pickFive(): Promise<void> {
  const screen = await render(dialog(anOrder()))
  await userEvent.fill(screen.getByLabelText('Pieces of Hook'), '4')
  await userEvent.keyboard('{Enter}')
  await userEvent.click(screen.getByRole('button', { name: 'One more of Tray' }))
  await expect.element(screen.getByText('5 of 12 pieces picked')).toBeVisible()
  await screen.unmount()
}

const browserFetch = window.fetch

beforeEach(() => {
  setEntryOwner('somebody')
  // The simulated server knows no location of an item, and finds no item for a code.
  window.fetch = async (input, init) => {
    if (input === '/api/orders/order/locations') return Response.json([])
    if (typeof input === 'string' && input.startsWith('/api/scan?')) return Response.json({ found: null })
    return browserFetch(input, init)
  }
})
afterEach(() => {
  setEntryOwner(null)
  window.fetch = browserFetch
})

it('the pick dialog subtracts pieces that another device has shipped from an unfinished pick, and says so', async () => {
  await pickFive()
  const screen = await render(dialog(anOrder({ hooks: 3 })))
  await expect.element(screen.getByText('2 of 9 pieces picked')).toBeVisible()
  await expect.element(screen.getByLabelText('Pieces of Hook')).toHaveValue('1')
  await expect
    .element(
      screen.getByText(
        '3 pieces of this order were shipped in the meantime. 3 picked pieces are no longer counted. Please check what you have picked.',
      ),
    )
    .toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Ship 2 pieces' })).toBeEnabled()
  // The next count starts from the reduced number, and so does a dialog that is opened later.
  await userEvent.click(screen.getByRole('button', { name: 'One more of Hook' }))
  await screen.unmount()
  const again = await render(dialog(anOrder({ hooks: 3 })))
  await expect.element(again.getByText('3 of 9 pieces picked')).toBeVisible()
  await expect.element(again.getByText(/shipped in the meantime/)).not.toBeInTheDocument()
})

it('a shipment from this browser removes only its own pieces from the unfinished pick', async () => {
  await pickFive()
  subtractShipped(anOrder({ hooks: 4 }))
  const screen = await render(dialog(anOrder({ hooks: 4 })))
  await expect.element(screen.getByText('1 of 8 pieces picked')).toBeVisible()
  await expect.element(screen.getByText(/shipped in the meantime/)).not.toBeInTheDocument()
})

it('shipped pieces do not count as picked again after their shipment is undone, and the next shipment is subtracted too', async () => {
  await pickFive()
  const screen = await render(dialog(anOrder({ hooks: 3 })))
  await expect.element(screen.getByText('2 of 9 pieces picked')).toBeVisible()
  await screen.rerender(dialog(anOrder()))
  await expect.element(screen.getByText('2 of 12 pieces picked')).toBeVisible()
  await expect.element(screen.getByText(/^3 pieces of this order were shipped in the meantime/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'One more of Hook' }))
  await screen.unmount()
  // The next shipment has as many pieces of the line as the undone shipment had.
  const again = await render(dialog(anOrder({ hooks: 3, shipment: 2 })))
  await expect.element(again.getByText('1 of 9 pieces picked')).toBeVisible()
})

it('a pick starts from zero if a line of the order has fewer pieces than were picked', async () => {
  await pickFive()
  const order = anOrder()
  const screen = await render(
    dialog({ ...order, items: order.items.map((line) => ({ ...line, quantity: 2 })) }),
  )
  await expect.element(screen.getByText('0 of 4 pieces picked')).toBeVisible()
  await expect.element(screen.getByText(/The order has changed since it was last picked/)).toBeVisible()
})

it("scanning the shop's SKU counts a piece of its line if the item has another SKU", async () => {
  const order = anOrder()
  const items = order.items.map((line) => ({ ...line, inventory_item_id: `item of ${line.id}` }))
  const screen = await render(dialog({ ...order, items }))
  await userEvent.fill(screen.getByLabelText('Code'), 'hook')
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByText('1 of 12 pieces picked')).toBeVisible()
  await userEvent.fill(screen.getByLabelText('Code'), 'vase')
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByText('No match for the code “vase”.')).toBeVisible()
})

it.each([40, 200])(
  'the scanned line of an order with %i lines stays in view when messages and locations arrive after the scan',
  async (count) => {
    const lines = Array.from({ length: count }, (_, at) => aLine(`Washer ${at + 1}`, 1, 0))
    const order: object = { ...anOrder(), items: lines }
    const { fetch: fetchOthers } = window
    const locations = Promise.withResolvers<Response>()
    window.fetch = async (input, init) =>
      input === '/api/orders/order/locations' ? locations.promise : fetchOthers(input, init)
    const screen = await render(dialog(order as Order))
    const scan = async (code: string) => {
      await userEvent.fill(screen.getByLabelText('Code'), code)
      await userEvent.keyboard('{Enter}')
    }
    const scanned = screen.getByLabelText(`Pieces of Washer ${count - 13}`, { exact: true })
    await scan(`Washer ${count - 13}`)
    await expect.element(scanned).toBeInViewport()
    locations.resolve(
      Response.json(lines.map(({ id }) => ({ line_id: id, item_sku: id, location: 'Shelf 12, drawer 4' }))),
    )
    await expect.element(screen.getByText('Shelf 12, drawer 4').first()).toBeInTheDocument()
    await expect.element(scanned).toBeInViewport()
    await scan(`unknown ${'code '.repeat(60)}`)
    await expect.element(screen.getByText(/^No match for the code/)).toBeVisible()
    await expect.element(scanned).toBeInViewport()
  },
)
