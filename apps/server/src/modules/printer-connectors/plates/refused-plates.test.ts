import { describe, expect, it } from 'vitest'
import type { Protocol } from '../../../../test/servers/simulated-printers.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  type PrinterSetup,
  aPrinterSetup,
  anAssignedJob,
  setupState,
} from '../../../../test/support/network-printers.ts'
import { MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'

/** Time after which a start request can no longer be on its way. */
const LATER_MS = 30 * SECOND_MS
const HELP = 'Check the printer and its storage, then press Resume. Until then it gets no print.'
const UPLOAD = {
  moonraker: 'POST /server/files/upload',
  octoprint: 'POST /api/files/local',
  prusalink: 'PUT /api/v1/files/',
  bambu: 'FTP STOR',
}
const START = 'POST /printer/print/start'

/** Creates an app with a printer to which three jobs are assigned. */
async function aQueue(kind: Protocol) {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, kind)
  const jobs = [
    await anAssignedJob(app, setup),
    await anAssignedJob(app, setup),
    await anAssignedJob(app, setup),
  ]
  const round = () => app.printers.run()
  const resume = async () => {
    const url = `/api/printers/${setup.printerId}/resume`
    const headers = await app.as('staff')
    const answer = await app.http.inject({ method: 'POST', url, headers, payload: {} })
    expect(answer.statusCode).toBe(200)
  }
  return { app, setup, jobs, round, resume, ...setup.printer, printer: setup.printer }
}

/** Returns the states of the jobs and of their plates, and the state of the printer. */
async function stateOf({ app, setup, jobs }: { app: TestApp; setup: PrinterSetup; jobs: string[] }) {
  const states = await Promise.all(jobs.map((id) => setupState(app, setup, id)))
  return {
    printer: states[0]?.printer,
    jobs: states.map(({ job }) => job.status),
    plates: states.flatMap(({ plates }) => plates.map(({ state }) => state)),
  }
}

/** Returns the printing time and the plate counts of the printer. */
async function figuresOf(app: TestApp, setup: PrinterSetup) {
  const [figures] = await app.database.sql`
    select printed_minutes, finished_plates, failed_plates from printers where id = ${setup.printerId}`
  return figures
}
const NOTHING = { printed_minutes: 0, finished_plates: 0, failed_plates: 0 }

