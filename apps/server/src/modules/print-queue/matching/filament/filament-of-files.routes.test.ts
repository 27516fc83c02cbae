import type { MatchReason } from '@pegasus/contracts/print-queue/job-waits'
import type { PrinterMatch } from '@pegasus/contracts/print-queue/matching'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../../test/support/library/slice-factories.ts'
import { anAgent, claim } from '../../../../../test/support/print-agents.ts'
import { aPrintJob, aSpool, advance } from '../../../../../test/support/stock-factories.ts'
import { listNextPrints } from '../../index.ts'

/** Adds a printer with these spools in its slots, beginning with slot 1. */
const aMachine = async (
  app: TestApp,
  name: string,
  spools: (string | null)[],
  more: object = {},
): Promise<string> => {
  const slots = spools.map((filament_id, index) => ({ slot: index + 1, filament_id }))
  const kind = { kind: 'moonraker', address: 'http://10.0.0.7', model: 'MK4S', nozzle_mm: 0.4 }
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/printers',
    headers: await app.as('admin'),
    payload: { name, slots, ...kind, ...more },
  })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json<Printer>().id
}

const read = async <T>(app: TestApp, url: string): Promise<T> =>
  (await app.http.inject({ url, headers: await app.as('viewer') })).json<T>()

/** Returns the reasons of a job, by printer name. */
const reasonsOf = async (app: TestApp, jobId: string): Promise<Record<string, MatchReason[]>> =>
  Object.fromEntries(
    (await read<PrinterMatch[]>(app, `/api/print-queue/${jobId}/matches`)).map(({ printer, reasons }) => [
      printer.name,
      reasons,
    ]),
  )

const assign = async (app: TestApp, id: string, printerId: string, override = false) =>
  app.http.inject({
    method: 'POST',
    url: `/api/print-queue/${id}/assign`,
    headers: await app.as('admin'),
    payload: { printer_id: printerId, override },
  })

