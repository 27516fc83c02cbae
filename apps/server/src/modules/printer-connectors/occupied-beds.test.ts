import { describe, expect, it } from 'vitest'
import type { Protocol } from '../../../test/servers/simulated-printers.ts'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import {
  anAssignedJob,
  aPrinterSetup,
  type PrinterSetup,
  setupState,
  visit,
} from '../../../test/support/network-printers.ts'
import { MINUTE_MS } from '../../platform/clock.ts'

/** Time after which a start no longer leads to a print. */
const LATER_MS = 4 * MINUTE_MS
const UPLOAD = { moonraker: 'POST /server/files/upload', octoprint: 'POST /api/files/local' }
const START = { moonraker: 'POST /printer/print/start', octoprint: 'POST /api/files/local/' }

/**
 * Creates an app with a printer, a job that is assigned to it, and functions for the steps of people and of
 * the server.
 */
async function aWorkshop(kind: 'moonraker' | 'octoprint' = 'moonraker') {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, kind satisfies Protocol)
  const jobId = await anAssignedJob(app, setup)
  return {
    app,
    setup,
    jobId,
    machine: setup.printer.machine,
    faults: setup.printer.faults,
    /** Lets the server visit the printer once. Returns the stored states of the printer and of the first job. */
    round: () => visit(app, setup, jobId),
    cancelJob: () => post(app, `/api/print-queue/${jobId}/cancel`),
    /** Moves the job to the trash. Returns the status code. */
    trashJob: async () => {
      const options = { url: `/api/print-queue/${jobId}`, headers: await app.as('staff') }
      return (await app.http.inject({ method: 'DELETE', ...options })).statusCode
    },
    restoreJob: () => post(app, `/api/print-queue/${jobId}/restore`),
    failJob: () => post(app, `/api/print-queue/${jobId}/fail`, { reason: 'Warped' }),
    atPrinter: (step: 'clear' | 'maintenance' | 'resume') =>
      post(app, `/api/printers/${setup.printerId}/${step}`),
  }
}