describe('a printer that refuses plates', () => {
  it.each(['moonraker', 'octoprint', 'prusalink', 'bambu'] as const)(
    'a %s printer with full storage gets no print until a person puts it back into use, and its jobs stay queued',
    async (kind) => {
      const queue = await aQueue(kind)
      queue.faults.push({ kind: 'refused', only: UPLOAD[kind], status: 507 })
      const refused = {
        printer: { state: 'error', state_reason: expect.stringMatching(/No space left on device/) },
        jobs: ['pending', 'pending', 'pending'],
        plates: ['cancelled'],
      }
      await queue.round()
      expect(await stateOf(queue)).toMatchObject(refused)
      const uploads = () => queue.requests.filter((line) => line.startsWith(UPLOAD[kind])).length
      const before = uploads()
      await queue.round()
      queue.machine.reboot()
      await queue.round()
      const { printer, ...rest } = await stateOf(queue)
      expect({ printer, ...rest }).toMatchObject(refused)
      expect(printer?.state_reason).toMatch(new RegExp(`No space left on device\\. ${HELP}$`))
      expect(uploads()).toBe(before)
      expect(await figuresOf(queue.app, queue.setup)).toEqual(NOTHING)

      queue.faults.length = 0
      await queue.resume()
      await queue.round()
      expect(await stateOf(queue)).toMatchObject({
        printer: { state: 'printing', state_reason: null },
        jobs: ['in_progress', 'pending', 'pending'],
        plates: ['cancelled', 'printing'],
      })
      expect(queue.machine.prints).toHaveLength(1)
    },
  )

  it.each([
    ['moonraker', 507],
    // Klipper sends this status when its disk is full.
    ['moonraker', 500],
    ['octoprint', 507],
    // PrusaLink sends this status when its storage is full.
    ['prusalink', 413],
    ['bambu', 552],
  ] as const)(
    'a %s printer that answers %i for full storage holds no job, however often a person puts it back into use',
    async (kind, status) => {
      const queue = await aQueue(kind)
      queue.faults.push({ kind: 'refused', only: UPLOAD[kind], status })
      for (let nth = 0; nth < 3; nth += 1) {
        for (let upload = 0; upload < 3; upload += 1) {
          await queue.round()
          queue.app.clock.advance(MINUTE_MS)
        }
        expect(await stateOf(queue)).toMatchObject({
          printer: { state: 'error', state_reason: expect.stringMatching(new RegExp(`${HELP}$`)) },
          jobs: ['pending', 'pending', 'pending'],
        })
        await queue.resume()
      }
      queue.faults.length = 0
      await queue.round()
      expect(await stateOf(queue)).toMatchObject({
        printer: { state: 'printing', state_reason: null },
        jobs: ['in_progress', 'pending', 'pending'],
      })
      expect(await figuresOf(queue.app, queue.setup)).toEqual(NOTHING)
    },
  )

  it('after a refusal, neither going offline nor printing by hand puts a printer back into use; only a person does', async () => {
    const queue = await aQueue('moonraker')
    const { faults, machine } = queue
    machine.upload('vase.gcode', Buffer.from(''))
    faults.push({ kind: 'refused', only: UPLOAD.moonraker, times: 1, status: 507 })
    await queue.round()
    faults.push({ kind: 'lost' })
    await queue.round()
    expect((await stateOf(queue)).printer?.state).toBe('offline')
    faults.length = 0
    await queue.round()
    expect((await stateOf(queue)).printer?.state).toBe('error')
    machine.start('vase.gcode', 'machine')
    await queue.round()
    expect((await stateOf(queue)).printer?.state).toBe('printing')
    machine.advance(1000)
    await queue.round()
    expect((await stateOf(queue)).printer?.state).toBe('needs_clearing')
    const url = `/api/printers/${queue.setup.printerId}/clear`
    await queue.app.http.inject({
      method: 'POST',
      url,
      headers: await queue.app.as('staff'),
      payload: {},
    })
    await queue.round()
    expect(await stateOf(queue)).toMatchObject({ printer: { state: 'error' }, plates: ['cancelled'] })
  })

  it('a file that arrives incomplete, and a start that is refused or never accepted, return the plate to the queue', async () => {
    for (const [disturb, rounds, sentence] of [
      [
        ({ printer, machine }: Awaited<ReturnType<typeof aQueue>>) => {
          printer.watch = (request, phase) => {
            if (phase !== 'after' || !request.startsWith(UPLOAD.moonraker)) return
            for (const file of machine.files.values()) file.sizeBytes -= 1
          }
        },
        1,
        /did not receive the complete file/,
      ],
      [
        ({ faults }: Awaited<ReturnType<typeof aQueue>>) =>
          void faults.push({ kind: 'refused', only: START, status: 409 }),
        1,
        /refused the request: This file is not accepted/,
      ],
      [
        ({ faults }: Awaited<ReturnType<typeof aQueue>>) => void faults.push({ kind: 'lost', only: START }),
        7,
        /did not accept the start after 3 attempts/,
      ],
    ] as const) {
      const queue = await aQueue('moonraker')
      disturb(queue)
      for (let nth = 0; nth < rounds; nth += 1) {
        await queue.round()
        queue.app.clock.advance(LATER_MS)
      }
      await queue.round()
      expect(await stateOf(queue)).toMatchObject({
        printer: { state: 'error', state_reason: expect.stringMatching(sentence) },
        jobs: ['pending', 'pending', 'pending'],
        plates: ['cancelled'],
      })
      expect(queue.machine.prints).toEqual([])
    }
  })

  it.each([500, 502, 503, 504])(
    'a printer that answers uploads with %i is in error only after the third automatic attempt',
    async (status) => {
      const queue = await aQueue('moonraker')
      const { app, faults, machine } = queue
      const uploads = () => queue.requests.filter((line) => line.startsWith(UPLOAD.moonraker)).length
      const waiting = (attempt: number) => ({
        printer: {
          state: 'printing',
          state_reason: expect.stringMatching(
            new RegExp(
              `refused the request: No space left on device\\. The server will send the file again in a minute, attempt ${attempt} of 3\\.$`,
            ),
          ),
        },
        jobs: ['in_progress', 'pending', 'pending'],
        plates: ['sending'],
      })
      faults.push({ kind: 'refused', only: UPLOAD.moonraker, status, times: 2 })
      await queue.round()
      expect(await stateOf(queue)).toMatchObject(waiting(2))
      await queue.round()
      expect(uploads()).toBe(1)
      app.clock.advance(MINUTE_MS)
      await queue.round()
      expect(await stateOf(queue)).toMatchObject(waiting(3))
      app.clock.advance(MINUTE_MS)
      await queue.round()
      await queue.round()
      expect(uploads()).toBe(3)
      expect(await stateOf(queue)).toMatchObject({
        printer: { state: 'printing', state_reason: null },
        plates: ['printing'],
      })
      expect(machine.prints).toHaveLength(1)
    },
  )

  it('a printer that answers three uploads of a plate with 503 is in error until a person puts it back into use', async () => {
    const queue = await aQueue('prusalink')
    const uploads = () => queue.requests.filter((line) => line.startsWith(UPLOAD.prusalink)).length
    queue.faults.push({ kind: 'refused', only: UPLOAD.prusalink, status: 503 })
    for (let nth = 0; nth < 6; nth += 1) {
      await queue.round()
      queue.app.clock.advance(MINUTE_MS)
    }
    expect(uploads()).toBe(3)
    expect(await stateOf(queue)).toMatchObject({
      printer: { state: 'error', state_reason: expect.stringMatching(new RegExp(`${HELP}$`)) },
      jobs: ['pending', 'pending', 'pending'],
      plates: ['cancelled'],
    })
    queue.faults.length = 0
    await queue.resume()
    await queue.round()
    expect((await stateOf(queue)).plates).toEqual(['cancelled', 'printing'])
  })

  it('an upload that takes minutes and fails for the time being ends after three attempts', async () => {
    const queue = await aQueue('moonraker')
    const { app, faults, printer } = queue
    const uploads = () => queue.requests.filter((line) => line.startsWith(UPLOAD.moonraker)).length
    printer.watch = (request, phase) => {
      if (phase === 'before' && request.startsWith(UPLOAD.moonraker)) app.clock.advance(8 * MINUTE_MS)
    }
    faults.push({ kind: 'refused', only: UPLOAD.moonraker, status: 504 })
    for (let nth = 0; nth < 6; nth += 1) {
      await queue.round()
      app.clock.advance(MINUTE_MS)
    }
    expect(uploads()).toBe(3)
    expect(await stateOf(queue)).toMatchObject({
      printer: { state: 'error', state_reason: expect.stringMatching(new RegExp(`${HELP}$`)) },
      jobs: ['pending', 'pending', 'pending'],
      plates: ['cancelled'],
    })
  })

  it('a start answered with 503 is sent again, three times at most, once the printer proves that it did not print', async () => {
    for (const times of [1, 3]) {
      const queue = await aQueue('moonraker')
      const starts = () => queue.requests.filter((line) => line === START).length
      queue.faults.push({ kind: 'refused', only: START, status: 503, times })
      await queue.round()
      expect(await stateOf(queue)).toMatchObject({
        printer: {
          state: 'printing',
          state_reason: expect.stringMatching(
            /refused the request: No space left on device\. The server asks the printer whether the print has begun/,
          ),
        },
        plates: ['sending'],
      })
      await queue.round()
      expect(starts()).toBe(1)
      for (let nth = 0; nth < 7; nth += 1) {
        queue.app.clock.advance(LATER_MS)
        await queue.round()
      }
      const isOut = times === 3
      expect(starts()).toBe(isOut ? 3 : 2)
      expect((await stateOf(queue)).printer?.state).toBe(isOut ? 'error' : 'printing')
      expect(queue.machine.prints).toHaveLength(isOut ? 0 : 1)
    }
  })

  it('a start that the printer carried out although it answered with an error is not sent again', async () => {
    const queue = await aQueue('octoprint')
    const { machine } = queue
    const command = 'POST /api/files/local/'
    queue.faults.push({ kind: 'refused', only: command, status: 503, times: 1 })
    queue.printer.watch = (request, phase) => {
      if (phase !== 'after' || !request.startsWith(command)) return
      queue.printer.watch = null
      machine.start([...machine.files.keys()][0] ?? '')
    }
    await queue.round()
    queue.app.clock.advance(LATER_MS)
    await queue.round()
    expect(machine.prints).toHaveLength(1)
    expect(queue.requests.filter((line) => line.startsWith(command))).toHaveLength(1)
    expect((await stateOf(queue)).plates).toEqual(['printing'])
  })

  it('a file that a printer cannot read fails its job alone, costs nothing, and the printer gets the next job', async () => {
    const queue = await aQueue('octoprint')
    queue.faults.push({ kind: 'refused', only: UPLOAD.octoprint, status: 415, times: 1 })
    await queue.round()
    await queue.round()
    expect(await stateOf(queue)).toMatchObject({
      printer: { state: 'printing' },
      jobs: ['failed', 'in_progress', 'pending'],
      plates: ['failed', 'printing'],
    })
    expect(await figuresOf(queue.app, queue.setup)).toEqual(NOTHING)
  })

  it('a plate whose sliced file is missing fails its job alone, and counts neither for the printer nor for the cost', async () => {
    const queue = await aQueue('moonraker')
    const { app, setup, jobs } = queue
    const [file] = await app.database.sql<[{ object_key: string }]>`
      select object_key from sliced_files where id = ${setup.sliceId}`
    await app.storage.delete(file.object_key)
    await queue.round()
    const { job, plates, booked } = await setupState(app, setup, jobs[0] ?? '')
    expect(job).toEqual({ status: 'failed', failure_reason: expect.stringMatching(/no longer exists/) })
    expect(plates).toMatchObject([{ state: 'failed', used_grams: 0, print_minutes: 0 }])
    expect(booked).toEqual([])
    expect(await figuresOf(app, setup)).toEqual(NOTHING)
    const [cost] = await app.database.sql`
      select own_cost_minor, cost_minor from print_jobs where id = ${jobs[0] ?? ''}`
    expect(cost).toEqual({ own_cost_minor: null, cost_minor: null })
    const [open] = await app.database
      .sql`select count(*)::int as n from plate_dispatches where closed_at is null`
    expect(open).toEqual({ n: 0 })
  })

  it('a print that began and failed before the server saw it counts, and its filament is booked', async () => {
    const queue = await aQueue('moonraker')
    const { app, setup, jobs, faults, machine } = queue
    faults.push({ kind: 'lost-answer', only: START, times: 1 })
    await queue.round()
    expect((await stateOf(queue)).plates).toEqual(['sending'])
    machine.advance(45)
    machine.fail('Heater fault')
    await queue.round()
    const { plates, booked } = await setupState(app, setup, jobs[0] ?? '')
    expect(plates).toMatchObject([{ state: 'failed', print_minutes: 45 }])
    expect(booked).toHaveLength(1)
    expect(await figuresOf(app, setup)).toEqual({ printed_minutes: 45, finished_plates: 0, failed_plates: 1 })
  })

  it('the filament of a print that began unseen is booked when a person reports its plate as failed', async () => {
    const queue = await aQueue('moonraker')
    const { app, setup, jobs, faults, machine } = queue
    const [jobId = ''] = jobs
    faults.push({ kind: 'lost-answer', only: START, times: 1 })
    await queue.round()
    machine.advance(45)
    const url = `/api/print-queue/${jobId}/fail`
    const headers = await app.as('staff')
    const answer = await app.http.inject({ method: 'POST', url, headers, payload: { reason: 'Came loose' } })
    expect(answer.statusCode).toBe(200)
    // In this round, the server stops the print. In the next, it reads what the print used.
    await queue.round()
    await queue.round()
    const { plates, booked } = await setupState(app, setup, jobId)
    expect(plates[0]?.used_grams).toBeGreaterThan(1)
    expect(booked).toHaveLength(1)
  })
})
