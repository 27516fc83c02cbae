import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { shownJob, transitionsOf } from '../../../../test/support/print-agents.ts'
import {
  aPrintJob,
  aPrinter,
  aSpool,
  advance,
  anItem,
  refusalOf,
} from '../../../../test/support/stock-factories.ts'
import { type AuditContext, SYSTEM_ACTOR } from '../../../platform/actor.ts'
import type { TransactionSql } from '../../../platform/database/database.ts'
import {
  type PlateToStart,
  cancelPlate,
  failPlate,
  findPlateByRemoteName,
  findRunningPlate,
  finishPlate,
  startPlate,
  updatePlate,
} from '../index.ts'

/** Runs `work` in a transaction of its own. */
const inQueue = <T>(app: TestApp, work: (tx: TransactionSql, by: AuditContext) => Promise<T>): Promise<T> =>
  app.database.transaction((tx) => work(tx, { actor: SYSTEM_ACTOR, now: app.clock.now() }))

const start = (app: TestApp, plate: Partial<PlateToStart> & { jobId: string }) =>
  inQueue(app, (tx, by) => startPlate(tx, { printerId: null, state: 'printing', ...plate }, by))

/** Adds a job with several plates. Returns its id. */
const aDividedJob = async (app: TestApp, quantity: number, perPlate: number, itemId?: string) => {
  const id = await aPrintJob(app, { quantity, estimatedGrams: quantity * 10, ...(itemId && { itemId }) })
  await app.database.sql`update print_jobs set pieces_per_plate = ${perPlate} where id = ${id}`
  return id
}

const stockOf = async (app: TestApp, itemId: string) => {
  const [row] = await app.database.sql<
    { quantity: number }[]
  >`select quantity from items where id = ${itemId}`
  return row?.quantity
}

const printerOf = async (app: TestApp, id: string) => {
  const [row] = await app.database.sql`
    select state, progress::float8, printed_minutes::int, finished_plates, failed_plates from printers where id = ${id}`
  return row
}

