import type { OrderedSku } from '@pegasus/contracts/orders/sku-mappings'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { Session } from '@supabase/auth-js'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { followSession } from '@/lib/session/session.ts'
import { AUTH_KEY } from '@/lib/session/stored-session.ts'
import { OrderSelectionBar, useOrderSelection } from './list/order-selection.tsx'
import { useOrderActions } from './order-page/use-order-actions.ts'
import { useQueuePrints } from './order-page/use-queue-prints.ts'
import { SkuInbox } from './skus/sku-inbox.tsx'

const ID = '01890000-0000-7000-8000-000000000000'
const SESSION = {
  access_token: 'e30.e30.e30',
  expires_at: Math.floor(Date.now() / 1000) + 3600,
  user: { id: ID },
}
const ORDER = {
  id: 'order',
  order_number: 'PO-1',
  status: 'in_progress',
  currency: 'USD',
  total_amount: 5,
  items: [],
  shipments: [],
} as unknown as Order
const EGG = { inventory_item_id: 'egg', sku: 'EGG', name: 'Egg', quantity: 2 }
const MAPPED: OrderedSku = {
  sku: 'NEST',
  name: 'A nest',
  order_count: 0,
  quantity: 0,
  first_seen_at: null,
  last_seen_at: null,
  orders: [],
  is_ignored: false,
  items: [EGG],
  deleted_items: [],
}

const browserFetch = window.fetch
let answers: Record<string, unknown> = {}
/** The paths that the server refuses, with the reason. */
let refusals: Record<string, string> = {}
const sent: [string, unknown][] = []
beforeEach(async () => {
  sent.length = 0
  answers = {}
  refusals = {}
  window.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.origin)
    if (pathname === '/api/auth/me') return Response.json({ id: ID, role: 'staff', isActive: true })
    if ((init?.method ?? 'GET') !== 'GET') {
      const body = await new Response(init?.body ?? null).text()
      sent.push([pathname, body === '' ? null : JSON.parse(body)])
    }
    if (refusals[pathname]) return Response.json({ detail: refusals[pathname] }, { status: 409 })
    return Response.json(answers[pathname] ?? [], { headers: { 'x-total-count': '1' } })
  }
  localStorage.setItem(AUTH_KEY, JSON.stringify(SESSION))
  await followSession(SESSION as Session)
})
afterEach(() => {
  window.fetch = browserFetch
  localStorage.removeItem(AUTH_KEY)
})

const show = (element: ReactElement) => render(<Providers>{element}</Providers>)
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

function QueuePlates() {
  const queue = useQueuePrints()
  return <button onClick={() => queue.mutate(ORDER)}>Queue</button>
}

it('queueing the plates of an order can be undone, which cancels its jobs unless they have started', async () => {
  answers['/api/orders/order/plan'] = {
    order_id: 'order',
    items: [],
    jobs: [
      { id: 'first', plates: 1 },
      { id: 'second', plates: 2 },
    ],
  }
  await show(<QueuePlates />)
  await press('Queue')
  await expect.element(page.getByText('Queued 3 plates for PO-1')).toBeVisible()
  await press('Undo')
  await expect.element(page.getByText('2 print jobs cancelled')).toBeVisible()
  const body = { reason: 'Queueing it was undone', only_if_not_started: true }
  expect(sent.slice(1)).toEqual([
    ['/api/print-queue/first/cancel', body],
    ['/api/print-queue/second/cancel', body],
  ])
})

function TakeBack() {
  const { takeBack } = useOrderActions(ORDER)
  const body = { items: [{ line_id: 'line', quantity: 1 }] } as Parameters<typeof takeBack>[0]
  return <button onClick={() => void takeBack(body, {})}>Take back</button>
}

it('a return can be undone in its toast, which undoes no later return of the same person', async () => {
  answers['/api/orders/order/return'] = { ...ORDER, return_id: 'this one' }
  answers['/api/orders/order/undo-return'] = ORDER
  answers['/api/orders/order/history'] = [
    { return_id: 'on another device', actor: { id: ID } },
    { return_id: 'this one', actor: { id: ID } },
  ]
  await show(<TakeBack />)
  await press('Take back')
  await press('Undo')
  await expect.element(page.getByText('The return of PO-1 is undone')).toBeVisible()
  expect(sent.at(-1)).toEqual(['/api/orders/order/undo-return', { return_id: 'this one' }])
})

it.each([
  ['mapped', MAPPED, 'NEST is mapped again', 'map', { items: [{ inventory_item_id: 'egg', quantity: 2 }] }],
  ['ignored', { ...MAPPED, items: [], is_ignored: true }, 'NEST is ignored', 'ignore', {}],
] as const)('forgetting a SKU that is %s can be undone', async (state, sku, done, path, body) => {
  answers['/api/orders/unknown-skus'] = [sku]
  answers[`/api/orders/unknown-skus/${path}`] = { sku: 'NEST', changed_orders: 0, proposed_cancellations: [] }
  await show(<SkuInbox state={state} newItemAddress={() => '/'} />)
  await press('Forget NEST')
  await press('Undo')
  await expect.element(page.getByText(done)).toBeVisible()
  expect(sent).toEqual([
    ['/api/orders/unknown-skus/forget', { sku: 'NEST' }],
    [`/api/orders/unknown-skus/${path}`, { sku: 'NEST', ...body }],
  ])
})

it('a SKU whose item was deleted offers no undo when it is forgotten', async () => {
  const { quantity: _, ...deleted } = EGG
  answers['/api/orders/unknown-skus'] = [{ ...MAPPED, deleted_items: [{ ...deleted, is_restorable: false }] }]
  await show(<SkuInbox state="mapped" newItemAddress={() => '/'} />)
  await press('Forget NEST')
  await expect.element(page.getByText('NEST is unknown again')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
})

function Selection() {
  const selection = useOrderSelection()
  return (
    <>
      <button onClick={() => selection.toggle(ORDER)}>Select</button>
      <OrderSelectionBar selection={selection} listed={[ORDER]} onCancelled={() => undefined} />
    </>
  )
}

it('orders that were shipped together can be undone together', async () => {
  const shipments = ['order', 'other'].map((id) => ({ order_id: id, shipment_id: `parcel of ${id}` }))
  answers['/api/orders/bulk'] = {
    changed: ['order', 'other'],
    failed: [],
    partly_reserved: [],
    shipments,
    proposed_cancellations: [],
  }
  await show(<Selection />)
  await press('Select')
  await press('Ship')
  await expect.element(page.getByText('2 orders shipped')).toBeVisible()
  await press('Undo')
  await expect.element(page.getByText('2 shipments undone')).toBeVisible()
  expect(sent.slice(1)).toEqual([
    ['/api/orders/order/undo-shipment', { shipment_id: 'parcel of order' }],
    ['/api/orders/other/undo-shipment', { shipment_id: 'parcel of other' }],
  ])
})

it('the undo of several shipments names the order whose shipment cannot be undone, and counts the others', async () => {
  answers['/api/orders/bulk'] = {
    changed: ['order', 'other'],
    failed: [],
    partly_reserved: [],
    shipments: ['order', 'other'].map((id) => ({ order_id: id, shipment_id: `parcel of ${id}` })),
    proposed_cancellations: [],
  }
  refusals['/api/orders/order/undo-shipment'] = 'The item is in the trash.'
  await show(<Selection />)
  await press('Select')
  await press('Ship')
  await press('Undo')
  await expect
    .element(page.getByText('1 of 2 shipments undone. PO-1: The item is in the trash.'))
    .toBeVisible()
})
