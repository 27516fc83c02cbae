import { MINUTE_MS } from '../../../platform/clock.ts'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { transitionsOf } from '../../../../test/support/print-agents.ts'
import { aPrinterSetup, anAssignedJob, setupState, visit } from '../../../../test/support/network-printers.ts'

/** Part of the request in which the server asks a Moonraker printer for its state. */
const STATE = '/printer/objects/query'

it.each(['pause', 'resume'] as const)(
  "a %s requested while the server waits for the printer's state is carried out on the next visit",
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

it.each([{ kind: 'refused', status: 503 }, { kind: 'lost' }])(
  'a pause that the printer does not carry out at first is sent again, and the printer keeps printing: %o',
  async (fault) => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'moonraker')
    const { machine, faults } = setup.printer
    const jobId = await anAssignedJob(app, setup)
    await visit(app, setup, jobId)
    const url = `/api/print-queue/${jobId}/pause`
    const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload: {} })
    expect(answer.statusCode, answer.body).toBe(200)
    faults.push({ ...fault, only: 'POST /printer/print/pause' })
    const refused = await visit(app, setup, jobId)
    expect(refused.printer).toMatchObject({
      state: 'printing',
      state_reason: expect.stringContaining('printer'),
    })
    faults.length = 0
    await visit(app, setup, jobId)
    expect(machine.running?.state).toBe('paused')
    expect((await visit(app, setup, jobId)).plates).toMatchObject([{ state: 'paused' }])
  },
)

it.each(['pause', 'resume'] as const)(
  'a %s that the printer finally refuses is shown until the print changes, and in the history of the job',
  async (command) => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'moonraker')
    const { machine, faults } = setup.printer
    const jobId = await anAssignedJob(app, setup)
    await visit(app, setup, jobId)
    if (command === 'resume') {
      machine.pause()
      await visit(app, setup, jobId)
    }
    const press = async () => {
      const url = `/api/print-queue/${jobId}/${command}`
      const answer = await app.http.inject({
        method: 'POST',
        url,
        headers: await app.as('staff'),
        payload: {},
      })
      expect(answer.statusCode, answer.body).toBe(200)
    }
    await press()
    faults.push({ kind: 'refused', status: 400, only: `POST /printer/print/${command}` })
    const reason = expect.stringMatching(
      command === 'pause'
        ? /^Plate 1 was not paused\. The printer refused the request/
        : /^Plate 1 was not resumed\. The printer refused the request/,
    )
    const state = command === 'pause' ? 'printing' : 'paused'
    for (const _ of ['refused', 'next visit', 'one more'])
      expect((await visit(app, setup, jobId)).printer).toMatchObject({ state, state_reason: reason })
    const linesOf = async () => {
      const lines = await transitionsOf(app, jobId)
      return lines.filter(({ reason: said }) => said?.startsWith('Plate 1 was not'))
    }
    expect(await linesOf()).toMatchObject([{ to_status: 'in_progress', reason }])
    // The fault is removed, so the second attempt succeeds.
    faults.length = 0
    await press()
    await visit(app, setup, jobId)
    const after = await visit(app, setup, jobId)
    expect(after.plates).toMatchObject([{ state: command === 'pause' ? 'paused' : 'printing' }])
    expect(after.printer['state_reason']).not.toEqual(reason)
    expect(await linesOf()).toHaveLength(1)
  },
)

it.each([
  ['pause', { kind: 'refused', status: 500 }],
  ['resume', { kind: 'refused', status: 500 }],
  ['pause', { kind: 'lost-answer' }],
] as const)(
  'a %s that a printer fails to carry out for minutes, not counting an outage, ends as refused: %o',
  async (command, fault) => {
    const app = await buildTestApp()
    const setup = await aPrinterSetup(app, 'moonraker')
    const { machine, faults, requests } = setup.printer
    const jobId = await anAssignedJob(app, setup)
    await visit(app, setup, jobId)
    const path = `POST /printer/print/${command}`
    if (command === 'resume') {
      machine.pause()
      await visit(app, setup, jobId)
    }
    // The print continues as before, whatever the printer answers.
    setup.printer.watch = (request, phase) => {
      if (phase !== 'after' || !request.includes(path)) return
      if (command === 'pause' && machine.running?.state === 'paused') machine.resume()
    }
    const url = `/api/print-queue/${jobId}/${command}`
    const answer = await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload: {} })
    expect(answer.statusCode, answer.body).toBe(200)
    const later = async (minutes: number) => {
      app.clock.advance(minutes * MINUTE_MS)
      return (await visit(app, setup, jobId)).printer.state_reason
    }
    const sent = () => requests.filter((request) => request.includes(path)).length
    const refusal = expect.stringMatching(/^Plate 1 was not (paused|resumed)\. The printer/)
    faults.push({ ...fault, only: path })
    expect(await later(0)).not.toEqual(refusal)
    expect(await later(10), 'the printer was not visited').not.toEqual(refusal)
    for (const _minute of [1, 2]) expect(await later(1)).not.toEqual(refusal)
    expect(sent()).toBe(4)
    for (const _minute of [3, 4, 5]) expect(await later(1)).toEqual(refusal)
    expect(sent()).toBe(5)
    const lines = (await transitionsOf(app, jobId)).filter(({ reason }) =>
      reason?.startsWith('Plate 1 was not'),
    )
    expect(lines).toHaveLength(1)
    faults.length = 0
    setup.printer.watch = null
    await app.http.inject({ method: 'POST', url, headers: await app.as('staff'), payload: {} })
    await later(1)
    expect(machine.running?.state).toBe(command === 'pause' ? 'paused' : 'printing')
  },
)
