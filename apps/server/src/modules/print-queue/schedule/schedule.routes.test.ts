import type { Order } from '@pegasus/contracts/orders/orders'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Schedule } from '@pegasus/contracts/print-queue/schedule'
import type { Role } from '@pegasus/contracts/roles'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { aMachine, aShop, daysOf, jobOf, scheduleOf, send } from '../../../../test/support/schedules.ts'
import { aPrintJob, aSpool, anItem, anOrder } from '../../../../test/support/stock-factories.ts'
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'

describe('planning a day', () => {
  it('the planner spreads plates over printers by due date and loaded filament, and returns the start and end of each job', async () => {
    const app = await buildTestApp()
    const { add } = await aShop(app)
    const later = await add('Black', { priority: 1 })
    const due = await add('Black', { dueAt: new Date(app.clock.now().getTime() + HOUR_MS / 2) })
    const any = await add('Grey', {
      quantity: 4,
      piecesPerPlate: 2,
      matchStrictness: 'any_color',
      estimatedMinutes: 120,
    })
    const names = { [later]: 'later', [due]: 'due', [any]: 'any' }
    const schedule = await scheduleOf(app)
    expect(daysOf(app, schedule, names)).toEqual({
      Left: [
        ['due', 1, 0, 60],
        ['later', 1, 70, 130],
      ],
      Right: [['any', 2, 0, 130]],
    })
    expect(schedule.printers[0]?.prints[0]).toMatchObject({
      is_late: true,
      is_assigned: false,
      is_running: false,
    })
    expect(await jobOf(app, later)).toMatchObject({
      expected_start: new Date(app.clock.now().getTime() + 70 * 60_000).toISOString(),
      expected_end: new Date(app.clock.now().getTime() + 130 * 60_000).toISOString(),
    })
    await send(app, 'POST', `/api/print-queue/${due}/start`, { printer: 'Left' })
    app.clock.advance(HOUR_MS / 4)
    expect(daysOf(app, await scheduleOf(app), names)['Left']).toEqual([
      ['due', 1, -15, 45],
      ['later', 1, 55, 115],
    ])
    await send(app, 'POST', `/api/print-queue/${due}/complete`)
    expect(await jobOf(app, due)).toMatchObject({ expected_start: null, expected_end: null })
  })

  it('a job shows its running plate with its own end, whatever the plan says about its other plates', async () => {
    const app = await buildTestApp()
    const { add } = await aShop(app)
    const job = await add('Black', {
      quantity: 8,
      piecesPerPlate: 4,
      estimatedMinutes: 360,
      matchStrictness: 'any_color',
    })
    expect(await jobOf(app, job)).toMatchObject({ current_plate: null })
    await send(app, 'POST', `/api/print-queue/${job}/start`, { printer: 'Left' })
    const startedAt = app.clock.now()
    app.clock.advance(HOUR_MS / 4)
    await scheduleOf(app)
    const plate = {
      started_at: startedAt.toISOString(),
      ends_at: new Date(startedAt.getTime() + 3 * HOUR_MS).toISOString(),
      progress: null,
    }
    const shown = await jobOf(app, job)
    expect(shown).toMatchObject({ current_plate: plate })
    // The plan starts the other plate now on the other printer, so the job ends after the running plate.
    expect(Date.parse(shown.expected_end ?? '')).toBeGreaterThan(Date.parse(plate.ends_at))
    const end = new Date(startedAt.getTime() + HOUR_MS)
    await app.database.sql`update printers set finishes_at = ${end}, progress = 0.25 where name = 'Left'`
    await app.database.sql`update job_plates set progress = 0.25 where print_job_id = ${job}`
    expect(await jobOf(app, job)).toMatchObject({
      current_plate: { ...plate, ends_at: end.toISOString(), progress: 0.25 },
    })
    await send(app, 'POST', `/api/print-queue/${job}/complete`)
    expect(await jobOf(app, job)).toMatchObject({ status: 'pending', current_plate: null })
  })

  it('the expected end of an order is that of its last job, and is unknown while a piece has no job', async () => {
    const app = await buildTestApp()
    const { add } = await aShop(app)
    const itemId = await anItem(app, { sku: 'DRAGON', quantity: 0 })
    const orderId = await anOrder(app, {
      lines: [{ sku: 'DRAGON', name: 'Dragon', quantity: 3, unitPriceMinor: 100 }],
    })
    const read = async () => {
      await app.planner.run()
      const { expected_start: start, expected_end: end } = (
        await send(app, 'GET', `/api/orders/${orderId}`, undefined, 'viewer')
      ).json<Order>()
      const minutes = (moment: string | null) =>
        moment === null ? null : Math.round((Date.parse(moment) - app.clock.now().getTime()) / 60_000)
      return [minutes(start), minutes(end)]
    }
    const one = { itemId, orderId, quantity: 1 }
    expect(await read()).toEqual([null, null])
    await add('Black', one)
    await add('Black', one)
    expect(await read()).toEqual([0, null])
    const pink = await add('Pink', one)
    expect(await read()).toEqual([0, null])
    await send(app, 'POST', `/api/print-queue/${pink}/cancel`, {})
    await add('White', one)
    expect(await read()).toEqual([0, 130])
    const [listed] = (await send(app, 'GET', '/api/orders', undefined, 'viewer')).json<Order[]>()
    expect(listed?.expected_end).toBe(new Date(app.clock.now().getTime() + 130 * 60_000).toISOString())
  })

  it('a job that is planned for an order names no sliced file, so that printers of two models can share its plates', async () => {
    const app = await buildTestApp()
    const model = await aModel(app)
    for (const printerModel of ['MK4S', 'Voron 2.4'])
      await aSlice(app, model, { printerModel, minutes: 60, pieces: 4 })
    const itemId = await anItem(app, { sku: 'DRAGON', quantity: 3 })
    await app.database.sql`update items set stl_file_id = ${model} where id = ${itemId}`
    const orderId = await anOrder(app, {
      lines: [{ sku: 'DRAGON', name: 'Dragon', quantity: 10, unitPriceMinor: 100 }],
    })
    for (const [name, kind] of [
      ['MK4S', 'prusalink'],
      ['Voron 2.4', 'moonraker'],
    ])
      await aMachine(app, { name, kind, model: name, nozzle_mm: 0.4, address: 'http://192.168.1.9' })
    const made = await send(app, 'POST', `/api/orders/${orderId}/plan`)
    const [job] = made.json<{ jobs: PrintJob[] }>().jobs
    expect(job).toMatchObject({ quantity: 7, plates: 2, pieces_per_plate: 4, slice_id: null })
    expect(daysOf(app, await scheduleOf(app), { [job?.id ?? '']: 'dragons' })).toEqual({
      MK4S: [['dragons', 1, 0, 60]],
      'Voron 2.4': [['dragons', 1, 0, 60]],
    })
  })

  it('the plan takes time and filament of a job from its sliced file, and names the spool to load', async () => {
    const app = await buildTestApp()
    const model = await aModel(app)
    await aSlice(app, model, { minutes: 45, pieces: 3, grams: 30 })
    const black = await aSpool(app, { material: 'PLA', color: 'Black', remainingGrams: 900 })
    const red = await aSpool(app, { material: 'PLA', color: 'Red', remainingGrams: 900 })
    await aMachine(app, { name: 'MK4S', model: 'MK4S', slots: [{ slot: 1, filament_id: black }] })
    const sliced = await aPrintJob(app, {
      stlFileId: model,
      quantity: 6,
      piecesPerPlate: 3,
      estimatedMinutes: 999,
    })
    const inRed = await aPrintJob(app, { material: 'PLA', color: 'Red', estimatedMinutes: 60 })
    const inPink = await aPrintJob(app, { material: 'PLA', color: 'Pink' })
    const schedule = await scheduleOf(app)
    expect(daysOf(app, schedule, { [sliced]: 'sliced', [inRed]: 'red' })['MK4S']).toEqual([
      ['sliced', 2, 0, 100],
      ['red', 1, 120, 180],
    ])
    expect(schedule.printers[0]?.prints[1]?.load).toEqual({
      filament_id: red,
      filament_label: 'S-0002',
      slot: null,
    })
    expect(schedule.unplanned).toMatchObject([{ print_job_id: inPink, waits_for: [{ code: 'color' }] }])
    expect(await jobOf(app, inPink)).toMatchObject({ expected_start: null, expected_end: null })
  })

  it("a person can move a job to a position in a printer's plan, and can accept the other proposals with one call", async () => {
    const app = await buildTestApp()
    const { add, left, right, black } = await aShop(app)
    const [a, b, c] = [await add('Black'), await add('Black'), await add('White')]
    const names = { [a]: 'a', [b]: 'b', [c]: 'c' }
    const order = (schedule: Schedule) =>
      Object.fromEntries(
        schedule.printers.map(({ name, prints }) => [
          name,
          prints
            .map(({ print_job_id: id, is_assigned: isOwn }) => `${names[id]}${isOwn ? '' : '?'}`)
            .join(' '),
        ]),
      )
    expect(order(await scheduleOf(app))).toEqual({ Left: 'a? b?', Right: 'c?' })
    const place = (id: string, payload: object, as: Role = 'staff') =>
      send(app, 'POST', `/api/print-queue/${id}/schedule`, payload, as)
    const moved = await place(b, { printer_id: left, before_id: a })
    expect(order(moved.json())).toEqual({ Left: 'b a?', Right: 'c?' })
    // Placing a job also accepts the proposals before its new position.
    expect(order((await place(c, { printer_id: left, before_id: null })).json())).toEqual({
      Left: 'b a c',
      Right: '',
    })
    expect(order((await place(c, { printer_id: left, before_id: b })).json())['Left']).toBe('c b a')
    expect(order((await place(c, { printer_id: right, before_id: null })).json())).toEqual({
      Left: 'b a',
      Right: 'c',
    })
    const d = await add('Black')
    Object.assign(names, { [d]: 'd' })
    expect(order((await send(app, 'POST', '/api/print-queue/schedule')).json())['Left']).toBe('b a d')
    expect((await jobOf(app, d)).assigned_printer_id).toBe(left)

    expect((await place(a, { printer_id: black, before_id: null })).json()).toMatchObject({
      detail: expect.stringMatching(/printer/i),
    })
    expect((await place(a, { printer_id: left, before_id: null }, 'viewer')).statusCode).toBe(403)
    expect((await place(a, { printer_id: 'left', before_id: null })).statusCode).toBe(422)
  })

  it('a job that ends while the plan is accepted is left out, and the other proposals are accepted', async () => {
    const app = await buildTestApp()
    const { add, left, right } = await aShop(app)
    const [a, b, c] = [await add('Black'), await add('Black'), await add('White')]
    // Save a plan first, so that the call waits for the locked job and not for the planner.
    await scheduleOf(app)
    const accepted = await app.database.transaction(async (tx) => {
      await tx`update print_jobs set status = 'cancelled', finished_at = now() where id = ${a}`
      const answer = send(app, 'POST', '/api/print-queue/schedule')
      await untilWaiting(app, 1)
      return { answer }
    })
    const answer = await accepted.answer
    expect(answer.statusCode, answer.body).toBe(200)
    const assigned = [a, b, c].map(async (id) => (await jobOf(app, id)).assigned_printer_id)
    expect(await Promise.all(assigned)).toEqual([null, left, right])
  })

  it('a job that a person assigns to another printer while the plan is accepted stays on that printer', async () => {
    const app = await buildTestApp()
    const { add, right } = await aShop(app)
    const [a, b] = [await add('Black'), await add('White')]
    await scheduleOf(app)
    const accepted = await app.database.transaction(async (tx) => {
      await tx`update print_jobs set assigned_printer_id = ${right} where id = ${a}`
      const answer = send(app, 'POST', '/api/print-queue/schedule')
      await untilWaiting(app, 1)
      return { answer }
    })
    const answer = await accepted.answer
    expect(answer.statusCode, answer.body).toBe(200)
    const assigned = [a, b].map(async (id) => (await jobOf(app, id)).assigned_printer_id)
    expect(await Promise.all(assigned)).toEqual([right, right])
  })

  it('a job that a person assigned after the plan was made stays on that printer when the plan is accepted or changed', async () => {
    const app = await buildTestApp()
    const { add, left, right } = await aShop(app)
    const [a, b] = [await add('Black'), await add('Black')]
    await scheduleOf(app)
    // The saved plan still contains the old printer, because the planner has not run since this assignment.
    await app.database.sql`update print_jobs set assigned_printer_id = ${right} where id = ${a}`
    const assigned = async () =>
      Promise.all([a, b].map(async (id) => (await jobOf(app, id)).assigned_printer_id))
    const placed = await send(app, 'POST', `/api/print-queue/${b}/schedule`, {
      printer_id: left,
      before_id: null,
    })
    expect(placed.statusCode, placed.body).toBe(200)
    expect(await assigned()).toEqual([right, left])
    await scheduleOf(app)
    await app.database.sql`update print_jobs set assigned_printer_id = null where id in (${a}, ${b})`
    await app.database.sql`update print_jobs set revision = revision + 1`
    expect((await scheduleOf(app)).printers[0]?.prints.map(({ print_job_id: id }) => id)).toEqual([a, b])
    await app.database.sql`update print_jobs set assigned_printer_id = ${right} where id = ${a}`
    const accepted = await send(app, 'POST', '/api/print-queue/schedule')
    expect(accepted.statusCode, accepted.body).toBe(200)
    expect(await assigned()).toEqual([right, left])
  })

  it('a job that an admin assigned despite a misfit stays assigned while people move it on its printer', async () => {
    const app = await buildTestApp()
    const { add, left } = await aShop(app)
    const model = await aModel(app)
    const sliceId = await aSlice(app, model, { printerModel: 'Ender 3', nozzleMm: 0.4, minutes: 60 })
    const small = await aMachine(app, {
      name: 'Small',
      model: 'MK4S',
      nozzle_mm: 0.4,
      bed_mm: [180, 180, 180],
    })
    const [red, sliced] = [await add('Red'), await aPrintJob(app, { stlFileId: model, sliceId })]
    const assign = (id: string, printerId: string) =>
      send(app, 'POST', `/api/print-queue/${id}/assign`, { printer_id: printerId, override: true }, 'admin')
    for (const [id, printerId] of [
      [red, left],
      [sliced, small],
    ] as const) {
      await assign(id, printerId)
      await app.planner.run()
      const revision = (await jobOf(app, id)).revision
      const moved = await send(app, 'POST', `/api/print-queue/${id}/schedule`, {
        printer_id: printerId,
        before_id: null,
      })
      expect(moved.statusCode, moved.body).toBe(200)
      expect(await jobOf(app, id)).toMatchObject({
        assigned_printer_id: printerId,
        revision,
        waits_for: [],
      })
    }
    // An assignment to another printer is checked again, so its misfits count.
    const large = await aMachine(app, { name: 'Large', model: 'XL', nozzle_mm: 0.4 })
    const refused = await send(app, 'POST', `/api/print-queue/${sliced}/schedule`, {
      printer_id: large,
      before_id: null,
    })
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'printer_does_not_fit' }])
    await send(app, 'POST', `/api/print-queue/${red}/cancel`, {})
    const ended = await send(app, 'POST', `/api/print-queue/${red}/schedule`, {
      printer_id: left,
      before_id: null,
    })
    expect([ended.statusCode, ended.json()]).toMatchObject([409, { code: 'print_job_state' }])
  })

  it('a printer in maintenance gets jobs for the time after the maintenance, but gets no jobs if the end is unknown', async () => {
    const app = await buildTestApp()
    const { add, left, right } = await aShop(app)
    const job = await add('Black')
    const until = new Date(app.clock.now().getTime() + DAY_MS).toISOString()
    await send(app, 'POST', `/api/printers/${right}/maintenance`, { reason: 'Belt' })
    await send(app, 'POST', `/api/printers/${left}/maintenance`, { reason: 'Nozzle', until })
    expect(daysOf(app, await scheduleOf(app), { [job]: 'job' })).toEqual({
      Left: [['job', 1, 1440, 1500]],
      Right: [],
    })
    await send(app, 'POST', `/api/printers/${left}/maintenance`, { reason: 'Nozzle' })
    expect((await scheduleOf(app)).unplanned.map(({ print_job_id: id }) => id)).toEqual([job])
  })

  it('the schedule lists the first hundred jobs that are not planned, and counts all of them', async () => {
    const app = await buildTestApp()
    expect(await scheduleOf(app)).toMatchObject({ unplanned: [], unplanned_count: 0 })
    for (let n = 0; n < 102; n += 1) await aPrintJob(app)
    const { unplanned, unplanned_count: count } = await scheduleOf(app)
    expect([unplanned.length, count]).toEqual([100, 102])
  })
})
