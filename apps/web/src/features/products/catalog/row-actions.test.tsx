import '@/styles/index.css'
import type { Product } from '@pegasus/contracts/products/products'
import type { Session } from '@supabase/auth-js'
import { afterEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'

const ID = '0198c0de-0000-7000-8000-000000000001'
const SESSION = {
  access_token: 'e30.e30.e30',
  expires_at: Math.floor(Date.now() / 1000) + 3600,
  user: { id: ID },
}
const CHANGED = {
  name: 'Drache',
  status: 'published',
  published_at: '2026-11-20T08:00:00Z',
  has_unpublished_changes: true,
  site_url: 'https://shop.example.com/drache',
  deleted_at: null,
} as unknown as Product

const browserFetch = window.fetch
afterEach(() => {
  window.fetch = browserFetch
  localStorage.clear()
})

it('the publish button and the link to the shop fit in their column in German', async () => {
  localStorage.setItem('pegasus-ops-language', 'de')
  window.fetch = () => Promise.resolve(Response.json({ id: ID, role: 'staff', isActive: true }))
  const { ACTIONS_TRACK, RowAction } = await import('./row-actions.tsx')
  const { Providers } = await import('../../../../gallery/providers.tsx')
  const { AUTH_KEY } = await import('@/lib/session/stored-session.ts')
  const { followSession } = await import('@/lib/session/session.ts')
  localStorage.setItem(AUTH_KEY, JSON.stringify(SESSION))
  await followSession(SESSION as Session)
  const screen = await render(
    <Providers>
      <div style={{ width: ACTIONS_TRACK, marginLeft: 200 }} data-testid="cell">
        <RowAction product={CHANGED} mayWrite printAddress={() => '/'} />
      </div>
    </Providers>,
  )
  const publish = screen.getByRole('button', { name: 'Veröffentlichen Drache' })
  await expect.element(publish).toBeVisible()
  const cell = screen.getByTestId('cell').element().getBoundingClientRect()
  const link = screen.getByRole('link').element().getBoundingClientRect()
  expect(publish.element().getBoundingClientRect().left).toBeGreaterThanOrEqual(cell.left)
  expect(link.right).toBeLessThanOrEqual(cell.right)
})
