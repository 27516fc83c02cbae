import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Session } from '@supabase/auth-js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { followSession } from '@/lib/session/session.ts'
import { AUTH_KEY } from '@/lib/session/stored-session.ts'
import type { JobAddresses } from '../print-queue-address.ts'
import { MatchesCard } from './matches-card.tsx'

const ID = '01890000-0000-7000-8000-000000000000'
const MINI = {
  id: ID,
  label_code: 'P-001',
  name: 'Mini',
  model: null,
  kind: 'manual',
  state: 'needs_clearing',
}
const ACTION = {
  kind: 'clear',
  label: 'Clear the plate',
  printer_id: ID,
  slot: null,
  replaces: null,
  filament_id: null,
  color: null,
  stl_file_id: null,
}
const REASON = {
  code: 'needs_clearing',
  message: 'The plate of J-00001 is still on the bed.',
  action: ACTION,
}
const TOOLS = [
  {
    tool: 0,
    material: 'PLA',
    color_hex: '#101010',
    grams: 12,
    slot: 2,
    filament_id: ID,
    filament_label: 'S-00042',
    lacks: null,
  },
  {
    tool: 1,
    material: 'PETG',
    color_hex: null,
    grams: 3,
    slot: null,
    filament_id: null,
    filament_label: null,
    lacks: 'material',
  },
]
const PLATE = { name: 'Dragon', label_code: 'J-00001', plate_id: ID, pieces: 4 }

const address = () => '/'
const ADDRESSES: JobAddresses = {
  item: address,
  model: address,
  spool: address,
  order: address,
  printer: address,
  printerForm: address,
  printers: '/',
  spools: '/',
}

/** The session of a person who may clear plates. */
const SESSION = {
  access_token: 'e30.e30.e30',
  expires_at: Math.floor(Date.now() / 1000) + 3600,
  user: { id: ID },
}

const LOAD = {
  ...ACTION,
  kind: 'load_spool',
  label: 'Load S-00042',
  filament_id: ID,
  replaces: { slot: 2, filament_id: null },
}
const NO_FILAMENT = { code: 'material', message: 'Needs PLA. Its slots are empty.', action: LOAD }
const CHANGED = 'Slot 2 holds S-00007 (PLA) now. It was changed in the meantime.'

const browserFetch = window.fetch
const sent: unknown[] = []
let reasons: object[] = []
beforeEach(async () => {
  sent.length = 0
  reasons = [REASON]
  window.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.origin)
    if (pathname === '/api/auth/me') return Response.json({ id: ID, role: 'staff', isActive: true })
    if (pathname.endsWith('/matches'))
      return Response.json([{ printer: MINI, is_assigned: false, reasons, tools: TOOLS }])
    if (pathname === `/api/printers/${ID}`) return Response.json({ ...MINI, current_job: PLATE })
    if (pathname === `/api/printers/${ID}/load`) {
      sent.push(await new Response(init?.body ?? null).json())
      return Response.json({ detail: CHANGED, filament_id: ID }, { status: 412 })
    }
    if (pathname !== `/api/printers/${ID}/clear`) return browserFetch(input, init)
    sent.push(await new Response(init?.body ?? null).json())
    return Response.json({ ...MINI, state: 'available', current_job: null })
  }
  localStorage.setItem(AUTH_KEY, JSON.stringify(SESSION))
  await followSession(SESSION as Session)
})
afterEach(() => {
  window.fetch = browserFetch
  localStorage.removeItem(AUTH_KEY)
})

it('the printers of a waiting job show the slot of each tool, and ask for the good and rejected pieces before the plate of another job is cleared', async () => {
  await render(
    <Providers>
      <MatchesCard job={{ id: ID, status: 'pending' } as PrintJob} addresses={ADDRESSES} />
    </Providers>,
  )
  const tools = page.getByRole('list', { name: 'Tools on Mini' }).getByRole('listitem')
  await expect.element(tools.nth(1)).toBeVisible()
  expect(tools.elements().map(({ textContent }) => textContent?.replaceAll(/\s/g, ' '))).toEqual([
    'Tool 1PLA, 12 g→ slot 2, S-00042',
    'Tool 2PETG, 3 g→ no slot, no matching material',
  ])
  await page.getByRole('button', { name: 'Clear the plate for Mini' }).click()
  const dialog = page.getByRole('dialog', { name: 'Clear Mini' })
  await expect.element(dialog.getByText('Dragon')).toBeVisible()
  expect(sent).toEqual([])
  await dialog.getByLabelText('Rejected').fill('1')
  await dialog.getByRole('button', { name: 'Plate is off' }).click()
  await expect.poll(() => sent).toEqual([{ plate_id: ID, good_quantity: 3, rejected_quantity: 1 }])
  await expect.element(dialog).not.toBeInTheDocument()
})

it('the button that loads a spool names the spool that the person has seen in the slot, and a change of the slot is shown', async () => {
  reasons = [NO_FILAMENT]
  await render(
    <Providers>
      <MatchesCard job={{ id: ID, status: 'pending' } as PrintJob} addresses={ADDRESSES} />
    </Providers>,
  )
  await page.getByRole('button', { name: 'Load S-00042 for Mini' }).click()
  await expect.element(page.getByText(CHANGED).first()).toBeVisible()
  expect(sent).toEqual([{ filament_id: ID, slot: 2, replaces: null }])
})
