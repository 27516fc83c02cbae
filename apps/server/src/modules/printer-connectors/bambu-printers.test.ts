import { expect, it } from 'vitest'
import { PRINTER_KEY } from '../../../test/servers/simulated-printers.ts'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { aPrinterSetup, anAssignedJob, setupState } from '../../../test/support/network-printers.ts'

it('a Bambu printer with a changed certificate gets no access code until an admin enters the code again', async () => {
  const app = await buildTestApp()
  const { sql } = app.database
  const setup = await aPrinterSetup(app, 'bambu')
  const url = `/api/printers/${setup.printerId}`
  const round = async () => {
    await app.printers.run()
    const [row] = await sql<{ state: string; state_reason: string | null; certificate_sha256: string }[]>`
      select state, state_reason, certificate_sha256 from printers where id = ${setup.printerId}`
    return row
  }
  const first = await round()
  expect(first).toMatchObject({
    state: 'available',
    certificate_sha256: expect.stringMatching(/^([0-9A-F]{2}:){31}/),
  })

  const other = first?.certificate_sha256.replace(/^../, (byte) => (byte === '00' ? '01' : '00'))
  await sql`update printers set certificate_sha256 = ${other ?? ''} where id = ${setup.printerId}`
  setup.printer.requests.length = 0
  const refused = {
    state: 'error',
    state_reason: expect.stringMatching(/certificate of the printer has changed/),
  }
  expect(await round()).toMatchObject(refused)
  const tested = await app.http.inject({ method: 'POST', url: `${url}/test`, headers: await app.as('staff') })
  expect(tested.json()).toMatchObject({ ok: false, message: refused.state_reason })
  expect(setup.printer.requests).toEqual([])

  const headers = { ...(await app.as('admin')), 'if-match': '*' }
  const edited = await app.http.inject({ method: 'PUT', url, headers, payload: { notes: 'Beside the door' } })
  expect(edited.statusCode).toBe(200)
  expect(await round()).toMatchObject(refused)
  const entered = await app.http.inject({ method: 'PUT', url, headers, payload: { api_key: PRINTER_KEY } })
  expect(entered.statusCode).toBe(200)
  expect(await round()).toEqual(first)
  expect(entered.body + edited.body).not.toMatch(new RegExp(`${PRINTER_KEY}|certificate_sha256`))
  const [stored] = await sql<
    { row: string }[]
  >`select to_jsonb(p)::text as row from printers p where id = ${setup.printerId}`
  expect(stored?.row).not.toContain(PRINTER_KEY)
})

it('the address of a Bambu printer cannot contain a scheme, and the printer prints from the tray of the chosen spool', async () => {
  const app = await buildTestApp()
  const setup = await aPrinterSetup(app, 'bambu')
  const { sql } = app.database
  const headers = { ...(await app.as('admin')), 'if-match': '*' }
  const url = `/api/printers/${setup.printerId}`
  for (const address of ['http://192.168.1.20', '192.168.1.20:8883', 'a b'])
    expect((await app.http.inject({ method: 'PUT', url, headers, payload: { address } })).statusCode).toBe(
      422,
    )

  await sql`
    insert into printer_slots (printer_id, slot, spool_id) values
      (${setup.printerId}, 2, null), (${setup.printerId}, 3, null)`
  await sql`update printer_slots set spool_id = null where printer_id = ${setup.printerId}`
  await sql`update printer_slots set spool_id = ${setup.spoolId} where printer_id = ${setup.printerId} and slot = 3`
  await sql`update sliced_files set plate = 2 where id = ${setup.sliceId}`
  const jobId = await anAssignedJob(app, setup)
  await app.printers.run()
  expect((await setupState(app, setup, jobId)).plates).toMatchObject([{ state: 'printing' }])
  expect(setup.printer.commands).toMatchObject([
    { command: 'project_file', param: 'Metadata/plate_2.gcode', use_ams: true, ams_mapping: [2] },
  ])
})
