import type { PrinterMatch } from '@pegasus/contracts/print-queue/matching'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Schedule } from '@pegasus/contracts/print-queue/schedule'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { allPages, aPrinter, aPrintJob, aSpool } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'
import { setPrinterState } from '../index.ts'

const send = async (app: TestApp, method: 'GET' | 'POST', path: string, payload?: object) =>
  app.http.inject({
    method,
    url: `/api${path}`,
    headers: await app.as('staff'),
    ...(payload && { payload }),
  })

const soon = (app: TestApp, ms: number) => new Date(app.clock.now().getTime() + ms)

const report = (app: TestApp, id: string, change: Parameters<typeof setPrinterState>[2]) =>
  app.database.transaction((tx) =>
    setPrinterState(tx, id, change, { actor: SYSTEM_ACTOR, now: app.clock.now() }),
  )

/**
 * Adds printers in all states. Sorted by name, they are in the order of the floor. Their numbers are in the opposite
 * order.
 */
async function aFloor(app: TestApp): Promise<void> {
  const add = async (name: string, change?: (id: string) => Promise<unknown>) => {
    const id = await aPrinter(app, name)
    await change?.(id)
  }
  const reported =
    (...[change]: [Parameters<typeof setPrinterState>[2]]) =>
    (id: string) =>
      report(app, id, change)
  const served = (until: Date) => (id: string) =>
    send(app, 'POST', `/printers/${id}/maintenance`, { until: until.toISOString() })
  await add('15 offline', reported({ state: 'offline' }))
  await add('14 in maintenance', served(soon(app, 2 * DAY_MS)))
  await add('13 available')
  await add('12 available', async (id) => {
    await send(app, 'POST', `/printers/${id}/maintenance-plans`, { name: 'Belts', every_days: 30 })
  })
  await add('11 prints, end unknown', reported({ state: 'printing' }))
  await add('10 prints, estimated', async () => {
    const job = await aPrintJob(app, { estimatedMinutes: 26 * 60 })
    await send(app, 'POST', `/print-queue/${job}/start`, { printer: '10 prints, estimated' })
  })
  const ending = (hours: number) =>
    reported({ state: 'printing', finishesAt: soon(app, DAY_MS + hours * HOUR_MS) })
  await add('09 ends second', ending(1.5))
  await add('08 ends first', ending(1))
  await add('07 waits for a spool', async (id) => {
    const load = async (color: string) => {
      const filament_id = await aSpool(app, { material: 'PETG', color, remainingGrams: 900 })
      await send(app, 'POST', `/printers/${id}/load`, { slot: 1, filament_id })
    }
    await load('Black')
    const job = await aPrintJob(app, { material: 'PETG', color: 'Black', estimatedMinutes: 60 })
    await send(app, 'POST', `/print-queue/${job}/assign`, { printer_id: id })
    await load('White')
  })
  await add('06 maintenance ended', served(soon(app, HOUR_MS)))
  await add('05 belts are due', async (id) => {
    await send(app, 'POST', `/printers/${id}/maintenance-plans`, { name: 'Belts', every_days: 1 })
  })
  await add('04 paused', reported({ state: 'paused' }))
  await add('03 full bed', reported({ state: 'needs_clearing' }))
  await add('02 failed', reported({ state: 'error' }))
  await add('01 failed', reported({ state: 'error' }))
  await app.planner.run()
  app.clock.advance(DAY_MS)
}

const ORDERED = [
  // Printers of one group are sorted by number.
  '02 failed',
  '01 failed',
  '03 full bed',
  '04 paused',
  '06 maintenance ended',
  '05 belts are due',
  '07 waits for a spool',
  '08 ends first',
  '09 ends second',
  '10 prints, estimated',
  '11 prints, end unknown',
  '13 available',
  '12 available',
  '14 in maintenance',
  '15 offline',
]

it('the floor lists the printers that need a person first, then those that print by time left, on pages of any size', async () => {
  const app = await buildTestApp()
  await aFloor(app)
  const headers = await app.as('viewer')
  for (const limit of [1, 2, 4, 100]) {
    const { items, total } = await allPages<Printer>(
      app,
      headers,
      `/api/printers?sort=attention&limit=${limit}`,
    )
    expect([items.map(({ name }) => name), total]).toEqual([ORDERED, '15'])
  }
  const byName = await allPages<Printer>(app, headers, '/api/printers?sort=name&limit=4')
  expect(byName.items.map(({ name }) => name)).toEqual(ORDERED.toSorted())
})

