import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Plate } from '@pegasus/contracts/print-queue/plates'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Protocol } from '../../../../test/servers/simulated-printers.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  aPrinterSetup,
  anAssignedJob,
  clearBed,
  setupState,
} from '../../../../test/support/network-printers.ts'
import { MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { claimPrinters, lockUnclaimed } from '../connection-claims.queries.ts'

const UPLOAD = 'POST /server/files/upload'
const START = 'POST /printer/print/start'
/** Time after which a plate that is still being sent is overdue. */
const LIMIT_MS = 16 * MINUTE_MS

async function aWorkshop(kind: Protocol = 'moonraker') {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, kind)
  const jobId = await anAssignedJob(app, setup)
  const { printerId, printer } = setup
  const read = () => setupState(app, setup, jobId)
  return {
    app,
    setup,
    jobId,
    printerId,
    read,
    faults: printer.faults,
    machine: printer.machine,
    /** Lets the server visit its printers once, and returns what it has stored. */
    round: async () => {
      await app.printers.run()
      return read()
    },
    /**
     * Visits the printer while the fault affects only the requests `only`. After that, the fault affects all requests.
     */
    breakAt: async (fault: 'lost' | 'lost-answer', only: string) => {
      printer.faults.push({ kind: fault, only, times: 1 })
      await app.printers.run()
      printer.faults.splice(0, 1, { kind: 'lost' })
      expect((await read()).plates).toMatchObject([{ state: 'sending' }])
    },
  }
}

/** Starts a server that behaves like a Klipper that never becomes ready. Returns its address. */
async function aBusyPrinter(): Promise<string> {
  const webhooks = { state: 'startup', state_message: 'Waiting for the board.' }
  const server = createServer((request, response) => {
    response.statusCode = request.url?.startsWith('/printer/objects/query') ? 200 : 404
    response.end(JSON.stringify({ result: { status: { webhooks } } }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a plate that is being sent', () => {
  it('a plate that the printer does not take in time returns to the queue, and any process can return it', async () => {
    const { app, read, round, breakAt, faults, jobId, machine } = await aWorkshop()
    await breakAt('lost', UPLOAD)
    app.clock.advance(LIMIT_MS - 2 * MINUTE_MS)
    expect((await round()).plates).toMatchObject([{ state: 'sending' }])
    app.clock.advance(2 * MINUTE_MS)
    const other = await app.replica()
    await other.printers.run()
    expect(await read()).toMatchObject({
      printer: { state: 'offline' },
      job: { status: 'pending' },
      plates: [{ state: 'cancelled' }],
    })
    const [plate] = await app.database
      .sql`select failure_reason from job_plates where print_job_id = ${jobId}`
    expect(plate?.['failure_reason']).toMatch(
      /not sent to the printer within 15 minutes\. The printer closed/,
    )
    faults.length = 0
    expect((await round()).plates).toMatchObject([{ state: 'cancelled' }, { state: 'printing' }])
    expect(machine.prints).toHaveLength(1)
  })

  it('after a plate returns to the queue, other printers can take its job if nobody had assigned the job', async () => {
    const { app, jobId, breakAt, round, printerId } = await aWorkshop()
    const { sql } = app.database
    await sql`update print_jobs set assigned_printer_id = null where id = ${jobId}`
    await sql`update printers set takes_jobs = true where id = ${printerId}`
    await app.planner.run()
    await breakAt('lost', UPLOAD)
    app.clock.advance(LIMIT_MS)
    await round()
    const [job] = await sql`select status, assigned_printer_id from print_jobs where id = ${jobId}`
    expect(job).toEqual({ status: 'pending', assigned_printer_id: null })
  })

  it('a plate whose start was sent waits for its printer, and is printed only once', async () => {
    const { app, breakAt, faults, round, machine } = await aWorkshop()
    await breakAt('lost-answer', START)
    app.clock.advance(LIMIT_MS)
    expect(await round()).toMatchObject({ printer: { state: 'offline' }, plates: [{ state: 'sending' }] })
    faults.length = 0
    expect((await round()).plates).toMatchObject([{ state: 'printing' }])
    expect(machine.prints).toHaveLength(1)
  })

  it.each([
    ['was not sent', 'lost', UPLOAD, 'available'],
    ['was sent', 'lost-answer', START, 'needs_clearing'],
  ] as const)(
    'a plate that is being sent ends if the server no longer connects to its printer and the start %s',
    async (_, fault, request, state) => {
      const { app, breakAt, round, printerId, read } = await aWorkshop()
      await breakAt(fault, request)
      const kind = { kind: 'manual' }
      const url = `/api/printers/${printerId}`
      const headers = { ...(await app.as('admin')), 'if-match': '*' }
      const refused = await app.http.inject({ method: 'PUT', url, headers, payload: kind })
      expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'printer_busy' }])
      // Only an earlier version of the server accepted this change, so make it in the database.
      await app.database
        .sql`update printers set kind = 'manual', address = null, state = 'printing' where id = ${printerId}`
      app.clock.advance(LIMIT_MS)
      await round()
      expect(await read()).toMatchObject({
        printer: { state },
        job: { status: 'pending' },
        plates: [{ state: 'cancelled' }],
      })
    },
  )

  it('a plate that waits for a busy printer shows the reason, and ends after the time limit', async () => {
    const { app, breakAt, round, printerId, faults } = await aWorkshop()
    await breakAt('lost', UPLOAD)
    faults.length = 0
    const address = await aBusyPrinter()
    await app.database.sql`update printers set address = ${address} where id = ${printerId}`
    const waiting = { state: 'printing', state_reason: 'Waiting for the board.' }
    expect(await round()).toMatchObject({ printer: waiting, plates: [{ state: 'sending' }] })
    app.clock.advance(LIMIT_MS)
    expect(await round()).toMatchObject({ job: { status: 'pending' }, plates: [{ state: 'cancelled' }] })
  })

  it('if a start was sent to a printer that stays busy, the plate ends and the bed must be checked', async () => {
    const { app, setup, breakAt, round, printerId, faults, machine } = await aWorkshop()
    await breakAt('lost-answer', START)
    faults.length = 0
    const address = await aBusyPrinter()
    await app.database.sql`update printers set address = ${address} where id = ${printerId}`
    expect((await round()).plates).toMatchObject([{ state: 'sending' }])
    app.clock.advance(LIMIT_MS)
    expect(await round()).toMatchObject({
      printer: { state: 'needs_clearing', state_reason: expect.stringMatching(/Check the bed/) },
      job: { status: 'pending' },
      plates: [{ state: 'cancelled' }],
    })
    await round()
    // The printer becomes ready after all, and prints the plate.
    const { url } = setup.printer
    await app.database.sql`update printers set address = ${url} where id = ${printerId}`
    expect(machine.running).not.toBeNull()
    await round()
    expect(machine.running).toBeNull()
  })
})

