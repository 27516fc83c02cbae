import type { PrinterMatch } from '@pegasus/contracts/print-queue/matching'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Schedule } from '@pegasus/contracts/print-queue/schedule'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { anAgent, claim, sendReport } from '../../../../test/support/print-agents.ts'
import { aPrintJob, aSpool, anItem } from '../../../../test/support/stock-factories.ts'
import { readPlanStamp } from '../schedule/schedule.queries.ts'

const MINI = { printer: 'Mini' }
const BOX = { min: [0, 0, 0], max: [200, 100, 50], size: [200, 100, 50] }

const reasonsOf = async (app: TestApp, id: string) => {
  const url = `/api/print-queue/${id}/matches`
  const matches = (await app.http.inject({ url, headers: await app.as('staff') })).json<PrinterMatch[]>()
  return matches.find(({ printer }) => printer.name === 'Mini')?.reasons ?? null
}

/**
 * Plans the day. Returns the labels of the spools to load before the planned prints of a job, or null if it is not
 * planned.
 */
const loadsOf = async (app: TestApp, id: string) => {
  await app.planner.run()
  const headers = await app.as('viewer')
  const plan = (await app.http.inject({ url: '/api/print-queue/schedule', headers })).json<Schedule>()
  const prints = plan.printers.flatMap((each) => each.prints.filter((print) => print.print_job_id === id))
  return prints.length === 0 ? null : prints.flatMap(({ loads }) => loads.map((load) => load.filament_label))
}

/** Adds a job for a model with one sliced file in this material. If `slice` is null, the model has no sliced file. */
async function aSlicedJob(app: TestApp, material: string, slice: Parameters<typeof aSlice>[2] | null = {}) {
  const stlFileId = await aModel(app, { box: BOX })
  if (slice) await aSlice(app, stlFileId, { printerModel: null, material, ...slice })
  const itemId = await anItem(app, { material_used: material })
  return aPrintJob(app, { stlFileId, itemId })
}

it('the planner and claims take exactly the jobs that have no reason to wait after the last claim of the agent', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const cases: readonly (readonly [object, () => Promise<string>, string | null])[] = [
    [{}, () => aSlicedJob(app, 'PETG'), null],
    [{ materials: ['PLA'] }, () => aSlicedJob(app, 'PETG'), 'Needs PETG. Its agent has stated PLA.'],
    [{ materials: ['pla', 'PETG'] }, () => aSlicedJob(app, 'PETG'), null],
    [
      { bed_mm: [180, 180, 180] },
      () => aSlicedJob(app, 'PLA'),
      'The part is 200 × 100 × 50 mm. Its agent has stated a print area of 180 × 180 × 180 mm.',
    ],
    [{ bed_mm: [100, 200, 50] }, () => aSlicedJob(app, 'PLA'), null],
    [{ file_types: ['stl'] }, () => aSlicedJob(app, 'PLA'), null],
    [{ file_types: ['.GCODE'] }, () => aSlicedJob(app, 'PLA', null), 'Its agent reads only .gcode files.'],
    [{ file_types: ['gcode'] }, () => aSlicedJob(app, 'PLA'), null],
    [
      { file_types: ['gcode'] },
      () => aSlicedJob(app, 'PLA', { printerModel: 'Voron 2.4' }),
      'The model of Mini is unknown, so no sliced file can be chosen for it.',
    ],
    [
      { file_types: ['bgcode'] },
      () => aSlicedJob(app, 'PLA'),
      'The sliced file is a .gcode file. Its agent reads only .bgcode files.',
    ],
    [
      { file_types: ['gcode'], nozzle_mm: 0.6 },
      () => aSlicedJob(app, 'PLA', { nozzleMm: 0.4 }),
      'Sliced for a nozzle of 0.4 mm. Its agent has stated a nozzle of 0.6 mm.',
    ],
    [
      { file_types: ['gcode'], materials: ['PLA'] },
      () =>
        aSlicedJob(app, 'PLA', {
          tools: [
            { material: 'PLA', grams: 5 },
            { material: 'PVA', grams: 1 },
          ],
        }),
      'The sliced file is for PLA and PVA. Its agent has stated PLA.',
    ],
  ]
  for (const [stated, aJob, message] of cases) {
    expect((await claim(app, key, 'bench-1', { ...MINI, ...stated })).statusCode).toBe(204)
    const id = await aJob()
    // No spools are recorded for the printer, so any of the stated materials may be loaded.
    const messages = (await reasonsOf(app, id))?.map((each) => each.message)
    expect([stated, messages]).toEqual([stated, message === null ? [] : [message]])
    expect([stated, await loadsOf(app, id)]).toEqual([stated, message === null ? [] : null])
    const answer = await claim(app, key, 'bench-1', { ...MINI, ...stated })
    expect([stated, answer.statusCode]).toEqual([stated, message === null ? 200 : 204])
    if (message === null) await sendReport(app, key, id, 'complete')
    else await app.database.sql`update print_jobs set deleted_at = now() where id = ${id}`
  }
  const [printer] = await app.database.sql`
    select agent_facts, agent_facts_at = ${app.clock.now()} as is_now from printers`
  expect(printer).toEqual({ agent_facts: { file_types: ['gcode'], materials: ['PLA'] }, is_now: true })
})

