import type { Maintenance } from '@pegasus/contracts/print-queue/maintenance'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrinter, aPrintJob } from '../../../../test/support/stock-factories.ts'
import { DAY_MS } from '../../../platform/clock.ts'
import { countEndedPlate } from '../index.ts'

it('a maintenance plan is due after hours of printing or after days, and restarts when the maintenance is logged', async () => {
  const app = await buildTestApp()
  const id = await aPrinter(app, 'Mini')
  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) =>
    app.http.inject({
      method,
      url: `/api/printers/${id}${path}`,
      headers: await app.as('staff'),
      ...(payload && { payload }),
    })
  const plans = async () => (await send('GET', '/maintenance')).json<Maintenance>().plans
  for (const [payload, status] of [
    [{ name: 'Nozzle', every_hours: 400 }, 201],
    [{ name: 'Belts', every_days: 30 }, 201],
    [{ name: 'x' }, 422],
    [{ name: '', every_days: 1 }, 422],
    [{ name: 'x', every_hours: 0 }, 422],
  ] as const)
    expect([payload, (await send('POST', '/maintenance-plans', payload)).statusCode]).toEqual([
      payload,
      status,
    ])
  app.clock.advance(10 * DAY_MS)
  await countEndedPlate(app.database.sql, id, { isGood: true, printMinutes: 100 * 60 })
  const inDays = (days: number) => new Date(app.clock.now().getTime() + days * DAY_MS).toISOString()
  expect(await plans()).toMatchObject([
    { name: 'Belts', hours_left: null, due_at: inDays(20), is_due: false },
    // The printer has printed 100 hours in ten days, so 300 hours are left. At this rate, they take thirty
    // days.
    { name: 'Nozzle', hours_left: 300, due_at: inDays(30), is_due: false },
  ])
  await countEndedPlate(app.database.sql, id, { isGood: true, printMinutes: 300 * 60 })
  const due = async () => (await send('GET', '')).json<Printer>().maintenance_due
  expect(await due()).toEqual(['Nozzle'])
  const [belts, nozzle] = await plans()
  const served = await send('POST', '/serviced', { plan_id: nozzle?.id, done: 'New nozzle, 0.4 mm' })
  expect(served.json()).toMatchObject({
    plans: [{ name: 'Belts' }, { name: 'Nozzle', hours_left: 400, is_due: false }],
    log: [{ plan_id: nozzle?.id, done: 'New nozzle, 0.4 mm', print_hours: 400 }],
  })
  expect(await due()).toEqual([])
  const belt = `/maintenance-plans/${belts?.id}`
  expect((await send('DELETE', belt)).json()).toMatchObject({ plans: [{ name: 'Nozzle' }], log: [{}] })
  expect((await send('DELETE', belt)).statusCode).toBe(404)
  expect((await send('POST', '/serviced', { plan_id: belts?.id, done: 'x' })).statusCode).toBe(404)
  expect((await auditOf(app, 'printer')).map(({ action }) => action)).toEqual([
    'printer.maintenance_planned',
    'printer.maintenance_planned',
    'printer.serviced',
    'printer.maintenance_unplanned',
  ])
})

