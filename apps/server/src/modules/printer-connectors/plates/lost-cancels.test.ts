import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  type PrinterSetup,
  aNetworkPrinter,
  aPrinterSetup,
  anAssignedJob,
  clearBed,
  visit,
} from '../../../../test/support/network-printers.ts'
import { PRINTER_KEY } from '../../../../test/servers/simulated-printers.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'

const CANCEL = {
  moonraker: 'POST /printer/print/cancel',
  octoprint: 'POST /api/job',
  prusalink: 'DELETE /api/v1/job',
}

async function cancelJob(app: TestApp, jobId: string): Promise<void> {
  const url = `/api/print-queue/${jobId}/cancel`
  const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload: {} })
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Deletes a printer, and returns a function that restores it. */
async function deletePrinter(app: TestApp, printerId: string) {
  const url = `/api/printers/${printerId}`
  const headers = await app.as('staff')
  expect((await app.http.inject({ method: 'DELETE', url, headers })).statusCode).toBe(204)
  return async () =>
    app.http.inject({ method: 'POST', url: `${url}/restore`, headers: await app.as('staff') })
}

/** Starts a print at a printer, and cancels its job. Returns the requests that cancel the print. */
async function aCancelledPrint(app: TestApp, setup: PrinterSetup, cancel: string) {
  const jobId = await anAssignedJob(app, setup)
  await visit(app, setup, jobId)
  setup.printer.machine.advance(10)
  await visit(app, setup, jobId)
  await cancelJob(app, jobId)
  return { jobId, sent: () => setup.printer.requests.filter((request) => request.includes(cancel)) }
}

describe.each(['moonraker', 'octoprint', 'prusalink'] as const)(
  'a cancel that %s does not carry out',
  (kind) => {
    it.each([{ kind: 'lost' }, { kind: 'refused', status: 503 }, { kind: 'refused', status: 409 }])(
      `a cancel that ${kind} does not carry out is sent again: %o`,
      async (fault) => {
        const app = await buildTestApp()
        const setup = await aPrinterSetup(app, kind)
        const { jobId, sent } = await aCancelledPrint(app, setup, CANCEL[kind])
        setup.printer.faults.push({ ...fault, only: CANCEL[kind], times: 1 })
        await visit(app, setup, jobId)
        expect(setup.printer.machine.running?.state).toBe('printing')
        await visit(app, setup, jobId)
        expect(sent(), 'the first cancel may still be on its way').toHaveLength(1)
        app.clock.advance(30 * SECOND_MS)
        await visit(app, setup, jobId)
        expect(setup.printer.machine.running).toBeNull()
        expect(await visit(app, setup, jobId)).toMatchObject({
          printer: { state: 'needs_clearing', state_reason: expect.stringContaining('was cancelled') },
          job: { status: 'cancelled' },
        })
        expect(sent()).toHaveLength(2)
      },
    )
  },
)

it('a printer that has not stopped after several minutes causes an alert, and is asked to stop again', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const { jobId, sent } = await aCancelledPrint(app, setup, CANCEL.moonraker)
  setup.printer.faults.push({ kind: 'refused', status: 400, only: CANCEL.moonraker })
  const alerts = () =>
    app.database.sql`select reason from printer_errors where printer_id = ${setup.printerId}`
  const later = async () => {
    app.clock.advance(MINUTE_MS)
    return (await visit(app, setup, jobId)).printer
  }
  await visit(app, setup, jobId)
  expect(await later()).toEqual({
    state: 'printing',
    state_reason: 'Plate 1 of J-00001 was cancelled. The server is stopping the print.',
  })
  expect(await alerts()).toEqual([])
  await later()
  const reason = 'Plate 1 of J-00001 was cancelled. The printer does not stop. Stop it at its screen.'
  expect(await later()).toEqual({ state: 'error', state_reason: reason })
  expect(await later()).toEqual({ state: 'error', state_reason: reason })
  expect(await alerts()).toEqual([{ reason }])
  expect(sent()).toHaveLength(5)
  setup.printer.machine.cancel()
  expect(await later()).toMatchObject({ state: 'needs_clearing' })
})

