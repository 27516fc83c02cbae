import type { AgentJob } from '@pegasus/contracts/print-queue/agents'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createBox } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { analyzed, upload } from '../../../../test/support/library/model-upload.ts'
import { LEASE_MS, passTime, anAgent, claim, sendReport } from '../../../../test/support/print-agents.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { aPrintJob, aSpool, anItem } from '../../../../test/support/stock-factories.ts'

/**
 * Claims a job with these capabilities and puts it back into the queue. Returns the name of its item, or the status
 * code if there is no job.
 */
async function offered(app: TestApp, key: string, more: object): Promise<string | number> {
  const answer = await claim(app, key, 'bench-1', more)
  if (answer.statusCode !== 200) return answer.statusCode
  const { id, inventory_item_name: name } = answer.json<AgentJob>()
  const url = `/api/print-queue/${id}/requeue`
  await app.http.inject({ method: 'POST', url, headers: await app.as('staff') })
  return name
}

const printers = async (app: TestApp): Promise<Printer[]> =>
  (await app.http.inject({ url: '/api/printers?sort=number', headers: await app.as('viewer') })).json<
    Printer[]
  >()

it('a claim returns only jobs that fit the material, the bed and the file types of its printer', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const staff = await app.as('staff')
  const bytes = writeBinaryStl(createBox(200, 100, 50))
  const { id: stlFileId } = (
    await upload(app, staff, { name: 'box.stl', bytes }, { title: 'Box' })
  ).json<Model>()
  await analyzed(app, staff, stlFileId)
  await aPrintJob(app, { itemId: await anItem(app, { name: 'Petg', material_used: 'PETG' }), priority: 1 })
  await aPrintJob(app, { stlFileId, priority: 2 })
  await aPrintJob(app, { itemId: await anItem(app, { name: 'Pla', material_used: 'PLA' }), priority: 3 })
  const sliceId = await aSlice(app, stlFileId, { printerModel: null, nozzleMm: 0.4 })
  const cases = [
    [{}, 'Petg'],
    [{ materials: ['pla'] }, 'Box'],
    [{ materials: ['pla'], bed_mm: [180, 180, 180] }, 'Pla'],
    [{ materials: ['pla'], bed_mm: [100, 200, 50] }, 'Box'],
    [{ file_types: ['stl'] }, 'Box'],
    [{ file_types: ['.GCODE'] }, 'Box'],
    [{ file_types: ['bgcode'] }, 204],
    [{ file_types: ['gcode'], nozzle_mm: 0.6 }, 204],
    [{ printer: 'Mini' }, 'Petg'],
    [{ printer: 'mini', materials: ['PLA', 'PETG'] }, 'Petg'],
    [{ colour: 'red' }, 422],
    [{ bed_mm: [1, 2] }, 422],
    [{ bed_mm: [1, 2, 0] }, 422],
    [{ nozzle_mm: 0 }, 422],
    [{ materials: [] }, 422],
    [{ file_types: [''] }, 422],
    [{ printer: '' }, 422],
  ] as const
  for (const [more, expected] of cases)
    expect([more, await offered(app, key, more)]).toEqual([more, expected])
  expect(await printers(app)).toMatchObject([{ name: 'Mini', kind: 'agent', state: 'available' }])
  // The agent gets the sliced file instead of the model.
  const answer = await claim(app, key, 'bench-1', { printer: 'Mini', file_types: ['gcode'] })
  expect(answer.json<AgentJob>()).toMatchObject({
    stl_file_id: stlFileId,
    file: { slice_id: sliceId, format: 'gcode', file_name: 'part.gcode' },
  })
  expect(await printers(app)).toMatchObject([
    { state: 'printing', current_job_id: answer.json<AgentJob>().id, seen_at: expect.any(String) },
  ])
  const busy = await claim(app, key, 'bench-1', { printer: 'Mini' })
  expect([busy.statusCode, busy.json()]).toMatchObject([409, { code: 'printer_busy' }])
  await sendReport(app, key, answer.json<AgentJob>().id, 'complete')
  expect(await printers(app)).toMatchObject([{ state: 'available', success_rate: 1 }])
})

