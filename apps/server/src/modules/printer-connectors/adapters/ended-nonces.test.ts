import { expect, it } from 'vitest'
import { PRINTER_KEY } from '../../../../test/servers/simulated-printers.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anAssignedJob, aPrinterSetup, visit } from '../../../../test/support/network-printers.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

const UPLOAD = 'PUT /api/v1/files/'
const START = 'POST /api/v1/files/'

/** Creates a PrusaLink printer with user and password. All its challenges expire before or after the request `only`. */
async function aForgetfulPrinter(only: string, when: 'before' | 'after') {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'prusalink')
  const answer = await app.http.inject({
    method: 'PUT',
    url: `/api/printers/${setup.printerId}`,
    headers: { ...(await app.as('admin')), 'if-match': '*' },
    payload: { api_key: `maker:${PRINTER_KEY}` },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  const { printer } = setup
  printer.watch = (request, phase) => {
    if (phase !== when || !request.startsWith(only)) return
    printer.watch = null
    printer.machine.nonces.clear()
  }
  const jobId = await anAssignedJob(app, setup)
  const round = () => visit(app, setup, jobId)
  const listErrors = () => app.database.sql`select reason from printer_errors`
  return { app, printer, round, listErrors }
}

it.each([
  ['during the upload', UPLOAD, 'after'],
  ['before the start', START, 'before'],
  ['before the first answer', 'GET /api/v1/status', 'before'],
] as const)('a plate is printed although PrusaLink ends the challenge %s', async (_, only, when) => {
  const { printer, round, listErrors } = await aForgetfulPrinter(only, when)
  expect(await round()).toMatchObject({
    printer: { state: 'printing', state_reason: null },
    plates: [{ state: 'printing' }],
  })
  expect(printer.machine.prints).toHaveLength(1)
  expect(await listErrors()).toEqual([])
})

it('an upload that PrusaLink refuses because the challenge has ended is sent again, and the key is not blamed', async () => {
  const { app, printer, round, listErrors } = await aForgetfulPrinter(UPLOAD, 'before')
  expect(await round()).toMatchObject({
    printer: { state: 'printing', state_reason: expect.stringMatching(/send the file again in a minute/) },
    plates: [{ state: 'sending' }],
  })
  app.clock.advance(2 * MINUTE_MS)
  expect((await round()).plates).toMatchObject([{ state: 'printing' }])
  expect(printer.machine.prints).toHaveLength(1)
  expect(await listErrors()).toEqual([])
})
