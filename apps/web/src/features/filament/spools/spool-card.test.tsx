import '@/styles/index.css'
import type { Spool } from '@pegasus/contracts/filament/spools'
import type { Session } from '@supabase/auth-js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { followSession } from '@/lib/session/session.ts'
import { AUTH_KEY } from '@/lib/session/stored-session.ts'
import { SpoolCard } from './spool-card.tsx'

const ID = '01890000-0000-7000-8000-000000000000'
const LOCATION = 'Workshop / Rack A / Shelf 3'
const SPOOL = {
  id: ID,
  label_code: 'S-0112',
  material: 'PLA',
  brand: 'Prusament',
  name: 'PLA',
  color: 'Galaxy Black',
  color_hex: '#202020',
  status: 'active',
  weight_grams: 1000,
  remaining_grams: 879,
  queued_jobs: 12,
  queued_grams: 640,
  dried_at: null,
  drying_interval_days: null,
  opened_at: null,
  last_used_at: null,
  location: LOCATION,
  density_g_cm3: 1.24,
  diameter_mm: 1.75,
} as unknown as Spool
const SESSION = {
  access_token: 'e30.e30.e30',
  expires_at: Math.floor(Date.now() / 1000) + 3600,
  user: { id: ID },
}

const browserFetch = window.fetch
beforeEach(async () => {
  window.fetch = async (input) => {
    const isMe = new Request(input).url.endsWith('/api/auth/me')
    return Response.json(isMe ? { id: ID, role: 'staff', isActive: true } : [])
  }
  localStorage.setItem(AUTH_KEY, JSON.stringify(SESSION))
  await followSession(SESSION as Session)
})
afterEach(() => {
  window.fetch = browserFetch
  localStorage.removeItem(AUTH_KEY)
})

it.each([
  { name: 'card', isRow: false, width: 252 },
  { name: 'row on a phone', isRow: true, width: 360 },
])(
  'the $name of a spool shows its whole location, even beside wide actions and a long note',
  async ({ isRow, width }) => {
    const screen = await render(
      <Providers>
        <div style={{ width }}>
          <SpoolCard spool={SPOOL} to="/" isRow={isRow} />
        </div>
      </Providers>,
    )
    const location = screen.getByText(LOCATION)
    await expect.element(location).toBeVisible()
    const { scrollWidth, clientWidth } = location.element()
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  },
)