it('a printer says why it needs a person, and the list of these printers has the same reasons', async () => {
  const app = await buildTestApp()
  await aFloor(app)
  const all = (await send(app, 'GET', '/printers?sort=attention')).json<Printer[]>()
  const needy = await send(app, 'GET', '/printers?sort=attention&needs_person=true&limit=2')
  expect([needy.headers['x-total-count'], needy.json<Printer[]>().map(({ name }) => name)]).toEqual([
    '7',
    ORDERED.slice(0, 2),
  ])
  expect(all.map(({ needs_person: need }) => need)).toEqual([
    'error',
    'error',
    'needs_clearing',
    'paused',
    'maintenance',
    'maintenance',
    'spool',
    ...Array<null>(8).fill(null),
  ])
  expect(all.filter(({ spool_to_load: spool }) => spool)).toMatchObject([
    { name: '07 waits for a spool', spool_to_load: { material: 'PETG', color: 'Black' } },
  ])
})

it('a cursor of one order is refused in another order', async () => {
  const app = await buildTestApp()
  for (const name of ['A', 'B']) await aPrinter(app, name)
  const first = await send(app, 'GET', '/printers?sort=attention&limit=1')
  const cursor = /cursor=([^&>]+)/.exec(String(first.headers.link))?.[1]
  for (const [sort, status] of [
    ['attention', 200],
    ['number', 422],
    ['name', 422],
  ] as const)
    expect([
      sort,
      (await send(app, 'GET', `/printers?sort=${sort}&limit=1&cursor=${cursor}`)).statusCode,
    ]).toEqual([sort, status])
})

it('the first page of 250 printers lists those that need a person, and the matches and schedule have all printers', async () => {
  const app = await buildTestApp()
  const names = Array.from({ length: 250 }, (_, index) => `Printer ${String(index + 1).padStart(3, '0')}`)
  for (const name of names) await aPrinter(app, name)
  const set = (name: string, state: 'error' | 'needs_clearing' | 'paused' | 'offline' | 'printing') =>
    app.database.sql`update printers set state = ${state} where name = ${name}`
  const needy = [
    ['Printer 250', 'error'],
    ['Printer 120', 'needs_clearing'],
    ['Printer 249', 'needs_clearing'],
    ['Printer 201', 'paused'],
  ] as const
  for (const [name, state] of needy) await set(name, state)
  await set('Printer 002', 'offline')
  await set('Printer 248', 'printing')
  const first = needy.map(([name]) => name)
  const others = names.filter((name) => ![...first, 'Printer 002', 'Printer 248'].includes(name))
  const order = [...first, 'Printer 248', ...others, 'Printer 002']

  const namesOf = (printers: Printer[]) => printers.map(({ name }) => name)
  const page = await send(app, 'GET', '/printers?sort=attention')
  expect(namesOf(page.json<Printer[]>())).toEqual(order.slice(0, 100))
  const headers = await app.as('viewer')
  const { items, total } = await allPages<Printer>(app, headers, '/api/printers?sort=attention')
  expect([namesOf(items), total]).toEqual([order, '250'])
  const waiting = await send(app, 'GET', '/printers?sort=attention&needs_person=true')
  expect(namesOf(waiting.json<Printer[]>())).toEqual(first)

  const job = await aPrintJob(app, { estimatedMinutes: 60 })
  const matches = (await send(app, 'GET', `/print-queue/${job}/matches`)).json<PrinterMatch[]>()
  const ready = matches.filter(({ reasons }) => reasons.length === 0).map(({ printer }) => printer.name)
  expect([matches.length, ready]).toEqual([250, others])
  expect(matches.slice(0, ready.length).map(({ printer }) => printer.name)).toEqual(others)
  await app.planner.run()
  const { printers } = (await send(app, 'GET', '/print-queue/schedule')).json<Schedule>()
  expect(printers.map(({ name }) => name)).toEqual(names)
  expect(printers.flatMap(({ name, prints }) => prints.map(() => name))).toEqual(['Printer 001'])
})
