import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  aNetworkPrinter,
  aPrinterSetup,
  aSlicedFile,
  anAssignedJob,
  clearBed,
} from '../../../../test/support/network-printers.ts'
import { type Protocol, simulatedPrinters } from '../../../../test/servers/simulated-printers.ts'
import { SECOND_MS } from '../../../platform/clock.ts'
import { aSpool } from '../../../../test/support/stock-factories.ts'

const START = 'POST /printer/print/start'

/** Creates an app with three printers of one kind. Two jobs, which the planner distributes, wait for them. */
async function aFloor(kind: Protocol) {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, kind)
  const { sql } = app.database
  const others = await simulatedPrinters([kind, kind])
  for (const [nth, { url: address }] of others.entries()) {
    const id = await aNetworkPrinter(app, { name: `Other ${nth + 1}`, kind, address })
    const spool = await aSpool(app, { material: 'PLA' })
    await sql`
      insert into printer_slots (printer_id, slot, spool_id, loaded_at) values (${id}, 1, ${spool}, now())
      on conflict (printer_id, slot) do update set spool_id = excluded.spool_id`
  }
  await sql`update printers set takes_jobs = true`
  const [first, second] = [await anAssignedJob(app, setup), await anAssignedJob(app, setup)]
  await sql`update print_jobs set assigned_printer_id = null`
  const round = async () => {
    await app.planner.run()
    await app.printers.run()
  }
  const printers = [setup.printer, ...others]
  const press = async (path: string) => {
    const headers = await app.as('staff')
    const answer = await app.http.inject({ method: 'POST', url: path, headers, payload: {} })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  const resume = (printerId: string) => press(`/api/printers/${printerId}/resume`)
  const jobOf = async (id: string) => {
    const [job] = await sql`select status, hold_reason from print_jobs where id = ${id}`
    return job
  }
  const statesOfPrinters = async () => {
    const rows = await sql<{ id: string; state: string }[]>`select id, state from printers`
    return rows.map(({ state }) => state).toSorted()
  }
  const platesOf = async (jobId: string) => {
    const rows = await sql<{ printer_id: string; state: string }[]>`
      select printer_id, state from job_plates where print_job_id = ${jobId} order by number`
    return rows
  }
  return { app, setup, sql, first, second, printers, round, press, resume, jobOf, statesOfPrinters, platesOf }
}

type Floor = Awaited<ReturnType<typeof aFloor>>

/** Lets every printer refuse one file: the file of the job that was sent first. */
function refuseFirstJob(floor: Floor, only: string, status: number): void {
  for (const { faults } of floor.printers) faults.push({ kind: 'refused', only, status })
}

