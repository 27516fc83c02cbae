import type { Maintenance } from '@pegasus/contracts/print-queue/maintenance'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aPrinter } from '../../../../test/support/stock-factories.ts'
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

it('a used printer begins with its hours, and a correction of them keeps the wear since the last maintenance', async () => {
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