async function post(app: TestApp, url: string, payload: object = {}): Promise<{ state: string }> {
  const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

/** Runs `work` when the printer receives the next request of this kind, before it responds. */
function during({ printer }: PrinterSetup, request: string, work: () => Promise<unknown>): void {
  printer.watch = async (received, phase) => {
    if (phase !== 'before' || !received.startsWith(request)) return
    printer.watch = null
    await work()
  }
}

describe('occupied beds', () => {
  it('a bed that must be cleared counts as occupied until a person clears it, even while the printer reports an error', async () => {
    const { app, setup, machine, round, cancelJob, atPrinter } = await aWorkshop()
    await round()
    await cancelJob()
    machine.off()
    expect((await round()).printer).toEqual({ state: 'error', state_reason: "mcu 'mcu': Unable to connect" })
    await anAssignedJob(app, setup)
    machine.on()
    expect((await round()).printer).toEqual({
      state: 'needs_clearing',
      state_reason: 'The last plate is still on the bed.',
    })
    expect(machine.prints).toHaveLength(1)
    await atPrinter('clear')
    expect((await round()).printer.state).toBe('printing')
    // The bed was cleared during the error, so it does not have to be cleared again after it.
    machine.off()
    expect((await round()).printer.state).toBe('error')
    expect((await atPrinter('clear')).state).toBe('error')
    await anAssignedJob(app, setup)
    machine.on()
    expect((await round()).printer.state).toBe('printing')
    expect(machine.prints).toHaveLength(3)
  })

  it.each([
    ['cancelled', false],
    ['cancelled and in the trash', true],
  ])(
    'a print whose job is %s while its printer does not respond is booked once, even if it ended in the meantime',
    async (_, isTrashed) => {
      const { app, jobId, machine, faults, round, cancelJob, trashJob, atPrinter } = await aWorkshop()
      await round()
      faults.push({ kind: 'lost' })
      if (isTrashed) expect(await trashJob()).toBe(409)
      await cancelJob()
      if (isTrashed) expect(await trashJob()).toBe(204)
      expect((await round()).booked).toEqual([])
      machine.advance(90)
      faults.length = 0
      const { printer, plates, booked } = await round()
      expect(printer.state).toBe('needs_clearing')
      expect(plates).toMatchObject([{ state: 'cancelled', print_minutes: 90 }])
      expect(booked).toEqual([-(plates[0]?.used_grams ?? 0)])
      expect(booked[0]).toBeCloseTo(-11.93, 1)
      const [job] = await app.database.sql`
        select used_grams::float8, own_cost_minor is not null as has_cost from print_jobs where id = ${jobId}`
      expect(job).toEqual({ used_grams: plates[0]?.used_grams, has_cost: true })
      expect((await atPrinter('clear')).state).toBe('available')
      expect(await round()).toMatchObject({ printer: { state: 'available' }, booked })
    },
  )

  it.each(['moonraker', 'octoprint'] as const)(
    'a plate that was cancelled after its start occupies the bed of a %s printer unless it provably never printed',
    async (kind) => {
      const { app, setup, machine, faults, round, cancelJob, atPrinter } = await aWorkshop(kind)
      faults.push({ kind: 'lost-answer', only: START[kind], times: 1 })
      expect((await round()).plates).toMatchObject([{ state: 'sending' }])
      await cancelJob()
      machine.cancel()
      const next = await anAssignedJob(app, setup)
      expect((await round()).printer).toEqual({
        state: 'needs_clearing',
        state_reason: 'Plate 1 was cancelled after its start was sent. Check the bed, and clear it.',
      })
      expect((await round()).printer.state).toBe('needs_clearing')
      await atPrinter('clear')

      // This time, the start request is lost, so the printer does not print. Its screen shows no print any more.
      machine.acknowledge()
      faults.push({ kind: 'lost', only: START[kind], times: 1 })
      await round()
      await post(app, `/api/print-queue/${next}/cancel`)
      const last = await anAssignedJob(app, setup)
      await round()
      expect((await setupState(app, setup, last)).plates).toEqual([])
      app.clock.advance(LATER_MS)
      expect((await round()).printer.state).toBe(kind === 'moonraker' ? 'printing' : 'needs_clearing')
      expect(machine.prints).toHaveLength(kind === 'moonraker' ? 2 : 1)
    },
  )

  it.each([
    ['octoprint', 'its file is deleted'],
    ['moonraker', 'its history is deleted'],
    ['moonraker', 'its file and history are deleted'],
  ] as const)(
    'a %s printer never starts a plate twice if the response to its start is lost and %s',
    async (kind, lost) => {
      const { app, machine, faults, round, atPrinter, trashJob, restoreJob } = await aWorkshop(kind)
      faults.push({ kind: 'lost-answer', only: START[kind], times: 1 })
      await round()
      expect(machine.prints).toHaveLength(1)
      machine.cancel()
      machine.acknowledge()
      if (lost.includes('file')) machine.files.clear()
      if (lost.includes('history')) machine.prints.length = 0
      app.clock.advance(LATER_MS)
      expect(await round()).toMatchObject({
        printer: { state: 'needs_clearing', state_reason: expect.stringContaining('Check the bed') },
        plates: [{ state: 'cancelled' }],
      })
      // A person can confirm that the bed is empty, although the job is in the trash.
      expect(await trashJob()).toBe(204)
      expect((await round()).printer.state).toBe('needs_clearing')
      expect(machine.prints).toHaveLength(lost.includes('history') ? 0 : 1)
      expect((await atPrinter('clear')).state).toBe('available')
      expect(await round()).toMatchObject({ printer: { state: 'available' }, booked: [] })
      await restoreJob()
      expect((await round()).printer.state).toBe('printing')
    },
  )

  it.each([
    ['repeated upload', 'moonraker'],
    ['start', 'moonraker'],
    ['start', 'octoprint'],
  ] as const)(
    'a print started by hand before the %s of a plate by %s must be cleared by a person, even if it ended quickly',
    async (moment, kind) => {
      const { setup, machine, faults, round } = await aWorkshop(kind)
      machine.upload('vase.gcode', Buffer.from(''))
      const startByHand = () => Promise.resolve(machine.start('vase.gcode', 'machine'))
      if (moment === 'repeated upload') {
        faults.push({ kind: 'lost', only: UPLOAD[kind], times: 1 })
        expect(await round()).toMatchObject({ printer: { state: 'offline' }, plates: [{ state: 'sending' }] })
        await startByHand()
      } else during(setup, UPLOAD[kind], startByHand)
      expect(await round()).toMatchObject({
        printer: { state: 'printing', state_reason: 'Prints vase.gcode, which was started at the machine.' },
        job: { status: 'pending' },
        plates: [{ state: 'cancelled' }],
      })
      machine.cancel()
      expect((await round()).printer).toEqual({
        state: 'needs_clearing',
        state_reason: expect.stringMatching(/vase.gcode was started at the machine, and its print has ended/),
      })
      expect((await round()).plates).toHaveLength(1)
      expect(machine.prints).toHaveLength(1)
    },
  )
})

describe('plates whose file is being sent', () => {
  it('a plate whose file is being sent is not started after its job was cancelled', async () => {
    const { setup, machine, round, cancelJob } = await aWorkshop()
    during(setup, UPLOAD.moonraker, cancelJob)
    expect(await round()).toMatchObject({
      printer: { state: 'available' },
      job: { status: 'cancelled' },
      plates: [{ state: 'cancelled' }],
    })
    await round()
    expect(machine.prints).toEqual([])
  })

  it('a printer that refuses the file of a job which a person has just cancelled is not in error', async () => {
    const { setup, faults, round, cancelJob } = await aWorkshop()
    faults.push({ kind: 'refused', only: UPLOAD.moonraker, times: 1, status: 422 })
    during(setup, UPLOAD.moonraker, cancelJob)
    const ended = { printer: { state: 'available', state_reason: null }, plates: [{ state: 'cancelled' }] }
    expect(await round()).toMatchObject(ended)
    expect(await round()).toMatchObject(ended)
  })

  it('a plate that is being sent to a printer waits until the maintenance of the printer ends', async () => {
    const { setup, machine, faults, round, atPrinter } = await aWorkshop()
    during(setup, UPLOAD.moonraker, () => atPrinter('maintenance'))
    const waiting = { printer: { state: 'maintenance' }, job: { status: 'pending' } }
    expect(await round()).toMatchObject({ ...waiting, plates: [{ state: 'cancelled' }] })
    expect((await atPrinter('resume')).state).toBe('available')
    // The same happens if the printer was offline when the maintenance began.
    faults.push({ kind: 'lost', only: UPLOAD.moonraker, times: 1 })
    expect((await round()).plates).toMatchObject([{ state: 'cancelled' }, { state: 'sending' }])
    await atPrinter('maintenance')
    expect(await round()).toMatchObject({
      ...waiting,
      plates: [{ state: 'cancelled' }, { state: 'cancelled' }],
    })
    expect(machine.prints).toEqual([])
    await atPrinter('resume')
    expect((await round()).printer.state).toBe('printing')
    expect(machine.prints).toHaveLength(1)
  })
})

describe('a person who ends a plate that the machine is printing', () => {
  it('a plate that a person reports as failed is stopped at the machine, and its bed must be cleared', async () => {
    const { app, setup, jobId, machine, faults, round, failJob, atPrinter } = await aWorkshop()
    await round()
    await failJob()
    const ended = { printer: { state: 'printing' }, plates: [{ state: 'failed' }] }
    expect(await round()).toMatchObject(ended)
    expect(machine.running).toBeNull()
    expect((await round()).printer.state).toBe('needs_clearing')
    await atPrinter('clear')
    // The result is the same if the start was sent, but the printer does not show the print yet.
    machine.acknowledge()
    const later = await anAssignedJob(app, setup)
    faults.push({ kind: 'lost-answer', only: START.moonraker, times: 1 })
    await round()
    expect((await setupState(app, setup, later)).plates).toMatchObject([{ state: 'sending' }])
    await post(app, `/api/print-queue/${later}/fail`, { reason: 'Warped' })
    await round()
    expect(machine.running).toBeNull()
    expect((await round()).printer.state).toBe('needs_clearing')
    expect(machine.prints).toHaveLength(2)
    expect((await setupState(app, setup, jobId)).plates).toHaveLength(1)
  })

  it('a plate cannot be completed while a network printer prints it, and screens do not offer to complete it', async () => {
    const { app, jobId, machine, round } = await aWorkshop()
    await round()
    const headers = await app.as('staff')
    const complete = () =>
      app.http.inject({ method: 'POST', url: `/api/print-queue/${jobId}/complete`, headers, payload: {} })
    const read = async (url: string) => (await app.http.inject({ url, headers })).json()
    const shown = async () => {
      const job = await read(`/api/print-queue/${jobId}`)
      const [plate] = await read(`/api/print-queue/${jobId}/plates`)
      const { facts, actions } = (await read('/api/scan?code=J-1')).found
      return [
        job.can_complete,
        plate.can_complete,
        facts.plates[0].can_complete,
        actions.includes('complete'),
      ]
    }
    expect(await shown()).toEqual([false, false, false, false])
    const refused = await complete()
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      {
        code: 'print_job_state',
        detail:
          'The printer is still printing this plate. Wait until it has finished, or cancel the print. If the printer is offline or reports an error, report the plate as failed with the number of good pieces.',
      },
    ])
    machine.advance(100)
    expect((await round()).plates).toMatchObject([{ state: 'printed' }])
    expect(await shown()).toEqual([true, true, true, true])
    expect((await complete()).statusCode).toBe(200)
  })

  it('no print starts on a printer until a person has taken the completed plate off its bed', async () => {
    const { app, setup, jobId, machine, round, atPrinter } = await aWorkshop()
    const second = await anAssignedJob(app, setup)
    await round()
    machine.advance(100)
    expect((await round()).printer.state).toBe('needs_clearing')
    const step = (id: string, name: string, payload: object = {}) =>
      post(app, `/api/print-queue/${id}/${name}`, payload)
    await step(jobId, 'complete', { good_quantity: 1 })
    for (const _ of [1, 2]) await round()
    expect(await round()).toMatchObject({
      printer: {
        state: 'needs_clearing',
        state_reason: 'Plate 1 is still on the bed. Take it off and clear the bed.',
      },
      job: { status: 'completed' },
      stock: 1,
    })
    expect(machine.prints).toHaveLength(1)
    // The completion can still be undone. Then the same plate waits to be counted again.
    await step(jobId, 'undo')
    expect(await round()).toMatchObject({ printer: { state: 'needs_clearing' }, stock: 0 })
    await step(jobId, 'complete', { cleared: false })
    await atPrinter('clear')
    await round()
    expect((await round()).printer.state).toBe('printing')
    machine.advance(100)
    await round()
    await step(second, 'complete', { cleared: true })
    expect((await round()).printer.state).toBe('available')
    expect(machine.prints).toHaveLength(2)
  })
})

