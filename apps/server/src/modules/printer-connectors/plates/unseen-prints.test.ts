import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrinterSetup, anAssignedJob, clearBed, visit } from '../../../../test/support/network-printers.ts'

const UPLOAD = {
  moonraker: 'POST /server/files/upload',
  octoprint: 'POST /api/files/local',
  prusalink: 'PUT ',
  bambu: 'STOR ',
}
const NOTE = 'vase.gcode was started at the machine, and its print has ended. Take it off and clear the bed.'

/** Creates an app with a printer that holds a file of somebody else and was visited once. */
async function aShop(kind: keyof typeof UPLOAD) {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, kind)
  const { machine } = setup.printer
  machine.upload('vase.gcode', Buffer.from('G28\n'))
  await app.printers.run()
  return {
    app,
    setup,
    machine,
    /** Prints a file by hand, from start to end. */
    printByHand: (minutes = 1000) => {
      machine.start('vase.gcode', 'machine')
      machine.advance(minutes)
      if (machine.running) machine.cancel()
    },
    /** Runs `work` when the printer has received the next upload, before it answers. */
    duringUpload: (work: () => void) => {
      setup.printer.watch = (request, phase) => {
        if (phase !== 'after' || !request.startsWith(UPLOAD[kind])) return
        setup.printer.watch = null
        work()
      }
    },
  }
}

it.each([
  ['moonraker', 'ended', 1000],
  ['prusalink', 'ended', 1000],
  ['octoprint', 'ended', 1000],
  ['octoprint', 'was cancelled', 1],
] as const)(
  'the bed of a %s printer must be cleared after a print by hand that began and %s during an upload',
  async (kind, _, minutes) => {
    const { app, setup, machine, printByHand, duringUpload } = await aShop(kind)
    const jobId = await anAssignedJob(app, setup)
    duringUpload(() => printByHand(minutes))
    const waiting = {
      printer: { state: 'needs_clearing', state_reason: NOTE },
      job: { status: 'pending' },
      plates: [{ state: 'cancelled' }],
    }
    for (let nth = 0; nth < 3; nth += 1) expect(await visit(app, setup, jobId)).toMatchObject(waiting)
    expect(machine.prints).toHaveLength(1)
    await clearBed(app, setup)
    expect(await visit(app, setup, jobId)).toMatchObject({ printer: { state: 'printing' } })
    expect(machine.prints.map(({ by }) => by)).toEqual(['machine', 'network'])
  },
)

it('the bed of a Bambu printer must be cleared again if a file that the server has seen is printed by hand for the second time', async () => {
  const { app, setup, machine, printByHand } = await aShop('bambu')
  printByHand()
  await app.printers.run()
  await clearBed(app, setup)
  const jobId = await anAssignedJob(app, setup)
  printByHand()
  expect((await visit(app, setup, jobId)).printer).toEqual({ state: 'needs_clearing', state_reason: NOTE })
  await clearBed(app, setup)
  expect((await visit(app, setup, jobId)).printer.state).toBe('printing')
  expect(machine.prints).toHaveLength(3)
})

it('the bed must be cleared after a file has been printed by hand for the second time', async () => {
  const { app, setup, machine, printByHand, duringUpload } = await aShop('moonraker')
  printByHand(1)
  await app.printers.run()
  await clearBed(app, setup)
  const jobId = await anAssignedJob(app, setup)
  duringUpload(() => printByHand(2))
  expect((await visit(app, setup, jobId)).printer).toEqual({ state: 'needs_clearing', state_reason: NOTE })
  await clearBed(app, setup)
  expect((await visit(app, setup, jobId)).printer.state).toBe('printing')
  expect(machine.prints).toHaveLength(3)
})

it('an upload that is cut off and repeated does not hide a print that was started by hand in between', async () => {
  const { app, setup, machine, printByHand } = await aShop('moonraker')
  const jobId = await anAssignedJob(app, setup)
  setup.printer.faults.push({ kind: 'lost', only: UPLOAD.moonraker, times: 1 })
  expect(await visit(app, setup, jobId)).toMatchObject({ plates: [{ state: 'sending' }] })
  printByHand()
  expect(await visit(app, setup, jobId)).toMatchObject({
    printer: { state: 'needs_clearing', state_reason: NOTE },
    plates: [{ state: 'cancelled' }],
  })
  expect(machine.prints).toHaveLength(1)
})

it('the bed must be cleared after a print that was started by hand and ended while the printer could not be reached', async () => {
  const { app, setup, machine, printByHand } = await aShop('moonraker')
  const jobId = await anAssignedJob(app, setup)
  setup.printer.faults.push({ kind: 'lost' })
  expect((await visit(app, setup, jobId)).printer.state).toBe('offline')
  printByHand()
  setup.printer.faults.length = 0
  expect((await visit(app, setup, jobId)).printer).toEqual({ state: 'needs_clearing', state_reason: NOTE })
  await visit(app, setup, jobId)
  expect(machine.prints).toHaveLength(1)
})

it('neither a print of the server nor a screen that somebody confirms counts as a print that was started by hand', async () => {
  const { app, setup, machine } = await aShop('prusalink')
  for (let nth = 1; nth <= 2; nth += 1) {
    const jobId = await anAssignedJob(app, setup)
    await visit(app, setup, jobId)
    machine.advance(100)
    expect((await visit(app, setup, jobId)).plates).toMatchObject([{ state: 'printed' }])
    await clearBed(app, setup)
    expect((await visit(app, setup, jobId)).printer.state).toBe('available')
    machine.acknowledge()
    expect((await visit(app, setup, jobId)).printer.state).toBe('available')
  }
  expect(machine.prints).toHaveLength(2)
})

it('a bed that a person clears while the server reads the state of its printer stays clear', async () => {
  const { app, setup, machine } = await aShop('moonraker')
  const jobId = await anAssignedJob(app, setup)
  await visit(app, setup, jobId)
  machine.advance(100)
  expect((await visit(app, setup, jobId)).printer.state).toBe('needs_clearing')
  setup.printer.watch = async (_, phase) => {
    if (phase !== 'before') return
    setup.printer.watch = null
    await clearBed(app, setup)
  }
  const cleared = { printer: { state: 'available' }, plates: [{ state: 'done' }] }
  expect(await visit(app, setup, jobId)).toMatchObject(cleared)
  expect(await visit(app, setup, jobId)).toMatchObject(cleared)
})

it.each(['moonraker', 'octoprint', 'prusalink'] as const)(
  'a plate whose file a person starts at a %s printer after its upload was cut off is not printed a second time',
  async (kind) => {
    const { app, setup, machine, duringUpload } = await aShop(kind)
    const jobId = await anAssignedJob(app, setup)
    duringUpload(() => setup.printer.faults.push({ kind: 'lost', times: 1 }))
    expect((await visit(app, setup, jobId)).plates).toMatchObject([{ state: 'sending' }])
    const name = [...machine.files.keys()].find((each) => each !== 'vase.gcode') ?? ''
    machine.start(name, 'machine')
    machine.advance(100)
    const printed = {
      printer: { state: 'needs_clearing' },
      plates: [{ state: 'printed', print_minutes: 90 }],
    }
    expect(await visit(app, setup, jobId)).toMatchObject(printed)
    expect(await visit(app, setup, jobId)).toMatchObject(printed)
    expect(machine.prints).toHaveLength(1)
  },
)