it('a printer that confirms a cancel but keeps printing causes an alert, is cancelled again, and must be cleared when it stops', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const { machine, faults } = setup.printer
  const { jobId, sent } = await aCancelledPrint(app, setup, CANCEL.moonraker)
  // The printer confirms each cancel, but does not stop.
  faults.push({ kind: 'refused', status: 200, only: CANCEL.moonraker })
  const alerts = () =>
    app.database.sql`select reason from printer_errors where printer_id = ${setup.printerId}`
  const later = async () => {
    app.clock.advance(MINUTE_MS)
    machine.advance(1)
    return (await visit(app, setup, jobId)).printer
  }
  await visit(app, setup, jobId)
  const stopping = 'Plate 1 of J-00001 was cancelled. The server is stopping the print.'
  for (let nth = 0; nth < 2; nth += 1)
    expect(await later()).toEqual({ state: 'printing', state_reason: stopping })
  expect([sent().length, await alerts()]).toEqual([1, []])
  const reason =
    'Plate 1 of J-00001 was cancelled. The printer confirmed the cancellation but still prints. Stop it at its screen.'
  for (let nth = 0; nth < 4; nth += 1) expect(await later()).toEqual({ state: 'error', state_reason: reason })
  expect([sent().length, await alerts()]).toEqual([3, [{ reason }]])
  faults.length = 0
  for (let nth = 0; nth < 3; nth += 1) await later()
  expect(machine.running).toBeNull()
  expect(await later()).toMatchObject({ state: 'needs_clearing' })
  expect((await visit(app, setup, jobId)).booked).toHaveLength(1)
})

it('a cancel that is refused is sent again to a printer whose print was counted while the printer was offline', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const { machine, requests, faults } = setup.printer
  const jobId = await anAssignedJob(app, setup)
  await visit(app, setup, jobId)
  machine.advance(10)
  await app.database.sql`update printers set state = 'offline' where id = ${setup.printerId}`
  const url = `/api/print-queue/${jobId}/fail`
  const payload = { reason: 'It stopped', good_quantity: 1, rejected_quantity: 0 }
  const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload })
  expect(answer.statusCode, answer.body).toBe(200)
  faults.push({ kind: 'refused', status: 503, only: CANCEL.moonraker, times: 1 })
  await visit(app, setup, jobId)
  expect(machine.running?.state).toBe('printing')
  app.clock.advance(30 * SECOND_MS)
  await visit(app, setup, jobId)
  expect(requests.filter((request) => request.includes(CANCEL.moonraker))).toHaveLength(2)
  expect(machine.running).toBeNull()
})

it('the time in which a printer cannot be reached does not count as time in which it does not stop', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const { machine, faults } = setup.printer
  const { jobId } = await aCancelledPrint(app, setup, CANCEL.moonraker)
  const later = async (minutes: number) => {
    app.clock.advance(minutes * MINUTE_MS)
    return (await visit(app, setup, jobId)).printer
  }
  faults.push({ kind: 'lost', only: CANCEL.moonraker, times: 1 })
  await visit(app, setup, jobId)
  faults.push({ kind: 'lost' })
  expect(await later(1)).toMatchObject({ state: 'offline' })
  faults.length = 0
  faults.push({ kind: 'refused', status: 400, only: CANCEL.moonraker })
  const stopping = {
    state: 'printing',
    state_reason: 'Plate 1 of J-00001 was cancelled. The server is stopping the print.',
  }
  expect(await later(9)).toEqual(stopping)
  expect(await later(1)).toEqual(stopping)
  expect(await later(1)).toEqual(stopping)
  expect(await app.database.sql`select 1 from printer_errors`).toEqual([])
  expect(await later(1)).toMatchObject({
    state: 'error',
    state_reason: expect.stringContaining('does not stop'),
  })
  machine.cancel()
  expect(await later(1)).toMatchObject({ state: 'needs_clearing' })
})

