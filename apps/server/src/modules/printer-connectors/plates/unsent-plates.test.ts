import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrinterSetup, anAssignedJob, setupState } from '../../../../test/support/network-printers.ts'
import { SECOND_MS } from '../../../platform/clock.ts'

const UPLOAD = 'POST /server/files/upload'
const START = 'POST /printer/print/start'
/** Time after which a start request can no longer be on its way. */
const LATER_MS = 30 * SECOND_MS

/** Creates an app with a printer that takes a job which the planner has proposed for it. */
async function aProposedJob() {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'moonraker')
  const { sql } = app.database
  const { machine, faults } = setup.printer
  const jobId = await anAssignedJob(app, setup)
  await sql`update print_jobs set assigned_printer_id = null where id = ${jobId}`
  await sql`update printers set takes_jobs = true where id = ${setup.printerId}`
  await app.planner.run()
  machine.upload('vase.gcode', Buffer.from(''))
  const round = async () => {
    await app.printers.run()
    const { printer, plates } = await setupState(app, setup, jobId)
    const [job] = await sql`select status, assigned_printer_id from print_jobs where id = ${jobId}`
    return { printer: printer.state, plates: plates.map(({ state }) => state), job }
  }
  /** Visits the printer while the request `only` is lost. */
  const breakAt = async (only: string) => {
    faults.push({ kind: 'lost', only, times: 1 })
    expect((await round()).plates).toEqual(['sending'])
  }
  const maintain = async () => {
    const url = `/api/printers/${setup.printerId}/maintenance`
    const headers = await app.as('staff')
    expect((await app.http.inject({ method: 'POST', url, headers, payload: {} })).statusCode).toBe(200)
  }
  return { app, machine, faults, setup, round, breakAt, maintain }
}

type Shop = Awaited<ReturnType<typeof aProposedJob>>

describe('a proposed job whose plate was never started', () => {
  it.each<[string, string, (shop: Shop) => Promise<void>]>([
    [
      'is out of order',
      'error',
      async ({ breakAt, machine }) => {
        await breakAt(UPLOAD)
        machine.off()
      },
    ],
    [
      'prints something that a person started',
      'printing',
      async ({ breakAt, machine }) => {
        await breakAt(UPLOAD)
        machine.start('vase.gcode', 'machine')
      },
    ],
    [
      'refuses the start because a person was faster',
      'printing',
      ({ setup: { printer }, machine }) => {
        printer.watch = (request, phase) => {
          if (phase !== 'before' || !request.startsWith(START)) return
          printer.watch = null
          machine.start('vase.gcode', 'machine')
        }
        return Promise.resolve()
      },
    ],
    [
      'provably never got the start, and prints something else',
      'printing',
      async ({ app, breakAt, machine }) => {
        await breakAt(START)
        app.clock.advance(LATER_MS)
        machine.start('vase.gcode', 'machine')
      },
    ],
    [
      'is in maintenance',
      'maintenance',
      async ({ breakAt, maintain }) => {
        await breakAt(UPLOAD)
        await maintain()
      },
    ],
  ])(
    'a proposed job that is waiting to be sent is not assigned to its printer if that printer %s',
    async (_, state, disturb) => {
      const shop = await aProposedJob()
      await disturb(shop)
      expect(await shop.round()).toEqual({
        printer: state,
        plates: ['cancelled'],
        job: { status: 'pending', assigned_printer_id: null },
      })
    },
  )
})

it('a printer that failed during an upload or a start no longer shows this once it responds again', async () => {
  const { app, setup, faults, round } = await aProposedJob()
  const shown = () => app.database.sql`select state, state_reason from printers`
  const duringUpload: unknown[] = []
  setup.printer.watch = async (request, phase) => {
    if (phase === 'before' && request.startsWith(UPLOAD)) duringUpload.push(...(await shown()))
  }
  for (const [kind, only, state] of [
    ['lost', UPLOAD, 'offline'],
    ['key', UPLOAD, 'error'],
    ['key', UPLOAD, 'error'],
    ['lost', START, 'offline'],
  ] as const) {
    faults.push({ kind, only, times: 1 })
    expect(await round()).toMatchObject({ printer: state, plates: ['sending'] })
  }
  const sending = { state: 'printing', state_reason: null }
  expect(duringUpload).toEqual([sending, sending, sending, sending])
  expect(await app.database.sql`select 1 from printer_errors`).toHaveLength(1)
  // It is too early to send the start again, so the plate is still being sent.
  expect((await round()).plates).toEqual(['sending'])
  expect(await shown()).toEqual([
    {
      state: 'printing',
      state_reason:
        'The server asks the printer whether the print has begun, before it sends anything again.',
    },
  ])
})