describe('a printer that fails in the middle of a plate', () => {
  /** Starts a plate with four pieces, and disconnects its printer. */
  async function aLostPrinter(piecesPerPlate: number | null) {
    const shop = await aWorkshop()
    const { app, setup, jobId, faults, round } = shop
    await app.database.sql`update sliced_files set pieces = 4 where id = ${setup.sliceId}`
    await app.database.sql`
      update print_jobs set quantity = 4, pieces_per_plate = ${piecesPerPlate} where id = ${jobId}`
    await round()
    const url = `/api/print-queue/${jobId}/fail`
    const headers = await app.as('staff')
    const payload = { reason: 'Power failure', good_quantity: 2, rejected_quantity: 1, used_grams: 9 }
    const fail = () => app.http.inject({ method: 'POST', url, headers, payload })
    expect((await fail()).json()).toMatchObject({ code: 'print_job_state' })
    faults.push({ kind: 'lost' })
    expect((await round()).printer.state).toBe('offline')
    const plates = await app.http.inject({ url: `/api/print-queue/${jobId}/plates`, headers })
    expect(plates.json()).toMatchObject([{ can_complete: false, is_printer_lost: true }])
    return { ...shop, fail, headers }
  }

  it('a person can count the pieces of a lost printer at once, and it is stopped when it responds again', async () => {
    const { app, jobId, fail, headers, faults, machine, round } = await aLostPrinter(null)
    const counted = { stock: 2, booked: [-9], plates: [{ state: 'done' }], job: { status: 'failed' } }
    const answer = await fail()
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { status: 'failed', failure_reason: 'Power failure', good_quantity: 2, rejected_quantity: 1 },
    ])
    expect((await fail()).statusCode).toBe(409)
    expect(await round()).toMatchObject(counted)
    faults.length = 0
    expect(await round()).toMatchObject({ ...counted, printer: { state: 'printing' } })
    expect(machine.running).toBeNull()
    expect(await round()).toMatchObject({ ...counted, printer: { state: 'needs_clearing' } })
    const url = `/api/print-queue/${jobId}/requeue`
    const next = await app.http.inject({ method: 'POST', url, headers, payload: {} })
    expect([next.statusCode, next.json()]).toMatchObject([201, { quantity: 2, attempt: 2 }])
  })

  it('a divided job whose printer was lost during a plate counts each printed piece once', async () => {
    const { fail, faults, machine, round, atPrinter } = await aLostPrinter(4)
    const counted = { stock: 2, booked: [-9], plates: [{ state: 'done' }], job: { status: 'pending' } }
    expect((await fail()).json()).toMatchObject({ status: 'pending', missing_quantity: 2 })
    machine.advance(100)
    await atPrinter('clear')
    faults.length = 0
    expect(await round()).toMatchObject({
      ...counted,
      printer: {
        state: 'needs_clearing',
        state_reason: expect.stringMatching(/was counted after its start/),
      },
    })
    expect(await round()).toMatchObject(counted)
    expect(machine.prints).toHaveLength(1)
  })
})
