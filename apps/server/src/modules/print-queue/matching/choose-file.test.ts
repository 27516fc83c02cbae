import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { type SliceToAdd, aSlice } from '../../../../test/support/library/slice-factories.ts'
import { aPrintJob, aPrinter } from '../../../../test/support/stock-factories.ts'
import { findBestSlice } from '../../slices/index.ts'
import { sliceFor } from './match-printer.ts'
import { readMatchData } from './waits-for.ts'

/** The files in the order of upload. The printer is an MK4S. */
interface Case {
  why: string
  bedMm: [number, number, number] | null
  files: readonly [SliceToAdd, ...SliceToAdd[]]
  /** The size of the model. By default, it is unknown. */
  modelMm?: readonly [number, number, number] | null
  /** Index of the best file. */
  best: number
}

const own = { printerModel: 'MK4S' }
const unnamed = { printerModel: null }
const BED: [number, number, number] = [250, 210, 220]

const CASES: readonly Case[] = [
  {
    why: 'the file for its model, although a newer one names no model and has a bed of the same size',
    bedMm: BED,
    files: [own, { ...unnamed, bedMm: BED }],
    best: 0,
  },
  {
    why: 'the file for its model, although the slicer has given it another bed',
    bedMm: BED,
    files: [
      { ...own, bedMm: [255, 212, 220] },
      { ...unnamed, bedMm: BED },
    ],
    best: 0,
  },
  {
    why: 'the file for a bed of its width and depth, although the slicer knows a greater height',
    bedMm: BED,
    files: [
      { ...own, bedMm: [250, 210, 300] },
      { ...own, bedMm: [180, 180, 180] },
    ],
    best: 0,
  },
  {
    why: 'the file for a bed that fits, although a newer one is for a larger bed of nearly the same size',
    bedMm: BED,
    files: [
      { ...own, bedMm: [180, 180, 180] },
      { ...own, bedMm: [251, 211, 220] },
    ],
    best: 0,
  },
  {
    why: 'the file for the bed that is closest in size, also if it is rotated',
    bedMm: BED,
    files: [
      { ...unnamed, bedMm: [120, 120, 120] },
      { ...unnamed, bedMm: [210, 250, null] },
      { ...unnamed, bedMm: [180, 180, 180] },
    ],
    best: 1,
  },
  {
    why: 'the newest file, if the beds differ by less than a percent',
    bedMm: BED,
    files: [
      { ...own, bedMm: BED },
      { ...own, bedMm: [249, 210, 220] },
    ],
    best: 1,
  },
  {
    why: 'a file with an unknown bed before one for a larger bed',
    bedMm: BED,
    files: [unnamed, { ...unnamed, bedMm: [350, 350, 350] }],
    best: 0,
  },
  {
    why: 'the file that names its nozzle',
    bedMm: BED,
    files: [own, { ...own, nozzleMm: null }],
    best: 0,
  },
  {
    why: 'the file for a bed of its height, if the model itself is too tall for the bed',
    bedMm: BED,
    modelMm: [100, 100, 240],
    files: [
      { ...unnamed, bedMm: [250, 210, 220] },
      { ...own, bedMm: [250, 210, 300] },
    ],
    best: 0,
  },
  {
    why: 'the file for its model, although only an older one is for a bed of its height, if the model fits on the bed',
    bedMm: BED,
    modelMm: [100, 100, 200],
    files: [
      { ...unnamed, bedMm: [250, 210, 220] },
      { ...own, bedMm: [250, 210, 300] },
    ],
    best: 1,
  },
  {
    why: 'the file for its model, if its bed is unknown',
    bedMm: null,
    files: [
      { ...own, bedMm: [350, 350, 350] },
      { ...unnamed, bedMm: BED },
    ],
    best: 0,
  },
]

const choicesOf = async (app: TestApp, { bedMm, files, modelMm = null }: Case) => {
  const model = await aModel(app)
  const ids: string[] = []
  for (const file of files) ids.push(await aSlice(app, model, file))
  const jobId = await aPrintJob(app, { stlFileId: model })
  const { sql } = app.database
  if (modelMm) await sql`update stl_versions set bounding_box_mm = ${sql.json({ size: modelMm })}`
  await sql`update printers set bed_mm = ${bedMm && sql.json(bedMm)}`
  const { requirements, candidates } = await readMatchData(sql, [jobId])
  const [[needs], [printer]] = [requirements, candidates]
  if (!needs || !printer) throw new Error('no job or no printer')
  const [version] = await sql<
    [{ id: string }]
  >`select current_version_id as id from stl_files where id = ${model}`
  const criteria = {
    versionId: version.id,
    printerModel: printer.model,
    nozzleMm: 0.4,
    bedMm,
    modelMm,
    fileTypes: null,
  }
  return [sliceFor(needs, printer)?.id, (await findBestSlice(sql, criteria))?.id].map((id) =>
    ids.indexOf(id ?? ''),
  )
}

it.each(CASES)('the matching and the claims of agents choose $why', async (each) => {
  const app = await buildTestApp()
  await aPrinter(app, 'Mini')
  await app.database.sql`update printers set model = 'MK4S', nozzle_mm = 0.4`
  expect(await choicesOf(app, each)).toEqual([each.best, each.best])
})