describe('the plates of a print job', () => {
  it('the history of a job counts the pieces of each plate', async () => {
    const app = await buildTestApp()
    for (const [perPlate, reason] of [
      [1, 'Plate 1: 1 piece'],
      [2, 'Plate 1: 2 pieces'],
    ] as const) {
      const id = await aDividedJob(app, 4, perPlate)
      await start(app, { jobId: id })
      expect((await transitionsOf(app, id)).at(-1)).toMatchObject({ to_status: 'in_progress', reason })
    }
  })

  it('a job of ten pieces is printed as plates on two printers, and only the rejected pieces are printed again', async () => {
    const app = await buildTestApp()
    const itemId = await anItem(app, { quantity: 0 })
    const spoolId = await aSpool(app)
    const id = await aDividedJob(app, 7, 4, itemId)
    const [left, right] = [await aPrinter(app, 'Left'), await aPrinter(app, 'Right')]
    const one = await start(app, { jobId: id, printerId: left, spoolId })
    const two = await start(app, { jobId: id, printerId: right })
    expect([one.number, one.pieces, two.number, two.pieces]).toEqual([1, 4, 2, 4])
    expect(await refusalOf(start(app, { jobId: id }))).toBe('PRINT_JOB_STATE')
    expect(await refusalOf(start(app, { jobId: await aPrintJob(app), printerId: left }))).toBe('PRINTER_BUSY')

    await inQueue(app, (tx, by) =>
      updatePlate(tx, one.plateId, { progress: 0.5, remoteName: 'j-1.gcode' }, by),
    )
    expect(await shownJob(app, id)).toMatchObject({ status: 'in_progress', progress: 0.2857 })
    expect(await printerOf(app, left)).toMatchObject({ state: 'printing', progress: 0.5 })
    expect((await findRunningPlate(app.database.sql, left))?.id).toBe(one.plateId)
    expect((await findPlateByRemoteName(app.database.sql, left, 'j-1.gcode'))?.id).toBe(one.plateId)

    // The second, equal report books nothing.
    for (let i = 0; i < 2; i += 1)
      await inQueue(app, (tx, by) =>
        finishPlate(tx, one.plateId, { rejected: 2, reason: 'Warped', usedGrams: 40, printMinutes: 60 }, by),
      )
    expect(await stockOf(app, itemId)).toBe(2)
    expect(await shownJob(app, id)).toMatchObject({ status: 'in_progress', good_quantity: 2, used_grams: 40 })
    expect(await printerOf(app, left)).toEqual({
      state: 'available',
      progress: null,
      printed_minutes: 60,
      finished_plates: 1,
      failed_plates: 0,
    })
    await inQueue(app, (tx, by) => finishPlate(tx, two.plateId, { usedGrams: 30 }, by))
    expect(await shownJob(app, id)).toMatchObject({
      status: 'pending',
      good_quantity: 6,
      rejected_quantity: 2,
      used_grams: 70,
    })
    const last = await start(app, { jobId: id, printerId: left })
    expect([last.number, last.pieces]).toEqual([3, 1])
    await inQueue(app, (tx, by) => finishPlate(tx, last.plateId, {}, by))
    expect(await shownJob(app, id)).toMatchObject({ status: 'completed', good_quantity: 7, progress: 1 })
    expect(await stockOf(app, itemId)).toBe(7)
    const [counts] = await app.database.sql`select plates, plates_done from print_jobs where id = ${id}`
    expect(counts).toEqual({ plates: 3, plates_done: 3 })
    const [spool] = await app.database.sql`
      select count(*)::int as entries, sum(delta_grams)::float8 as grams from spool_ledger where kind = 'use'`
    // The use of the last plate was not reported, so its estimate was booked.
    expect(spool).toEqual({ entries: 3, grams: -80 })
  })

  it('a plate occupies its network printer until the bed is cleared, and its pieces are counted only then', async () => {
    const app = await buildTestApp()
    const itemId = await anItem(app, { quantity: 0 })
    const id = await aDividedJob(app, 8, 4, itemId)
    const printerId = await aPrinter(app, 'Net')
    await app.database.sql`update printers set kind = 'moonraker' where id = ${printerId}`
    const { plateId } = await start(app, { jobId: id, printerId, state: 'sending' })
    const update = (report: object) => inQueue(app, (tx, by) => updatePlate(tx, plateId, report, by))
    await update({ state: 'printing' })
    await update({ state: 'paused' })
    expect(await printerOf(app, printerId)).toMatchObject({ state: 'paused' })
    expect(await shownJob(app, id)).toMatchObject({ status: 'in_progress', is_printed: false })
    await update({ state: 'printed', usedGrams: 41.5, printMinutes: 90 })
    // A late report does not change the state of a printed plate.
    await update({ state: 'printing', progress: 0.9 })
    expect(await printerOf(app, printerId)).toMatchObject({ state: 'needs_clearing' })
    expect(await shownJob(app, id)).toMatchObject({ status: 'in_progress', is_printed: true })
    expect(await stockOf(app, itemId)).toBe(0)
    expect(await refusalOf(start(app, { jobId: id, printerId, state: 'sending' }))).toBe('PRINTER_BUSY')
    await inQueue(app, (tx, by) => finishPlate(tx, plateId, { isOnBed: false }, by))
    expect(await stockOf(app, itemId)).toBe(4)
    expect(await printerOf(app, printerId)).toMatchObject({ state: 'available', printed_minutes: 90 })
    expect(await shownJob(app, id)).toMatchObject({ status: 'pending', used_grams: 41.5, progress: 0.5 })
  })

  it('a plate of an undivided job counts the pieces that it printed, even if the quantity was changed during the print', async () => {
    const app = await buildTestApp()
    const itemId = await anItem(app, { quantity: 0 })
    const printerId = await aPrinter(app, 'Net')
    await app.database.sql`update printers set kind = 'moonraker' where id = ${printerId}`
    const printed = async (quantity: number) => {
      const id = await aPrintJob(app, { itemId, quantity: 3 })
      const { plateId } = await start(app, { jobId: id, printerId, state: 'sending' })
      await inQueue(app, (tx, by) =>
        updatePlate(tx, plateId, { remoteName: `${id}.gcode`, state: 'printed' }, by),
      )
      await app.database.sql`update print_jobs set quantity = ${quantity} where id = ${id}`
      await advance(app, id, { to: 'completed', isOnBed: false })
      return shownJob(app, id)
    }
    expect(await printed(1)).toMatchObject({ status: 'completed', good_quantity: 3 })
    expect(await printed(8)).toMatchObject({ status: 'pending', good_quantity: 3 })
    expect(await stockOf(app, itemId)).toBe(6)
  })

  it('a divided job continues after a failed plate, and waits for a person after the third failure in a row', async () => {
    const app = await buildTestApp()
    const id = await aDividedJob(app, 8, 4)
    const fail = async () => {
      const { plateId } = await start(app, { jobId: id })
      await inQueue(app, (tx, by) => failPlate(tx, plateId, { reason: 'Came loose', rejected: 2 }, by))
      return (await shownJob(app, id))?.status
    }
    expect([await fail(), await fail(), await fail()]).toEqual(['pending', 'pending', 'on_hold'])
    expect(await shownJob(app, id)).toMatchObject({
      hold_reason: '3 plates failed in a row. The last one: Came loose',
      rejected_quantity: 6,
    })
    app.clock.advance(1000)
    await advance(app, id, { to: 'pending' })
    app.clock.advance(1000)
    expect(await fail()).toBe('pending')
    expect((await transitionsOf(app, id)).map(({ to_status: to }) => to)).toEqual(
      ['pending', 'in_progress', 'pending', 'in_progress', 'pending', 'in_progress', 'on_hold'].concat([
        'pending',
        'in_progress',
        'pending',
      ]),
    )
  })

  it("changing the quantity of a running job changes only its missing pieces, and a cancelled plate's pieces are missing again", async () => {
    const app = await buildTestApp()
    const id = await aDividedJob(app, 4, 4)
    const one = await start(app, { jobId: id })
    await app.database.sql`update print_jobs set quantity = 6 where id = ${id}`
    const two = await start(app, { jobId: id })
    expect(two.pieces).toBe(4)
    await inQueue(app, (tx, by) => cancelPlate(tx, two.plateId, { reason: 'wrong colour' }, by))
    expect(await shownJob(app, id)).toMatchObject({ status: 'in_progress' })
    await inQueue(app, (tx, by) => finishPlate(tx, one.plateId, {}, by))
    expect(await shownJob(app, id)).toMatchObject({ status: 'pending', good_quantity: 4 })
    expect((await start(app, { jobId: id, pieces: 2 })).pieces).toBe(2)
  })

  it('ten simultaneous starts on one printer start one plate, and ten starts of a job start each of its two plates once', async () => {
    const app = await buildTestApp()
    const printerId = await aPrinter(app, 'Only')
    const id = await aDividedJob(app, 8, 4)
    const others = await Promise.all(Array.from({ length: 10 }, () => aPrintJob(app)))
    const onOne = await Promise.all(others.map((jobId) => refusalOf(start(app, { jobId, printerId }))))
    expect(onOne.filter((code) => code === null)).toHaveLength(1)
    expect(new Set(onOne)).toEqual(new Set([null, 'PRINTER_BUSY']))
    const ofOne = await Promise.all(Array.from({ length: 10 }, () => refusalOf(start(app, { jobId: id }))))
    expect(ofOne.filter((code) => code === null)).toHaveLength(2)
    expect(await app.database.sql`select 1 from job_plates where print_job_id = ${id}`).toHaveLength(2)
  })
})
