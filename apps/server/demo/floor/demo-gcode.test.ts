import { createMemorySource } from '@pegasus/mesh/byte-source'
import { readSlicedFile } from '@pegasus/mesh/gcode/read-sliced-file'
import { expect, it } from 'vitest'
import { demoGcode } from './demo-gcode.ts'

it('the importer reads the G-code of the demo as a complete file with its printer, time and filament', async () => {
  const text = demoGcode({
    printerModel: 'MK4S',
    material: 'PLA',
    bedMm: [250, 210, 220],
    grams: 120,
    minutes: 180,
  })
  const file = await readSlicedFile(createMemorySource(new TextEncoder().encode(text)))
  const tools = [expect.objectContaining({ material: 'PLA', grams: 120 })]
  expect(file).toMatchObject({
    ok: true,
    plates: [{ printerModel: 'MK4S', nozzleMm: 0.4, minutes: 180, tools, notes: [] }],
  })
})