it('a printer whose agent reports a full bed gets no job until a person has cleared it', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  for (let each = 0; each < 6; each += 1) await aPrintJob(app)
  const claimOn = async (printer?: string) => {
    const answer = await claim(app, key, 'bench-1', printer === undefined ? {} : { printer })
    return answer.statusCode === 200 ? answer.json<AgentJob>().id : null
  }
  const clear = async () => {
    const [printer] = await printers(app)
    expect(printer?.state).toBe('needs_clearing')
    const url = `/api/printers/${printer?.id}/clear`
    const cleared = await app.http.inject({
      method: 'POST',
      url,
      headers: await app.as('staff'),
      payload: {},
    })
    expect([cleared.statusCode, (await printers(app))[0]?.state]).toEqual([200, 'available'])
  }
  const endNext = async (what: 'complete' | 'fail', body: object) => {
    const id = await claimOn('Mini')
    const answer = await sendReport(app, key, id ?? 'none', what, body)
    expect(answer.statusCode, answer.body).toBe(200)
  }
  await endNext('complete', { cleared: false })
  expect(await claimOn('Mini')).toBeNull()
  expect(await claimOn()).not.toBeNull()
  await clear()
  await endNext('complete', {})
  await endNext('fail', { reason: 'No file' })
  await endNext('fail', { reason: 'Spaghetti', cleared: false })
  expect(await claimOn('Mini')).toBeNull()
  await clear()
  expect(await claimOn('Mini')).not.toBeNull()
})

it('a printer must be cleared if a print that its agent has started ends without a report from the agent', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const staff = await app.as('staff')
  for (let each = 0; each < 4; each += 1) await aPrintJob(app)
  const post = (url: string, payload: object = {}) =>
    app.http.inject({ method: 'POST', url, headers: staff, payload })
  const claimOn = () => claim(app, key, 'bench-1', { printer: 'Mini' })
  const ends = [
    (id: string) => post(`/api/print-queue/${id}/cancel`),
    (id: string) => post(`/api/print-queue/${id}/fail`, { reason: 'Warped' }),
    async () => {
      await passTime(LEASE_MS, app)
      await app.leases.run()
    },
  ]
  for (const [each, end] of ends.entries()) {
    const { id } = (await claimOn()).json<AgentJob>()
    // A printer that is still heating reports a progress of 0.
    await sendReport(app, key, id, 'heartbeat', { progress: each === 0 ? 0.1 : 0 })
    await end(id)
    const [printer] = await printers(app)
    expect([(await claimOn()).statusCode, printer?.state]).toEqual([204, 'needs_clearing'])
    await post(`/api/printers/${printer?.id}/clear`)
  }
  // An agent that is still downloading the file reports no progress at all.
  const { id } = (await claimOn()).json<AgentJob>()
  await sendReport(app, key, id, 'heartbeat', {})
  await passTime(LEASE_MS, app)
  await app.leases.run()
  expect((await claimOn()).statusCode).toBe(200)
})

/** Adds a printer of an agent with these loaded spools, and returns its id. */
async function aLoadedPrinter(app: TestApp, name: string, spoolIds: string[]): Promise<string> {
  const slots = spoolIds.map((id, i) => ({ slot: i + 1, filament_id: id }))
  const headers = await app.as('admin')
  const payload = { name, kind: 'agent', slots }
  const answer = await app.http.inject({ method: 'POST', url: '/api/printers', headers, payload })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json<Printer>().id
}

it('a claim skips jobs whose material, color, chosen spool or grams are not loaded in its printer', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  const white = await aSpool(app, { color: 'White', remainingGrams: 50 })
  const elsewhere = await aSpool(app, { name: 'Silk', color: 'White' })
  const printerId = await aLoadedPrinter(app, 'Mini', [white])
  await aLoadedPrinter(app, 'Other', [elsewhere])
  const whiteJob = { material: 'PLA', color: 'White' }
  const red = await aPrintJob(app, { material: 'PLA', color: 'Red', priority: 1 })
  for (const job of [
    { material: 'PETG', color: 'White' },
    { spoolId: elsewhere },
    { ...whiteJob, estimatedGrams: 60 },
  ])
    await aPrintJob(app, { ...job, priority: 1 })
  const claimOn = (printer: string) => claim(app, key, printer, { printer })
  expect((await claimOn('Mini')).statusCode).toBe(204)
  // A claim reads the queue in pages of 20 jobs. The fitting job is not on the first page.
  for (let each = 0; each < 20; each += 1)
    await aPrintJob(app, { material: 'PLA', color: 'Red', priority: 2 })
  const fitting = await aPrintJob(app, { ...whiteJob, estimatedGrams: 40, priority: 3 })
  const next = (await claimOn('Mini')).json<AgentJob>()
  expect(next.id).toBe(fitting)
  // The printer is busy, but no other job fits it. So the answer is 204 instead of PRINTER_BUSY.
  expect((await claimOn('Mini')).statusCode).toBe(204)
  await sendReport(app, key, next.id, 'complete')
  const url = `/api/print-queue/${red}/assign`
  const payload = { printer_id: printerId, override: true }
  await app.http.inject({ method: 'POST', url, headers: await app.as('admin'), payload })
  expect((await claimOn('Mini')).json<AgentJob>().id).toBe(red)
  // A printer without recorded spools gets the jobs in queue order.
  expect((await claimOn('Unknown')).json<AgentJob>()).toMatchObject({ material: 'PETG', priority: 1 })
})

