import type { WaitCode } from '@pegasus/contracts/print-queue/job-waits'
import type { PrinterMatch } from '@pegasus/contracts/print-queue/matching'
import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Model } from '@pegasus/contracts/stl-library/models'
import type { Role } from '@pegasus/contracts/roles'
import { createBox } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { analyzed, upload } from '../../../../test/support/library/model-upload.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { anAgent, claim } from '../../../../test/support/print-agents.ts'
import { listMatches } from '../index.ts'
import { aPrintJob, aSpool, advance, anItem } from '../../../../test/support/stock-factories.ts'

const send = async (
  app: TestApp,
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  payload?: object,
  as: Role = 'staff',
) =>
  app.http.inject({
    method,
    url,
    headers: { ...(await app.as(as)), ...(method === 'PUT' && { 'if-match': '*' }) },
    ...(payload && { payload }),
  })

const aMachine = async (app: TestApp, printer: object): Promise<string> => {
  const answer = await send(app, 'POST', '/api/printers', printer, 'admin')
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json<Printer>().id
}

const matchesOf = async (app: TestApp, jobId: string): Promise<PrinterMatch[]> =>
  (await send(app, 'GET', `/api/print-queue/${jobId}/matches`, undefined, 'viewer')).json<PrinterMatch[]>()

/** Returns the codes of a job's reasons, by printer name. */
const codesOf = async (app: TestApp, jobId: string): Promise<Record<string, WaitCode[]>> =>
  Object.fromEntries(
    (await matchesOf(app, jobId)).map(({ printer, reasons }) => [
      printer.name,
      reasons.map(({ code }) => code),
    ]),
  )

const jobOf = async (app: TestApp, id: string): Promise<PrintJob> =>
  (await send(app, 'GET', `/api/print-queue/${id}`, undefined, 'viewer')).json<PrintJob>()

const assign = (app: TestApp, id: string, payload: object, as?: Role) =>
  send(app, 'POST', `/api/print-queue/${id}/assign`, payload, as)

