import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Session } from '@supabase/auth-js'
import { afterEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { followSession } from '@/lib/session/session.ts'
import { AUTH_KEY } from '@/lib/session/stored-session.ts'
import { PrinterActions } from './printer-actions.tsx'

const ID = '0198c0de-0000-7000-8000-000000000001'
const SESSION = {
  access_token: 'e30.e30.e30',
  expires_at: Math.floor(Date.now() / 1000) + 3600,
  user: { id: ID },
}
const PRINTER: object = {
  id: ID,
  name: 'Mini',
  kind: 'moonraker',
  state: 'error',
  state_reason: 'The printer refused the key. Enter the key again.',
  current_job: null,
  slots: [],
}

const browserFetch = window.fetch
afterEach(() => {
  window.fetch = browserFetch
  localStorage.removeItem(AUTH_KEY)
})

it('the page of a network printer has a button that pauses or resumes its print', async () => {
  window.fetch = () => Promise.resolve(Response.json({ id: ID, role: 'staff', isActive: true }))
  localStorage.setItem(AUTH_KEY, JSON.stringify(SESSION))
  await followSession(SESSION as Session)
  const actions = (plate: 'printing' | 'paused') => {
    const printer: object = { ...PRINTER, state: plate, current_job: { plate_state: plate } }
    return (
      <Providers>
        <PrinterActions printer={printer as Printer} size="md" />
      </Providers>
    )
  }
  const screen = await render(actions('printing'))
  await expect.element(screen.getByRole('button', { name: 'Pause' })).toBeVisible()
  await screen.rerender(actions('paused'))
  await expect.element(screen.getByRole('button', { name: 'Continue printing' })).toBeVisible()
})

it.each([
  ['admin', 'Enter the key of Mini', 'Put Mini back into use'],
  ['staff', 'Put Mini back into use', 'Enter the key of Mini'],
])('after a printer has refused its key, its action for %s is: %s', async (role, shown, hidden) => {
  window.fetch = () => Promise.resolve(Response.json({ id: ID, role, isActive: true }))
  localStorage.setItem(AUTH_KEY, JSON.stringify(SESSION))
  await followSession(SESSION as Session)
  const screen = await render(
    <Providers>
      <PrinterActions printer={PRINTER as Printer} size="md" />
    </Providers>,
  )
  await expect.element(screen.getByRole('button', { name: shown })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: hidden })).not.toBeInTheDocument()
})

it('a person can report the pieces of a print that its printer no longer shows after an outage', async () => {
  window.fetch = () => Promise.resolve(Response.json({ id: ID, role: 'staff', isActive: true }))
  localStorage.setItem(AUTH_KEY, JSON.stringify(SESSION))
  await followSession(SESSION as Session)
  const actions = (seenMs: number, reason: string | null) => {
    const seen_at = new Date(Date.now() - seenMs).toISOString()
    const job: object = { plate_state: 'printing', pieces: 4 }
    const printer: object = { ...PRINTER, state: 'printing', state_reason: reason, seen_at, current_job: job }
    return (
      <Providers>
        <PrinterActions printer={printer as Printer} size="md" />
      </Providers>
    )
  }
  const screen = await render(actions(10_000, 'The printer is getting ready.'))
  const failed = screen.getByRole('button', { name: 'Failed on Mini' })
  await expect.element(screen.getByRole('button', { name: 'Pause' })).toBeVisible()
  expect(failed.elements()).toEqual([])
  await screen.rerender(actions(200_000, null))
  expect(failed.elements(), 'the clock of the browser may be wrong').toEqual([])
  await screen.rerender(actions(200_000, 'The printer is getting ready.'))
  await failed.click()
  await expect.element(screen.getByRole('textbox', { name: 'Good' })).toBeVisible()
})