describe('the filament for which a file was sliced', () => {
  it('a file that was sliced for another material is offered neither to a printer nor to an agent', async () => {
    const app = await buildTestApp()
    const stlFileId = await aModel(app)
    const printerId = await aMachine(app, 'Left', [await aSpool(app)])
    await aMachine(app, 'Bench', [await aSpool(app)], { kind: 'manual', address: null })
    const id = await aPrintJob(app, { stlFileId, material: 'PLA' })
    const petg = await aSlice(app, stlFileId, { material: 'PETG', format: 'gcode' })
    const action = { kind: 'slice', stl_file_id: stlFileId }
    expect(await reasonsOf(app, id)).toMatchObject({
      Left: [
        { code: 'no_slice', message: 'There is no sliced file for MK4S and PLA, only for PETG.', action },
      ],
      Bench: [],
    })
    const { key } = await anAgent(app)
    const claimed = await claim(app, key, 'bench-1', { printer: 'Agent', file_types: ['gcode'] })
    expect(claimed.statusCode).toBe(204)
    const chosen = await aPrintJob(app, { stlFileId, material: 'PLA', sliceId: petg })
    const wrong = [
      { code: 'no_slice', message: 'The chosen file is for PETG, but the job needs PLA.', action },
    ]
    expect(await reasonsOf(app, chosen)).toMatchObject({ Left: wrong, Bench: wrong })
    expect((await assign(app, chosen, printerId)).json()).toMatchObject({ code: 'printer_does_not_fit' })
    expect(await listNextPrints(app.database.sql, printerId)).toEqual([])
    // An admin may assign the job despite the misfit.
    await assign(app, chosen, printerId, true)
    expect(await listNextPrints(app.database.sql, printerId)).toMatchObject([
      { jobId: chosen, sliceId: petg },
    ])
    const pla = await aSlice(app, stlFileId, { material: 'pla' })
    expect((await reasonsOf(app, id))['Left']).toMatchObject([{ code: 'previous_job' }])
    await assign(app, id, printerId)
    expect(await listNextPrints(app.database.sql, printerId)).toMatchObject([
      { jobId: id, sliceId: pla },
      { jobId: chosen, sliceId: petg },
    ])
  })

  it('if the job names no material, the file decides which spool must be loaded', async () => {
    const app = await buildTestApp()
    const stlFileId = await aModel(app)
    const printerId = await aMachine(app, 'Left', [await aSpool(app, { color: 'White' })])
    const id = await aPrintJob(app, { stlFileId })
    await aSlice(app, stlFileId, { material: 'PETG' })
    const none = { kind: 'add_spool', label: 'Add a spool' }
    const message = 'Needs PETG. Loaded: PLA White.'
    expect(await reasonsOf(app, id)).toMatchObject({ Left: [{ code: 'material', message, action: none }] })
    const spool = await aSpool(app, { material: 'PETG' })
    const load = { kind: 'load_spool', printer_id: printerId, filament_id: spool }
    expect(await reasonsOf(app, id)).toMatchObject({ Left: [{ code: 'material', message, action: load }] })
  })

  it('a file whose tools name no material fits a printer for which no spools are recorded', async () => {
    const app = await buildTestApp()
    const stlFileId = await aModel(app)
    await aMachine(app, 'Left', [null, null])
    const id = await aPrintJob(app, { stlFileId })
    const tools = [
      { material: null, grams: 20 },
      { material: null, grams: 10 },
    ]
    await aSlice(app, stlFileId, { material: null, tools })
    expect(await reasonsOf(app, id)).toEqual({ Left: [] })
  })

  it('a sliced file in a format that the printer cannot read is treated as missing, even if an admin overrides the choice', async () => {
    const app = await buildTestApp()
    const stlFileId = await aModel(app)
    const printerId = await aMachine(app, 'Left', [await aSpool(app)])
    const sliceId = await aSlice(app, stlFileId, { format: 'bgcode' })
    const id = await aPrintJob(app, { stlFileId, material: 'PLA' })
    const chosen = await aPrintJob(app, { stlFileId, material: 'PLA', sliceId })
    const about = 'is a .bgcode file, but Left prints only .gcode files.'
    const action = { kind: 'slice', stl_file_id: stlFileId }
    for (const [job, file] of [
      [id, 'The sliced file for MK4S'],
      [chosen, 'The chosen file'],
    ] as const) {
      const reason = { code: 'no_slice', message: `${file} ${about}`, action }
      expect((await reasonsOf(app, job))['Left']?.[0]).toMatchObject(reason)
      // Even an admin cannot override this reason, because the printer has nothing to print.
      await assign(app, job, printerId, true)
      expect((await reasonsOf(app, job))['Left']?.[0]).toMatchObject(reason)
    }
    expect(await listNextPrints(app.database.sql, printerId)).toEqual([])
  })

  it('a print never starts with a nearly empty spool while another loaded spool holds enough', async () => {
    const app = await buildTestApp()
    const stlFileId = await aModel(app)
    const low = await aSpool(app, { remainingGrams: 5 })
    const full = await aSpool(app, { remainingGrams: 500 })
    const printerId = await aMachine(app, 'X1', [low, full], {
      kind: 'bambu',
      address: '10.0.0.8',
      api_key: '12345678',
    })
    await aSlice(app, stlFileId, { format: 'gcode.3mf', grams: 30 })
    const id = await aPrintJob(app, { stlFileId, material: 'PLA', spoolId: low })
    await assign(app, id, printerId)
    expect(await listNextPrints(app.database.sql, printerId)).toMatchObject([{ jobId: id, spoolId: full }])
  })

  it('a printer finds the assigned job that it can start behind many jobs whose color is not loaded', async () => {
    const app = await buildTestApp()
    const stlFileId = await aModel(app)
    const printerId = await aMachine(app, 'Left', [await aSpool(app, { material: 'PLA', color: 'White' })])
    await aSlice(app, stlFileId)
    for (let each = 0; each < 25; each += 1)
      await aPrintJob(app, { stlFileId, material: 'PLA', color: 'Red', priority: 1 })
    // All these red jobs were assigned to the printer before its red spool was replaced by a white one.
    await app.database.sql`update print_jobs set assigned_printer_id = ${printerId}`
    expect(await listNextPrints(app.database.sql, printerId)).toEqual([])
    const white = await aPrintJob(app, { stlFileId, material: 'PLA', color: 'White', priority: 2 })
    await assign(app, white, printerId)
    expect(await listNextPrints(app.database.sql, printerId)).toMatchObject([{ jobId: white }])
  })

  it('the action to load a spool names the chosen spool of the job, even if it is on another printer', async () => {
    const app = await buildTestApp()
    const chosen = await aSpool(app, { remainingGrams: 400 })
    await aSpool(app, { remainingGrams: 900 })
    const empty = { kind: 'manual', address: null }
    const left = await aMachine(app, 'Left', [], { ...empty, slots: [{ slot: 1 }] })
    const id = await aPrintJob(app, { spoolId: chosen, estimatedGrams: 20 })
    const load = { kind: 'load_spool', printer_id: left, filament_id: chosen }
    expect(await reasonsOf(app, id)).toMatchObject({ Left: [{ code: 'material', action: load }] })
    await aMachine(app, 'Right', [chosen], empty)
    expect(await reasonsOf(app, id)).toMatchObject({ Left: [{ action: load }], Right: [] })
    await advance(app, id, { to: 'on_hold', reason: 'wait' })
    expect(await read<PrintJob>(app, `/api/print-queue/${id}`)).toMatchObject({
      waits_for: [{ code: 'on_hold', action: { kind: 'requeue', label: 'Requeue' } }],
    })
  })
})

