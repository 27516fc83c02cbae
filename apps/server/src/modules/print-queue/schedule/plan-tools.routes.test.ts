import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Schedule } from '@pegasus/contracts/print-queue/schedule'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { type SliceToAdd, aSlice } from '../../../../test/support/library/slice-factories.ts'
import { aPrintJob, aSpool } from '../../../../test/support/stock-factories.ts'

const BLACK = '#0a0a0a'
const WHITE = '#fafafa'

const BAMBU = { kind: 'bambu', model: 'X1C', nozzle_mm: 0.4, address: '10.0.0.8', api_key: '12345678' }

/** The tools of a file that prints black letters on white. */
const TOOLS = [
  { material: 'PLA', grams: 20, color_hex: BLACK },
  { material: 'PLA', grams: 40, color_hex: WHITE },
]

async function aPrinterWith(
  app: TestApp,
  spools: (string | null)[],
  printer: object = { kind: 'prusalink', model: 'MK4S', nozzle_mm: 0.4 },
): Promise<string> {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/printers',
    headers: await app.as('admin'),
    payload: {
      name: 'Left',
      address: 'http://192.168.1.9',
      ...printer,
      slots: spools.map((id, at) => ({ slot: at + 1, filament_id: id })),
    },
  })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json<Printer>().id
}

const aModelWith = async (app: TestApp, slice: SliceToAdd = {}): Promise<string> => {
  const model = await aModel(app)
  await aSlice(app, model, { minutes: 60, grams: 60, tools: TOOLS, ...slice })
  return model
}

const black = (app: TestApp, remainingGrams = 900) =>
  aSpool(app, { material: 'PLA', color: 'Black', colorHex: BLACK.slice(1), remainingGrams })
const white = (app: TestApp, remainingGrams = 900) =>
  aSpool(app, { material: 'PLA', color: 'White', colorHex: WHITE.slice(1), remainingGrams })

/** Returns the planned prints as `[job, minutes until the start, spools to load with their slots]`. */
async function planOf(app: TestApp, ...jobs: string[]) {
  await app.planner.run()
  const headers = await app.as('viewer')
  const answer = await app.http.inject({ url: '/api/print-queue/schedule', headers })
  const { printers, unplanned } = answer.json<Schedule>()
  const prints = printers.flatMap(({ prints: each }) => each)
  return {
    prints: prints.map((print) => [
      jobs.indexOf(print.print_job_id),
      Math.round((Date.parse(print.starts_at) - app.clock.now().getTime()) / 60_000),
      ...print.loads.map(({ filament_id: id, slot }) => [id, slot]),
    ]),
    prints_load: prints.map(({ load }) => load?.filament_id ?? null),
    waits: unplanned.map(({ waits_for: waits }) => waits.map(({ message }) => message)),
  }
}

const aJob = (app: TestApp, stlFileId: string) =>
  aPrintJob(app, { stlFileId, material: 'PLA', color: 'Black' })