it('a reason names the chosen file that the agent cannot print, and both recorded spools and stated materials count', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await claim(app, key, 'bench-1', { ...MINI, materials: ['PLA', 'PETG'], file_types: ['bgcode'] })
  const job = await aSlicedJob(app, 'PETG')
  await app.database.sql`
    update print_jobs set slice_id = (select id from sliced_files limit 1) where id = ${job}`
  expect(await reasonsOf(app, job)).toMatchObject([
    { code: 'no_slice', message: 'The chosen file is a .gcode file. Its agent reads only .bgcode files.' },
  ])
  const spoolId = await aSpool(app, { material: 'PLA' })
  await app.database.sql`update printer_slots set spool_id = ${spoolId}, loaded_at = now()`
  expect((await claim(app, key, 'bench-1', { ...MINI, materials: ['PLA', 'PETG'] })).statusCode).toBe(204)
  expect(await reasonsOf(app, job)).toMatchObject([
    { code: 'material', message: expect.stringMatching(/^Needs PETG. Loaded: PLA/) },
  ])
})

it('the bed and the nozzle that a person entered are not named as stated by the agent', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await claim(app, key, 'bench-1', { ...MINI, file_types: ['gcode'] })
  await app.database.sql`update printers set bed_mm = '[180, 180, 180]', nozzle_mm = 0.6`
  const job = await aSlicedJob(app, 'PLA', { nozzleMm: 0.4 })
  expect(await reasonsOf(app, job)).toMatchObject([
    { message: 'The part is 200 × 100 × 50 mm, but the print area is 180 × 180 × 180 mm.' },
    { message: 'Sliced for a nozzle of 0.4 mm, but the printer has 0.6 mm.' },
  ])
})

it("the statements of an agent about a person's printer do not change why a job waits for it", async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await claim(app, key, 'bench-1', MINI)
  await app.database.sql`update printers set kind = 'manual', bed_mm = '[250, 210, 220]'`
  await claim(app, key, 'bench-1', { ...MINI, bed_mm: [100, 100, 100], file_types: ['bgcode'] })
  const job = await aPrintJob(app, { stlFileId: await aModel(app, { box: BOX }) })
  expect(await reasonsOf(app, job)).toEqual([])
})

it('a file that a person chose fits an agent whose printer has no model, whatever printer the file names', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await claim(app, key, 'bench-1', MINI)
  const job = await aSlicedJob(app, 'PLA', { printerModel: 'Original Prusa MK4' })
  await app.database.sql`
    update print_jobs set slice_id = (select id from sliced_files limit 1) where id = ${job}`
  expect(await reasonsOf(app, job)).toEqual([])
  await app.database.sql`update printers set model = 'Prusa MINI'`
  expect(await reasonsOf(app, job)).toMatchObject([{ code: 'no_slice' }])
  expect((await claim(app, key, 'bench-1', MINI)).statusCode).toBe(204)
  await app.database.sql`update printers set model = null`
  expect((await claim(app, key, 'bench-1', MINI)).json()).toMatchObject({ id: job })
})

it('no spool is planned and no tool lacks filament on a printer whose agent loads the filament itself', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await claim(app, key, 'bench-1', { ...MINI, materials: ['PLA'] })
  await aSpool(app, { material: 'PLA' })
  const tools = [
    { material: 'PLA', grams: 5, color_hex: '#0a0a0a' },
    { material: 'PLA', grams: 1, color_hex: '#fafafa' },
  ]
  const job = await aSlicedJob(app, 'PLA', { tools })
  expect([await reasonsOf(app, job), await loadsOf(app, job)]).toEqual([[], []])
  await app.database.sql`
    update print_jobs set slice_id = (select id from sliced_files limit 1) where id = ${job}`
  expect([await reasonsOf(app, job), await loadsOf(app, job)]).toEqual([[], []])
  const url = `/api/print-queue/${job}/matches`
  const [match] = (await app.http.inject({ url, headers: await app.as('staff') })).json<PrinterMatch[]>()
  expect(match?.tools).toEqual([])
})

it('a new statement of an agent changes the plan', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await claim(app, key, 'bench-1', { ...MINI, materials: ['PLA'] })
  const job = await aSlicedJob(app, 'PLA')
  expect(await loadsOf(app, job)).toEqual([])
  const stamp = await readPlanStamp(app.database.sql)
  expect((await claim(app, key, 'bench-1', { ...MINI, materials: ['PETG'] })).statusCode).toBe(204)
  // Without a new stamp, the planner would keep the old plan for up to a minute.
  expect(await readPlanStamp(app.database.sql)).not.toBe(stamp)
  expect(await loadsOf(app, job)).toBeNull()
})

it('a printer shows both what its agent stated in its last claim, with the time, and what a person entered', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const headers = await app.as('viewer')
  const factsOf = async () =>
    (await app.http.inject({ url: '/api/printers', headers }))
      .json<Printer[]>()
      .map(({ bed_mm: bed, agent_facts: facts }) => ({ bed, facts }))
  await claim(app, key, 'bench-1', { ...MINI, bed_mm: [180, 180, 180] })
  await app.database.sql`update printers set bed_mm = '[250, 210, 220]'`
  app.clock.advance(60_000)
  await claim(app, key, 'bench-1', { ...MINI, nozzle_mm: 0.6, materials: ['PLA'], file_types: ['.GCODE'] })
  const facts = { bed_mm: null, nozzle_mm: 0.6, materials: ['PLA'], file_types: ['gcode'] }
  expect(await factsOf()).toEqual([
    { bed: [250, 210, 220], facts: { ...facts, stated_at: app.clock.now().toISOString() } },
  ])
  await claim(app, key, 'bench-1', MINI)
  expect(await factsOf()).toEqual([{ bed: [250, 210, 220], facts: null }])
  await app.database.sql`update printers set kind = 'manual', agent_facts = '{"nozzle_mm": 0.6}'`
  expect(await factsOf()).toMatchObject([{ facts: null }])
})
