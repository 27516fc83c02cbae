import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { expect, it } from 'vitest'
import { gcode3mfOf } from '../../../../../packages/mesh/test/gcode-tools.ts'
import { addedItem, callsOf } from '../../../test/support/api-calls.ts'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { rowsRead } from '../../../test/support/database/rows-read.ts'
import { aModel } from '../../../test/support/library/library-factories.ts'
import { uploadedSlices } from '../../../test/support/library/slice-upload.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { withWaits } from './matching/waits-for.ts'
import { type ListedJob, listQueue } from './jobs/job-list.queries.ts'

const JOBS = 10

/**
 * Adds waiting jobs for a file with this number of plates. One piece needs all of them. Every second job has a chosen
 * file. Returns the id of the item.
 */
async function addJobs(app: TestApp, plates: number): Promise<string> {
  const staff = await app.as('staff')
  const send = callsOf(app, staff)
  const modelId = await aModel(app)
  const bytes = gcode3mfOf(
    Array.from({ length: plates }, (_, at) => ({ part: `part ${at}`, grams: 2, minutes: 3 })),
  )
  const file = { name: `${plates}-plates.gcode.3mf`, bytes }
  const [slice] = await uploadedSlices(app, staff, modelId, file, { needs_all_plates: 'true' })
  const item = await addedItem(send, { name: `${plates} plates`, stl_file_id: modelId, quantity: 0 })
  for (let n = 0; n < JOBS; n += 1) {
    const chosen = n % 2 === 0 ? { slice_id: slice?.id } : {}
    const body = { inventory_item_id: item.id, quantity: 1, ...chosen }
    const answer = await send('POST /api/print-queue', body)
    expect(answer.status, answer.text).toBe(201)
    expect(answer.json<PrintJob>()).toMatchObject({
      slice_plates: plates,
      estimated_grams: 2 * plates,
      estimated_minutes: 3 * plates,
    })
  }
  return item.id
}

/** Returns how many rows of plates the action reads. Indexes are used as in a large database. */
const platesRead = (app: TestApp, action: (tx: Queryable) => Promise<unknown>): Promise<number> =>
  rowsRead(app, 'sliced_files', async (tx) => {
    await tx`set local enable_seqscan = off`
    await action(tx)
  })

it('the list of jobs reads one row of a sliced file for each job, however many plates a piece needs', async () => {
  const app = await buildTestApp()
  for (const plates of [10, 40]) {
    const itemId = await addJobs(app, plates)
    await app.database.sql`analyze sliced_files`
    let jobs: ListedJob[] = []
    const read = await platesRead(app, async (tx) => {
      jobs = await listQueue(tx, { itemId }, { cursor: null, limit: 100 })
    })
    expect(jobs.map((job) => job.slice_plates)).toEqual(Array.from({ length: JOBS }, () => plates))
    expect(read).toBe(JOBS)
  }
})

it('the reasons why jobs wait read the plates of a version once, however many jobs wait for it', async () => {
  const app = await buildTestApp()
  const itemId = await addJobs(app, 30)
  await app.database.sql`analyze sliced_files`
  const jobs = await listQueue(app.database.sql, { itemId }, { cursor: null, limit: 100 })
  expect(await platesRead(app, (tx) => withWaits(tx, jobs.slice(0, 1)))).toBe(30)
  expect(await platesRead(app, (tx) => withWaits(tx, jobs))).toBe(30)
})