describe('reasons why a job cannot start', () => {
  it('a reason rounds the grams as the screens round the needs of a job', async () => {
    const app = await buildTestApp()
    const black = await aSpool(app, { color: 'Black', remainingGrams: 60.3 })
    await aMachine(app, { name: 'black', slots: [{ slot: 1, filament_id: black }] })
    const id = await aPrintJob(app, { material: 'pla', color: 'black', quantity: 2, estimatedGrams: 195.4 })
    expect((await jobOf(app, id)).waits_for).toMatchObject([
      { message: 'black: Short by 135 g of pla black: needs 195 g, 60 g loaded.' },
    ])
  })

  it('if the filament prevents a job from starting on a printer, the job gives this reason and the spool to load', async () => {
    const app = await buildTestApp()
    const [white, black] = [
      await aSpool(app, { color: 'White', remainingGrams: 900 }),
      await aSpool(app, { color: 'Black', remainingGrams: 60 }),
    ]
    await aMachine(app, { name: 'empty' })
    await aMachine(app, { name: 'white', slots: [{ slot: 1, filament_id: white }] })
    const blackId = await aMachine(app, { name: 'black', slots: [{ slot: 1, filament_id: black }] })
    const id = await aPrintJob(app, { material: 'pla', color: 'black', quantity: 2, estimatedGrams: 100 })
    const shelf = await aSpool(app, { color: 'Black', remainingGrams: 500 })
    const matches = await matchesOf(app, id)
    expect(matches.map(({ printer, reasons }) => [printer.name, reasons])).toMatchObject([
      [
        'black',
        [
          {
            code: 'grams_short',
            message: 'Short by 40 g of pla black: needs 100 g, 60 g loaded.',
            action: {
              kind: 'load_spool',
              label: 'Load S-0003',
              printer_id: blackId,
              filament_id: shelf,
              replaces: { slot: 1, filament_id: black },
            },
          },
        ],
      ],
      ['white', [{ code: 'color', message: 'Needs pla black. Loaded: PLA White.' }]],
      [
        'empty',
        [
          {
            code: 'material',
            message: 'Needs pla black. Its slots are empty.',
            action: { replaces: { slot: 1, filament_id: null } },
          },
        ],
      ],
    ])
    expect((await jobOf(app, id)).waits_for).toMatchObject([
      {
        code: 'grams_short',
        message: 'black: Short by 40 g of pla black: needs 100 g, 60 g loaded.',
        printer_id: blackId,
      },
    ])
    await send(app, 'PUT', `/api/print-queue/${id}`, { match_strictness: 'any_color' })
    expect(await codesOf(app, id)).toEqual({ white: [], black: ['grams_short'], empty: ['material'] })
    expect((await jobOf(app, id)).waits_for).toEqual([])
    // If a spool is chosen, its product must also match, unless the strictness is `material`.
    const chosen = await aSpool(app, { name: 'Silk', color: 'White', remainingGrams: 500 })
    await send(app, 'PUT', `/api/print-queue/${id}`, { material: null, color: null, filament_id: chosen })
    expect((await codesOf(app, id))['white']).toEqual(['material'])
    await send(app, 'PUT', `/api/print-queue/${id}`, { match_strictness: 'material' })
    expect((await codesOf(app, id))['white']).toEqual([])
  })

  it('if the bed, the nozzle or the sliced file prevents a job from starting on a printer, the job gives this reason', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const bytes = writeBinaryStl(createBox(200, 150, 100))
    const { id: modelId } = (await upload(app, staff, { name: 'box.stl', bytes })).json<Model>()
    await analyzed(app, staff, modelId)
    const id = await aPrintJob(app, { stlFileId: modelId, quantity: 4 })
    const network = { kind: 'moonraker', address: 'http://10.0.0.7', model: 'MK4S', nozzle_mm: 0.4 }
    for (const printer of [
      { name: 'turned', bed_mm: [150, 200, 100] },
      { name: 'small', bed_mm: [180, 180, 180] },
      { name: 'low', bed_mm: [300, 300, 99] },
      { ...network, name: 'fine' },
      { ...network, name: 'coarse', nozzle_mm: 0.6 },
      { ...network, name: 'other', model: 'Voron 2.4' },
    ])
      await aMachine(app, printer)
    const hand = { turned: [], small: ['bed_too_small'], low: ['bed_too_small'] }
    expect(await codesOf(app, id)).toEqual({
      ...hand,
      fine: ['no_slice'],
      coarse: ['no_slice'],
      other: ['no_slice'],
    })
    await aSlice(app, modelId, { printerModel: 'Original Prusa MK4S', nozzleMm: 0.4 })
    expect(await codesOf(app, id)).toEqual({ ...hand, fine: [], coarse: ['nozzle'], other: ['no_slice'] })
    const low = (await matchesOf(app, id)).find(({ printer }) => printer.name === 'low')
    expect(low?.reasons[0]?.message).toBe(
      'The part is 200 × 150 × 100 mm, but the print area is 300 × 300 × 99 mm.',
    )
  })

  it('a part that the slicer laid on its side fits each printer whose model or bed is that of the file', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const bytes = writeBinaryStl(createBox(100, 100, 240))
    const { id: modelId } = (await upload(app, staff, { name: 'tall.stl', bytes })).json<Model>()
    await analyzed(app, staff, modelId)
    const id = await aPrintJob(app, { stlFileId: modelId })
    const bed = { bed_mm: [250, 210, 220], nozzle_mm: 0.4 }
    await aMachine(app, { ...bed, name: 'net', kind: 'moonraker', address: 'http://10.0.0.7', model: 'MK4S' })
    await aMachine(app, { ...bed, name: 'hand', model: 'MK4S' })
    await aMachine(app, { ...bed, name: 'other', model: 'Voron 2.4' })
    expect(await codesOf(app, id)).toEqual({
      net: ['bed_too_small', 'no_slice'],
      hand: ['bed_too_small'],
      other: ['bed_too_small'],
    })
    const { key } = await anAgent(app)
    const claimIt = () => claim(app, key, 'bench-1', { bed_mm: [180, 180, 180], file_types: ['gcode'] })
    await aSlice(app, modelId)
    expect(await codesOf(app, id)).toEqual({ net: [], hand: [], other: ['bed_too_small'] })
    expect((await claimIt()).statusCode).toBe(204)
    // A file that names no printer model counts only if it contains its bed.
    await aSlice(app, modelId, { printerModel: null })
    expect((await codesOf(app, id))['other']).toEqual(['bed_too_small'])
    await aSlice(app, modelId, { printerModel: null, bedMm: [180, 180, 180] })
    expect((await codesOf(app, id))['other']).toEqual([])
    expect((await claimIt()).statusCode).toBe(200)
  })

  it('the plate on the bed takes its filament first, so that a spool can be short for the next job', async () => {
    const app = await buildTestApp()
    const [black, white] = [
      await aSpool(app, { color: 'Black', remainingGrams: 100 }),
      await aSpool(app, { color: 'White', remainingGrams: 100 }),
    ]
    const slots = [black, white].map((id, at) => ({ slot: at + 1, filament_id: id }))
    const printerId = await aMachine(app, { name: 'MK4', slots })
    const part = { material: 'PLA', color: 'Black' }
    const running = await aPrintJob(app, { ...part, estimatedGrams: 70 })
    await advance(app, running, { to: 'in_progress', printerId })
    const reasonsFor = async (job: { color: string; estimatedGrams: number }) => {
      const [match] = await matchesOf(app, await aPrintJob(app, { ...part, ...job }))
      return match?.reasons.map(({ code, message }) => (code === 'busy' ? code : message))
    }
    expect(await reasonsFor({ color: 'Black', estimatedGrams: 50 })).toEqual([
      'Short by 20 g of PLA Black: needs 50 g, 30 g left after the plate on the bed.',
      'busy',
    ])
    expect(await reasonsFor({ color: 'Black', estimatedGrams: 30 })).toEqual(['busy'])
    expect(await reasonsFor({ color: 'White', estimatedGrams: 100 })).toEqual(['busy'])
    // The job can be assigned, because a person can change the spool after the running plate.
    const next = await aPrintJob(app, { ...part, estimatedGrams: 50 })
    expect((await assign(app, next, { printer_id: printerId })).statusCode).toBe(200)
  })

  it('a network printer prints the sliced file whose bed fits its bed, although a newer one is for a larger bed', async () => {
    const app = await buildTestApp()
    const modelId = await aModel(app)
    const id = await aPrintJob(app, { stlFileId: modelId })
    const net = { kind: 'moonraker', address: 'http://10.0.0.7', model: 'MK4S', nozzle_mm: 0.4 }
    await aMachine(app, { ...net, name: 'net', bed_mm: [250, 210, 220] })
    await aSlice(app, modelId, { bedMm: [250, 210, 220], grams: 10 })
    await aSlice(app, modelId, { bedMm: [360, 360, 360], grams: 20 })
    const [match] = await matchesOf(app, id)
    expect(match?.tools.map(({ grams }) => grams)).toEqual([10])
  })

  it('if the chosen sliced file of a job is in the trash, every printer, the planner and agents wait for another file', async () => {
    const app = await buildTestApp()
    const modelId = await aModel(app)
    const [chosen, other] = [await aSlice(app, modelId), await aSlice(app, modelId)]
    const id = await aPrintJob(app, { stlFileId: modelId })
    await send(app, 'PUT', `/api/print-queue/${id}`, { slice_id: chosen })
    const network = { kind: 'moonraker', address: 'http://10.0.0.7', model: 'MK4S', nozzle_mm: 0.4 }
    await aMachine(app, { ...network, name: 'net' })
    await aMachine(app, { name: 'hand', model: 'MK4S', nozzle_mm: 0.4 })
    expect(await codesOf(app, id)).toEqual({ net: [], hand: [] })
    const remove = await app.http.inject({
      method: 'DELETE',
      url: `/api/stl-files/${modelId}/slices/${chosen}`,
      headers: await app.as('staff'),
    })
    expect(remove.statusCode).toBe(204)
    const reason = {
      code: 'no_slice',
      message: 'The chosen file is in the trash.',
      action: { kind: 'slice', stl_file_id: modelId },
    }
    expect((await matchesOf(app, id)).map(({ reasons }) => reasons)).toMatchObject([[reason], [reason]])
    expect((await jobOf(app, id)).waits_for).toMatchObject([
      { code: 'no_slice', message: expect.stringMatching(/: The chosen file is in the trash\.$/) },
    ])
    const claimIt = async () => (await claim(app, (await anAgent(app)).key)).statusCode
    expect(await claimIt()).toBe(204)
    await app.planner.run()
    expect(await app.database.sql`select 1 from planned_prints`).toEqual([])
    await send(app, 'PUT', `/api/print-queue/${id}`, { slice_id: other })
    expect(await codesOf(app, id)).toEqual({ net: [], hand: [] })
    expect(await claimIt()).toBe(200)
  })

  it.each([
    ['Auckland', '2026-11-27T12:00:00+13:00'],
    ['Kiritimati', '2026-11-27T00:30:00+14:00'],
    ['the Baker Island', '2026-11-27T12:00:00-12:00'],
    ['London', '2026-11-27T12:00:00Z'],
  ])(
    'a job that waits for the end of a maintenance names the day that the person in %s chose',
    async (_, until) => {
      const app = await buildTestApp()
      const printer = await aMachine(app, { name: 'a' })
      const id = await aPrintJob(app)
      await send(app, 'POST', `/api/printers/${printer}/maintenance`, { reason: 'Belt', until })
      expect((await jobOf(app, id)).waits_for).toMatchObject([
        { code: 'maintenance', message: 'a: In maintenance until Friday 27 November: Belt.' },
      ])
      await send(app, 'POST', `/api/printers/${printer}/maintenance`, { reason: 'Belt' })
      expect((await jobOf(app, id)).waits_for).toMatchObject([{ message: 'a: In maintenance: Belt.' }])
    },
  )

  it('an older server that knows only the end of a maintenance can change it, and the job shows the new day', async () => {
    const app = await buildTestApp()
    const printer = await aMachine(app, { name: 'a' })
    const id = await aPrintJob(app)
    const until = '2026-11-27T12:00:00+13:00'
    await send(app, 'POST', `/api/printers/${printer}/maintenance`, { until })
    const message = async () => (await jobOf(app, id)).waits_for[0]?.message
    expect(await message()).toBe('a: In maintenance until Friday 27 November.')
    const { sql } = app.database
    for (const [end, says] of [
      // Another end on the same local day. Its day in UTC is the one before.
      ['2026-11-27T05:00:00Z', 'a: In maintenance until Friday 27 November.'],
      ['2026-11-28T05:00:00Z', 'a: In maintenance until Saturday 28 November.'],
      ['2026-12-04T12:00:00Z', 'a: In maintenance until Friday 4 December.'],
      [null, 'a: In maintenance.'],
    ] as const) {
      await sql`
        update printers set state = 'maintenance', state_reason = null, state_until = ${end} where id = ${printer}`
      expect([end, await message()]).toEqual([end, says])
    }
    // An older version stored only the day, without the time.
    await sql`update printers set state_until = ${until}, state_until_day = '2026-11-27' where id = ${printer}`
    expect(await message()).toBe('a: In maintenance until Friday 27 November.')
    await sql`update printers set state_until = '2026-12-04T12:00:00Z' where id = ${printer}`
    expect(await message()).toBe('a: In maintenance until Friday 4 December.')
  })

  it("if the printer's state or an earlier job prevents a job from starting, the job gives this reason", async () => {
    const app = await buildTestApp()
    const id = await aPrintJob(app)
    expect((await jobOf(app, id)).waits_for).toMatchObject([{ code: 'no_printer' }])
    const [a, b] = [await aMachine(app, { name: 'a' }), await aMachine(app, { name: 'b' })]
    expect((await jobOf(app, id)).waits_for).toEqual([])
    const { sql } = app.database
    const seen: unknown[] = []
    for (const state of ['printing', 'paused', 'needs_clearing', 'maintenance', 'offline', 'error']) {
      await sql`update printers set state = ${state}, progress = 0.427, state_reason = 'worn' where id = ${a}`
      seen.push((await matchesOf(app, id)).find(({ printer }) => printer.id === a)?.reasons[0])
    }
    expect(seen).toMatchObject([
      { code: 'busy', message: 'Prints something else, 42 % done.' },
      { code: 'busy', message: 'Paused with something else, 42 % done.' },
      { code: 'needs_clearing', action: { kind: 'clear', printer_id: a } },
      { code: 'maintenance', message: 'In maintenance: worn.', action: { kind: 'resume' } },
      { code: 'offline', message: 'Offline: worn.' },
      { code: 'offline', message: 'Reports an error: worn.' },
    ])
    // A printer that is getting ready has a reason, but neither a job nor a progress.
    await sql`
      update printers set state = 'paused', progress = null, state_reason = 'The printer is getting ready.' where id = ${a}`
    expect((await matchesOf(app, id)).find(({ printer }) => printer.id === a)?.reasons[0]).toMatchObject({
      code: 'busy',
      message: 'The printer is getting ready.',
    })
    await sql`update printers set state = 'printing'`
    expect((await jobOf(app, id)).waits_for).toMatchObject([
      { code: 'busy', message: 'All 2 printers that fit are busy.' },
    ])
    await sql`update printers set state = 'available'`
    const other = await aPrintJob(app)
    await assign(app, other, { printer_id: b })
    expect(await codesOf(app, id)).toEqual({ a: [], b: ['previous_job'] })
    await advance(app, id, { to: 'on_hold', reason: 'seat is tight' })
    const list = (await send(app, 'GET', '/api/print-queue', undefined, 'viewer')).json<PrintJob[]>()
    expect(list.map((job) => job.waits_for.map(({ message }) => message))).toEqual([
      ['On hold: seat is tight'],
      [],
    ])
  })

  it('staff can assign printers that fit; only an admin can assign one that does not, and the audit records the reason', async () => {
    const app = await buildTestApp()
    const white = await aSpool(app, { color: 'White' })
    const printerId = await aMachine(app, { name: 'white', slots: [{ slot: 1, filament_id: white }] })
    const itemId = await anItem(app, { material_used: 'PLA', color: 'Black' })
    const id = await aPrintJob(app, { itemId })
    const refused = await assign(app, id, { printer_id: printerId })
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      {
        code: 'printer_does_not_fit',
        detail: 'white does not fit. Needs PLA Black. Loaded: PLA White.',
        reasons: [{ code: 'color' }],
      },
    ])
    const matches = await listMatches(app.database.sql, id)
    expect(matches?.[0]?.reasons.map(({ code }) => code)).toEqual(['color'])
    const override = { printer_id: printerId, override: true }
    expect((await assign(app, id, override)).statusCode).toBe(403)
    expect((await assign(app, id, override, 'admin')).json()).toMatchObject({
      assigned_printer_id: printerId,
      waits_for: [],
    })
    expect((await assign(app, id, { printer_id: null })).json()).toMatchObject({ assigned_printer_id: null })
    expect((await auditOf(app, 'print_job')).map(({ action, after }) => [action, after])).toEqual([
      ['print_job.assigned_anyway', { printer: 'white', reason: 'Needs PLA Black. Loaded: PLA White.' }],
      ['print_job.assigned', { printer: null }],
    ])
    for (const [payload, status] of [
      [{}, 422],
      [{ printer_id: 'x' }, 422],
      [{ printer_id: null, override: 'yes' }, 422],
      [{ printer_id: crypto.randomUUID() }, 404],
    ] as const)
      expect([payload, (await assign(app, id, payload, 'admin')).statusCode]).toEqual([payload, status])
    await advance(app, id, { to: 'completed' })
    expect((await assign(app, id, { printer_id: printerId })).json()).toMatchObject({
      code: 'print_job_state',
    })
    expect((await assign(app, crypto.randomUUID(), { printer_id: null })).statusCode).toBe(404)
  })
})
