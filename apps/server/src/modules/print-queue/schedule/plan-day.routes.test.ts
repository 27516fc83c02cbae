import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aMachine, aShop, daysOf, jobOf, scheduleOf, send } from '../../../../test/support/schedules.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { aPrintJob, aSpool, takeFromSpool } from '../../../../test/support/stock-factories.ts'
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'
import { listJobsToPlan } from './schedule.queries.ts'

describe('the printers, rolls and jobs of a plan', () => {
  it('a printer whose maintenance should be over gets no jobs until a person resumes it, and another printer gets them', async () => {
    const app = await buildTestApp()
    const { add, left, right } = await aShop(app)
    const job = await add('Black', { matchStrictness: 'material' })
    const second = await add('Black', { matchStrictness: 'material' })
    const names = { [job]: 'job', [second]: 'second' }
    const until = new Date(app.clock.now().getTime() + HOUR_MS).toISOString()
    await send(app, 'POST', `/api/printers/${left}/maintenance`, { reason: 'Nozzle', until })
    app.clock.advance(DAY_MS)
    expect(daysOf(app, await scheduleOf(app), names)).toEqual({
      Left: [],
      Right: [
        ['job', 1, 0, 60],
        ['second', 1, 70, 130],
      ],
    })
    await send(app, 'POST', `/api/printers/${right}/maintenance`, { reason: 'Belt' })
    expect((await scheduleOf(app)).unplanned.map(({ print_job_id: id }) => id)).toEqual([job, second])
    await send(app, 'POST', `/api/printers/${left}/resume`)
    expect(daysOf(app, await scheduleOf(app), names)['Left']).toEqual([
      ['job', 1, 0, 60],
      ['second', 1, 70, 130],
    ])
  })

  it('each printer gets its own roll if the shop has several rolls of one filament', async () => {
    const app = await buildTestApp()
    for (const name of ['P1', 'P2', 'P3']) {
      const white = await aSpool(app, { material: 'PLA', color: 'White', remainingGrams: 900 })
      await aMachine(app, { name, slots: [{ slot: 1, filament_id: white }] })
    }
    const rolls = new Set<string>()
    for (let n = 0; n < 3; n += 1)
      rolls.add(await aSpool(app, { material: 'PLA', color: 'Black', remainingGrams: 900 }))
    const black = { material: 'PLA', color: 'Black', quantity: 3, piecesPerPlate: 1 }
    const job = await aPrintJob(app, { ...black, estimatedMinutes: 180, estimatedGrams: 60 })
    const schedule = await scheduleOf(app)
    expect(daysOf(app, schedule, { [job]: 'black' })).toEqual({
      P1: [['black', 1, 10, 70]],
      P2: [['black', 1, 10, 70]],
      P3: [['black', 1, 10, 70]],
    })
    const loaded = schedule.printers.flatMap(({ prints }) => prints.map(({ load }) => load?.filament_id))
    expect(new Set(loaded)).toEqual(rolls)
  })

  it('the plan of a manual printer has the same number of pieces per plate as the plates that a person starts', async () => {
    const app = await buildTestApp()
    await aMachine(app, { name: 'Bench' })
    const job = await aPrintJob(app, { quantity: 5, piecesPerPlate: 2, estimatedMinutes: 50 })
    const planned = async () => {
      const [bench] = (await scheduleOf(app)).printers
      return bench?.prints.map(({ plates, pieces, starts_at: from, ends_at: to, is_running: isRunning }) => {
        const minutes = (Date.parse(to) - Date.parse(from)) / 60_000
        return isRunning ? 'running' : { plates, pieces, minutes }
      })
    }
    const step = async (name: string, payload: object) => {
      const answer = await send(app, 'POST', `/api/print-queue/${job}/${name}`, payload)
      expect(answer.statusCode, answer.body).toBe(200)
    }
    const started: number[] = []
    const pieces = async (name: string, payload: object = {}) => {
      await step(name, payload)
      const rows = await app.database.sql<{ pieces: number }[]>`
        select pieces from job_plates where print_job_id = ${job} order by number`
      started.splice(0, started.length, ...rows.map((row) => row.pieces))
    }
    // The plan allows ten minutes between two plates to clear the bed.
    expect(await planned()).toEqual([{ plates: 3, pieces: 6, minutes: 80 }])
    await pieces('start', { printer: 'Bench' })
    expect(await planned()).toEqual(['running', { plates: 2, pieces: 4, minutes: 50 }])
    await pieces('complete')
    await pieces('start', { printer: 'Bench' })
    await pieces('complete')
    expect(await planned()).toEqual([{ plates: 1, pieces: 2, minutes: 20 }])
    await pieces('start', { printer: 'Bench' })
    expect(started).toEqual([2, 2, 2])
    // After pieces were rejected, neither the plan nor the start prints more pieces than are missing.
    await pieces('complete', { good_quantity: 0, rejected_quantity: 2, reason: 'Warped' })
    expect(await planned()).toEqual([{ plates: 1, pieces: 1, minutes: 10 }])
    await pieces('start', { printer: 'Bench' })
    expect(started).toEqual([2, 2, 2, 1])
  })

  it('the planner changes to the next roll of a filament when too little is left for a plate', async () => {
    const app = await buildTestApp()
    const aRoll = () => aSpool(app, { material: 'PLA', color: 'Black', remainingGrams: 1000 })
    await aMachine(app, { name: 'P1', slots: [{ slot: 1, filament_id: await aRoll() }] })
    const shelf = [await aRoll(), await aRoll(), await aRoll(), await aRoll()]
    const black = { material: 'PLA', color: 'Black', quantity: 10, piecesPerPlate: 1 }
    const job = await aPrintJob(app, { ...black, estimatedMinutes: 600, estimatedGrams: 4000 })
    const schedule = await scheduleOf(app)
    expect(daysOf(app, schedule, { [job]: 'black' })['P1']?.map(([, plates]) => plates)).toEqual([
      2, 2, 2, 2, 2,
    ])
    const loaded = schedule.printers[0]?.prints.flatMap(({ load }) => load?.filament_id ?? [])
    expect(new Set(loaded)).toEqual(new Set(shelf))
    expect(schedule.unplanned).toEqual([])
    expect((await jobOf(app, job)).expected_end).not.toBeNull()
  })

  it('eight printers get eight rolls of one filament, and more rolls follow until the last plate of the plan', async () => {
    const app = await buildTestApp()
    const names = Array.from({ length: 8 }, (_, n) => `P${n + 1}`)
    for (const name of names) await aMachine(app, { name, slots: [{ slot: 1, filament_id: null }] })
    const rolls = new Set<string>()
    for (let n = 0; n < 24; n += 1)
      rolls.add(await aSpool(app, { material: 'PLA', color: 'Black', remainingGrams: 1000 - n }))
    const black = { material: 'PLA', color: 'Black', quantity: 24, piecesPerPlate: 1 }
    const job = await aPrintJob(app, { ...black, estimatedMinutes: 24 * 60, estimatedGrams: 24 * 600 })
    const schedule = await scheduleOf(app)
    // One spool is enough for one plate. Each printer prints three plates, so it needs three spools.
    const day = [10, 90, 170].map((start) => ['black', 1, start, start + 60])
    expect(daysOf(app, schedule, { [job]: 'black' })).toEqual(
      Object.fromEntries(names.map((name) => [name, day])),
    )
    const loaded = schedule.printers.flatMap(({ prints }) => prints.map(({ load }) => load?.filament_id))
    expect(new Set(loaded)).toEqual(rolls)
    expect(schedule.unplanned).toEqual([])
  })

  it('the plan finds the roll that a tool needs, even if many rolls of another brand have a color of the same name but a different shade', async () => {
    const app = await buildTestApp()
    const model = await aModel(app)
    const tools = ['#0a0a0a', '#cc0000'].map((color_hex) => ({ material: 'PLA', grams: 20, color_hex }))
    await aSlice(app, model, { grams: 40, minutes: 60, tools })
    const silk = (brand: string, colorHex: string, remainingGrams: number) =>
      aSpool(app, { brand, material: 'PLA', color: 'Silk', colorHex, remainingGrams })
    for (let n = 0; n < 8; n += 1) await silk('Polymaker', '0000cc', 900)
    const red = await silk('Prusament', 'cc0000', 100)
    const black = await aSpool(app, { material: 'PLA', color: 'Black', colorHex: '0a0a0a' })
    const slots = [{ slot: 1, filament_id: black }, { slot: 2 }]
    await aMachine(app, {
      name: 'P1',
      kind: 'prusalink',
      address: 'http://192.168.1.9',
      model: 'MK4S',
      slots,
    })
    await aPrintJob(app, { stlFileId: model, material: 'PLA', color: 'Black' })
    const [printer] = (await scheduleOf(app)).printers
    expect(printer?.prints.map(({ load }) => load?.filament_id)).toEqual([red])
  })

  it('if the queue is longer than a plan, the plan takes first the assigned jobs and then those that are due first', async () => {
    const app = await buildTestApp()
    const { add, left } = await aShop(app)
    const pattern = await add('White', { priority: 1 })
    await app.database.sql`
      insert into print_jobs (id, item_id, material, color, quantity, status, priority, position, created_at, updated_at)
      select gen_random_uuid(), item_id, material, color, quantity, status, priority, position + n, created_at, updated_at
      from print_jobs, generate_series(1, 2000) n where id = ${pattern}`
    const due = await add('Black', { priority: 5, dueAt: new Date(app.clock.now().getTime() + HOUR_MS) })
    const assigned = await add('Black', { priority: 5 })
    await app.database.sql`update print_jobs set assigned_printer_id = ${left} where id = ${assigned}`
    const planned = await listJobsToPlan(app.database.sql)
    expect(planned).toHaveLength(2000)
    expect(planned.slice(0, 3)).toEqual([assigned, due, pattern])
    expect(
      daysOf(app, await scheduleOf(app), { [assigned]: 'assigned', [due]: 'due' })['Left'],
    ).toMatchObject([
      ['assigned', 1, 0, 60],
      ['due', 1, 70, 130],
    ])
  })
})

