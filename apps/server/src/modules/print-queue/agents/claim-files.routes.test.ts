import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { anAgent, claim } from '../../../../test/support/print-agents.ts'
import { aPrintJob } from '../../../../test/support/stock-factories.ts'

/**
 * Creates an app with an STL model, and with agents for two different kinds of printers. `fileFor` claims a job,
 * returns its sliced file (null for the STL model), and puts the job back into the queue. It returns the status code
 * if there is no job.
 */
async function aFarm() {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const staff = await app.as('staff')
  const add = async (name: string, model: string): Promise<string> => {
    const headers = await app.as('admin')
    const payload = { name, kind: 'agent', model, nozzle_mm: 0.4 }
    const answer = await app.http.inject({ method: 'POST', url: '/api/printers', headers, payload })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json<Printer>().id
  }
  await add('Prusa', 'MK4S')
  const endersId = await add('Ender', 'Ender 3')
  return {
    app,
    endersId,
    modelId: await aModel(app),
    fileFor: async (more: object): Promise<string | number | null> => {
      const answer = await claim(app, key, 'bench-1', more)
      if (answer.statusCode !== 200) return answer.statusCode
      const { id, file } = answer.json<AgentJob>()
      await app.http.inject({ method: 'POST', url: `/api/print-queue/${id}/requeue`, headers: staff })
      return file?.slice_id ?? null
    },
  }
}

it('an agent gets the chosen sliced file only if the file is made for the model of its printer and has a format that the agent can read', async () => {
  const { app, endersId, modelId: stlFileId, fileFor } = await aFarm()
  const sliceId = await aSlice(app, stlFileId, { printerModel: 'Original Prusa MK4S' })
  const jobId = await aPrintJob(app, { stlFileId, sliceId })
  expect(await fileFor({ printer: 'Ender' })).toBe(204)
  expect(await fileFor({ printer: 'Ender', file_types: ['stl', 'gcode'] })).toBe(204)
  expect(await fileFor({ printer: 'Prusa', file_types: ['stl'] })).toBe(204)
  expect(await fileFor({ printer: 'Prusa', file_types: ['stl', 'gcode'] })).toBe(sliceId)
  expect(await fileFor({ printer: 'Prusa' })).toBe(sliceId)
  // The server does not know the model of a printer that only an agent has named, so it trusts the choice of the
  // person.
  expect(await fileFor({ printer: 'Unknown' })).toBe(sliceId)
  // A claim that names no printer gets any job. An admin can also assign the job to a printer that does not fit.
  expect(await fileFor({})).toBe(sliceId)
  const answer = await app.http.inject({
    method: 'POST',
    url: `/api/print-queue/${jobId}/assign`,
    headers: await app.as('admin'),
    payload: { printer_id: endersId, override: true },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(await fileFor({ printer: 'Ender', file_types: ['gcode'] })).toBe(sliceId)
})

it('an agent gets the sliced file for the model of its printer, otherwise a file that names no model', async () => {
  const { app, modelId: stlFileId, fileFor } = await aFarm()
  await aPrintJob(app, { stlFileId })
  const forPrusa = await aSlice(app, stlFileId, { printerModel: 'MK4S' })
  expect(await fileFor({ printer: 'Ender', file_types: ['gcode'] })).toBe(204)
  const forAny = await aSlice(app, stlFileId, { printerModel: null })
  expect(await fileFor({ printer: 'Prusa', file_types: ['gcode'] })).toBe(forPrusa)
  expect(await fileFor({ printer: 'Ender', file_types: ['gcode'] })).toBe(forAny)
})
