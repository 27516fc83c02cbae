import type { ReplenishmentProposals } from '@pegasus/contracts/print-queue/replenishment'
import type { Session } from '@supabase/auth-js'
import { afterEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { followSession } from '@/lib/session/session.ts'
import { AUTH_KEY } from '@/lib/session/stored-session.ts'
import { ReplenishmentPage } from './replenishment-page.tsx'

const ID = '0198c0de-0000-7000-8000-000000000001'
const SESSION = {
  access_token: 'e30.e30.e30',
  expires_at: Math.floor(Date.now() / 1000) + 3600,
  user: { id: ID },
}
const LINE = { sku: null, on_shelf: 0, queued: 0, expected_rejects: 0, pieces_per_plate: 4, surplus: 0 }
const DAY = '2026-11-30T10:00:00.000Z'
// The objects have only the fields that the page reads.
const FOUND = {
  schedule: { hour: 2, time_zone: 'UTC' },
  last_night_at: null,
  proposals: [
    {
      ...LINE,
      id: 'a',
      name: 'Dragon',
      target: 2_000_002,
      missing: 2_000_002,
      plates: 250_000,
      proposed_at: DAY,
    },
    { ...LINE, id: 'b', name: 'Egg', target: 8, missing: 8, plates: 2, proposed_at: DAY },
  ],
} as unknown as ReplenishmentProposals

const browserFetch = window.fetch
afterEach(() => {
  window.fetch = browserFetch
  localStorage.removeItem(AUTH_KEY)
})

it('a proposal of more pieces than a job can have is accepted with as many as a job can have', async () => {
  const accepted: unknown[] = []
  window.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { url } = request
    if (url.endsWith('/api/auth/me')) return Response.json({ id: ID, role: 'staff', permissions: {} })
    if (url.endsWith('/replenishment/proposals')) return Response.json(FOUND)
    if (request.method === 'POST' && url.endsWith('/replenishment/proposals/accept')) {
      accepted.push(await request.json())
      return Response.json({ jobs: [{}, {}] }, { status: 201 })
    }
    return browserFetch(input, init)
  }
  localStorage.setItem(AUTH_KEY, JSON.stringify(SESSION))
  await followSession(SESSION as Session)
  const screen = await render(<ReplenishmentPage queueAddress="/queue" itemAddress={(id) => `/${id}`} />, {
    wrapper: Providers,
  })
  await expect.element(screen.getByLabelText('Pieces of Dragon')).toHaveValue('1000000')
  await expect.element(screen.getByText(/1,000,000 now, the most that a print job can have/)).toBeVisible()
  await screen.getByRole('button', { name: 'Accept all 2' }).click()
  await expect.element(screen.getByText('Queued 2 prints')).toBeVisible()
  // Without a quantity, the server queues as many pieces as a job can have.
  expect(accepted).toEqual([{ items: [{ id: 'a' }, { id: 'b' }] }])
})
