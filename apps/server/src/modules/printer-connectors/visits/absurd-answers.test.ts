import { expect, it } from 'vitest'
import { type SimulatedMachine, aPrint } from '../../../../test/servers/simulated-printers.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  anAssignedJob,
  aPrinterSetup,
  clearBed,
  setupState,
  visit,
} from '../../../../test/support/network-printers.ts'

async function aPrintingPlate(kind: 'moonraker' | 'prusalink') {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, kind)
  const jobId = await anAssignedJob(app, setup)
  const { machine } = setup.printer
  const round = () => visit(app, setup, jobId)
  expect((await round()).plates).toMatchObject([{ state: 'printing' }])
  return { app, setup, machine, round }
}

it.each([
  ['moonraker', 'filament', (machine: SimulatedMachine) => (machine.usedMmOf = () => 1e12)],
  [
    'moonraker',
    'time',
    ({ prints }: SimulatedMachine) => prints.forEach((print) => (print.printedMinutes = 1e12)),
  ],
  [
    'prusalink',
    'grams in the file',
    ({ files }: SimulatedMachine) => files.forEach((file) => (file.filamentGrams = 999_999_999_999)),
  ],
] as const)('a plate ends and is counted although %s reports absurd %s', async (kind, _, distort) => {
  const { app, setup, machine, round } = await aPrintingPlate(kind)
  machine.advance(91)
  distort(machine)
  const printed = await round()
  expect(printed).toMatchObject({ printer: { state: 'needs_clearing' }, plates: [{ state: 'printed' }] })
  expect(printed.plates[0]?.used_grams ?? 0).toBeLessThan(100)
  await clearBed(app, setup)
  expect(await round()).toMatchObject({ job: { status: 'completed' }, stock: 1 })
})

it('the progress of a plate is saved even if the reported time left is absurdly long', async () => {
  const { app, setup, machine, round } = await aPrintingPlate('moonraker')
  machine.progressOf = () => 1e-300
  machine.advance(1)
  machine.pause()
  expect((await round()).printer.state).toBe('paused')
  const [printer] = await app.database.sql`select finishes_at from printers where id = ${setup.printerId}`
  expect(printer).toEqual({ finishes_at: null })
})

it.each([
  ['part\u0000.gcode', 'part .gcode'],
  ['part\u202e\u200fedocg.gcode', 'part edocg.gcode'],
  [`${'x'.repeat(300_000)}.gcode`, 'x'.repeat(200)],
])('a print by hand is shown with a clean and short name (%#)', async (name, shown) => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  setup.printer.machine.upload(name, aPrint())
  setup.printer.machine.start(name, 'machine')
  await app.printers.run()
  const [printer] = await app.database
    .sql`select state, state_reason from printers where id = ${setup.printerId}`
  expect(printer).toEqual({
    state: 'printing',
    state_reason: `Prints ${shown}, which was started at the machine.`,
  })
})

it('a visit that fails for an unexpected reason shows an error at the printer, and the next visit continues', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const jobId = await anAssignedJob(app, setup)
  const { stat } = app.storage
  app.storage.stat = () => Promise.reject(new Error('The disk is gone.'))
  await app.printers.run()
  expect(await setupState(app, setup, jobId)).toMatchObject({
    printer: { state: 'error', state_reason: expect.stringMatching(/unexpected error/) },
    plates: [{ state: 'sending' }],
  })
  app.storage.stat = stat
  await app.printers.run()
  expect(await setupState(app, setup, jobId)).toMatchObject({
    printer: { state: 'printing', state_reason: null },
    plates: [{ state: 'printing' }],
  })
})
