import { describe, expect, it } from 'vitest'
import { type Protocol, aPrint } from '../../../test/servers/simulated-printers.ts'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import {
  anAssignedJob,
  aPrinterSetup,
  clearBed,
  setupState,
  visit,
} from '../../../test/support/network-printers.ts'
import { MINUTE_MS } from '../../platform/clock.ts'

const KINDS: readonly Protocol[] = ['moonraker', 'octoprint', 'prusalink', 'bambu']
/** Time after which a start no longer leads to a print. */
const LATER_MS = 4 * MINUTE_MS
/** The request that starts a print, for each protocol. */
const START = {
  moonraker: 'POST /printer/print/start',
  octoprint: 'POST /api/files/local/',
  prusalink: 'POST /api/v1/files/',
  bambu: 'MQTT print.project_file',
}
/**
 * The grams of a finished print. 4 m of PLA with 1.75 mm weigh 11.93 g. PrusaLink reports the weight in the file. For a
 * Bambu printer, the server uses the weight in the sliced file.
 */
const GRAMS = { moonraker: 11.93, octoprint: 11.93, prusalink: 14.9, bambu: 12 }

/** Creates an app with a printer that is printing its assigned job. */
async function printing(kind: Protocol) {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, kind)
  const { machine, faults } = setup.printer
  const begin = async () => {
    const jobId = await anAssignedJob(app, setup)
    await app.printers.run()
    machine.advance(30)
    return jobId
  }
  const jobId = await begin()
  const round = async (id = jobId) => {
    await app.printers.run()
    return setupState(app, setup, id)
  }
  return { app, setup, jobId, begin, round, machine, faults }
}

