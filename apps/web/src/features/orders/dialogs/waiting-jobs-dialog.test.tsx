import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { WaitingJobsDialog } from './waiting-jobs-dialog.tsx'

const HOOK = '01890000-0000-7000-8000-000000000001'
const TRAY = '01890000-0000-7000-8000-000000000002'
const JOBS: Record<string, object> = {
  [HOOK]: {
    id: HOOK,
    label_code: 'J-00001',
    inventory_item_name: 'Wall hook',
    quantity: 3,
    good_quantity: 1,
  },
  [TRAY]: { id: TRAY, label_code: 'J-00002', inventory_item_name: 'Tray', quantity: 1, good_quantity: 0 },
}

const json = (body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })
const away = () => json({ detail: 'The database is away.' }, 503)

/** Returns the simulated response to a call about a job. `isCancel` is true for a cancellation. */
let respond: (id: string, isCancel: boolean) => Response
const browserFetch = window.fetch

beforeEach(() => {
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input), location.origin)
    const [, id, cancel] = /^\/api\/print-queue\/([^/]+)(\/cancel)?$/.exec(url.pathname) ?? []
    return id === undefined ? browserFetch(input, init) : respond(id, cancel !== undefined)
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

it('the dialog lists the print jobs of a cancelled order, and loads them again after Retry', async () => {
  let isAway = true
  respond = (id) => (isAway ? away() : json(JOBS[id] ?? {}))
  const screen = await render(
    <Providers>
      <WaitingJobsDialog what="PO-1" jobs={[HOOK, TRAY]} onClose={() => undefined} />
    </Providers>,
  )
  await expect.element(screen.getByText('The names of the print jobs could not be loaded.')).toBeVisible()
  isAway = false
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  const rows = page.getByRole('list', { name: 'Print jobs' }).getByRole('listitem')
  await expect.element(rows.nth(0)).toHaveTextContent('J-00001 Wall hook: 1 of 3 pieces printed')
  await expect.element(rows.nth(1)).toHaveTextContent('J-00002 Tray: 1 piece')
})

it('the dialog lists a print job that has started, with the reason, and can retry a failed cancellation', async () => {
  let isAway = true
  const cancelled: string[] = []
  respond = (id, isCancel) => {
    if (!isCancel) return json(JOBS[id] ?? {})
    if (id === HOOK)
      return json(
        { detail: 'J-00001 is being printed, so it is not cancelled.', code: 'print_job_state' },
        409,
      )
    if (isAway) return away()
    cancelled.push(id)
    return json(JOBS[id] ?? {})
  }
  const screen = await render(
    <Providers>
      <WaitingJobsDialog what="PO-1" jobs={[HOOK, TRAY]} onClose={() => undefined} />
    </Providers>,
  )
  await expect.element(screen.getByText('Wall hook')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel 2 print jobs' }))
  await expect.element(screen.getByRole('heading', { name: '2 print jobs not cancelled' })).toBeVisible()
  await expect.element(screen.getByText('J-00002: The database is away.')).toBeVisible()
  isAway = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await expect.element(screen.getByRole('heading', { name: '1 print job not cancelled' })).toBeVisible()
  await expect.element(screen.getByText('J-00001 is being printed, so it is not cancelled.')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
  expect(cancelled).toEqual([TRAY])
})
