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
  state_reason: null,
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
const PLATE = { name: 'Dragon', label_code: 'J-00001', plate_id: ID, pieces: 4, note: null }

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
    if (pathname.endsWith('/plates')) return Response.json([{ id: ID, state: 'printing' }])
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

it('a waiting job shows the slot of each tool, and its printers ask for the pieces of a plate before clearing it', async () => {
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

it('loading a spool sends what the person saw in the slot, and shows a change of the slot', async () => {
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

it('a job that prints a plate shows the printers for the next plate', async () => {
  const job = { id: ID, status: 'in_progress', finished_at: null, plates: 2, plates_done: 0 } as PrintJob
  await render(
    <Providers>
      <MatchesCard job={job} addresses={ADDRESSES} />
    </Providers>,
  )
  await expect.element(page.getByText(REASON.message)).toBeVisible()
})

it('a job that prints its last plate shows no printers, but keeps the open dialog of another plate', async () => {
  const card = (platesDone: number) => {
    const job = {
      id: ID,
      status: 'in_progress',
      finished_at: null,
      plates: 3,
      plates_done: platesDone,
    } as PrintJob
    return (
      <Providers>
        <MatchesCard job={job} addresses={ADDRESSES} />
      </Providers>
    )
  }
  // One of three plates is printing, so after the first one has ended, one more is to come.
  const { rerender } = await render(card(1))
  await page.getByRole('button', { name: 'Clear the plate for Mini' }).click()
  const dialog = page.getByRole('dialog', { name: 'Clear Mini' })
  await dialog.getByLabelText('Rejected').fill('1')
  await rerender(card(2))
  await expect.element(page.getByText(REASON.message)).not.toBeInTheDocument()
  await expect.element(dialog.getByLabelText('Rejected')).toHaveValue('1')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByRole('heading', { name: 'Printers' })).not.toBeInTheDocument()
})