describe('a printer that is deleted after its job was cancelled', () => {
  async function aDeletedPrinter(kind: keyof typeof CANCEL) {
    const lines: string[] = []
    const app = await buildTestApp({ logTo: { write: (line) => void lines.push(line) } })
    const setup = await aPrinterSetup(app, kind)
    const { jobId, sent } = await aCancelledPrint(app, setup, CANCEL[kind])
    const restore = await deletePrinter(app, setup.printerId)
    /** Returns how often this was logged. */
    const logged = (text: string) => lines.filter((line) => line.includes(text)).length
    return { app, setup, jobId, sent, restore, logged, printer: setup.printer }
  }

  it.each(['moonraker', 'octoprint', 'prusalink'] as const)(
    'a %s printer that is deleted after its job was cancelled is told to stop, and is then left alone',
    async (kind) => {
      const { app, setup, jobId, sent, restore, printer } = await aDeletedPrinter(kind)
      printer.faults.push({ kind: 'lost', times: 1 })
      await visit(app, setup, jobId)
      expect(printer.machine.running?.state).toBe('printing')
      await visit(app, setup, jobId)
      expect([printer.machine.running, sent().length]).toEqual([null, 1])
      app.clock.advance(5 * MINUTE_MS)
      expect((await visit(app, setup, jobId)).booked).toEqual([expect.any(Number)])
      expect(printer.machine.files.size, 'its file is removed').toBe(0)
      const asked = printer.requests.length
      await anAssignedJob(app, setup)
      await visit(app, setup, jobId)
      expect(printer.requests).toHaveLength(asked)
      await restore()
      const minutes = await app.database
        .sql`select printed_minutes from printers where id = ${setup.printerId}`
      expect(minutes).toEqual([{ printed_minutes: 10 }])
      expect(await visit(app, setup, jobId)).toMatchObject({
        printer: { state: 'needs_clearing', state_reason: expect.stringContaining('was cancelled') },
      })
    },
  )

  it('a machine that is added again after its print was stopped must be cleared before its next print', async () => {
    const { app, setup, jobId, printer } = await aDeletedPrinter('moonraker')
    await visit(app, setup, jobId)
    expect(printer.machine.running).toBeNull()
    const again = await aNetworkPrinter(app, { name: 'Right', kind: 'moonraker', address: printer.url })
    const added = { ...setup, printerId: again }
    await app.database.sql`
      update printer_slots set spool_id = ${setup.spoolId}, loaded_at = now() where printer_id = ${again}`
    const nextId = await anAssignedJob(app, added)
    expect(await visit(app, added, nextId)).toMatchObject({
      printer: { state: 'needs_clearing', state_reason: expect.stringContaining('clear the bed') },
      plates: [],
    })
    await clearBed(app, added)
    expect(await visit(app, added, nextId)).toMatchObject({ printer: { state: 'printing' } })
    expect(printer.machine.prints).toHaveLength(2)
  })

  it('a printer that does not respond is told to stop for a day after it was deleted', async () => {
    const { app, setup, jobId, printer, logged } = await aDeletedPrinter('moonraker')
    printer.faults.push({ kind: 'refused', status: 400, only: CANCEL.moonraker })
    for (let nth = 0; nth < 6; nth += 1) {
      await visit(app, setup, jobId)
      app.clock.advance(MINUTE_MS)
    }
    expect(logged('a deleted printer does not stop')).toBe(1)
    printer.faults.splice(0, 1, { kind: 'lost' })
    app.clock.advance(DAY_MS - 7 * MINUTE_MS)
    const before = printer.requests.length
    await visit(app, setup, jobId)
    const asked = printer.requests.length
    expect(asked).toBeGreaterThan(before)
    printer.faults.length = 0
    expect(logged('within a day')).toBe(0)
    app.clock.advance(MINUTE_MS)
    for (const _visit of [1, 2]) await visit(app, setup, jobId)
    expect(printer.requests).toHaveLength(asked)
    expect(logged('within a day')).toBe(1)
  })

  it('people are alerted once for each deletion if a printer could not be told to stop, even if the server was off in between', async () => {
    const { app, setup, jobId, printer, restore, logged } = await aDeletedPrinter('moonraker')
    app.clock.advance(DAY_MS + MINUTE_MS)
    const asked = printer.requests.length
    for (const _visit of [1, 2]) await visit(app, setup, jobId)
    expect([printer.requests.length, logged('within a day')]).toEqual([asked, 1])
    const reason = expect.stringMatching(/^This printer was deleted, and did not confirm within a day /)
    expect(await app.database.sql`select printer_id, reason from printer_errors`).toEqual([
      { printer_id: setup.printerId, reason },
    ])
    await restore()
    await deletePrinter(app, setup.printerId)
    app.clock.advance(DAY_MS + MINUTE_MS)
    for (const _visit of [1, 2]) await visit(app, setup, jobId)
    expect(logged('within a day')).toBe(2)
    await restore()
    await visit(app, setup, jobId)
    expect(printer.machine.running).toBeNull()
  })

  it('a deleted printer whose print never began is asked five times to remove the file, and is then left alone', async () => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'octoprint')
    const { faults, requests, machine } = setup.printer
    const jobId = await anAssignedJob(app, setup)
    faults.push({ kind: 'lost', only: 'POST /api/files/local/', times: 1 })
    expect((await visit(app, setup, jobId)).plates).toMatchObject([{ state: 'sending' }])
    await cancelJob(app, jobId)
    await deletePrinter(app, setup.printerId)
    faults.push({ kind: 'refused', only: 'DELETE ', status: 403 })
    app.clock.advance(4 * MINUTE_MS)
    const removals = () => requests.filter((request) => request.startsWith('DELETE ')).length
    for (let nth = 1; nth <= 6; nth += 1) {
      await visit(app, setup, jobId)
      const asked = requests.length
      await visit(app, setup, jobId)
      expect(requests, 'it is left alone until the next attempt').toHaveLength(asked)
      expect(removals()).toBe(Math.min(5, nth))
      app.clock.advance(10 * MINUTE_MS)
    }
    expect(machine.prints).toEqual([])
  })
})