describe('a job whose file printers refuse', () => {
  it.each([
    ['moonraker', START, 400],
    ['bambu', 'FTP STOR', 553],
    // PrusaLink sends this status when its storage is full.
    ['prusalink', 'PUT /api/v1/files/', 413],
  ] as const)(
    'a job that two %s printers refuse at %s is on hold, and only the first of them is in error',
    async (kind, only, status) => {
      const floor = await aFloor(kind)
      const { sql, first, second } = floor
      await sql`update print_jobs set status = 'on_hold' where id = ${second}`
      refuseFirstJob(floor, only, status)
      await floor.round()
      expect(await floor.statesOfPrinters()).toEqual(['available', 'available', 'error'])
      expect(await floor.jobOf(first)).toEqual({ status: 'pending', hold_reason: null })
      await floor.round()
      await floor.round()
      await floor.round()
      const plates = await floor.platesOf(first)
      expect(plates.map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
      expect(new Set(plates.map(({ printer_id: id }) => id)).size).toBe(2)
      expect(await floor.statesOfPrinters()).toEqual(['available', 'available', 'error'])
      expect(await floor.jobOf(first)).toEqual({
        status: 'on_hold',
        hold_reason: expect.stringMatching(
          /^Printers refused this print job twice in a row\. Check its sliced file, then press Requeue\. The last refusal: The printer refused the request/,
        ),
      })
      const alerts = await sql`select print_job_id from failed_print_jobs`
      expect(alerts).toEqual([{ print_job_id: first }])
    },
  )

  it('the printers print the next job after they have refused a file', async () => {
    const floor = await aFloor('moonraker')
    const { sql, first, second } = floor
    await sql`update print_jobs set status = 'on_hold' where id = ${second}`
    refuseFirstJob(floor, START, 400)
    for (let nth = 0; nth < 3; nth += 1) await floor.round()
    for (const { faults } of floor.printers) faults.length = 0
    await sql`update print_jobs set status = 'pending' where id = ${second}`
    await floor.round()
    expect(await floor.statesOfPrinters()).toEqual(['available', 'error', 'printing'])
    expect(await floor.jobOf(second)).toMatchObject({ status: 'in_progress' })
    expect(await floor.jobOf(first)).toMatchObject({ status: 'on_hold' })
  })

  it('a job that its printer refuses again after a person pressed Resume is on hold, and the printer gets the next job', async () => {
    const floor = await aFloor('moonraker')
    const { sql, first, second, setup } = floor
    await sql`update print_jobs set assigned_printer_id = ${setup.printerId}`
    setup.printer.faults.push({ kind: 'refused', only: START, status: 400, times: 2 })
    await floor.round()
    expect(await floor.statesOfPrinters()).toEqual(['available', 'available', 'error'])
    await floor.resume(setup.printerId)
    await floor.round()
    expect(await floor.jobOf(first)).toMatchObject({ status: 'on_hold' })
    await floor.round()
    expect(await floor.jobOf(second)).toMatchObject({ status: 'in_progress' })
    expect(setup.printer.machine.prints).toHaveLength(1)
  })

  it("the count of a job's refusals restarts after a person has requeued it, and after a printer has printed its file", async () => {
    const floor = await aFloor('moonraker')
    const { app, sql, first, second, setup } = floor
    const { faults, machine } = setup.printer
    await sql`update print_jobs set status = 'on_hold' where id = ${second}`
    await sql`
      update print_jobs set assigned_printer_id = ${setup.printerId}, quantity = 4, pieces_per_plate = 1 where id = ${first}`
    const refuseOnce = async () => {
      faults.push({ kind: 'refused', only: START, status: 400, times: 1 })
      const before = await floor.platesOf(first)
      await floor.round()
      const plates = await floor.platesOf(first)
      expect([plates.length, plates.at(-1)?.state]).toEqual([before.length + 1, 'cancelled'])
      return (await floor.jobOf(first))?.status
    }
    expect(await refuseOnce()).toBe('pending')
    await floor.resume(setup.printerId)
    // A plate is printed in between, so the next refusal is not the second in a row.
    await floor.round()
    machine.advance(100)
    await floor.round()
    await clearBed(app, setup)
    machine.reboot()
    expect(await refuseOnce()).toBe('pending')
    await floor.resume(setup.printerId)
    expect(await refuseOnce()).toBe('on_hold')
    app.clock.advance(SECOND_MS)
    await floor.press(`/api/print-queue/${first}/requeue`)
    app.clock.advance(SECOND_MS)
    expect(await refuseOnce()).toBe('pending')
    await floor.resume(setup.printerId)
    expect(await refuseOnce()).toBe('on_hold')
  })

  it('a job whose refused file was replaced is on hold only after the second refusal of the new file', async () => {
    const floor = await aFloor('moonraker')
    const { app, sql, first, second, setup } = floor
    await sql`update print_jobs set status = 'on_hold' where id = ${second}`
    await sql`update print_jobs set assigned_printer_id = ${setup.printerId} where id = ${first}`
    setup.printer.faults.push({ kind: 'refused', only: START, status: 400 })
    await floor.round()
    const newFile = await aSlicedFile(app, setup.modelId)
    await sql`update print_jobs set slice_id = ${newFile} where id = ${first}`
    await floor.resume(setup.printerId)
    await floor.round()
    expect(await floor.platesOf(first)).toHaveLength(2)
    expect(await floor.jobOf(first)).toEqual({ status: 'pending', hold_reason: null })
    expect(await floor.statesOfPrinters()).toEqual(['available', 'available', 'error'])
    await floor.resume(setup.printerId)
    await floor.round()
    expect(await floor.jobOf(first)).toMatchObject({ status: 'on_hold' })
  })

  it('a job that two printers refuse while a third prints it gets no further plate and is then on hold', async () => {
    const floor = await aFloor('moonraker')
    const { app, sql, first, second, setup } = floor
    await sql`update print_jobs set status = 'on_hold' where id = ${second}`
    await sql`update print_jobs set quantity = 9, pieces_per_plate = 1 where id = ${first}`
    await sql`update printers set takes_jobs = id = ${setup.printerId}`
    await floor.round()
    expect(await floor.statesOfPrinters()).toEqual(['available', 'available', 'printing'])
    await sql`update printers set takes_jobs = true`
    refuseFirstJob(floor, START, 400)
    for (let nth = 0; nth < 4; nth += 1) await floor.round()
    expect(await floor.statesOfPrinters()).toEqual(['available', 'error', 'printing'])
    expect(await floor.platesOf(first)).toHaveLength(3)
    expect((await floor.jobOf(first))?.status).toBe('in_progress')
    const headers = await app.as('staff')
    const answer = await app.http.inject({
      method: 'POST',
      url: `/api/print-queue/${first}/start`,
      headers,
      payload: {},
    })
    expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([
      409,
      'Printers refused this print job twice in a row. Another plate can start when the running plates have ended.',
    ])
    setup.printer.machine.cancel()
    await floor.round()
    expect(await floor.jobOf(first)).toEqual({
      status: 'on_hold',
      hold_reason: expect.stringMatching(/^Printers refused this print job twice in a row\./),
    })
  })
})
