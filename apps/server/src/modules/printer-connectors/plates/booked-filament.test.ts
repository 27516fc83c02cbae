import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anAssignedJob, aPrinterSetup, clearBed, visit } from '../../../../test/support/network-printers.ts'
import { aSpool } from '../../../../test/support/stock-factories.ts'

const GRAMS_OF_HALF = 5.97

async function aPrintingJob() {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const { machine, faults } = setup.printer
  const { sql } = app.database
  const jobId = await anAssignedJob(app, setup)
  const round = () => visit(app, setup, jobId)
  const fail = async (use: object = {}) => {
    const url = `/api/print-queue/${jobId}/fail`
    const payload = { reason: 'Warped', ...use }
    const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  const usedByJob = async () => {
    const [job] =
      await sql`select used_grams::float8 as grams, print_minutes, status from print_jobs where id = ${jobId}`
    return job
  }
  return { app, setup, machine, faults, sql, jobId, round, fail, usedByJob }
}

describe('a network print that a person reports as failed', () => {
  it.each(['while it runs', 'while its printer does not respond'])(
    'a print reported as failed %s books the filament and time that the printer reports, once and as waste',
    async (moment) => {
      const { machine, faults, round, fail, usedByJob } = await aPrintingJob()
      await round()
      machine.advance(45)
      await round()
      if (moment !== 'while it runs') {
        faults.push({ kind: 'lost' })
        await round()
      }
      await fail()
      if (moment !== 'while it runs') machine.cancel()
      faults.length = 0
      await round()
      const { plates, booked } = await round()
      expect(plates).toMatchObject([{ state: 'failed', print_minutes: 45 }])
      const grams = plates[0]?.used_grams ?? 0
      expect(grams).toBeCloseTo(GRAMS_OF_HALF, 1)
      expect(booked).toEqual([-grams])
      expect(await usedByJob()).toEqual({ grams, print_minutes: 45, status: 'failed' })
      expect((await round()).booked).toEqual([-grams])
    },
  )

  it('the filament that a person reports with a failed network print is booked instead of that of the printer', async () => {
    const { machine, round, fail, usedByJob } = await aPrintingJob()
    await round()
    machine.advance(45)
    await round()
    await fail({ used_grams: 3, print_minutes: 10 })
    await round()
    expect((await round()).booked).toEqual([-3])
    expect(await usedByJob()).toEqual({ grams: 3, print_minutes: 10, status: 'failed' })
  })
})

it('a network print with two tools is booked on the spools that were loaded at its start', async () => {
  const { app, setup, machine, sql, round } = await aPrintingJob()
  const [second, later] = [await aSpool(app, { color: 'Red' }), await aSpool(app, { color: 'Red' })]
  await sql`
    insert into printer_slots (printer_id, slot, spool_id, loaded_at) values (${setup.printerId}, 2, ${second}, now())`
  const tools = [0, 1].map((tool) => ({ tool, material: 'PLA', grams: 6, color_hex: null, metres: null }))
  await sql`update sliced_files set tools = ${sql.json(tools)} where id = ${setup.sliceId}`
  expect((await round()).plates).toMatchObject([{ state: 'printing' }])
  machine.advance(100)
  const { plates } = await round()
  expect(plates).toMatchObject([{ state: 'printed' }])
  await sql`
    update printer_slots set spool_id = ${later} where printer_id = ${setup.printerId} and slot = 2`
  await clearBed(app, setup)
  const booked = await sql<{ spool_id: string }[]>`select spool_id from spool_ledger where kind = 'use'`
  expect(booked.map(({ spool_id: id }) => id).toSorted()).toEqual([setup.spoolId, second].toSorted())
})
