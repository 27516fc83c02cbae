import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  aPrinterSetup,
  anAssignedJob,
  clearBed,
  setupState,
} from '../../../../test/support/network-printers.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'

const UPLOAD = 'POST /server/files/upload'
const START = 'POST /printer/print/start'

const JUMPS = [
  ['ten minutes forwards', 10 * MINUTE_MS],
  ['a day forwards', DAY_MS],
  ['ten minutes backwards', -10 * MINUTE_MS],
  ['an hour backwards', -HOUR_MS],
  ['a day backwards', -DAY_MS],
] as const

/**
 * The points of a dispatch at which the clock jumps. Each has the fault that leads to this point, and the state of the
 * plate.
 */
const MOMENTS = [
  ['after a refused upload', [{ kind: 'refused', only: UPLOAD, status: 503, times: 1 }], 'sending'],
  ['after a start that was lost', [{ kind: 'lost', only: START, times: 1 }], 'sending'],
  ['after a start whose answer was lost', [{ kind: 'lost-answer', only: START, times: 1 }], 'sending'],
  ['during the print', [], 'printing'],
] as const

it.each(JUMPS.flatMap(([jump, jumpMs]) => MOMENTS.map((moment) => [jump, jumpMs, ...moment] as const)))(
  'a job is printed, counted and booked once if the clock jumps %s (%i ms) %s',
  async (_jump, jumpMs, _moment, faults, state) => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'moonraker')
    const { machine } = setup.printer
    const jobId = await anAssignedJob(app, setup)
    const stateOf = () => setupState(app, setup, jobId)
    setup.printer.faults.push(...faults)
    await app.printers.run()
    expect((await stateOf()).plates).toMatchObject([{ state }])

    app.clock.jump(jumpMs)
    for (let minute = 0; minute < 5; minute += 1) {
      await app.printers.run()
      app.clock.advance(MINUTE_MS)
    }
    // The clock makes the plate look overdue, so it returns to the queue, and another plate is sent.
    const unsent = (await stateOf()).plates
      .slice(0, -1)
      .map(() => ({ state: 'cancelled', print_minutes: null }))
    expect((await stateOf()).plates).toMatchObject([...unsent, { state: 'printing' }])
    machine.advance(91)
    await app.printers.run()
    await clearBed(app, setup)
    await app.printers.run()

    expect(machine.prints).toHaveLength(1)
    const { job, plates, booked, stock } = await stateOf()
    expect({ job, plates, booked: booked.length, stock }).toMatchObject({
      job: { status: 'completed' },
      plates: [...unsent, { state: 'done', print_minutes: 90 }],
      booked: 1,
      stock: 1,
    })
    const [printer] = await app.database.sql`
      select printed_minutes, finished_plates, failed_plates from printers where id = ${setup.printerId}`
    expect(printer).toEqual({ printed_minutes: 90, finished_plates: 1, failed_plates: 0 })
  },
)

it('the server keeps looking for the camera of a printer after the clock was set back by a day', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const hasCamera = async () => {
    const [printer] = await app.database.sql`select has_camera from printers where id = ${setup.printerId}`
    return printer?.['has_camera']
  }
  app.clock.jump(DAY_MS)
  await app.printers.run()
  await app.database.sql`update printers set has_camera = false where id = ${setup.printerId}`
  await app.printers.run()
  expect(await hasCamera()).toBe(false)
  app.clock.jump(-DAY_MS)
  await app.printers.run()
  expect(await hasCamera()).toBe(true)
})
