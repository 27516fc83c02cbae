import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrinterSetup, anAssignedJob, setupState } from '../../../../test/support/network-printers.ts'

/** Part of the request in which the server asks a Moonraker printer for its state. */
const STATE = '/printer/objects/query'

it.each(['pause', 'resume'] as const)(
  'a %s that a person asks for while the server waits for the state of the printer is carried out by the next visit',
  async (command) => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'moonraker')
    const { machine } = setup.printer
    const jobId = await anAssignedJob(app, setup)
    const headers = await app.as('staff')
    const press = async (what: 'pause' | 'resume') => {
      const url = `/api/print-queue/${jobId}/${what}`
      const answer = await app.http.inject({ method: 'POST', url, headers, payload: {} })
      expect(answer.statusCode, answer.body).toBe(200)
    }
    const round = async () => {
      await app.printers.run()
      return (await setupState(app, setup, jobId)).plates
    }
    await round()
    if (command === 'resume') {
      machine.pause()
      expect(await round()).toMatchObject([{ state: 'paused' }])
    }
    const wanted = { pause: 'paused', resume: 'printing' }[command]
    let asked = ''
    setup.printer.watch = async (request, phase) => {
      if (phase !== 'after' || !request.includes(STATE)) return
      setup.printer.watch = null
      asked = request
      await press(command)
    }
    await round()
    expect(asked).not.toBe('')
    await round()
    expect(machine.running?.state).toBe(wanted)
    expect(await round()).toMatchObject([{ state: wanted }])
  },
)