it('simultaneous claims of printers with the same filament get different jobs, although other jobs come first', async () => {
  const app = await buildTestApp()
  const replica = await app.replica()
  const { key } = await anAgent(app)
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const name of names) await aLoadedPrinter(app, name, [await aSpool(app, { color: 'White' })])
  await aPrintJob(app, { material: 'PLA', color: 'Red', priority: 1 })
  const ids = await Promise.all(names.map(() => aPrintJob(app, { material: 'PLA', color: 'White' })))
  const answers = await Promise.all(
    names.map((name, i) => claim(i % 2 ? app : replica, key, name, { printer: name })),
  )
  expect(answers.map((answer) => answer.json<AgentJob>().id).toSorted()).toEqual(ids.toSorted())
})

it('a job that is assigned to a printer goes to it before other jobs, and otherwise only to a claim that names no printer', async () => {
  const app = await buildTestApp()
  const { key } = await anAgent(app)
  await claim(app, key, 'bench-1', { printer: 'left' })
  const [printer] = await printers(app)
  const [first, own] = [await aPrintJob(app, { priority: 1 }), await aPrintJob(app, { priority: 5 })]
  const url = `/api/print-queue/${own}/assign`
  const payload = { printer_id: printer?.id }
  await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload })
  const claimedBy = async (name: string) =>
    (await claim(app, key, name, { printer: name })).json<AgentJob>().id
  expect(await claimedBy('left')).toBe(own)
  expect(await claimedBy('right')).toBe(first)
  const maintenance = `/api/printers/${(await printers(app))[0]?.id}/maintenance`
  await app.http.inject({ method: 'POST', url: maintenance, headers: await app.as('staff') })
  expect((await claim(app, key, 'left', { printer: 'left' })).statusCode).toBe(204)
  // An agent that names no printer gets any pending job, and those without a printer first.
  const [later, free] = [await aPrintJob(app, { priority: 1 }), await aPrintJob(app, { priority: 5 })]
  await app.database.sql`update print_jobs set assigned_printer_id = ${printer?.id ?? ''} where id = ${later}`
  expect((await claim(app, key, 'old')).json<AgentJob>().id).toBe(free)
  await app.database
    .sql`update printers set kind = 'octoprint', address = 'http://192.168.0.9' where id = ${printer?.id ?? ''}`
  expect((await claim(app, key, 'old')).statusCode, 'the server starts it').toBe(204)
  await app.database.sql`update printers set kind = 'agent', address = null where id = ${printer?.id ?? ''}`
  expect((await claim(app, key, 'old')).json<AgentJob>().id).toBe(later)
})

it('20 simultaneous claims for 10 printers never give one plate to two printers, or two plates to one printer', async () => {
  const app = await buildTestApp()
  const replica = await app.replica()
  const { key } = await anAgent(app)
  for (let each = 0; each < 15; each += 1) await aPrintJob(app)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      claim(i % 2 ? app : replica, key, `agent-${i}`, { printer: `printer ${i % 10}` }),
    ),
  )
  const won = answers.filter(({ statusCode }) => statusCode === 200).map((each) => each.json<AgentJob>().id)
  expect(new Set(won).size).toBe(10)
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(10)
  expect(await app.database.sql`select 1 from job_plates where state = 'printing'`).toHaveLength(10)
})