it('a person can enter when maintenance was last done, and can change a plan', async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const added = await app.http.inject({
    method: 'POST',
    url: '/api/printers',
    headers,
    payload: { name: 'Old', print_hours: 8000.5 },
  })
  const url = `/api/printers/${added.json<Printer>().id}`
  const send = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) =>
    app.http.inject({ method, url: `${url}${path}`, headers, ...(payload && { payload }) })
  const days = (count: number) => new Date(app.clock.now().getTime() + count * DAY_MS).toISOString()

  const planned = await send('POST', '/maintenance-plans', {
    name: 'Nozzle',
    every_hours: 400,
    done_at: days(-30),
    done_at_hours: 7700.5,
  })
  // The printer has printed 300 hours in thirty days. At this rate, the remaining 100 hours take ten days.
  expect([planned.statusCode, planned.json()]).toMatchObject([
    201,
    {
      plans: [
        { done_at: days(-30), done_at_hours: 7700.5, hours_left: 100, due_at: days(10), is_due: false },
      ],
    },
  ])
  const [plan] = planned.json<Maintenance>().plans
  const change = (body: object) => send('PUT', `/maintenance-plans/${plan?.id}`, body)
  // A change of some fields leaves the others unchanged.
  expect((await change({ done_at: days(-60), done_at_hours: 7400 })).json()).toMatchObject({
    plans: [{ name: 'Nozzle', every_hours: 400, every_days: null, hours_left: -200.5, is_due: true }],
  })
  expect((await send('GET', '')).json()).toMatchObject({ maintenance_due: ['Nozzle'] })
  expect((await change({ name: 'New nozzle', every_hours: null, every_days: 90 })).json()).toMatchObject({
    plans: [{ name: 'New nozzle', done_at_hours: 7400, hours_left: null, due_at: days(30), is_due: false }],
  })
  expect((await send('GET', '')).json()).toMatchObject({ maintenance_due: [] })

  // The clock of a browser can be slightly ahead. A time in the near future is accepted, but stored as the current
  // time.
  const ahead = new Date(app.clock.now().getTime() + 60_000).toISOString()
  expect((await change({ done_at: ahead })).json()).toMatchObject({ plans: [{ done_at: days(0) }] })
  for (const [body, path, message] of [
    [{ done_at: days(1) }, 'done_at', 'Please enter a date that is not in the future'],
    [{ done_at: 'yesterday' }, 'done_at', 'done_at must be a date and time such as 2026-11-21T09:30:00Z'],
    [{ done_at_hours: 8000.6 }, 'done_at_hours', 'The printer has printed only 8000.5 hours so far'],
    [{ done_at_hours: -1 }, 'done_at_hours', 'done_at_hours must be a number from 0 to 1,000,000'],
    [{ every_days: null }, 'every_hours', 'Please enter hours, days or both'],
    [{ name: ' ' }, 'name', 'Work is required'],
  ] as const) {
    const refused = await change(body)
    expect([body, refused.statusCode, refused.json()]).toMatchObject([
      body,
      422,
      { errors: expect.arrayContaining([{ path, message }]) },
    ])
  }
  expect(
    (await send('POST', '/maintenance-plans', { name: 'x', every_days: 1, done_at: days(1) })).statusCode,
  ).toBe(422)
  const other = await aPrinter(app, 'Mini')
  const elsewhere = await app.http.inject({
    method: 'PUT',
    url: `/api/printers/${other}/maintenance-plans/${plan?.id}`,
    headers,
    payload: { name: 'x' },
  })
  expect(elsewhere.statusCode).toBe(404)
  expect((await auditOf(app, 'printer')).at(-2)).toMatchObject({
    action: 'printer.maintenance_changed',
    before: { name: 'Nozzle', every_hours: 400, every_days: null },
    after: { name: 'New nozzle', every_hours: null, every_days: 90 },
  })
})

it('a used printer can be added with its printed hours, and correcting them keeps the hours since the last maintenance', async () => {
  const app = await buildTestApp()
  const send = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
    app.http.inject({
      method,
      url,
      headers: { ...(await app.as('staff')), 'if-match': '*' },
      ...(payload && { payload }),
    })
  const added = await send('POST', '/api/printers', { name: 'Old', print_hours: 8000.5 })
  expect([added.statusCode, added.json()]).toMatchObject([201, { print_hours: 8000.5 }])
  const url = `/api/printers/${added.json<Printer>().id}`
  await send('POST', `${url}/maintenance-plans`, { name: 'Nozzle', every_hours: 400 })
  await countEndedPlate(app.database.sql, added.json<Printer>().id, { isGood: true, printMinutes: 100 * 60 })
  expect((await send('PUT', url, { print_hours: 12_000 })).json()).toMatchObject({ print_hours: 12_000 })
  expect((await send('GET', `${url}/maintenance`)).json()).toMatchObject({ plans: [{ hours_left: 300 }] })
  for (const hours of [-1, 1_000_001, null, '5'])
    expect((await send('PUT', url, { print_hours: hours })).statusCode).toBe(422)
  expect((await auditOf(app, 'printer')).at(-1)).toMatchObject({
    action: 'printer.updated',
    before: { print_hours: 8100.5 },
    after: { print_hours: 12_000 },
  })
})

it('a printer that is put back into use during a print continues to print, and has to be cleared only afterwards', async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  const post = async (url: string, payload: object = {}) => {
    const answer = await app.http.inject({ method: 'POST', url: `/api/${url}`, headers, payload })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<{ state: string }>()
  }
  const id = await aPrinter(app, 'Mini')
  const jobId = await aPrintJob(app)
  const maintain = async () => {
    await post(`printers/${id}/maintenance`)
    return (await post(`printers/${id}/resume`)).state
  }
  await post(`print-queue/${jobId}/start`, { printer: 'Mini' })
  expect(await maintain()).toBe('printing')
  await post(`print-queue/${jobId}/pause`)
  expect(await maintain()).toBe('paused')
  await app.database.sql`update printers set state = 'offline'`
  expect((await post(`printers/${id}/resume`)).state).toBe('paused')
  await app.database.sql`update job_plates set state = 'printed'`
  expect(await maintain()).toBe('needs_clearing')
})
