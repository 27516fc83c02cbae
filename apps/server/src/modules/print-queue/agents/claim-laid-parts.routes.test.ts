import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { PrinterMatch } from '@pegasus/contracts/print-queue/matching'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { anAgent, claim } from '../../../../test/support/print-agents.ts'
import { aPrintJob } from '../../../../test/support/stock-factories.ts'

const TALL = [250, 210, 300] as const
const BED = [250, 210, 220] as const

/**
 * Creates an app with a network printer, an agent's printer, and a job. Both printers have the bed `BED`. The part fits
 * this bed only if the slicer lays the part on its side.
 */
async function aTallPart() {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const printer = { model: 'MK4S', nozzle_mm: 0.4, bed_mm: BED }
  for (const payload of [
    { ...printer, name: 'net', kind: 'moonraker', address: 'http://10.0.0.7' },
    { ...printer, name: 'bench', kind: 'agent' },
  ]) {
    const headers = await app.as('admin')
    const answer = await app.http.inject({ method: 'POST', url: '/api/printers', headers, payload })
    expect(answer.statusCode, answer.body).toBe(201)
  }
  const modelId = await aModel(app)
  const { sql } = app.database
  await sql`update stl_versions set bounding_box_mm = ${sql.json({ size: [100, 100, 240] })}`
  const id = await aPrintJob(app, { stlFileId: modelId })
  return {
    app,
    modelId,
    claimIt: () => claim(app, key, 'bench-1', { printer: 'bench', file_types: ['gcode'] }),
    /** Returns the names of the printers whose bed is too small. */
    tooSmall: async () => {
      const headers = await app.as('viewer')
      const answer = await app.http.inject({ url: `/api/print-queue/${id}/matches`, headers })
      return answer
        .json<PrinterMatch[]>()
        .filter(({ reasons }) => reasons.some(({ code }) => code === 'bed_too_small'))
        .map(({ printer }) => printer.name)
    },
  }
}

it.each([
  ['newer', [TALL, BED]],
  ['older', [BED, TALL]],
] as const)(
  'if only the %s of two sliced files lays a part on its side, an agent gets this file for its small bed',
  async (_, beds) => {
    const { app, modelId, claimIt, tooSmall } = await aTallPart()
    const ids = new Map<readonly number[], string>()
    for (const bedMm of beds) ids.set(bedMm, await aSlice(app, modelId, { bedMm }))
    expect(await tooSmall()).toEqual([])
    const claimed = await claimIt()
    expect(claimed.statusCode, claimed.body).toBe(200)
    expect(claimed.json<AgentJob>().file).toMatchObject({ slice_id: ids.get(BED) })
  },
)

it('if only the file that names no printer lays a part on its side, an agent gets this file for its small bed', async () => {
  const { app, modelId, claimIt, tooSmall } = await aTallPart()
  const laid = await aSlice(app, modelId, { printerModel: null, bedMm: BED })
  await aSlice(app, modelId, { bedMm: TALL })
  // The server sends a file to a network printer only if the file is made for the model of the printer.
  expect(await tooSmall()).toEqual(['net'])
  expect((await claimIt()).json<AgentJob>().file).toMatchObject({ slice_id: laid })
})

it('a tall part waits for a larger bed if no sliced file lays it on its side', async () => {
  const { app, modelId, claimIt, tooSmall } = await aTallPart()
  await aSlice(app, modelId, { bedMm: TALL })
  expect((await tooSmall()).toSorted()).toEqual(['bench', 'net'])
  expect((await claimIt()).statusCode).toBe(204)
})
