import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeDataFolder } from '../process/product-process.ts'
import { PRINTER_KEY, simulatedPrinters } from '../servers/simulated-printers.ts'
import { type TestApp, buildTestApp } from '../support/build-test-app.ts'
import { aModel } from '../support/library/library-factories.ts'
import { aSlice } from '../support/library/slice-factories.ts'
import { aSlicedFile } from '../support/network-printers.ts'
import { anAgent, claim, LEASE_MS, passTime, shownJob } from '../support/print-agents.ts'
import { aPrintJob, aPrinter, aSpool } from '../support/stock-factories.ts'

interface Agent {
  step(): Promise<boolean>
}

/** Imports the example agent by path, because the server does not depend on the example. */
async function theExample() {
  const path = (file: string) => new URL(`../../../../examples/print-agent/${file}`, import.meta.url).href
  const { createAgent } = (await import(path('agent.ts'))) as {
    createAgent(settings: object, say: (line: string) => void): Agent
  }
  const { readSettings } = (await import(path('settings.ts'))) as {
    readSettings(env: Record<string, string | undefined>): object
  }
  return { createAgent, readSettings }
}

/** Builds a shop with the example agent for one Moonraker printer, and a model with a sliced file for that printer. */
async function aBench(env: Record<string, string | undefined> = {}) {
  const { createAgent, readSettings } = await theExample()
  const app = await buildTestApp()
  const [printer] = await simulatedPrinters(['moonraker'])
  if (!printer) throw new Error('no printer')
  const key = await anAgent(app)
  const modelId = await aModel(app)
  const sliceId = await aSlicedFile(app, modelId)
  // Give the model's file the bytes of the sliced file, so that the agent may get either of them.
  await app.database.sql`
    update stl_versions v set object_key = s.object_key, file_size = s.file_size, sha256 = substr(s.object_key, 8)
    from sliced_files s where s.id = ${sliceId} and v.id = s.stl_version_id`
  await app.database.sql`update sliced_files set sha256 = substr(object_key, 8) where id = ${sliceId}`
  await aPrinter(app, 'Bench')
  await app.database.sql`update printers set kind = 'agent', model = 'MK4S' where name = 'Bench'`
  const settings = readSettings({
    OPS_URL: await app.http.listen({ host: '127.0.0.1', port: 0 }),
    OPS_API_KEY: key.key,
    PRINTER_NAME: 'Bench',
    NOZZLE_MM: '0.4',
    PRINTER_URL: printer.url,
    PRINTER_KEY,
    AGENT_FOLDER: join(await makeDataFolder(), '..', 'agent'),
    ...env,
  })
  const said: string[] = []
  // Each step uses a new agent, so all of its state must be on disk.
  const step = () => createAgent(settings, (line) => said.push(line)).step()
  const clear = async () => {
    const [row] = await app.database.sql`select id from printers where name = 'Bench'`
    const url = `/api/printers/${row?.['id']}/clear`
    await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload: {} })
  }
  const agent = createAgent(settings, (line) => said.push(line))
  return { app, printer, modelId, sliceId, said, step, agent, clear }
}

