import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { afterEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { SliceField } from './slice-field.tsx'

const FILE = {
  file_name: 'dragon.gcode',
  sha256: 'a',
  stl_version: 1,
  plate: 1,
  plates: 1,
  needs_all_plates: null,
  printer_model: 'MK4S',
  nozzle_mm: 0.4,
  material: 'PETG',
  minutes: 200,
  pieces: 4,
  created_at: '2026-03-01T10:00:00Z',
}
const JOB = { stl_file_id: 'model', stl_version_number: null, stl_current_version_number: 1 }

const browserFetch = window.fetch
afterEach(() => {
  window.fetch = browserFetch
})

/** Shows the field for the sliced files, and returns the labels of its choices. */
async function labelsOf(slices: object[]): Promise<(string | null)[]> {
  window.fetch = () => Promise.resolve(Response.json(slices))
  const screen = await render(
    <Providers>
      <SliceField job={JOB as unknown as PrintJob} label="Sliced file" value="" onChange={() => undefined} />
    </Providers>,
  )
  const choices = screen.getByLabelText('Sliced file').getByRole('option')
  await expect.element(choices.first()).toBeInTheDocument()
  return choices
    .elements()
    .slice(1)
    .map(({ textContent }) => textContent)
}

it('the choice of a sliced file names its printer, material, time and pieces, and its plate', async () => {
  const plate = { ...FILE, file_name: 'castle.3mf', sha256: 'b', plates: 2, needs_all_plates: false }
  const all = { ...plate, file_name: 'tower.3mf', sha256: 'c', needs_all_plates: true }
  const labels = await labelsOf([
    { ...FILE, id: '1' },
    { ...FILE, id: '2', material: null, minutes: null, nozzle_mm: null, printer_model: 'Mini' },
    { ...plate, id: '3' },
    { ...plate, id: '4', plate: 2 },
    { ...all, id: '5' },
    { ...all, id: '6', plate: 2 },
  ])
  expect(labels).toEqual([
    'dragon.gcode · MK4S · 0.4 mm · PETG · 3 h 20 min · 4 pieces',
    'dragon.gcode · Mini · 4 pieces',
    'castle.3mf · plate 1 · MK4S · 0.4 mm · PETG · 3 h 20 min · 4 pieces',
    'castle.3mf · plate 2 · MK4S · 0.4 mm · PETG · 3 h 20 min · 4 pieces',
    'tower.3mf · all 2 plates · MK4S · 0.4 mm · PETG · 6 h 40 min · 4 pieces',
  ])
})

it('two sliced files with the same description also say when they were added', async () => {
  const labels = await labelsOf([
    { ...FILE, id: '1', created_at: '2026-03-02T12:00:00Z' },
    { ...FILE, id: '2', sha256: 'b' },
  ])
  const [first, second] = labels.map((label) => label?.split(' · ').at(-1))
  expect(first).toMatch(/Mar 2, 2026/)
  expect(second).toMatch(/Mar 1, 2026/)
})