describe('a file with several tools on a printer with several slots', () => {
  const WHITE = '#ffffff'
  const BLACK = '#000000'

  it('each tool of a sliced file needs the right material, color and weight in the slot with its number', async () => {
    const app = await buildTestApp()
    const stlFileId = await aModel(app)
    const black = await aSpool(app, { color: 'Black', colorHex: '0A0A0A', remainingGrams: 500 })
    const petg = await aSpool(app, { material: 'PETG', color: 'White', remainingGrams: 500 })
    const white = await aSpool(app, { color: 'White', colorHex: 'FAFAFA', remainingGrams: 8 })
    const left = await aMachine(app, 'Left', [petg, black])
    const id = await aPrintJob(app, { stlFileId, material: 'PLA', color: 'Black' })
    const one = await aSlice(app, stlFileId)
    // The spool is in the printer, but in the slot of another tool.
    expect(await reasonsOf(app, id)).toMatchObject({
      Left: [
        {
          code: 'material',
          message: 'Needs PLA Black in slot 1. Loaded: PETG White.',
          action: {
            kind: 'load_spool',
            label: 'Move S-0001 to slot 1',
            printer_id: left,
            filament_id: black,
            slot: 1,
          },
        },
      ],
    })
    await app.database.sql`update sliced_files set deleted_at = now() where id = ${one}`
    await aSlice(app, stlFileId, {
      grams: 30,
      tools: [
        { material: 'PLA', grams: 20, color_hex: BLACK },
        { material: 'PLA', grams: 10, color_hex: WHITE },
        { material: 'PVA', grams: 0 },
      ],
    })
    const slots = async (...spools: (string | null)[]) => {
      for (const index of spools.keys())
        await app.database.sql`update printer_slots set spool_id = null where slot = ${index + 1}`
      for (const [index, spool] of spools.entries())
        await app.database.sql`update printer_slots set spool_id = ${spool} where slot = ${index + 1}`
      return (await reasonsOf(app, id))['Left']
    }
    expect(await slots(black, petg)).toMatchObject([
      { code: 'material', message: 'Tool 2 needs PLA. Loaded: PETG White.', action: { kind: 'add_spool' } },
    ])
    expect(await slots(black, white)).toMatchObject([
      { code: 'grams_short', message: 'Tool 2 is short by 2 g: needs 10 g, 8 g loaded.' },
    ])
    const [{ tools } = { tools: [] }] = await read<PrinterMatch[]>(app, `/api/print-queue/${id}/matches`)
    expect(tools).toMatchObject([
      { tool: 0, material: 'PLA', color_hex: BLACK, grams: 20, slot: 1, filament_id: black, lacks: null },
      { tool: 1, material: 'PLA', color_hex: WHITE, grams: 10, slot: 2, filament_id: white, lacks: 'grams' },
    ])
    const full = await aSpool(app, { color: 'Snow', colorHex: 'F0F0F0', remainingGrams: 100 })
    expect(await slots(black, null)).toMatchObject([
      {
        code: 'material',
        message: 'Tool 2 needs PLA. Slot 2 is empty.',
        action: { kind: 'load_spool', filament_id: full, slot: 2 },
      },
    ])
    const red = await aSpool(app, { color: 'Red', colorHex: 'CC0000', remainingGrams: 100 })
    expect(await slots(black, red)).toMatchObject([
      { code: 'color', message: 'Tool 2 needs PLA #ffffff. Loaded: PLA Red.', action: { filament_id: full } },
    ])
    expect(await slots(black, full)).toEqual([])
    // Both spools are in the printer, but in each other's slots.
    expect(await slots(full, black)).toMatchObject([
      { code: 'color', action: { label: 'Move S-0001 to slot 1', filament_id: black, slot: 1 } },
      { code: 'color', action: { label: 'Move S-0004 to slot 2', filament_id: full, slot: 2 } },
    ])
    // The action does not move a spool that another tool is using.
    expect(await slots(petg, full)).toMatchObject([{ action: { label: 'Load S-0001', slot: 1 } }])
    await app.database.sql`update print_jobs set match_strictness = 'any_color' where id = ${id}`
    expect(await slots(black, red)).toEqual([])
    await assign(app, id, left)
    expect(await listNextPrints(app.database.sql, left)).toMatchObject([{ spoolId: black }])
  })

  it('the actions for two tools of one filament name two rolls of it, and a third tool needs another spool', async () => {
    const app = await buildTestApp()
    const stlFileId = await aModel(app)
    await aMachine(app, 'Left', [null, null, null])
    const tool = { material: 'PLA', grams: 20, color_hex: BLACK }
    await aSlice(app, stlFileId, { grams: 60, tools: [tool, tool, tool] })
    const roll = (remainingGrams: number) =>
      aSpool(app, { color: 'Black', colorHex: '0A0A0A', remainingGrams })
    const [fuller, other] = [await roll(900), await roll(800)]
    const id = await aPrintJob(app, { stlFileId, material: 'PLA', color: 'Black' })
    const load = (spool: string, slot: number) => ({
      action: { kind: 'load_spool', filament_id: spool, slot },
    })
    const none = { action: { kind: 'add_spool' } }
    expect(await reasonsOf(app, id)).toMatchObject({ Left: [load(fuller, 1), load(other, 2), none] })
    const third = await roll(700)
    expect(await reasonsOf(app, id)).toMatchObject({
      Left: [load(fuller, 1), load(other, 2), load(third, 3)],
    })
  })

  it("on a printer that chooses the slots, a job's missing spool replaces a spool that no tool needs", async () => {
    const app = await buildTestApp()
    const stlFileId = await aModel(app)
    const roll = (color: string, colorHex: string) => aSpool(app, { color, colorHex, remainingGrams: 500 })
    const [black, red, blue] = [
      await roll('Black', '0A0A0A'),
      await roll('Red', 'CC0000'),
      await roll('Blue', '0000CC'),
    ]
    const bambu = { kind: 'bambu', address: '10.0.0.8', api_key: '12345678' }
    const printerId = await aMachine(app, 'X1', [black, red, blue], bambu)
    const [white, clear] = [
      await roll('White', 'FAFAFA'),
      await aSpool(app, { material: 'PETG', remainingGrams: 500 }),
    ]
    await aSlice(app, stlFileId, {
      format: 'gcode.3mf',
      grams: 30,
      tools: [BLACK, WHITE, '#cc0000'].map((color_hex) => ({ material: 'PLA', grams: 10, color_hex })),
    })
    const id = await aPrintJob(app, { stlFileId, material: 'PLA', color: 'Black' })
    const load = (spool: string, slot: number) => ({
      kind: 'load_spool',
      printer_id: printerId,
      filament_id: spool,
      slot,
    })
    const whiteReason = { code: 'color', action: load(white, 3) }
    expect(await reasonsOf(app, id)).toMatchObject({ X1: [whiteReason] })
    // The spool for the job's own filament also goes into a slot that no other tool needs.
    const at = (slot: number, spool: string) =>
      app.database
        .sql`update printer_slots set spool_id = ${spool} where printer_id = ${printerId} and slot = ${slot}`
    await at(1, clear)
    expect(await reasonsOf(app, id)).toMatchObject({
      X1: [{ code: 'color', action: load(black, 1) }, whiteReason],
    })
  })
})