it('the example agent prints each job exactly once, even if it restarts or a response is lost', async () => {
  const { app, printer, modelId, step, clear } = await aBench()
  expect(await step()).toBe(false)

  // The spool that was chosen for the job is in slot 3. The filament is booked on it, and not on the spool in another
  // slot.
  const [other, chosen] = [await aSpool(app), await aSpool(app)]
  await app.database.sql`update printer_slots set spool_id = ${other}, loaded_at = now()`
  await app.database.sql`
    insert into printer_slots (printer_id, slot, spool_id, loaded_at)
    select id, 3, ${chosen}, now() from printers where name = 'Bench'`
  const first = await aPrintJob(app, { stlFileId: modelId, spoolId: chosen })
  expect([await step(), await step()]).toEqual([true, true])
  printer.machine.advance(45)
  await step()
  expect(await shownJob(app, first)).toMatchObject({ status: 'in_progress', progress: 0.5 })
  printer.machine.advance(60)
  expect(await step()).toBe(false)
  expect(await shownJob(app, first)).toMatchObject({ status: 'completed' })
  const booked = await app.database.sql`
    select spool_id from spool_ledger where print_job_id = ${first}`
  expect(booked).toEqual([{ spool_id: chosen }])

  const second = await aPrintJob(app, { stlFileId: modelId })
  // The agent gets no job until a person has cleared the bed.
  expect(await step()).toBe(false)
  expect((await shownJob(app, second))?.status).toBe('pending')
  await clear()
  expect(await step()).toBe(true)
  printer.faults.push({ kind: 'lost-answer', only: '/printer/print/start', times: 1 })
  await expect(step()).rejects.toThrow()
  await step()
  printer.machine.cancel()
  await step()
  expect(await shownJob(app, second)).toMatchObject({
    status: 'failed',
    failure_reason: 'The print was cancelled at the printer.',
  })
  expect(printer.machine.prints).toHaveLength(2)

  // The start command is lost before it reaches the printer. The agent does not send it again, and the plate fails.
  const third = await aPrintJob(app, { stlFileId: modelId })
  expect(await step()).toBe(false)
  await clear()
  expect(await step()).toBe(true)
  printer.faults.push({ kind: 'lost', only: '/printer/print/start', times: 1 })
  await expect(step()).rejects.toThrow()
  await step()
  expect(await shownJob(app, third)).toMatchObject({ status: 'failed' })
  expect(printer.machine.prints).toHaveLength(2)

  // While the screen shows a print that was started by hand, that print may still be on the bed.
  await clear()
  await aPrintJob(app, { stlFileId: modelId })
  printer.machine.upload('vase.gcode', Buffer.from(''))
  printer.machine.start('vase.gcode', 'machine')
  printer.machine.cancel()
  expect(await step()).toBe(false)
  printer.machine.acknowledge()
  expect(await step()).toBe(true)
})

it('the example agent waits until the history of its printer contains the end of a print', async () => {
  const { app, printer, modelId, step } = await aBench()
  const job = await aPrintJob(app, { stlFileId: modelId })
  expect([await step(), await step()]).toEqual([true, true])
  printer.machine.isRecordLate = true
  printer.machine.advance(100)
  expect(await step()).toBe(true)
  expect(await shownJob(app, job)).toMatchObject({ status: 'in_progress' })
  printer.machine.isRecordLate = false
  expect(await step()).toBe(false)
  expect(await shownJob(app, job)).toMatchObject({ status: 'completed' })
})

it('the example agent starts no print if another agent has claimed the job during the upload', async () => {
  const { app, printer, modelId, said, step } = await aBench()
  const other = await anAgent(app)
  const job = await aPrintJob(app, { stlFileId: modelId })
  expect(await step()).toBe(true)
  printer.watch = async (request, phase) => {
    if (!request.includes('/server/files/upload') || phase === 'before') return
    printer.watch = null
    await passTime(LEASE_MS, app)
    await app.leases.run()
    expect((await claim(app, other.key, 'other')).json()).toMatchObject({ id: job })
  }
  expect(await step()).toBe(false)
  expect(printer.watch).toBeNull()
  expect(said.at(-1)).toContain('no longer assigned to this printer')
  expect(printer.machine.prints).toEqual([])
})

it('the example agent leaves a running print alone if another agent has claimed its job in the meantime', async () => {
  const { app, printer, modelId, step } = await aBench()
  const other = await anAgent(app)
  const job = await aPrintJob(app, { stlFileId: modelId })
  expect([await step(), await step()]).toEqual([true, true])
  await passTime(LEASE_MS, app)
  await app.leases.run()
  expect((await claim(app, other.key, 'other')).json()).toMatchObject({ id: job })
  expect(await step()).toBe(false)
  expect(printer.machine.running).not.toBeNull()
})

