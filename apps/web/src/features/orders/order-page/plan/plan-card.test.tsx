import type { OrderPlan } from '@pegasus/contracts/orders/order-plan'
import type { Order } from '@pegasus/contracts/orders/orders'
import type { Session } from '@supabase/auth-js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../../gallery/providers.tsx'
import { followSession } from '@/lib/session/session.ts'
import { AUTH_KEY } from '@/lib/session/stored-session.ts'
import { PlanCard } from './plan-card.tsx'

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
  ready_to_pack: true,
  items: [{ is_set: false, queued_quantity: 9 }],
} as unknown as Order
const PLAN = {
  order_id: 'order',
  items: [
    {
      line_id: 'line',
      name: 'Dragon',
      ordered: 5,
      queued: 9,
      on_shelf: 3,
      missing: 0,
      extra_queued: 7,
      plates: 0,
    },
  ],
  proposed_reductions: [
    {
      job_id: 'late',
      job_code: 'J-2',
      name: 'Dragon',
      quantity: 2,
      needed_quantity: null,
      fewer: 2,
      revision: 4,
    },
    {
      job_id: 'early',
      job_code: 'J-1',
      name: 'Dragon',
      quantity: 7,
      needed_quantity: 4,
      fewer: 3,
      revision: 8,
    },
  ],
} as unknown as OrderPlan

const browserFetch = window.fetch
const sent: [string, unknown, string | null][] = []
beforeEach(async () => {
  sent.length = 0
  window.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.origin)
    if (pathname === '/api/auth/me') return Response.json({ id: ID, role: 'staff', isActive: true })
    if ((init?.method ?? 'GET') === 'GET') return Response.json(PLAN)
    const body = await new Response(init?.body ?? null).text()
    sent.push([pathname, JSON.parse(body), new Headers(init?.headers).get('if-match')])
    return Response.json({ id: 'job', revision: 9 })
  }
  localStorage.setItem(AUTH_KEY, JSON.stringify(SESSION))
  await followSession(SESSION as Session)
})
afterEach(() => {
  window.fetch = browserFetch
  localStorage.removeItem(AUTH_KEY)
})

it('the plan of an order lowers its surplus prints with one click, and Undo raises them again', async () => {
  await render(
    <Providers>
      <PlanCard order={ORDER} addresses={{ job: (id) => `/${id}` }} />
    </Providers>,
  )
  const list = page.getByRole('list', { name: 'Prints that are not needed' })
  await expect
    .element(list)
    .toHaveTextContent('J-2 Dragon: 2 pieces, not neededJ-1 Dragon: 4 of 7 pieces needed')
  await page.getByRole('button', { name: 'Print 5 pieces fewer' }).click()
  await expect.element(page.getByText('Prints 5 pieces fewer for PO-1')).toBeVisible()
  expect(sent).toEqual([
    ['/api/print-queue/late/cancel', { reason: expect.any(String), only_if_not_started: true }, null],
    ['/api/print-queue/early', { quantity: 4 }, '"8"'],
  ])
  sent.length = 0
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(() => sent)
    .toEqual([
      ['/api/print-queue/late/requeue', {}, null],
      ['/api/print-queue/early', { quantity: 7 }, '"9"'],
    ])
})
