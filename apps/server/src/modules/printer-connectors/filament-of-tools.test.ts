import { expect, it } from 'vitest'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { aPrinterSetup, anAssignedJob, clearBed, setupState } from '../../../test/support/network-printers.ts'
import { aSpool } from '../../../test/support/stock-factories.ts'

it.each(['moonraker', 'prusalink', 'bambu'] as const)(
  'the filament of a print on a %s printer is booked on the spool of each tool',
  async (kind) => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, kind)
    const { sql } = app.database
    const second = await aSpool(app, { material: 'PETG', remainingGrams: 500 })
    await sql`insert into printer_slots (printer_id, slot, spool_id) values (${setup.printerId}, 2, ${second})`
    const tools = [
      { tool: 0, material: 'PLA', color_hex: null, grams: 9, metres: 3 },
      { tool: 1, material: 'PETG', color_hex: null, grams: 3, metres: 1 },
    ]
    await sql`update sliced_files set tools = ${sql.json(tools)} where id = ${setup.sliceId}`
    const jobId = await anAssignedJob(app, setup)
    await app.printers.run()
    setup.printer.machine.advance(100)
    await app.printers.run()
    const { plates } = await setupState(app, setup, jobId)
    const used = plates[0]?.used_grams ?? 0
    expect(used).toBeGreaterThan(10)
    await clearBed(app, setup)
    const entries = await sql<{ spool_id: string; grams: number }[]>`
      select spool_id, -delta_grams::float8 as grams from spool_ledger where kind = 'use' order by delta_grams`
    expect(entries.map(({ spool_id: id }) => id)).toEqual([setup.spoolId, second])
    expect(entries[0]?.grams).toBeCloseTo(used * 0.75, 1)
    expect(entries[1]?.grams).toBeCloseTo(used * 0.25, 1)
  },
)