describe('the order of a plan', () => {
  it('jobs that are due in the same hour with the same priority are grouped by filament, and the loaded filament comes first', async () => {
    const app = await buildTestApp()
    const black = await aSpool(app, { material: 'PLA', color: 'Black', remainingGrams: 900 })
    await aSpool(app, { material: 'PLA', color: 'Red', remainingGrams: 900 })
    await aMachine(app, { name: 'P1', slots: [{ slot: 1, filament_id: black }] })
    const dueAt = new Date(app.clock.now().getTime() + DAY_MS)
    const add = (color: string) =>
      aPrintJob(app, { material: 'PLA', color, dueAt, estimatedMinutes: 60, estimatedGrams: 20 })
    const [a, b, c] = [await add('Red'), await add('Black'), await add('Red')]
    expect(daysOf(app, await scheduleOf(app), { [a]: 'a', [b]: 'b', [c]: 'c' })).toEqual({
      P1: [
        ['b', 1, 0, 60],
        ['a', 1, 80, 140],
        ['c', 1, 150, 210],
      ],
    })
  })

  it.each(['a printer in maintenance', 'an empty spool'])(
    'jobs with a loaded filament come first only if the filament can be printed, which is impossible with %s',
    async (what) => {
      const app = await buildTestApp()
      const { left, right, black, add } = await aShop(app)
      for (const color of ['Red', 'Black']) await aSpool(app, { material: 'PLA', color, remainingGrams: 900 })
      const isEmpty = what === 'an empty spool'
      if (isEmpty) await takeFromSpool(app, black, 900)
      await send(app, 'POST', `/api/printers/${isEmpty ? right : left}/maintenance`, { reason: 'Nozzle' })
      const dueAt = new Date(app.clock.now().getTime() + DAY_MS)
      const first = await add('Red', { dueAt })
      const second = await add('Black', { dueAt })
      const days = daysOf(app, await scheduleOf(app), { [first]: 'red', [second]: 'black' })
      expect(Object.values(days).flatMap((prints) => prints.map(([name]) => name))).toEqual(['red', 'black'])
    },
  )

  it('a job that is due in two hours comes before one of higher priority that is due in the evening', async () => {
    const app = await buildTestApp()
    const black = await aSpool(app, { material: 'PLA', color: 'Black', remainingGrams: 900 })
    await aMachine(app, { name: 'P1', slots: [{ slot: 1, filament_id: black }] })
    const add = (hours: number, priority: number, estimatedMinutes: number) =>
      aPrintJob(app, {
        material: 'PLA',
        color: 'Black',
        estimatedGrams: 20,
        priority,
        estimatedMinutes,
        dueAt: new Date(app.clock.now().getTime() + hours * HOUR_MS),
      })
    const evening = await add(14, 1, 600)
    const rush = await add(2, 3, 60)
    expect(daysOf(app, await scheduleOf(app), { [rush]: 'rush', [evening]: 'evening' })).toEqual({
      P1: [
        ['rush', 1, 0, 60],
        ['evening', 1, 70, 670],
      ],
    })
  })
})