describe('the connection of a printer that still has to be told to stop', () => {
  async function aPrinterToMove() {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'moonraker')
    const { jobId, sent } = await aCancelledPrint(app, setup, CANCEL.moonraker)
    const change = async (payload: object) => {
      const headers = { ...(await app.as('admin')), 'if-match': '*' }
      return app.http.inject({ method: 'PUT', url: `/api/printers/${setup.printerId}`, headers, payload })
    }
    return { app, setup, jobId, sent, change }
  }
  const OTHER = { address: 'http://127.0.0.1:9' }

  it('the connection of a printer that has to be told to stop cannot be changed until the print has stopped', async () => {
    const { app, setup, jobId, sent, change } = await aPrinterToMove()
    for (const payload of [{ kind: 'manual' }, OTHER]) {
      const refused = await change(payload)
      expect([refused.statusCode, refused.json()]).toMatchObject([
        409,
        { code: 'printer_busy', detail: expect.stringContaining('Plate 1 of J-00001 was cancelled. ') },
      ])
    }
    expect((await change({ name: 'Old', address: setup.printer.url })).statusCode).toBe(200)
    for (const _visit of [1, 2]) await visit(app, setup, jobId)
    expect([setup.printer.machine.running, sent().length]).toEqual([null, 1])
    expect((await change(OTHER)).statusCode).toBe(200)
  })

  it.each([OTHER, { kind: 'manual' }])(
    'the connection of a printer that does not respond can be changed, and its bed has to be cleared: %o',
    async (payload) => {
      const { app, setup, jobId, change } = await aPrinterToMove()
      setup.printer.faults.push({ kind: 'lost' })
      await visit(app, setup, jobId)
      const answer = await change(payload)
      const cleared = {
        state: 'needs_clearing',
        state_reason: expect.stringContaining('stop it at the machine'),
      }
      expect([answer.statusCode, answer.json()]).toMatchObject([200, cleared])
      expect(await visit(app, setup, jobId)).toMatchObject({ printer: cleared })
      // The repaired machine works again and can be reconnected.
      setup.printer.faults.length = 0
      const back = { kind: 'moonraker', address: setup.printer.url, api_key: PRINTER_KEY }
      expect((await change(back)).statusCode).toBe(200)
      for (const _visit of [1, 2]) await visit(app, setup, jobId)
      expect(setup.printer.machine.running).toBeNull()
    },
  )

  it('the connection of a printer cannot be changed while a plate prints, unless the printer does not respond', async () => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'moonraker')
    const jobId = await anAssignedJob(app, setup)
    await visit(app, setup, jobId)
    const change = async (payload: object) => {
      const headers = { ...(await app.as('admin')), 'if-match': '*' }
      const url = `/api/printers/${setup.printerId}`
      return (await app.http.inject({ method: 'PUT', url, headers, payload })).statusCode
    }
    expect(await change(OTHER)).toBe(409)
    setup.printer.faults.push({ kind: 'lost' })
    await visit(app, setup, jobId)
    expect(await change(OTHER)).toBe(200)
  })
})

describe('a file that a person starts again at the machine after its cancel', () => {
  it.each([
    ['confirmed, before the next visit', null, 0],
    ['confirmed, long before the next visit', null, 20],
    ['carried out without an answer, before the next visit', 'lost-answer', 0],
  ] as const)(
    'a file that a person starts again at the machine after its cancel is printed: %s',
    async (_, fault, minutes) => {
      const app = await buildTestApp()
      const setup = await aPrinterSetup(app, 'moonraker')
      const { machine, faults } = setup.printer
      const { jobId, sent } = await aCancelledPrint(app, setup, CANCEL.moonraker)
      if (fault) faults.push({ kind: fault, only: CANCEL.moonraker, times: 1 })
      const { plates } = await visit(app, setup, jobId)
      expect(machine.running).toBeNull()
      const name = plates[0]?.remote_name ?? ''
      machine.start(name, 'machine')
      machine.advance(minutes)
      app.clock.advance(4 * MINUTE_MS)
      for (const _visit of [1, 2])
        expect(await visit(app, setup, jobId)).toMatchObject({
          printer: { state: 'printing', state_reason: `Prints ${name}, which was started at the machine.` },
          booked: [expect.any(Number)],
        })
      expect(machine.running).toMatchObject({ state: 'printing' })
      expect(sent()).toHaveLength(1)
    },
  )
})
