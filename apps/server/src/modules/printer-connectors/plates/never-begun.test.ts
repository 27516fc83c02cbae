import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrinterSetup, anAssignedJob, setupState } from '../../../../test/support/network-printers.ts'
import { SECOND_MS } from '../../../platform/clock.ts'

const UPLOAD = 'POST /server/files/upload'
const START = 'POST /printer/print/start'
/** Time after which a start request can no longer be on its way. */
const LATER_MS = 30 * SECOND_MS

async function aSentJob() {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const { sql } = app.database
  const jobId = await anAssignedJob(app, setup)
  const fail = async (use: object = {}) => {
    const answer = await app.http.inject({
      method: 'POST',
      url: `/api/print-queue/${jobId}/fail`,
      headers: await app.as('staff'),
      payload: { reason: 'Wrong file', ...use },
    })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  /** Returns the plate, and its share in the figures of the printer and in the cost of the job. */
  const figures = async () => {
    const [printer] = await sql`
      select printed_minutes, failed_plates from printers where id = ${setup.printerId}`
    const [job] = await sql`select own_cost_minor from print_jobs where id = ${jobId}`
    const { plates, booked } = await setupState(app, setup, jobId)
    const [plate] = plates
    return {
      ...printer,
      hasCost: job?.['own_cost_minor'] !== null,
      plate: plate && [plate.state, plate.used_grams, plate.print_minutes],
      booked,
    }
  }
  return {
    app,
    setup,
    fail,
    figures,
    round: () => app.printers.run(),
    ...setup.printer,
    printer: setup.printer,
  }
}

const NOTHING = { printed_minutes: 0, failed_plates: 0, hasCost: false, plate: ['failed', 0, 0], booked: [] }

describe('a plate that a person reports as failed before its print has begun', () => {
  it('a plate that fails during its upload has no effect on the success rate of its printer or on the cost', async () => {
    const { printer, fail, figures, round, machine } = await aSentJob()
    printer.watch = async (request, phase) => {
      if (phase !== 'before' || !request.startsWith(UPLOAD)) return
      printer.watch = null
      await fail()
    }
    await round()
    expect(await figures()).toEqual(NOTHING)
    await round()
    expect(machine.prints).toEqual([])
    expect(await figures()).toEqual(NOTHING)
  })

  it('a plate with a lost start that a person reports as failed counts until the printer proves it did not print', async () => {
    const { app, faults, fail, figures, round } = await aSentJob()
    faults.push({ kind: 'lost', only: START, times: 1 })
    await round()
    await fail()
    expect(await figures()).toMatchObject({ printed_minutes: 90, failed_plates: 1, hasCost: true })
    app.clock.advance(LATER_MS)
    await round()
    expect(await figures()).toEqual(NOTHING)
    await round()
    expect(await figures()).toEqual(NOTHING)
  })

  it.each([
    ['a reported weight of 0', { used_grams: 0 }, { printed_minutes: 590, failed_plates: 3 }],
    ['a reported time of 0', { print_minutes: 0 }, { printed_minutes: 500, failed_plates: 3 }],
    [
      'neither weight nor time',
      { used_grams: 0, print_minutes: 0 },
      { printed_minutes: 500, failed_plates: 2 },
    ],
  ])(
    'the effects of a failed plate with %s are reverted exactly once when the printer proves that it did not print',
    async (_, use, counted) => {
      const { app, setup, faults, fail, figures, round } = await aSentJob()
      const { sql } = app.database
      await sql`update printers set printed_minutes = 500, failed_plates = 2 where id = ${setup.printerId}`
      faults.push({ kind: 'lost', only: START, times: 1 })
      await round()
      await fail(use)
      expect(await figures()).toMatchObject(counted)
      // Maintenance that is logged now counts from printed hours that do not include the plate.
      const send = async (path: string, payload: object) =>
        app.http.inject({
          method: 'POST',
          url: `/api/printers/${setup.printerId}/${path}`,
          headers: await app.as('staff'),
          payload,
        })
      await send('maintenance-plans', { name: 'Nozzle', every_hours: 1 })
      app.clock.advance(LATER_MS)
      await round()
      await round()
      expect(await figures()).toEqual({ ...NOTHING, printed_minutes: 500, failed_plates: 2 })
      expect(await sql`select done_at_minutes from maintenance_plans`).toEqual([{ done_at_minutes: 500 }])
    },
  )

  it('a plate reported as failed with filament during its upload counts for the printer as well as for the cost', async () => {
    const { printer, fail, figures, round } = await aSentJob()
    printer.watch = async (request, phase) => {
      if (phase !== 'before' || !request.startsWith(UPLOAD)) return
      printer.watch = null
      await fail({ used_grams: 3 })
    }
    await round()
    expect(await figures()).toEqual({
      printed_minutes: 0,
      failed_plates: 1,
      hasCost: true,
      plate: ['failed', 3, 0],
      booked: [-3],
    })
  })

  it('a failure for which a person reports filament and time still counts if the printer does not know the print', async () => {
    const { app, faults, fail, figures, round } = await aSentJob()
    faults.push({ kind: 'lost', only: START, times: 1 })
    await round()
    await fail({ used_grams: 3, print_minutes: 10 })
    app.clock.advance(LATER_MS)
    await round()
    expect(await figures()).toEqual({
      printed_minutes: 10,
      failed_plates: 1,
      hasCost: true,
      plate: ['failed', 3, 10],
      booked: [-3],
    })
  })
})
