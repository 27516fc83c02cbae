import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrinterSetup, anAssignedJob, visit } from '../../../../test/support/network-printers.ts'

const REASON =
  'The printer ended the print with an error. Clear the bed, then press Resume. Its message: Must home axis first'

it.each([
  ['clear', 'resume'],
  ['resume', 'clear'],
] as const)(
  'a Klipper printer prints again after an error of its file, once people press %s and %s',
  async (...steps) => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'moonraker')
    const { machine } = setup.printer
    const jobId = await anAssignedJob(app, setup)
    const round = async () => (await visit(app, setup, jobId)).printer
    await round()
    machine.advance(10)
    await round()
    machine.fail('Must home axis first')
    expect(await round()).toEqual({ state: 'error', state_reason: REASON })
    expect(await round()).toEqual({ state: 'error', state_reason: REASON })
    await anAssignedJob(app, setup)
    // Klipper keeps the error until the next print begins.
    for (const step of steps) {
      const url = `/api/printers/${setup.printerId}/${step}`
      const answer = await app.http.inject({
        method: 'POST',
        url,
        headers: await app.as('staff'),
        payload: {},
      })
      expect(answer.statusCode, answer.body).toBe(200)
      if (step !== steps[1]) await round()
    }
    expect(await round()).toMatchObject({ state: 'printing' })
    expect(machine.prints).toHaveLength(2)
    expect(await app.database.sql`select reason from printer_errors`).toEqual([{ reason: REASON }])
  },
)

it('the message of a printer without a full stop gets one before the sentence about its bed', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const { machine } = setup.printer
  const jobId = await anAssignedJob(app, setup)
  await visit(app, setup, jobId)
  machine.advance(10)
  await visit(app, setup, jobId)
  machine.fail('Must home axis first')
  await visit(app, setup, jobId)
  const url = `/api/printers/${setup.printerId}/resume`
  const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload: {} })
  expect(answer.statusCode, answer.body).toBe(200)
  expect((await visit(app, setup, jobId)).printer).toEqual({
    state: 'needs_clearing',
    state_reason: expect.stringMatching(/Its message: Must home axis first\. Clear the bed\.$/),
  })
})

it('a print that was started at a Klipper printer and fails between two visits stops the printer, whatever failed before', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const { machine, faults } = setup.printer
  const jobId = await anAssignedJob(app, setup)
  const round = async () => (await visit(app, setup, jobId)).printer
  const atPrinter = async (step: 'resume' | 'clear') => {
    const url = `/api/printers/${setup.printerId}/${step}`
    const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload: {} })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  const failUnseen = (minutes: number) => {
    machine.start('vase.gcode', 'machine')
    machine.advance(minutes)
    machine.fail('Must home axis first')
  }
  await app.database.sql`update print_jobs set assigned_printer_id = null, status = 'on_hold'`
  await round()
  machine.upload('vase.gcode', Buffer.from('G28\n'))
  for (const minutes of [1, 2]) {
    failUnseen(minutes)
    expect(await round()).toEqual({ state: 'error', state_reason: REASON })
    // The error remains when the printer responds again, because a person has to look at the bed.
    faults.push({ kind: 'lost' })
    expect(await round()).toMatchObject({ state: 'offline' })
    faults.length = 0
    expect(await round()).toEqual({ state: 'error', state_reason: REASON })
    // Nobody has confirmed that the bed is empty.
    await atPrinter('resume')
    const note =
      'vase.gcode was started at the machine, and its print has ended. Take it off and clear the bed.'
    for (let nth = 0; nth < 2; nth += 1)
      expect(await round()).toEqual({ state: 'needs_clearing', state_reason: note })
    await atPrinter('clear')
    expect(await round()).toMatchObject({ state: 'available' })
    faults.push({ kind: 'lost' })
    expect(await round()).toMatchObject({ state: 'offline' })
    faults.length = 0
    expect(await round()).toMatchObject({ state: 'available' })
  }
})

it('a bed that is cleared after a print started by hand has failed unseen does not have to be cleared again after Resume', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const { machine } = setup.printer
  const jobId = await anAssignedJob(app, setup)
  const round = async () => (await visit(app, setup, jobId)).printer
  await app.database.sql`update print_jobs set assigned_printer_id = null, status = 'on_hold'`
  await round()
  machine.upload('vase.gcode', Buffer.from('G28\n'))
  machine.start('vase.gcode', 'machine')
  machine.advance(1)
  machine.fail('Must home axis first')
  expect(await round()).toEqual({ state: 'error', state_reason: REASON })
  for (const step of ['clear', 'resume']) {
    const url = `/api/printers/${setup.printerId}/${step}`
    const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload: {} })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(await round()).toMatchObject({ state: step === 'clear' ? 'error' : 'available' })
  }
})
