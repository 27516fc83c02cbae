import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

const ID = '01890000-0000-7000-8000-000000000000'
const job = {
  id: ID,
  label_code: 'J-00001',
  inventory_item_name: 'Hook',
  status: 'in_progress',
  quantity: 4,
} as PrintJob

const browserFetch = window.fetch
afterEach(() => {
  window.fetch = browserFetch
})

/** Opens the dialog that requeues a job with one plate. Returns the bodies of the calls. */
async function open(plate: { state: string; can_complete: boolean; is_by_hand: boolean }) {
  const sent: unknown[] = []
  window.fetch = async (_, init) => {
    const isRead = (init?.method ?? 'GET') === 'GET'
    if (!isRead) sent.push(JSON.parse(await new Response(init?.body ?? null).text()))
    return Response.json(isRead ? [{ id: ID, number: 1, pieces: 4, ...plate }] : job)
  }
  await render(
    <Providers>
      <ReasonDialog action="requeue" job={job} onClose={() => undefined} />
    </Providers>,
  )
  return sent
}

it('the dialog that requeues a job asks for the filament and time of a print that was started by hand, and sends them', async () => {
  const sent = await open({ state: 'printing', can_complete: true, is_by_hand: true })
  await page.getByLabelText('Filament used').fill('12,5')
  await page.getByLabelText('Print time').fill('9')
  await page.getByRole('button', { name: 'Requeue' }).click()
  await expect.poll(() => sent).toEqual([{ undo_start: false, used_grams: 12.5, print_minutes: 9 }])
})

it('the dialog asks for no filament while a plate is sent to a network printer', async () => {
  const sent = await open({ state: 'sending', can_complete: true, is_by_hand: false })
  await page.getByLabelText('Reason').fill('Wrong file')
  await expect.element(page.getByLabelText('Filament used')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Requeue' }).click()
  await expect.poll(() => sent).toEqual([{ undo_start: false, reason: 'Wrong file' }])
})
