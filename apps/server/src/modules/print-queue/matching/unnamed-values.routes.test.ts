import type { MatchReason } from '@pegasus/contracts/print-queue/job-waits'
import type { PrinterMatch } from '@pegasus/contracts/print-queue/matching'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { beforeEach, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { type SliceToAdd, aSlice } from '../../../../test/support/library/slice-factories.ts'
import { aPrintJob, aSpool } from '../../../../test/support/stock-factories.ts'
import { sliceFor } from './match-printer.ts'
import { readMatchData } from './waits-for.ts'

let app: TestApp
let stlFileId: string

const send = async (method: 'GET' | 'POST', url: string, payload?: object) =>
  app.http.inject({ method, url, headers: await app.as('admin'), ...(payload && { payload }) })

beforeEach(async () => {
  app = await buildTestApp()
  stlFileId = await aModel(app)
  const printers = [
    { name: 'net', kind: 'moonraker', address: 'http://10.0.0.7' },
    { name: 'hand', kind: 'manual' },
  ]
  for (const printer of printers) {
    const spool = await aSpool(app, { material: 'PETG' })
    const slots = [{ slot: 1, filament_id: spool }]
    const answer = await send('POST', '/api/printers', { model: 'MK4S', nozzle_mm: 0.6, slots, ...printer })
    expect(answer.statusCode).toBe(201)
  }
})

/** Returns the reasons of a PETG job, by printer name. */
async function reasonsFor(job: { sliceId?: string } = {}): Promise<Record<string, MatchReason[]>> {
  const id = await aPrintJob(app, { stlFileId, material: 'PETG', ...job })
  const matches = (await send('GET', `/api/print-queue/${id}/matches`)).json<PrinterMatch[]>()
  return Object.fromEntries(matches.map(({ printer, reasons }) => [printer.name, reasons]))
}

const correct = async (sliceId: string, payload: object) =>
  app.http.inject({
    method: 'PUT',
    url: `/api/stl-files/${stlFileId}/slices/${sliceId}`,
    headers: { ...(await app.as('admin')), 'if-match': '"1"' },
    payload,
  })

it.each<[what: string, code: string, slice: SliceToAdd, change: object]>([
  ['material', 'no_slice', { material: null, nozzleMm: 0.6 }, { material: 'PETG' }],
  ['nozzle', 'nozzle', { material: 'PETG', nozzleMm: null }, { nozzle_mm: 0.6 }],
])(
  'a file without its %s is sent to a network printer only if a person chose it or entered the value',
  async (what, code, slice, change) => {
    const sliceId = await aSlice(app, stlFileId, slice)
    expect(await reasonsFor()).toEqual({
      net: [
        {
          code,
          message: `The sliced file part.gcode does not name its ${what}. Enter it, or choose the file for the job.`,
          action: expect.objectContaining({
            kind: 'slice',
            label: `Enter the ${what}`,
            stl_file_id: stlFileId,
          }),
        },
      ],
      hand: [],
    })
    expect(await reasonsFor({ sliceId })).toEqual({ net: [], hand: [] })
    expect((await correct(sliceId, change)).statusCode).toBe(200)
    expect(await reasonsFor()).toEqual({ net: [], hand: [] })
  },
)

it('a file that names another material or nozzle is not preferred to one without these values', async () => {
  await aSlice(app, stlFileId, { material: null, nozzleMm: 0.6 })
  await aSlice(app, stlFileId, { material: 'PLA', nozzleMm: 0.6 })
  await aSlice(app, stlFileId, { material: null, nozzleMm: 0.4 })
  expect((await reasonsFor())['net']).toMatchObject([
    { message: expect.stringContaining('does not name its material') },
  ])
  await aSlice(app, stlFileId, { material: 'PETG', nozzleMm: 0.6 })
  expect((await reasonsFor())['net']).toEqual([])
})

it('an overridden job prints the file without a material before a newer one for another material', async () => {
  const unnamed = await aSlice(app, stlFileId, { material: null, nozzleMm: 0.6 })
  await aSlice(app, stlFileId, { material: 'PLA', nozzleMm: 0.6 })
  const id = await aPrintJob(app, { stlFileId, material: 'PETG' })
  const printers = (await send('GET', '/api/printers')).json<Printer[]>()
  const net = printers.find(({ name }) => name === 'net')
  const assigned = await send('POST', `/api/print-queue/${id}/assign`, {
    printer_id: net?.id,
    override: true,
  })
  expect(assigned.statusCode).toBe(200)
  const { requirements, candidates } = await readMatchData(app.database.sql, [id])
  const printer = candidates.find(({ name }) => name === 'net')
  expect(sliceFor(requirements[0]!, printer!)?.id).toBe(unnamed)
})