describe.each(KINDS)('a %s printer on the network', (kind) => {
  it('an assigned job is sent, tracked across a lost connection, cleared from the bed, and booked once', async () => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, kind)
    const { machine, faults } = setup.printer
    machine.upload('vase.gcode', aPrint())
    machine.start('vase.gcode', 'machine')
    const jobId = await anAssignedJob(app, setup)
    const round = () => visit(app, setup, jobId)
    // Somebody has started another print by hand. It has to end first.
    expect(await round()).toMatchObject({
      printer: { state: 'printing', state_reason: 'Prints vase.gcode, which was started at the machine.' },
      job: { status: 'pending' },
      plates: [],
    })
    machine.advance(100)
    expect(await round()).toMatchObject({
      printer: { state: 'needs_clearing', state_reason: expect.stringMatching(/vase.gcode was started/) },
      plates: [],
    })
    await clearBed(app, setup)

    expect(await round()).toMatchObject({
      printer: { state: 'printing', state_reason: null },
      job: { status: 'in_progress' },
      plates: [
        { state: 'printing', remote_name: expect.stringMatching(/^j-\d+-1-[0-9a-f]{8}\.gcode(\.3mf)?$/) },
      ],
    })
    machine.advance(45)
    await round()
    const [shown] = await app.database.sql`
      select progress::float8, finishes_at is not null as has_end, has_camera from printers where id = ${setup.printerId}`
    expect(shown).toEqual({ progress: 0.5, has_end: true, has_camera: kind !== 'bambu' })
    const viewer = await app.as('viewer')
    const camera = async () =>
      (await app.http.inject({ url: `/api/printers/${setup.printerId}/camera`, headers: viewer })).statusCode
    expect(await camera()).toBe(kind === 'bambu' ? 404 : 200)
    faults.push({ kind: 'lost' })
    expect(await round()).toMatchObject({
      printer: { state: 'offline', state_reason: expect.stringMatching(/connection/) },
      plates: [{ state: 'printing' }],
    })
    // A printer that is switched off is not an error. Browsers would log an error status.
    expect(await camera()).toBe(kind === 'bambu' ? 404 : 204)
    machine.advance(60)
    faults.length = 0
    const printed = await round()
    expect(printed).toMatchObject({
      printer: {
        state: 'needs_clearing',
        state_reason: 'Plate 1 is printed. Take it off and clear the bed.',
      },
      // A Bambu printer does not report the time.
      plates: [{ state: 'printed', print_minutes: kind === 'bambu' ? null : 90 }],
      booked: [],
      stock: 0,
    })
    const grams = printed.plates[0]?.used_grams ?? 0
    expect(grams).toBeCloseTo(GRAMS[kind], 1)
    // The plate stays on the bed, whatever the screen of the printer shows.
    machine.acknowledge()
    expect((await round()).printer.state).toBe('needs_clearing')
    await clearBed(app, setup)
    expect(await round()).toMatchObject({
      printer: { state: 'available' },
      job: { status: 'completed' },
      plates: [{ state: 'done' }],
      booked: [-grams],
      stock: 1,
    })
    expect(machine.prints.map(({ by }) => by)).toEqual(['machine', 'network'])
  })

  it('the plate of a print that was cancelled at the screen or lost in a restart ends, and is not started again', async () => {
    const { app, setup, jobId, begin, round, machine, faults } = await printing(kind)
    machine.cancel()
    const cancelled = await round()
    expect(cancelled).toMatchObject({
      printer: { state: 'needs_clearing' },
      job: { status: 'failed', failure_reason: expect.stringMatching(/cancelled at the printer/) },
      plates: [{ state: 'failed' }],
    })
    expect(cancelled.booked).toHaveLength(1)
    await clearBed(app, setup)

    const second = await begin()
    machine.reboot()
    expect(await round(second)).toMatchObject({
      printer: { state: 'needs_clearing' },
      job: { failure_reason: expect.stringMatching(/restarted/) },
      plates: [{ state: 'failed' }],
    })
    await clearBed(app, setup)

    faults.push({ kind: 'lost-answer', only: START[kind], times: 1 })
    const third = await begin()
    expect((await setupState(app, setup, third)).plates).toMatchObject([{ state: 'sending' }])
    expect((await round(third)).plates).toMatchObject([{ state: 'printing' }])
    expect(machine.prints).toHaveLength(3)
    machine.advance(100)
    await round()
    await clearBed(app, setup)

    // This time, the start request itself is lost. Only a printer with a history can prove that it did not print.
    machine.acknowledge()
    faults.push({ kind: 'lost', only: START[kind], times: 1 })
    const fourth = await begin()
    expect((await round(fourth)).plates).toMatchObject([{ state: 'sending' }])
    app.clock.advance(LATER_MS)
    await round()
    const state = await round(fourth)
    if (kind === 'moonraker')
      expect(state).toMatchObject({ printer: { state: 'printing' }, plates: [{ state: 'printing' }] })
    else
      expect(state).toMatchObject({
        printer: { state: 'needs_clearing', state_reason: expect.stringMatching(/Check the bed/) },
        job: { status: 'pending' },
        plates: [{ state: 'cancelled' }],
      })
    expect(machine.prints).toHaveLength(kind === 'moonraker' ? 4 : 3)
    expect((await setupState(app, setup, jobId)).plates).toHaveLength(1)
  })
})

