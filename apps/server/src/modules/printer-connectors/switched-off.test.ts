import { describe, expect, it } from 'vitest'
import type { Protocol } from '../../../test/servers/simulated-printers.ts'
import { aRemote } from '../../../test/servers/remote-server.ts'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import {
  aNetworkPrinter,
  aPrinterSetup,
  anAssignedJob,
  clearBed,
  setupState,
} from '../../../test/support/network-printers.ts'

const OFFLINE = {
  octoprint: 'OctoPrint responds, but its printer is switched off or not connected.',
  prusalink: 'PrusaLink responds, but its printer is switched off or not connected.',
}
const LOST = 'The printer restarted or lost its connection during the print.'

async function aSetup(kind: Protocol) {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, kind)
  const { machine } = setup.printer
  const round = async (jobId = '') => {
    await app.printers.run()
    return setupState(app, setup, jobId || '01890000-0000-7000-8000-000000000000')
  }
  const test = async () => {
    const url = `/api/printers/${setup.printerId}/test`
    return (await app.http.inject({ method: 'POST', url, headers: await app.as('staff') })).json<object>()
  }
  return { app, setup, machine, round, test }
}

describe.each(['octoprint', 'prusalink'] as const)('a switched-off printer behind %s', (kind) => {
  it(`a switched-off printer behind ${kind} is offline with a reason, gets no job, and works again once it is on`, async () => {
    const { app, setup, machine, round, test } = await aSetup(kind)
    machine.off()
    const jobId = await anAssignedJob(app, setup)
    expect(await round(jobId)).toMatchObject({
      printer: { state: 'offline', state_reason: OFFLINE[kind] },
      job: { status: 'pending' },
      plates: [],
    })
    expect(await test()).toEqual({ ok: false, message: OFFLINE[kind] })
    machine.on()
    expect(await round(jobId)).toMatchObject({
      printer: { state: 'printing', state_reason: null },
      plates: [{ state: 'printing' }],
    })
  })

  it(`a printer behind ${kind} that is switched off while printing fails its plate, and must be cleared once it is on`, async () => {
    const { app, setup, machine, round } = await aSetup(kind)
    const jobId = await anAssignedJob(app, setup)
    expect((await round(jobId)).plates).toMatchObject([{ state: 'printing' }])
    machine.off()
    const reason = `${LOST} ${OFFLINE[kind]}`
    expect(await round(jobId)).toMatchObject({
      printer: { state: 'offline', state_reason: reason },
      job: { status: 'failed', failure_reason: reason },
      plates: [{ state: 'failed' }],
    })
    expect((await round(jobId)).printer).toEqual({ state: 'offline', state_reason: OFFLINE[kind] })
    machine.on()
    expect((await round(jobId)).printer).toMatchObject({
      state: 'needs_clearing',
      state_reason: expect.stringContaining('Clear the bed'),
    })
    // A bed that is full when the printer is switched off still has to be cleared.
    machine.off()
    expect((await round(jobId)).printer.state).toBe('needs_clearing')
    machine.on()
    await clearBed(app, setup)
    expect((await round(jobId)).printer.state).toBe('available')
  })
})

it('Klipper without a connection to its controller is an error with its message', async () => {
  const { machine, round } = await aSetup('moonraker')
  machine.off()
  expect((await round()).printer).toEqual({ state: 'error', state_reason: "mcu 'mcu': Unable to connect" })
})

it.each([
  ['Offline', null, true],
  ['Closed', null, true],
  ['Offline after error', 'SerialException: device reports readiness to read but returned no data', true],
  ['Offline after error', 'Too many consecutive timeouts, printer still connected and alive?', true],
  ['Offline after error', 'SerialTimeoutException: Write timeout', true],
  ['Offline after error', 'Closing serial port due to emergency stop M112.', false],
  ['Offline after error', 'Thermal Runaway, system stopped! Heater_ID: 0', false],
  ['Offline after error', 'Heating timed out, check thermistor connection', false],
  ['Error', 'MINTEMP triggered', false],
] as const)(
  'OctoPrint with the state "%s" and the error "%s" is offline: %s',
  async (state, error, isOffline) => {
    const job = { job: { file: { name: null } }, progress: {}, state, ...(error && { error }) }
    const remote = await aRemote((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(job))
    })
    const app = await buildTestApp()
    const id = await aNetworkPrinter(app, { name: 'Left', kind: 'octoprint', address: remote.url })
    await app.printers.run()
    const [printer] = await app.database.sql`select state, state_reason from printers where id = ${id}`
    expect(printer).toEqual(
      isOffline
        ? { state: 'offline', state_reason: OFFLINE.octoprint }
        : { state: 'error', state_reason: error },
    )
  },
)