describe('the pieces and the filament of a plan', () => {
  it('a large plate is not added to small ones if most of its pieces are not needed', async () => {
    const app = await buildTestApp()
    const model = await aModel(app)
    await aSlice(app, model, { printerModel: 'MK4S', pieces: 4, minutes: 400, grams: 40 })
    await aSlice(app, model, { printerModel: 'MINI', pieces: 1, minutes: 100, grams: 10 })
    for (const [name, type] of [
      ['Large', 'MK4S'],
      ['Small', 'MINI'],
    ]) {
      const spool = await aSpool(app, { material: 'PLA', color: 'Black', remainingGrams: 900 })
      const slots = [{ slot: 1, filament_id: spool }]
      const address = 'http://192.168.1.9'
      await aMachine(app, { name, kind: 'prusalink', model: type, nozzle_mm: 0.4, address, slots })
    }
    await aPrintJob(app, { stlFileId: model, material: 'PLA', color: 'Black', quantity: 4 })
    const prints = (await scheduleOf(app)).printers.flatMap((printer) => printer.prints)
    expect(prints.reduce((sum, { pieces }) => sum + pieces, 0)).toBe(4)
  })

  it('the plan does not use the filament that the running plate still needs', async () => {
    const app = await buildTestApp()
    const spools = [
      await aSpool(app, { material: 'PLA', color: 'Black', remainingGrams: 350 }),
      await aSpool(app, { material: 'PLA', color: 'Black', remainingGrams: 900 }),
    ]
    await aMachine(app, { name: 'P1', slots: [{ slot: 1, filament_id: spools[0] }] })
    const black = { material: 'PLA', color: 'Black', estimatedMinutes: 60 }
    const running = await aPrintJob(app, { ...black, estimatedGrams: 300 })
    const next = await aPrintJob(app, { ...black, estimatedGrams: 200 })
    const started = await send(app, 'POST', `/api/print-queue/${running}/start`, { printer: 'P1' })
    expect(started.statusCode, started.body).toBe(200)
    const [machine] = (await scheduleOf(app)).printers
    expect(machine?.prints.map((print) => [print.print_job_id, print.load?.filament_id])).toEqual([
      [running, undefined],
      [next, spools[1]],
    ])
  })
})