describe('a printer that is polled again', () => {
  it('a print that the printer lost fails even if its record still shows it as running, while a running print continues', async () => {
    const { app, setup, round, machine, faults, printerId } = await aWorkshop()
    await round()
    app.clock.advance(LIMIT_MS)
    expect((await round()).plates).toMatchObject([{ state: 'printing' }])
    machine.reboot()
    const [print] = machine.prints
    if (!print) throw new Error('no print')
    print.state = 'printing'
    faults.push({ kind: 'lost' })
    expect((await round()).printer.state).toBe('offline')
    faults.length = 0
    const moveTo = (address: string) =>
      app.database.sql`update printers set address = ${address} where id = ${printerId}`
    await moveTo(await aBusyPrinter())
    expect((await round()).printer).toEqual({ state: 'printing', state_reason: 'Waiting for the board.' })
    await moveTo(setup.printer.url)
    expect(await round()).toMatchObject({
      printer: { state: 'printing', state_reason: 'The server asks the printer how the print has ended.' },
      plates: [{ state: 'printing' }],
    })
    app.clock.advance(LIMIT_MS)
    expect(await round()).toMatchObject({
      job: { status: 'failed', failure_reason: expect.stringMatching(/restarted or lost/) },
      plates: [{ state: 'failed' }],
    })
    await clearBed(app, setup)
    expect((await round()).printer.state).toBe('available')
  })

  it('a person can count the pieces of a print that its printer, which responds again, has not shown for 90 seconds', async () => {
    const { app, round, faults, jobId, printerId, read } = await aWorkshop()
    await round()
    const headers = await app.as('staff')
    const url = `/api/print-queue/${jobId}`
    const isLost = async () => {
      const plates = (await app.http.inject({ url: `${url}/plates`, headers })).json<Plate[]>()
      return plates[0]?.is_printer_lost
    }
    const payload = { reason: 'Power failure', good_quantity: 1 }
    const fail = async () =>
      (await app.http.inject({ method: 'POST', url: `${url}/fail`, headers, payload })).statusCode
    faults.push({ kind: 'lost' })
    await round()
    const address = await aBusyPrinter()
    await app.database.sql`update printers set address = ${address} where id = ${printerId}`
    const ready = { state: 'printing', state_reason: 'Waiting for the board.' }
    expect((await round()).printer).toEqual(ready)
    expect([await isLost(), await fail()]).toEqual([false, 409])
    app.clock.advance(2 * MINUTE_MS)
    expect((await round()).printer).toEqual(ready)
    expect([await isLost(), await fail()]).toEqual([true, 200])
    expect(await read()).toMatchObject({
      printer: { state: 'needs_clearing' },
      plates: [{ state: 'done' }],
      stock: 1,
    })
  })

  it('a printer whose stored key cannot be decrypted asks for the key again', async () => {
    const { app, round, printerId } = await aWorkshop('prusalink')
    await app.database.sql`update printers set api_key_sealed = 'v1.broken' where id = ${printerId}`
    expect((await round()).printer).toEqual({
      state: 'error',
      state_reason: 'The printer refused the key. Enter the key again.',
    })
  })

  it('a printer is polled even if the clock of the database was set back by a day', async () => {
    const { app, round, printerId } = await aWorkshop()
    const { sql } = app.database
    await round()
    const leap = async () => {
      await sql`
        update printer_connections set claimed_by = gen_random_uuid(), claimed_until = now() + interval '1 day',
                                       ask_after = now() + interval '1 day'`
    }
    await leap()
    expect(await claimPrinters(sql, { printerIds: [printerId], isForced: false, limit: 1 })).toHaveLength(1)
    await leap()
    app.clock.advance(SECOND_MS)
    await sql`update printers set state = 'offline' where id = ${printerId}`
    expect((await round()).printer.state).toBe('printing')
  })

  it('a claim that was made after a transaction began is valid in that transaction', async () => {
    const { app, round, printerId } = await aWorkshop()
    await round()
    const claim = (sql: Queryable) =>
      claimPrinters(sql, { printerIds: [printerId], isForced: true, limit: 1 })
    await app.database.transaction(async (tx) => {
      await tx`select now()`
      expect(await claim(app.database.sql)).toHaveLength(1)
      expect(await claim(tx)).toEqual([])
      expect(await lockUnclaimed(tx, printerId)).toBe(false)
    })
  })
})