/** Lets a person cancel or fail a job. */
async function endJob(app: TestApp, id: string, how: 'cancel' | 'fail') {
  const url = `/api/print-queue/${id}/${how}`
  const payload = { reason: 'Came loose' }
  const ended = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload })
  if (ended.statusCode !== 200) throw new Error(`${ended.statusCode} ${ended.body}`)
}

it.each(['cancel', 'fail'] as const)(
  'the example agent stops its printer when a person ends the job (%s), and claims again once the bed is cleared',
  async (how) => {
    const { app, printer, modelId, step, clear } = await aBench()
    const job = await aPrintJob(app, { stlFileId: modelId })
    expect([await step(), await step()]).toEqual([true, true])
    printer.machine.advance(45)
    expect(await step()).toBe(true)
    await endJob(app, job, how)
    await aPrintJob(app, { stlFileId: modelId })
    // The first request to cancel the print is lost.
    printer.faults.push({ kind: 'lost', only: '/printer/print/cancel', times: 1 })
    await expect(step()).rejects.toThrow()
    expect(await step()).toBe(false)
    expect(printer.machine.prints).toMatchObject([{ state: 'cancelled' }])
    expect(await step()).toBe(false)
    await clear()
    expect([await step(), await step()]).toEqual([true, true])
    expect(printer.machine.prints).toMatchObject([{ state: 'cancelled' }, { state: 'printing' }])
  },
)

it('the example agent claims nothing while the printer shows a print whose job was cancelled before the agent reported it', async () => {
  const { app, printer, modelId, step, clear } = await aBench()
  const job = await aPrintJob(app, { stlFileId: modelId })
  expect(await step()).toBe(true)
  printer.watch = async (request, phase) => {
    if (!request.includes('/printer/print/start') || phase === 'before') return
    printer.watch = null
    await endJob(app, job, 'cancel')
  }
  expect(await step()).toBe(false)
  expect(printer.machine.prints).toMatchObject([{ state: 'cancelled' }])
  await aPrintJob(app, { stlFileId: modelId })
  await clear()
  expect(await step()).toBe(false)
  printer.machine.acknowledge()
  expect(await step()).toBe(true)
})

it('the example agent passes the number of the plate and its tools to its print program', async () => {
  const folder = await makeDataFolder()
  const [program, output] = [join(folder, '..', 'print.mjs'), join(folder, '..', 'output.json')]
  await writeFile(
    program,
    `import { writeFileSync } from 'node:fs'
    const { PLATE, TOOLS } = process.env
    writeFileSync(process.argv[2], JSON.stringify({ plate: PLATE, tools: JSON.parse(TOOLS) }))`,
  )
  const { app, modelId, sliceId, agent } = await aBench({
    PRINTER_URL: undefined,
    PRINT_COMMAND: `${process.execPath} ${program} ${output}`,
    FILE_TYPES: 'gcode.3mf',
  })
  const third = await aSlice(app, modelId, { format: 'gcode.3mf', plate: 3 })
  await app.database.sql`
    update sliced_files t set object_key = s.object_key, sha256 = s.sha256, file_size = s.file_size
    from sliced_files s where s.id = ${sliceId} and t.id = ${third}`
  const job = await aPrintJob(app, { stlFileId: modelId, sliceId: third })
  expect([await agent.step(), await agent.step()]).toEqual([true, true])
  await expect.poll(() => agent.step()).toBe(false)
  expect(await shownJob(app, job)).toMatchObject({ status: 'completed' })
  expect(JSON.parse(await readFile(output, 'utf8'))).toEqual({
    plate: '3',
    tools: [{ tool: 0, material: 'PLA', color_hex: null, grams: 12.5, slot: null }],
  })
})

it('the example agent with a Moonraker printer refuses to take files that Klipper cannot print', async () => {
  const { readSettings } = await theExample()
  expect(() =>
    readSettings({ OPS_API_KEY: 'key', PRINTER_URL: 'http://voron', FILE_TYPES: 'gcode,.gcode.3mf' }),
  ).toThrow('Klipper cannot print .gcode.3mf.')
})