describe('the poller for network printers', () => {
  it('a network printer starts jobs only with the right filament, and starts proposed jobs only if it may take jobs by itself', async () => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'moonraker')
    const { sql } = app.database
    const statusOf = async (id: string) => {
      await app.printers.run()
      return (await setupState(app, setup, id)).job.status
    }
    const red = await anAssignedJob(app, setup)
    await sql`update print_jobs set material = 'PLA', color = 'Red' where id = ${red}`
    expect(await statusOf(red)).toBe('pending')
    // The planner's proposals are printed only if the printer may take jobs automatically.
    await sql`update print_jobs set assigned_printer_id = null where id = ${red}`
    const open = await anAssignedJob(app, setup)
    await sql`update print_jobs set assigned_printer_id = null where id = ${open}`
    await app.planner.run()
    expect(await statusOf(open)).toBe('pending')
    await sql`update printers set takes_jobs = true where id = ${setup.printerId}`
    expect(await statusOf(open)).toBe('in_progress')
    expect(await statusOf(red)).toBe('pending')
  })

  it('a network printer pauses, resumes and stops a print when people ask for it', async () => {
    const { app, jobId, setup, round, machine } = await printing('moonraker')
    const ask = (command: 'pause' | 'resume') =>
      app.database.sql`update job_plates set command = ${command} where print_job_id = ${jobId}`
    await ask('pause')
    await round()
    expect(machine.running?.state).toBe('paused')
    expect(await round()).toMatchObject({ printer: { state: 'paused' }, plates: [{ state: 'paused' }] })
    await ask('resume')
    await round()
    expect(machine.running?.state).toBe('printing')
    machine.advance(15)
    expect((await round()).plates).toMatchObject([{ state: 'printing' }])
    const cancelled = await app.http.inject({
      method: 'POST',
      url: `/api/print-queue/${jobId}/cancel`,
      headers: await app.as('staff'),
      payload: {},
    })
    expect(cancelled.statusCode).toBe(200)
    await round()
    expect(machine.running).toBeNull()
    const stopped = await round()
    const grams = stopped.plates[0]?.used_grams ?? 0
    expect(grams).toBeCloseTo(GRAMS.moonraker / 2, 1)
    expect(stopped).toMatchObject({
      printer: { state: 'needs_clearing' },
      plates: [{ state: 'cancelled', print_minutes: 45 }],
      booked: [-grams],
    })
    expect((await round()).booked).toEqual([-grams])
    const [hours] = await app.database.sql`
      select printed_minutes, finished_plates, failed_plates from printers where id = ${setup.printerId}`
    expect(hours).toEqual({ printed_minutes: 45, finished_plates: 0, failed_plates: 0 })
    // The server has removed its file. If somebody uploads a file of the same name and starts it by hand, this is not
    // our print.
    await clearBed(app, setup)
    const name = machine.prints[0]?.file.name ?? ''
    machine.upload(name, aPrint())
    machine.start(name, 'machine')
    expect((await round()).printer.state).toBe('printing')
    expect((await round()).printer.state_reason).toMatch(/started at the machine/)
    expect(machine.running?.state).toBe('printing')
  })

  it('a network printer that reports an error is out of order until the machine is idle, and must then be cleared', async () => {
    const { app, setup, round, machine } = await printing('moonraker')
    machine.fail('MCU shutdown: Timer too close')
    const failed = await round()
    expect(failed.printer).toEqual({
      state: 'error',
      state_reason:
        'The printer ended the print with an error. Clear the bed, then press Resume. Its message: MCU shutdown: Timer too close',
    })
    machine.reboot()
    expect((await round()).printer).toMatchObject({
      state: 'needs_clearing',
      state_reason: expect.stringMatching(/Clear the bed/),
    })
    await clearBed(app, setup)
    expect((await round()).printer.state).toBe('available')
  })

  it('a print that ended while the server was down counts if it had enough time, and its pieces must be checked', async () => {
    const { app, setup, jobId, begin, round, machine } = await printing('prusalink')
    await round()
    // PrusaLink keeps no history. A person has confirmed the end of the print at the machine.
    const endUnseen = (minutes: number) => {
      machine.advance(100)
      machine.acknowledge()
      app.clock.advance(minutes * MINUTE_MS)
    }
    endUnseen(90)
    const unseen = 'The server did not see the end of this print. Check the pieces.'
    const printed = {
      printer: { state: 'needs_clearing', state_reason: unseen },
      job: { status: 'in_progress' },
      plates: [{ state: 'printed', used_grams: GRAMS.bambu }],
    }
    expect(await round()).toMatchObject(printed)
    expect(await round()).toMatchObject(printed)
    const url = `/api/print-queue/${jobId}/plates`
    const shown = await app.http.inject({ url, headers: await app.as('staff') })
    expect(shown.json()).toMatchObject([{ state: 'printed', reason: unseen }])
    const machineUrl = `/api/printers/${setup.printerId}`
    const atMachine = await app.http.inject({ url: machineUrl, headers: await app.as('staff') })
    expect(atMachine.json()).toMatchObject({ state_reason: unseen, current_job: { note: unseen } })
    await clearBed(app, setup)
    const early = await begin()
    endUnseen(60)
    expect(await round(early)).toMatchObject({
      job: { status: 'failed', failure_reason: expect.stringMatching(/no longer shows this print/) },
      plates: [{ state: 'failed' }],
    })
  })

  it('a network printer with a wrong key or meaningless responses is out of order, unless it is in maintenance', async () => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'prusalink')
    const { faults } = setup.printer
    const jobId = await anAssignedJob(app, setup)
    for (const [kind, sentence] of [
      ['key', /refused the key/],
      ['garbage', /is not valid/],
      ['redirect', /redirects to another address/],
    ] as const) {
      faults.splice(0, faults.length, { kind })
      await app.printers.run()
      const { printer } = await setupState(app, setup, jobId)
      expect(printer).toMatchObject({ state: 'error', state_reason: expect.stringMatching(sentence) })
    }
    const headers = await app.as('staff')
    const url = `/api/printers/${setup.printerId}`
    const test = await app.http.inject({ method: 'POST', url: `${url}/test`, headers })
    expect(test.json()).toMatchObject({ ok: false, message: expect.stringMatching(/another address/) })
    await app.http.inject({
      method: 'POST',
      url: `${url}/maintenance`,
      headers,
      payload: { reason: 'New nozzle' },
    })
    await app.printers.run()
    faults.length = 0
    await app.printers.run()
    expect((await setupState(app, setup, jobId)).printer).toEqual({
      state: 'maintenance',
      state_reason: 'New nozzle',
    })
    const answered = await app.http.inject({ method: 'POST', url: `${url}/test`, headers })
    expect(answered.json()).toEqual({ ok: true, message: 'Left responds and is idle.' })
  })

  it('a bed that was not cleared before or during the maintenance of its printer gets no print after the maintenance', async () => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'octoprint')
    const { machine } = setup.printer
    const post = async (step: string) => {
      const url = `/api/printers/${setup.printerId}/${step}`
      const answer = await app.http.inject({
        method: 'POST',
        url,
        headers: await app.as('staff'),
        payload: {},
      })
      return answer.json<{ state: string }>().state
    }
    const jobId = await anAssignedJob(app, setup)
    const stateOf = async () => {
      await app.printers.run()
      return (await setupState(app, setup, jobId)).printer.state
    }
    // The print is cancelled at the machine before the maintenance.
    expect(await stateOf()).toBe('printing')
    machine.cancel()
    expect(await stateOf()).toBe('needs_clearing')
    expect([await post('maintenance'), await stateOf()]).toEqual(['maintenance', 'maintenance'])
    await anAssignedJob(app, setup)
    expect([await post('resume'), await stateOf()]).toEqual(['needs_clearing', 'needs_clearing'])
    expect(await post('clear')).toBe('available')
    expect(await stateOf()).toBe('printing')
    expect(machine.prints).toHaveLength(2)
    // The next print ends during the maintenance, which continues.
    await post('maintenance')
    machine.fail('Heater fault')
    expect(await stateOf()).toBe('maintenance')
    machine.acknowledge()
    expect([await stateOf(), await post('resume')]).toEqual(['maintenance', 'needs_clearing'])
    // A bed that is cleared during the maintenance does not have to be cleared afterwards.
    await post('maintenance')
    await post('clear')
    expect(await post('resume')).toBe('available')
  })

  it('only one process at a time polls a network printer, and another process takes over when that process has ended', async () => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'moonraker')
    const other = await app.replica()
    const jobId = await anAssignedJob(app, setup)
    let inside = 0
    let most = 0
    setup.printer.watch = (_request, phase) => {
      inside += phase === 'before' ? 1 : -1
      most = Math.max(most, inside)
    }
    await Promise.all([app.printers.run(), other.printers.run(), app.printers.run(), other.printers.run()])
    expect(most).toBe(1)
    expect(setup.printer.machine.prints).toHaveLength(1)
    expect((await setupState(app, setup, jobId)).plates).toMatchObject([{ state: 'printing' }])

    await app.database.sql`
      update printer_connections set claimed_by = gen_random_uuid(), claimed_until = now() + interval '25 seconds'`
    setup.printer.requests.length = 0
    await other.printers.run()
    expect(setup.printer.requests).toEqual([])
    await app.database.sql`update printer_connections set claimed_until = now() - interval '1 second'`
    await other.printers.run()
    expect(setup.printer.requests.length).toBeGreaterThan(0)
  })
})
