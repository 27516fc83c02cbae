import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { PrinterKind } from '@pegasus/contracts/print-queue/printers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { StartDialog } from './start-dialog.tsx'
import { useStart } from './use-start.ts'
import { useState } from 'react'

const JOB: object = {
  id: 'job',
  label_code: 'J-00001',
  inventory_item_name: 'Hook',
  status: 'pending',
  quantity: 2,
  printer: null,
  filament_id: null,
  material: null,
  slice_plates: null,
  finished_at: null,
}

const printer = (name: string, kind: PrinterKind, ...reasons: string[]) => ({
  printer: { id: name, label_code: 'P-001', name, model: null, kind, state: 'available' },
  is_assigned: false,
  reasons: reasons.map((message) => ({ code: 'color', message })),
  tools: [],
})

let matches: object[] = []
/** The body of each start that was sent. */
const starts: unknown[] = []
const browserFetch = window.fetch
beforeEach(() => {
  starts.length = 0
  window.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (request.url.endsWith('/matches')) return Response.json(matches)
    if (!request.url.endsWith('/start')) return Response.json([])
    starts.push(await request.json())
    return Response.json({ ...JOB, status: 'in_progress' })
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

function StartButton() {
  const [isOpen, setOpen] = useState(false)
  const { start } = useStart(JOB as PrintJob, () => setOpen(true))
  return (
    <>
      <button type="button" onClick={start}>
        Start Hook
      </button>
      {isOpen ? <StartDialog job={JOB as PrintJob} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

async function pressStart() {
  const screen = await render(
    <Providers>
      <StartButton />
    </Providers>,
  )
  await screen.getByRole('button', { name: 'Start Hook' }).click()
  return screen
}

it('a job starts on the only printer that can start it now', async () => {
  matches = [
    printer('Ender', 'manual'),
    printer('Prusa', 'manual', 'Needs red.'),
    printer('Voron', 'moonraker'),
  ]
  await pressStart()
  await expect.poll(() => starts).toEqual([{ printer: 'Ender' }])
})

it('a job starts without a printer if every printer of the shop starts its jobs itself', async () => {
  matches = [printer('Voron', 'moonraker')]
  await pressStart()
  await expect.poll(() => starts).toEqual([{}])
})

it('a person chooses between the printers that can start a job', async () => {
  matches = [printer('Ender', 'manual'), printer('Prusa', 'manual'), printer('Mini', 'manual', 'Needs red.')]
  const screen = await pressStart()
  const choice = screen.getByLabelText('Printer')
  await expect.element(choice).toHaveValue('Ender')
  await choice.selectOptions('Mini')
  await expect.element(screen.getByText('Needs red.')).toBeVisible()
  await choice.selectOptions('Prusa')
  await screen.getByRole('button', { name: 'Start', exact: true }).click()
  await expect.poll(() => starts).toEqual([{ printer: 'Prusa' }])
})

it('no printer is preselected for a job that none can start now', async () => {
  matches = [printer('Mini', 'manual', 'Needs red.')]
  const screen = await pressStart()
  await expect.element(screen.getByLabelText('Printer')).toHaveValue('')
  expect(starts).toEqual([])
})
