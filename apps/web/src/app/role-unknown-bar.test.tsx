import type { Session } from '@supabase/auth-js'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { followSession, useCurrentUser } from '@/lib/session/session.ts'
import { AUTH_KEY } from '@/lib/session/stored-session.ts'
import { RoleUnknownBar } from './role-unknown-bar.tsx'

const MESSAGE = 'Your role could not be looked up. For now, you can only view.'
const ACCOUNT = { id: '01890000-0000-7000-8000-000000000000', role: 'owner', isActive: true }
const browserFetch = window.fetch
let answer: () => Response

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  window.fetch = async () => answer()
  await followSession(null)
})
afterEach(() => {
  window.fetch = browserFetch
  localStorage.removeItem(AUTH_KEY)
  vi.restoreAllMocks()
})

const signIn = async () => {
  const session = {
    access_token: 'e30.e30.e30',
    expires_at: Math.floor(Date.now() / 1000) + 3600,
    user: { id: ACCOUNT.id },
  }
  localStorage.setItem(AUTH_KEY, JSON.stringify(session))
  await followSession(session as Session)
}

const Role = () => <p>role: {useCurrentUser().role}</p>

it.each([
  ['an empty object', () => Response.json({})],
  ['an array', () => Response.json([ACCOUNT])],
  ['null', () => Response.json(null)],
  ['an empty body', () => new Response('')],
  ['a numeric role', () => Response.json({ ...ACCOUNT, role: 4 })],
  [
    "a proxy's page",
    () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } }),
  ],
  ['a failure', () => new Response('', { status: 404 })],
])(
  'if the account is answered with %s, the app has the rights of a viewer and offers a retry',
  async (_, wrong) => {
    answer = wrong
    await signIn()
    await render(
      <>
        <RoleUnknownBar />
        <Role />
      </>,
    )
    await expect.element(page.getByRole('alert')).toHaveTextContent(MESSAGE)
    await expect.element(page.getByText('role: viewer')).toBeVisible()
    const retry = page.getByRole('button', { name: 'Try again' })
    await retry.click()
    await expect.element(retry).toBeEnabled()
    await expect.element(page.getByRole('alert')).toBeVisible()

    answer = () => Response.json(ACCOUNT)
    await retry.click()
    await expect.element(page.getByText('role: owner')).toBeVisible()
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  },
)
