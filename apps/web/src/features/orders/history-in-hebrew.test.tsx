import type { Order } from '@pegasus/contracts/orders/orders'
import type { Session } from '@supabase/auth-js'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { inHebrew } from '../../../gallery/in-hebrew.ts'
import { edgesIn } from '../../../gallery/text-edges.ts'
import type { OrderAddresses } from './orders-address.ts'

inHebrew()

it('in Hebrew, an English reason in the history of an order keeps its full stop at its end', async () => {
  const { OrderHistory } = await import('./order-page/order-history.tsx')
  const { Providers } = await import('../../../gallery/providers.tsx')
  const event = {
    id: 'e',
    action: 'order.held',
    actor: { name: 'Owner' },
    items: [],
    changed_fields: [],
    reason: 'The customer asked for it.',
    sku: null,
    return_id: null,
    jobs: [],
    printer: null,
    created_at: '2026-01-05T10:00:00Z',
  }
  const { followSession } = await import('@/lib/session/session.ts')
  const { AUTH_KEY } = await import('@/lib/session/stored-session.ts')
  const expiresAt = Math.floor(Date.now() / 1000) + 3600
  const session = { access_token: 'e30.e30.e30', expires_at: expiresAt, user: { id: 'o' } }
  const browserFetch = window.fetch
  window.fetch = (input) => {
    const isMe = new Request(input).url.endsWith('/api/auth/me')
    return Promise.resolve(Response.json(isMe ? { id: 'o', role: 'viewer', isActive: true } : [event]))
  }
  localStorage.setItem(AUTH_KEY, JSON.stringify(session))
  try {
    await followSession(session as Session)
    const order = { id: 'o', placed_at: event.created_at, customer_name: '', items: [] } as unknown as Order
    const { container } = await render(
      <Providers>
        <OrderHistory order={order} addresses={{ job: () => '/' } as unknown as OrderAddresses} />
      </Providers>,
    )
    await expect.element(page.getByText(/asked for it/)).toBeVisible()
    const leftOf = edgesIn(container)
    expect(leftOf('it.', 2)).toBeGreaterThan(leftOf('The'))
  } finally {
    window.fetch = browserFetch
    localStorage.removeItem(AUTH_KEY)
  }
})
