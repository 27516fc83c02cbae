import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import { type WaitCode, WAIT_CODES, isMisfit } from '@pegasus/contracts/print-queue/job-waits'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { anAgent, claim, sendReport } from '../../../../test/support/print-agents.ts'
import { aPrintJob, aSpool } from '../../../../test/support/stock-factories.ts'

/**
 * Creates an app with an STL model, and with an agent for each of two printer models. `fileFor` claims a job, puts it
 * back into the queue, and returns the id of the sliced file that the claim got, or null if it got the STL model. If
 * there is no job, it returns the status code.
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

it('an agent gets the chosen sliced file only if the file fits its printer and has a format that it reads', async () => {
  const { app, endersId, modelId: stlFileId, fileFor } = await aFarm()
  const sliceId = await aSlice(app, stlFileId, { printerModel: 'Original Prusa MK4S' })
  const jobId = await aPrintJob(app, { stlFileId, sliceId })
  expect(await fileFor({ printer: 'Ender' })).toBe(204)
  expect(await fileFor({ printer: 'Ender', file_types: ['stl', 'gcode'] })).toBe(204)
  expect(await fileFor({ printer: 'Prusa', file_types: ['stl'] })).toBe(204)
  expect(await fileFor({ printer: 'Prusa', file_types: ['stl', 'gcode'] })).toBe(sliceId)
  expect(await fileFor({ printer: 'Prusa' })).toBe(sliceId)
  // The server does not know the model of a printer that only a claim has named. It trusts the person who chose the
  // file.
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

it('an agent gets the sliced file whose bed fits that of its printer, although a newer one is for a larger bed', async () => {
  const { app, modelId: stlFileId, fileFor } = await aFarm()
  await aPrintJob(app, { stlFileId })
  const small = await aSlice(app, stlFileId, { printerModel: null, bedMm: [180, 200, 180] })
  const large = await aSlice(app, stlFileId, { printerModel: null, bedMm: [350, 350, 350] })
  const ender = { printer: 'Ender', file_types: ['gcode'] }
  expect(await fileFor({ ...ender, bed_mm: [200, 180, 180] })).toBe(small)
  expect(await fileFor({ ...ender, bed_mm: [400, 400, 400] })).toBe(large)
  // A file without a bed size is preferred to a file for a bed that is larger than the printer's.
  const unknown = await aSlice(app, stlFileId, { printerModel: null })
  await aSlice(app, stlFileId, { printerModel: null, bedMm: [350, 350, 350] })
  expect(await fileFor({ ...ender, bed_mm: [100, 100, 100] })).toBe(unknown)
})

it('an agent that states its materials gets only sliced files whose tools use no other material', async () => {
  const { app, modelId: stlFileId, fileFor } = await aFarm()
  const staff = await app.as('staff')
  const pla = { printer: 'Prusa', materials: ['PLA'], file_types: ['gcode'] }
  const both = { ...pla, materials: ['pla', 'petg'] }
  // The job requests no material, so only the material of the file counts.
  const jobId = await aPrintJob(app, { stlFileId })
  const ofPetg = await aSlice(app, stlFileId, { material: 'PETG' })
  expect([await fileFor(pla), await fileFor(both)]).toEqual([204, ofPetg])
  // An agent that can slice gets the model.
  expect(await fileFor({ ...pla, file_types: ['stl', 'gcode'] })).toBeNull()
  const twoTools = await aSlice(app, stlFileId, {
    tools: [
      { material: 'PLA', grams: 10 },
      { material: 'PETG', grams: 2 },
    ],
  })
  expect([await fileFor(pla), await fileFor(both)]).toEqual([204, twoTools])
  const fitting = await aSlice(app, stlFileId, {
    tools: [
      { material: ' pla ', grams: 10 },
      { material: null, grams: 2 },
      { material: 'PETG', grams: 0 },
    ],
  })
  await aSlice(app, stlFileId, { material: 'PETG' })
  expect(await fileFor(pla)).toBe(fitting)
  await app.http.inject({
    method: 'POST',
    url: `/api/print-queue/${jobId}/cancel`,
    headers: staff,
    payload: {},
  })
  // The materials also limit which file a person may have chosen.
  await aPrintJob(app, { stlFileId, sliceId: twoTools, material: 'PLA' })
  expect([await fileFor(pla), await fileFor(both)]).toEqual([204, twoTools])
})

it('an agent gets the plate of a file with several plates, its pieces, and the slots of its tools', async () => {
  const { app, endersId, modelId: stlFileId } = await aFarm()
  const { key } = await anAgent(app)
  const [white, petg] = [await aSpool(app, { color: 'White' }), await aSpool(app, { material: 'PETG' })]
  await app.database.sql`
    insert into printer_slots (printer_id, slot, spool_id, loaded_at) values (${endersId}, 2, ${white}, now())`
  await app.database.sql`
    update printer_slots set spool_id = ${petg}, loaded_at = now() where printer_id = ${endersId} and slot = 1`
  const tools = [
    { material: 'PLA', grams: 12.5, color_hex: '#ffffff' },
    { material: 'PETG', grams: 0 },
    { material: 'PETG', grams: 2, color_hex: '#000000' },
  ]
  const file = { format: 'gcode.3mf', printerModel: 'Ender 3', pieces: 2, tools } as const
  await aSlice(app, stlFileId, { ...file, plate: 1 })
  const sliceId = await aSlice(app, stlFileId, { ...file, plate: 3 })
  const id = await aPrintJob(app, { stlFileId, sliceId, quantity: 2 })
  const firstTool = { tool: 0, ...tools[0], slot: 2 }
  const claimed = (await claim(app, key, 'bench-1', { printer: 'Ender' })).json<AgentJob>()
  expect(claimed).toMatchObject({ id, file: { slice_id: sliceId, plate: 3, pieces: 2 } })
  expect(claimed.file?.tools).toEqual([firstTool, { tool: 2, ...tools[2], slot: 1 }])
  const beat = await sendReport(app, key, id, 'heartbeat', { lease_id: claimed.lease_id })
  expect(beat.json<AgentJob>().file).toEqual(claimed.file)
  await app.http.inject({
    method: 'POST',
    url: `/api/print-queue/${id}/requeue`,
    headers: await app.as('staff'),
  })
  // A claim that names no printer gets no slots.
  const anywhere = (await claim(app, key)).json<AgentJob>()
  expect(anywhere.file).toMatchObject({
    plate: 3,
    tools: [
      { ...firstTool, slot: null },
      { tool: 2, slot: null },
    ],
  })
})

it('an agent claims a job that an admin assigned despite a misfit, unless it cannot read the file', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const [admin, staff] = [await app.as('admin'), await app.as('staff')]
  const white = await aSpool(app, { material: 'PLA', color: 'White', remainingGrams: 50 })
  const added = await app.http.inject({
    method: 'POST',
    url: '/api/printers',
    headers: admin,
    payload: {
      name: 'Prusa',
      kind: 'agent',
      model: 'MK4S',
      nozzle_mm: 0.4,
      bed_mm: [180, 180, 180],
      slots: [{ slot: 1, filament_id: white }],
    },
  })
  const printerId = added.json<Printer>().id
  const [wide, small] = [await aModel(app), await aModel(app)]
  await app.database.sql`
    update stl_versions set bounding_box_mm = ${app.database.sql.json({ size: [200, 100, 50] })}
    where stl_file_id = ${wide}`
  const coarse = await aSlice(app, small, { nozzleMm: 0.6 })
  const ofPetg = await aSlice(app, small, { material: 'PETG' })
  const forEnder = await aSlice(app, small, { printerModel: 'Ender 3' })
  const inWhite = { material: 'PLA', color: 'White', estimatedGrams: 10 }
  const readsModels = { materials: ['pla'], file_types: ['stl', 'gcode'] }
  const readsSlices = { materials: ['pla'], file_types: ['gcode'] }
  const onlyCoarse = await aModel(app)
  const unchosen = await aSlice(app, onlyCoarse, { nozzleMm: 0.6, material: 'PETG' })
  const cases: readonly (readonly [WaitCode, object, object, string | null])[] = [
    ['bed_too_small', { ...inWhite, stlFileId: wide }, readsModels, null],
    ['nozzle', { ...inWhite, stlFileId: small, sliceId: coarse }, readsSlices, coarse],
    ['no_slice', { ...inWhite, stlFileId: small, sliceId: forEnder }, readsSlices, forEnder],
    ['no_slice', { ...inWhite, stlFileId: small, sliceId: ofPetg }, readsSlices, ofPetg],
    ['material', { ...inWhite, stlFileId: small, material: 'PETG' }, readsModels, ofPetg],
    ['color', { ...inWhite, stlFileId: small, color: 'Red' }, { materials: ['pla'] }, null],
    // Nobody chose a file for this job, and the agent cannot slice.
    ['color', { ...inWhite, stlFileId: onlyCoarse, color: 'Red' }, readsSlices, unchosen],
    ['grams_short', { ...inWhite, estimatedGrams: 60 }, { materials: ['pla'] }, null],
  ]
  expect([...new Set(cases.map(([code]) => code))].toSorted()).toEqual(WAIT_CODES.filter(isMisfit).toSorted())
  for (const [code, job, claims, sliceId] of cases) {
    const id = await aPrintJob(app, job)
    const codes = sliceId === unchosen ? ['no_slice', code] : [code]
    const claimOn = (more: object) => claim(app, key, 'bench-1', { printer: 'Prusa', ...more })
    const assign = (override: boolean) =>
      app.http.inject({
        method: 'POST',
        url: `/api/print-queue/${id}/assign`,
        headers: admin,
        payload: { printer_id: printerId, override },
      })
    // The reasons depend on what the agent stated in its last claim, so claim before the assignment.
    expect([code, (await claimOn(claims)).statusCode]).toEqual([code, 204])
    const refused = await assign(false)
    const { reasons } = refused.json<{ reasons: { code: WaitCode }[] }>()
    expect([refused.statusCode, reasons.map((reason) => reason.code)]).toEqual([409, codes])
    const assigned = await assign(true)
    expect(assigned.statusCode, assigned.body).toBe(200)
    if ('file_types' in claims)
      expect([code, (await claimOn({ ...claims, file_types: ['bgcode'] })).statusCode]).toEqual([code, 204])
    const answer = await claimOn(claims)
    expect([code, answer.statusCode]).toEqual([code, 200])
    expect([code, answer.json()]).toMatchObject([
      code,
      { id, ...('stlFileId' in job && { file: { slice_id: sliceId } }) },
    ])
    await app.http.inject({ method: 'POST', url: `/api/print-queue/${id}/requeue`, headers: staff })
    await app.http.inject({
      method: 'POST',
      url: `/api/print-queue/${id}/cancel`,
      headers: staff,
      payload: {},
    })
  }
})
