import type { UnplannedJob } from '@pegasus/contracts/print-queue/schedule'
import type { Session } from '@supabase/auth-js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { followSession } from '@/lib/session/session.ts'
import { AUTH_KEY } from '@/lib/session/stored-session.ts'
import { UnplannedJobs } from './unplanned-jobs.tsx'

const ID = '01890000-0000-7000-8000-000000000000'
const ACTION = {
  printer_id: ID,
  slot: null,
  replaces: null,
  filament_id: null,
  color: null,
  stl_file_id: null,
}
const JOB: UnplannedJob = {
  print_job_id: ID,
  label_code: 'J-00001',
  name: 'Dragon',
  thumbnail_path: null,
  color_hex: null,
  order_number: null,
  due_at: null,
  waits_for: [
    {
      code: 'maintenance',
      message: 'Mini: In maintenance.',
      printer_id: ID,
      action: { ...ACTION, kind: 'resume', label: 'End maintenance' },
    },
    {
      code: 'color',
      message: 'Mini: Needs PLA Black. Loaded: PLA White.',
      printer_id: ID,
      action: { ...ACTION, kind: 'change_color', label: 'Print in White', color: 'White' },
    },
    {
      code: 'no_slice',
      message: 'Mini: There is no sliced file for MK4.',
      printer_id: ID,
      action: { ...ACTION, kind: 'slice', label: 'Slice for this printer', stl_file_id: ID },
    },
  ],
}
const PLATE = { name: 'Castle', label_code: 'J-00002', plate_id: ID, pieces: 4, note: null }
const PRINTER = { id: ID, name: 'Mini', state: 'needs_clearing', state_reason: null, current_job: PLATE }
const CLEAR: UnplannedJob['waits_for'][number] = {
  code: 'needs_clearing',
  message: 'Mini: The plate of J-00002 is still on the bed.',
  printer_id: ID,
  action: { ...ACTION, kind: 'clear', label: 'Clear the plate' },
}
const addressTo = (page: string) => () => `/${page}`
const ADDRESSES = {
  item: addressTo('item'),
  model: addressTo('model'),
  spool: addressTo('spool'),
  order: addressTo('order'),
  printer: addressTo('printer'),
  printerForm: addressTo('printer-form'),
  printers: '/printers',
  spools: '/spools',
}
const SESSION = {
  access_token: 'e30.e30.e30',
  expires_at: Math.floor(Date.now() / 1000) + 3600,
  user: { id: ID },
}

const browserFetch = window.fetch
const sent: string[] = []
let role: string
beforeEach(() => {
  sent.length = 0
  window.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.origin)
    if (pathname === '/api/auth/me') return Response.json({ id: ID, role, isActive: true })
    if (pathname === `/api/printers/${ID}`) return Response.json(PRINTER)
    if (!pathname.startsWith('/api/printers/')) return browserFetch(input, init)
    sent.push(pathname)
    return Response.json({})
  }
  localStorage.setItem(AUTH_KEY, JSON.stringify(SESSION))
})
afterEach(() => {
  window.fetch = browserFetch
  localStorage.removeItem(AUTH_KEY)
})

const list = (jobs: readonly UnplannedJob[]) => (
  <Providers>
    <UnplannedJobs jobs={jobs} jobAddress={addressTo('job')} addresses={ADDRESSES} ref={null} />
  </Providers>
)

const show = async (as: string) => {
  role = as
  await followSession(SESSION as Session)
  const { rerender } = await render(list([JOB]))
  await expect.element(page.getByText('Mini: In maintenance.')).toBeVisible()
  return { rerender }
}

it('each reason of a job that is not planned has the step that resolves it', async () => {
  await show('staff')
  const link = (name: string) => page.getByRole('link', { name })
  await expect.element(link('Print in White')).toHaveAttribute('href', '/job')
  await expect.element(link('Slice for this printer')).toHaveAttribute('href', '/model')
  await page.getByRole('button', { name: 'End maintenance for Dragon' }).click()
  await expect.poll(() => sent).toEqual([`/api/printers/${ID}/resume`])
})

it('a viewer sees the reasons of a job that is not planned, but no steps that resolve them', async () => {
  await show('viewer')
  expect(page.getByRole('button', { name: /for Dragon/ }).elements()).toEqual([])
  expect(
    page
      .getByRole('link')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Dragon'])
})

it('the dialog that clears a plate stays open with its counts if the job is planned in the meantime', async () => {
  const { rerender } = await show('staff')
  await rerender(list([{ ...JOB, waits_for: [CLEAR] }]))
  await page.getByRole('button', { name: 'Clear the plate for Dragon' }).click()
  const dialog = page.getByRole('dialog', { name: 'Clear Mini' })
  await dialog.getByLabelText('Rejected').fill('1')
  await rerender(list([]))
  await expect.element(page.getByText('Not planned')).not.toBeInTheDocument()
  await expect.element(dialog.getByLabelText('Rejected')).toHaveValue('1')
  await dialog.getByRole('button', { name: 'Plate is off' }).click()
  await expect.poll(() => sent).toEqual([`/api/printers/${ID}/clear`])
  await expect.element(dialog).not.toBeInTheDocument()
})