describe('planning files with several tools', () => {
  it('the planner proposes a job whose second spool has to be loaded, and the next job uses that spool', async () => {
    const app = await buildTestApp()
    const model = await aModelWith(app)
    await aPrinterWith(app, [await black(app), null])
    const [first, second] = [await aJob(app, model), await aJob(app, model)]
    const missing = await planOf(app)
    expect(missing).toMatchObject({
      prints: [],
      waits: [['Left: Tool 2 needs PLA. Slot 2 is empty.'], [expect.any(String)]],
    })
    const spool = await white(app)
    expect(await planOf(app, first, second)).toMatchObject({
      prints: [
        [0, 10, [spool, 2]],
        [1, 80],
      ],
      prints_load: [spool, null],
      waits: [],
    })
  })

  it('the planner names every spool that has to be loaded, with its slot', async () => {
    const app = await buildTestApp()
    const model = await aModelWith(app)
    const petg = await aSpool(app, { material: 'PETG', color: 'Grey' })
    await aPrinterWith(app, [petg, null])
    const [own, other] = [await black(app), await white(app)]
    const job = await aJob(app, model)
    expect(await planOf(app, job)).toMatchObject({
      prints: [[0, 20, [own, 1], [other, 2]]],
      prints_load: [own],
    })
  })

  it('two tools that use one filament get two rolls of it', async () => {
    const app = await buildTestApp()
    const tools = [20, 40].map((grams) => ({ material: 'PLA', grams, color_hex: BLACK }))
    const model = await aModelWith(app, { tools })
    await aPrinterWith(app, [null, null])
    const [fuller, other] = [await black(app, 900), await black(app, 800)]
    const job = await aJob(app, model)
    expect(await planOf(app, job)).toMatchObject({ prints: [[0, 20, [fuller, 1], [other, 2]]], waits: [] })
  })

  it('the roll that a person chose is loaded, even if fuller rolls of its filament could feed all slots', async () => {
    const app = await buildTestApp()
    const tools = [20, 20].map((grams) => ({ material: 'PLA', grams, color_hex: BLACK }))
    const model = await aModelWith(app, { tools })
    await aPrinterWith(app, [null, null, null, null])
    const [fullest] = [await black(app, 950), await black(app), await black(app), await black(app)]
    const chosen = await black(app, 300)
    const job = await aPrintJob(app, { stlFileId: model, spoolId: chosen })
    expect(await planOf(app, job)).toMatchObject({ prints: [[0, 20, [chosen, 1], [fullest, 2]]] })
  })

  it('the planner subtracts the filament of each tool from the planned spools', async () => {
    const app = await buildTestApp()
    const model = await aModelWith(app)
    const short = await white(app, 70)
    await aPrinterWith(app, [await black(app), short])
    const jobs = [await aJob(app, model), await aJob(app, model)]
    const full = await white(app)
    expect(await planOf(app, ...jobs)).toMatchObject({
      prints: [
        [0, 0],
        [1, 80, [full, 2]],
      ],
    })
  })

  it('a spool for a printer with free slots goes into an empty slot, and two tools never share a spool', async () => {
    const app = await buildTestApp()
    const [own, other] = [await black(app), await white(app)]
    const tools = [...TOOLS, { material: 'PETG', grams: 5, color_hex: '#cc0000' }]
    const model = await aModelWith(app, { tools, format: 'gcode.3mf', printerModel: 'X1C' })
    await aPrinterWith(app, [other, null, null], BAMBU)
    const job = await aJob(app, model)
    expect(await planOf(app)).toMatchObject({ prints: [], waits: [[expect.any(String), expect.any(String)]] })
    const red = await aSpool(app, { material: 'PETG', color: 'Red', colorHex: 'CC0000' })
    expect(await planOf(app, job)).toMatchObject({ prints: [[0, 20, [own, 2], [red, 3]]] })
  })

  it('a spool that one tool frees is used by the next tool, so only the missing spool is loaded', async () => {
    const app = await buildTestApp()
    const tools = [...TOOLS, { material: 'PLA', grams: 5, color_hex: '#cc0000' }]
    const model = await aModelWith(app, { tools, format: 'gcode.3mf', printerModel: 'X1C' })
    const red = await aSpool(app, { material: 'PLA', color: 'Red', colorHex: 'CC0000' })
    await aPrinterWith(app, [await black(app), red, null], BAMBU)
    const missing = await white(app)
    const job = await aJob(app, model)
    expect(await planOf(app, job)).toMatchObject({ prints: [[0, 10, [missing, 3]]], waits: [] })
  })

  it('on a full printer, a missing spool replaces one that no tool needs', async () => {
    const app = await buildTestApp()
    const tools = [...TOOLS, { material: 'PLA', grams: 5, color_hex: '#cc0000' }]
    const model = await aModelWith(app, { tools, format: 'gcode.3mf', printerModel: 'X1C' })
    const red = await aSpool(app, { material: 'PLA', color: 'Red', colorHex: 'CC0000' })
    const blue = await aSpool(app, { material: 'PLA', color: 'Blue', colorHex: '0000CC' })
    await aPrinterWith(app, [await black(app), red, blue], BAMBU)
    const missing = await white(app)
    const job = await aJob(app, model)
    expect(await planOf(app, job)).toMatchObject({ prints: [[0, 10, [missing, 3]]], waits: [] })
  })

  it('a missing spool never replaces a spool that another tool of the file needs, also if the other tools have one color', async () => {
    const app = await buildTestApp()
    const tools = [
      { material: 'PLA', grams: 20, color_hex: BLACK },
      { material: 'PLA', grams: 20, color_hex: BLACK },
      { material: 'PLA', grams: 40, color_hex: WHITE },
    ]
    const model = await aModelWith(app, { tools, format: 'gcode.3mf', printerModel: 'X1C' })
    const blue = await aSpool(app, { material: 'PLA', color: 'Blue', colorHex: '0000CC' })
    await aPrinterWith(app, [await black(app), blue, await black(app)], BAMBU)
    const missing = await white(app)
    const job = await aJob(app, model)
    expect(await planOf(app, job)).toMatchObject({ prints: [[0, 10, [missing, 2]]], waits: [] })
  })

  it('each missing tool gets a roll that is large enough, if the stock has one for each', async () => {
    const app = await buildTestApp()
    const tools = [20, 300, 600].map((grams) => ({ material: 'PLA', grams, color_hex: BLACK }))
    const model = await aModelWith(app, { tools })
    await aPrinterWith(app, [null, null, null])
    const [large, medium, small] = [await black(app, 700), await black(app, 400), await black(app, 50)]
    const job = await aJob(app, model)
    expect(await planOf(app, job)).toMatchObject({
      prints: [[0, 30, [small, 1], [medium, 2], [large, 3]]],
      waits: [],
    })
  })

  it('a file in which nobody has set the colors gets rolls of the filament of its job', async () => {
    const app = await buildTestApp()
    const tools = [20, 40].map((grams) => ({ material: 'PLA', grams, color_hex: '#26a69a' }))
    const model = await aModelWith(app, { tools })
    await aPrinterWith(app, [null, null])
    await aSpool(app, { material: 'PLA', color: 'Blue', colorHex: '0000CC', remainingGrams: 990 })
    const [first, second] = [await black(app, 900), await black(app, 800)]
    const job = await aJob(app, model)
    expect(await planOf(app, job)).toMatchObject({ prints: [[0, 20, [first, 1], [second, 2]]] })
  })

  it('a file with two materials is not planned on a printer with one slot', async () => {
    const app = await buildTestApp()
    const tools = [
      { material: 'PLA', grams: 20, color_hex: BLACK },
      { material: 'PETG', grams: 5, color_hex: WHITE },
    ]
    const model = await aModelWith(app, { tools })
    await aSpool(app, { material: 'PETG', color: 'White', colorHex: WHITE.slice(1) })
    await aPrinterWith(app, [await black(app)])
    await aJob(app, model)
    expect((await planOf(app)).prints).toEqual([])
  })
})
