import { expect, it, onTestFinished } from 'vitest'
import { simulatedPrinters } from '../../../../test/servers/simulated-printers.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aNetworkPrinter, aSlicedFile } from '../../../../test/support/network-printers.ts'
import { aPrintJob, anItem, aSpool } from '../../../../test/support/stock-factories.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'
import type { DeviceLimits } from '../../../platform/outbound/device-limits.ts'

/** Number of printers to which one process uploads at the same time. It also visits this number of other printers. */
const AT_ONCE = 20

/** Adds this number of printers. Each has a job that only this printer can print, and that it can print now. */
async function aFloor(printers: number, limits: Partial<DeviceLimits> = {}) {
  const app = await buildTestApp({ devices: { limits } })
  const { sql } = app.database
  const machines = await simulatedPrinters(Array.from({ length: printers }, () => 'moonraker' as const))
  const modelId = await aModel(app)
  await aSlicedFile(app, modelId)
  const itemId = await anItem(app, { quantity: 0 })
  await sql`update items set stl_file_id = ${modelId} where id = ${itemId}`
  for (const [index, { url }] of machines.entries()) {
    const id = await aNetworkPrinter(app, { name: `Printer ${index + 1}`, kind: 'moonraker', address: url })
    const spoolId = await aSpool(app, { material: 'PLA' })
    await sql`update printer_slots set spool_id = ${spoolId}, loaded_at = now() where printer_id = ${id}`
    const jobId = await aPrintJob(app, { itemId })
    await sql`update print_jobs set assigned_printer_id = ${id} where id = ${jobId}`
  }
  const plates = async () =>
    (await sql<{ state: string }[]>`select state from job_plates order by state`).map(({ state }) => state)
  const available = async () => (await sql`select 1 from printers where state = 'available'`).length
  /** Lets the storage hang when a file is opened for its upload, until `mend` is called. */
  const hangStorage = () => {
    const open = app.storage.open.bind(app.storage)
    const mended = Promise.withResolvers<void>()
    let opened = 0
    app.storage.open = async (...args) => {
      opened += 1
      await mended.promise
      return open(...args)
    }
    return { opened: () => opened, mend: () => mended.resolve() }
  }
  return { app, machines, plates, available, hangStorage }
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

it('slow uploads to as many printers as one process visits at once do not keep it from visiting the others', async () => {
  const { app, machines } = await aFloor(AT_ONCE + 1, { answerMs: 10 * MINUTE_MS })
  const { sql } = app.database
  for (const { faults } of machines) faults.push({ kind: 'silent', only: 'POST /server/files/upload' })
  app.printers.start()
  onTestFinished(() => app.printers.stop())
  const uploads = () => machines.filter(({ requests }) => requests.some((line) => line.startsWith('POST')))
  await expect.poll(() => uploads().length, { timeout: MINUTE_MS }).toBe(AT_ONCE)
  const [rest] = machines.filter((machine) => !uploads().includes(machine))
  // The server still visits the last printer and updates its state.
  expect(rest).toBeDefined()
  rest?.machine.upload('by-hand.gcode', Buffer.from(''))
  rest?.machine.start('by-hand.gcode', 'machine')
  await expect
    .poll(
      async () => (await sql`select state from printers where state_reason like 'Prints by-hand%'`).length,
      { timeout: MINUTE_MS },
    )
    .toBe(1)
})

it('a job whose upload is beyond the limit has no plate, and its printer stays available, until another upload has ended', async () => {
  const { app, plates, available, hangStorage } = await aFloor(AT_ONCE + 1)
  const storage = hangStorage()
  const visited = app.printers.run()
  await expect.poll(storage.opened, { timeout: MINUTE_MS }).toBe(AT_ONCE)
  const { sql } = app.database
  const ended = () => sql`select 1 from printer_connections where claimed_by is null`
  await expect.poll(async () => (await ended()).length, { timeout: MINUTE_MS }).toBe(1)
  expect(await plates()).toEqual(times(AT_ONCE, 'sending'))
  expect(await available()).toBe(1)
  storage.mend()
  await visited
  await app.printers.run()
  expect(await plates()).toEqual(times(AT_ONCE + 1, 'printing'))
})

it('an upload that hangs no longer counts towards the limit once its visit is abandoned', async () => {
  const { app, plates, hangStorage } = await aFloor(AT_ONCE + 1)
  const storage = hangStorage()
  const visited = app.printers.run()
  await expect.poll(storage.opened, { timeout: MINUTE_MS }).toBe(AT_ONCE)
  await app.database.sql`update printer_connections set claimed_by = gen_random_uuid(), claimed_until = now()`
  await visited
  expect(await plates()).toEqual(times(AT_ONCE, 'sending'))
  storage.mend()
  // Plates that were already started are sent first, so no upload is left for new plates.
  await app.printers.run()
  await app.printers.run()
  expect(await plates()).toEqual(times(AT_ONCE + 1, 'printing'))
})
