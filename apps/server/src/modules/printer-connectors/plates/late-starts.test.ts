import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anAssignedJob, aPrinterSetup, clearBed, visit } from '../../../../test/support/network-printers.ts'
import { MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'

/** Creates a printer that accepts a start, but begins to print only when the test calls `begin`. */
async function aSlowPrinter(kind: 'bambu' | 'octoprint') {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, kind)
  const { machine } = setup.printer
  const start = machine.start.bind(machine)
  let begin = (): unknown => undefined
  machine.start = (name) => {
    begin = () => start(name)
  }
  const jobId = await anAssignedJob(app, setup)
  const round = () => visit(app, setup, jobId)
  expect((await round()).plates).toMatchObject([{ state: 'sending' }])
  return { app, setup, machine, round, begin: () => begin() }
}

describe.each(['bambu', 'octoprint'] as const)('a %s printer that begins a print late', (kind) => {
  it(`a ${kind} printer that begins a print late prints the plate once, although it shows no print for 90 seconds`, async () => {
    const { app, machine, round, begin } = await aSlowPrinter(kind)
    for (let nth = 0; nth < 3; nth += 1) {
      app.clock.advance(30 * SECOND_MS)
      expect((await round()).plates).toMatchObject([{ state: 'sending' }])
    }
    begin()
    expect(await round()).toMatchObject({ printer: { state: 'printing' }, plates: [{ state: 'printing' }] })
    expect(machine.prints).toHaveLength(1)
  })

  it(`a late ${kind} print is stopped if its plate was given up, and its file stays until the bed is cleared`, async () => {
    const { app, setup, machine, round, begin } = await aSlowPrinter(kind)
    app.clock.advance(4 * MINUTE_MS)
    const given = { printer: { state: 'needs_clearing' }, plates: [{ state: 'cancelled' }] }
    expect(await round()).toMatchObject(given)
    expect(await round()).toMatchObject(given)
    expect(machine.files.size).toBe(1)
    begin()
    expect(await round()).toMatchObject({
      printer: {
        state: 'printing',
        state_reason: expect.stringMatching(/Plate 1 of J-00001 was cancelled. .* is stopping/),
      },
    })
    expect(machine.running).toBeNull()
    expect(await round()).toMatchObject(given)
    await clearBed(app, setup)
    await round()
    begin()
    expect((await round()).plates).toMatchObject([{ state: 'cancelled' }, { state: 'printing' }])
    expect(machine.prints.map(({ state }) => state)).toEqual(['cancelled', 'printing'])
  })

  it(`clearing the bed removes the file of a late ${kind} print, and the next plate starts`, async () => {
    const { app, setup, machine, round } = await aSlowPrinter(kind)
    const [first] = machine.files.keys()
    app.clock.advance(4 * MINUTE_MS)
    await round()
    await clearBed(app, setup)
    expect((await round()).plates).toMatchObject([{ state: 'cancelled' }, { state: 'sending' }])
    await round()
    expect([...machine.files.keys()]).not.toContain(first)
  })
})

it('a bed that a person clears while the server asks the printer for a late print stays clear', async () => {
  const { app, setup, round } = await aSlowPrinter('octoprint')
  app.clock.advance(4 * MINUTE_MS)
  expect((await round()).printer.state).toBe('needs_clearing')
  let reads = 0
  setup.printer.watch = async (request, phase) => {
    if (phase !== 'before' || request !== 'GET /api/job') return
    reads += 1
    // The first request reads the state of the printer. The second one reads its record of the print.
    if (reads === 2) await clearBed(app, setup)
  }
  expect((await round()).printer.state).toBe('available')
  expect((await round()).plates).toMatchObject([{ state: 'cancelled' }, { state: 'sending' }])
})

it('a print that a person cancels is stopped and booked, even if the bed is cleared before the next visit', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'octoprint')
  const { machine } = setup.printer
  const jobId = await anAssignedJob(app, setup)
  const round = () => visit(app, setup, jobId)
  await round()
  machine.advance(45)
  expect((await round()).plates).toMatchObject([{ state: 'printing' }])
  app.clock.advance(10 * MINUTE_MS)
  const url = `/api/print-queue/${jobId}/cancel`
  const cancelled = await app.http.inject({
    method: 'POST',
    url,
    headers: await app.as('staff'),
    payload: {},
  })
  expect(cancelled.statusCode).toBe(200)
  await clearBed(app, setup)
  await round()
  expect([machine.running, machine.prints.map(({ state }) => state)]).toEqual([null, ['cancelled']])
  await round()
  expect(await round()).toMatchObject({ plates: [{ state: 'cancelled', print_minutes: expect.any(Number) }] })
})
