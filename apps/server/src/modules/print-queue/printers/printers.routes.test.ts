import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Role } from '@pegasus/contracts/roles'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { clearPlate } from '../../../../test/support/clear-plate.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { allPages, anItem, aPrinter, aPrintJob, aSpool } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { DAY_MS } from '../../../platform/clock.ts'
import { countEndedPlate, createPrinterKeys, listNetworkPrinters, setPrinterState } from '../index.ts'
import { loadRootSecret } from '../../../platform/root-secret.ts'

const call = async (
  app: TestApp,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { as = 'staff', payload, headers = {} }: { as?: Role; payload?: object; headers?: object } = {},
) =>
  app.http.inject({
    method,
    url: `/api/printers${path}`,
    headers: { ...(await app.as(as)), ...headers },
    ...(payload && { payload }),
  })

const added = async (app: TestApp, payload: object, as: Role = 'staff'): Promise<Printer> => {
  const answer = await call(app, 'POST', '', { as, payload })
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.json<Printer>()
}

const shown = async (app: TestApp, id: string): Promise<Printer> =>
  (await call(app, 'GET', `/${id}`, { as: 'viewer' })).json<Printer>()

const report = (app: TestApp, id: string, change: Parameters<typeof setPrinterState>[2]) =>
  app.database.transaction((tx) =>
    setPrinterState(tx, id, change, { actor: SYSTEM_ACTOR, now: app.clock.now() }),
  )

describe('printer endpoints', () => {
  describe('valid printer requests', () => {
    it('a printer can be added with its fields, changed, deleted and restored', async () => {
      const app = await buildTestApp()
      const spoolId = await aSpool(app, { color: 'Bone White', colorHex: '#eeeeee', remainingGrams: 400 })
      const printer = await added(app, {
        name: 'MK4 · 02',
        model: 'Prusa MK4',
        bed_mm: [250, 210, 220],
        nozzle_mm: 0.4,
        slots: [{ slot: 1, filament_id: spoolId }, { slot: 2 }],
        hourly_rate: 1.25,
        average_watts: 90,
        notes: 'left shelf',
      })
      expect(printer).toMatchObject({
        label_code: 'P-001',
        number: 1,
        kind: 'manual',
        state: 'available',
        bed_mm: [250, 210, 220],
        nozzle_mm: 0.4,
        hourly_rate: 1.25,
        average_watts: 90,
        print_hours: 0,
        success_rate: null,
        current_job_id: null,
        revision: 1,
        slots: [
          {
            slot: 1,
            filament_id: spoolId,
            filament_label: 'S-0001',
            material: 'PLA',
            color: 'Bone White',
            color_hex: '#EEEEEE',
            remaining_grams: 400,
          },
          { slot: 2, filament_id: null, filament_label: null },
        ],
      })
      const stale = await call(app, 'PUT', `/${printer.id}`, {
        payload: { name: 'x' },
        headers: { 'if-match': '"7"' },
      })
      expect([stale.statusCode, stale.json()]).toMatchObject([412, { current: { id: printer.id } }])
      const changed = await call(app, 'PUT', `/${printer.id}`, {
        payload: { name: 'MK4 left', hourly_rate: null, slots: [{ slot: 2, filament_id: spoolId }] },
        headers: { 'if-match': '"1"' },
      })
      expect(changed.json()).toMatchObject({
        name: 'MK4 left',
        model: 'Prusa MK4',
        hourly_rate: null,
        slots: [{ slot: 2, filament_id: spoolId }],
        revision: 2,
      })
      expect((await call(app, 'DELETE', `/${printer.id}`)).statusCode).toBe(204)
      expect((await call(app, 'GET', `/${printer.id}`)).statusCode).toBe(404)
      expect((await call(app, 'GET', '?deleted=true')).json()).toMatchObject([{ id: printer.id }])
      // The deleted printer no longer holds its spool, so another printer can use it.
      await added(app, { name: 'MK4 left', slots: [{ slot: 1, filament_id: spoolId }] })
      const taken = await call(app, 'POST', `/${printer.id}/restore`)
      expect([taken.statusCode, taken.json()]).toMatchObject([409, { code: 'printer_taken' }])
      const actions = (await auditOf(app, 'printer')).map(({ action }) => action)
      expect(actions).toEqual(['printer.added', 'printer.updated', 'printer.deleted', 'printer.added'])
    })

    it('the list of printers begins with the newest, has pages, and can be sorted by number and filtered by words and state', async () => {
      const app = await buildTestApp()
      for (const name of ['Core One', 'MK4 left', 'MK4 right']) await aPrinter(app, name)
      const paged = await allPages<Printer>(app, await app.as('viewer'), '/api/printers?limit=2')
      expect(paged.items.map(({ name }) => name)).toEqual(['MK4 right', 'MK4 left', 'Core One'])
      expect(paged.total).toBe('3')
      const names = async (query: string) =>
        (await call(app, 'GET', query)).json<Printer[]>().map(({ name }) => name)
      expect(await names('?sort=number')).toEqual(['Core One', 'MK4 left', 'MK4 right'])
      expect(await names('?search=mk4 right')).toEqual(['MK4 right'])
      expect(await names('?state=offline')).toEqual([])
    })

    it('a repeated request with the same idempotency key adds one printer', async () => {
      const app = await buildTestApp()
      const headers = { ...(await app.as('staff')), 'idempotency-key': 'one' }
      const add = () =>
        app.http.inject({ method: 'POST', url: '/api/printers', headers, payload: { name: 'Mini' } })
      const answers = await Promise.all([add(), add(), add()])
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201])
      expect(new Set(answers.map((answer) => answer.json<Printer>().id)).size).toBe(1)
    })

    it("maintenance takes a printer out of use until a person puts it back into use, regardless of the machine's reports", async () => {
      const app = await buildTestApp()
      const { id } = await added(app, { name: 'Mini' })
      const until = new Date(app.clock.now().getTime() + DAY_MS).toISOString()
      const payload = { reason: 'Nozzle is worn', until }
      expect((await call(app, 'POST', `/${id}/maintenance`, { payload })).json()).toMatchObject({
        state: 'maintenance',
        state_reason: 'Nozzle is worn',
        state_until: until,
      })
      await report(app, id, { state: 'available', seenAt: app.clock.now() })
      expect(await shown(app, id)).toMatchObject({
        state: 'maintenance',
        state_reason: 'Nozzle is worn',
        seen_at: expect.any(String),
      })
      expect((await call(app, 'POST', `/${id}/resume`)).json()).toMatchObject({
        state: 'available',
        state_reason: null,
        state_until: null,
      })
      expect((await call(app, 'POST', `/${id}/resume`)).json()).toMatchObject({ code: 'printer_state' })
    })

    it("a plate stays on the bed until a person clears it, regardless of the machine's reports", async () => {
      const app = await buildTestApp()
      const network = { name: 'Mini', kind: 'moonraker', address: 'http://10.0.0.7' }
      const { id } = await added(app, network, 'admin')
      await report(app, id, { state: 'printing', progress: 0.5, seenAt: app.clock.now() })
      expect(await shown(app, id)).toMatchObject({ state: 'printing', progress: 0.5 })
      expect((await call(app, 'POST', `/${id}/clear`)).json()).toMatchObject({ code: 'printer_state' })
      await report(app, id, { state: 'needs_clearing', seenAt: app.clock.now() })
      await report(app, id, { state: 'available', seenAt: app.clock.now() })
      expect(await shown(app, id)).toMatchObject({ state: 'needs_clearing', progress: null })
      expect((await call(app, 'POST', `/${id}/clear`)).json()).toMatchObject({ state: 'available' })
    })

    it('a person can start and end a plate on a printer without a network connection, and its pieces enter stock only once', async () => {
      const app = await buildTestApp()
      const { id, name } = await added(app, { name: 'Mini' })
      const itemId = await anItem(app, { quantity: 0 })
      const jobId = await aPrintJob(app, { itemId, quantity: 4, estimatedMinutes: 120 })
      const headers = await app.as('staff')
      const url = `/api/print-queue/${jobId}/start`
      await app.http.inject({ method: 'POST', url, headers, payload: { printer: name } })
      expect(await shown(app, id)).toMatchObject({
        state: 'printing',
        current_job_id: jobId,
        current_job: { pieces: 4, plate_number: 1, plates: 1, estimated_minutes: 120 },
      })
      for (const [counts, field] of [
        [{ good_quantity: 200 }, 'good_quantity'],
        [{ good_quantity: 3, rejected_quantity: 2 }, 'good_quantity'],
        [{ rejected_quantity: 5 }, 'rejected_quantity'],
      ] as const) {
        const more = await clearPlate(app, id, counts)
        const message = 'The plate has 4 pieces. Good and rejected pieces together cannot be more.'
        expect([more.statusCode, more.json()]).toMatchObject([422, { errors: [{ path: field, message }] }])
      }
      const counts = { good_quantity: 3, rejected_quantity: 1, reason: 'Warped' }
      expect((await clearPlate(app, id, counts)).json()).toMatchObject({
        state: 'available',
        current_job: null,
        success_rate: 1,
      })
      expect((await call(app, 'POST', `/${id}/clear`)).statusCode).toBe(200)
      const item = await app.http.inject({ url: `/api/inventory/${itemId}`, headers })
      expect(item.json()).toMatchObject({ quantity: 3 })
    })

    it('a spool is loaded on one printer at a time, and cannot be moved to another one while it is printing', async () => {
      const app = await buildTestApp()
      const spoolId = await aSpool(app)
      const [left, right] = [await added(app, { name: 'left' }), await added(app, { name: 'right' })]
      const load = (id: string, payload: object) => call(app, 'POST', `/${id}/load`, { payload })
      expect((await load(left.id, { filament_id: spoolId })).json()).toMatchObject({
        slots: [{ slot: 1, filament_id: spoolId }],
      })
      expect((await load(right.id, { slot: 1, filament_id: spoolId })).statusCode).toBe(200)
      expect((await shown(app, left.id)).slots).toMatchObject([{ slot: 1, filament_id: null }])
      const withSpool = await call(app, 'GET', `?filament_id=${spoolId}`)
      expect(withSpool.json<Printer[]>().map(({ id }) => id)).toEqual([right.id])
      expect((await call(app, 'GET', '?filament_id=left')).statusCode).toBe(422)
      await report(app, right.id, { state: 'printing' })
      const refused = await load(left.id, { filament_id: spoolId })
      expect([refused.statusCode, refused.json()]).toEqual([
        409,
        { detail: 'right is printing with S-0001. Please wait until it has finished.', code: 'printer_busy' },
      ])
      expect((await load(right.id, { slot: 1, filament_id: null })).json()).toMatchObject({
        slots: [{ slot: 1, filament_id: null }],
      })
      expect((await load(right.id, { slot: 3, filament_id: spoolId })).json()).toMatchObject({
        detail: 'This printer has no slot 3.',
      })
    })

    it('a spool is not loaded over a spool that the caller has not seen', async () => {
      const app = await buildTestApp()
      const [mine, theirs] = [await aSpool(app), await aSpool(app)]
      const { id } = await added(app, { name: 'left' })
      const load = async (payload: object) => {
        const answer = await call(app, 'POST', `/${id}/load`, { payload: { slot: 1, ...payload } })
        return [answer.statusCode, answer.json()]
      }
      expect(await load({ filament_id: theirs, replaces: null })).toMatchObject([200, {}])
      expect(await load({ filament_id: mine, replaces: null })).toEqual([
        412,
        {
          detail: 'Slot 1 holds S-0002 (PLA Bone White) now. It was changed in the meantime.',
          code: 'precondition_failed',
          filament_id: theirs,
        },
      ])
      expect((await shown(app, id)).slots).toMatchObject([{ filament_id: theirs }])
      expect(await load({ filament_id: null, replaces: mine })).toMatchObject([412, { filament_id: theirs }])
      expect(await load({ filament_id: theirs, replaces: null }), 'a repeated call').toMatchObject([200, {}])
      expect(await load({ filament_id: mine, replaces: theirs })).toMatchObject([200, {}])
      expect(await load({ filament_id: null })).toMatchObject([200, {}])
      expect(await load({ filament_id: theirs, replaces: mine })).toMatchObject([
        412,
        { detail: 'Slot 1 is empty now. It was changed in the meantime.', filament_id: null },
      ])
      expect(await load({ filament_id: theirs, replaces: 'x' })).toMatchObject([422, {}])
    })

    it('starting a print with a chosen spool loads the spool, unless it is unclear which slot of the printer it is in', async () => {
      const app = await buildTestApp()
      const [first, second, third] = [await aSpool(app), await aSpool(app), await aSpool(app)]
      const left = await added(app, { name: 'left' })
      const slots = [
        { slot: 1, filament_id: second },
        { slot: 2, filament_id: third },
      ]
      const right = await added(app, { name: 'right', slots })
      const headers = await app.as('staff')
      const start = async (printer: Printer, filament: string) => {
        const url = `/api/print-queue/${await aPrintJob(app)}/start`
        const payload = { printer: printer.name, filament_id: filament }
        const { statusCode } = await app.http.inject({ method: 'POST', url, headers, payload })
        return [statusCode, (await shown(app, printer.id)).slots]
      }
      expect(await start(right, first), 'no slot is empty').toMatchObject([200, slots])
      await clearPlate(app, right.id)
      await call(app, 'POST', `/${right.id}/load`, { payload: { slot: 2, filament_id: null } })
      const half = [slots[0], { slot: 2, filament_id: null }]
      expect(await start(right, second), 'it is loaded already').toMatchObject([200, half])
      await clearPlate(app, right.id)
      expect(await start(left, first)).toMatchObject([200, [{ slot: 1, filament_id: first }]])
      expect(await start(right, first), 'another printer prints with it').toMatchObject([200, half])
      for (const { id } of [left, right]) await clearPlate(app, id)
      expect(await start(right, first)).toMatchObject([200, [slots[0], { slot: 2, filament_id: first }]])
      expect((await shown(app, left.id)).slots).toMatchObject([{ slot: 1, filament_id: null }])
    })

    it('if two prints are started with the same spool at once, both start, and the spool is loaded in only one printer', async () => {
      const app = await buildTestApp()
      const spoolId = await aSpool(app)
      const printers = [await added(app, { name: 'left' }), await added(app, { name: 'right' })]
      const headers = await app.as('staff')
      const jobs = [await aPrintJob(app), await aPrintJob(app)]
      const start = async (jobId: string, printer: string) => {
        const url = `/api/print-queue/${jobId}/start`
        const payload = { printer, filament_id: spoolId }
        return (await app.http.inject({ method: 'POST', url, headers, payload })).statusCode
      }
      let starts: Promise<number>[] = []
      await app.database.transaction(async (tx) => {
        await tx`select from spools where id = ${spoolId} for no key update`
        starts = printers.map(({ name }, index) => start(jobs[index] ?? '', name))
        await untilWaiting(app, 2)
      })
      expect(await Promise.all(starts)).toEqual([200, 200])
      const slots = await Promise.all(printers.map(async ({ id }) => (await shown(app, id)).slots))
      expect(slots.flat().filter(({ filament_id: loaded }) => loaded === spoolId)).toHaveLength(1)
    })

    it('hours and success rate of a printer are calculated from its ended plates', async () => {
      const app = await buildTestApp()
      const { id } = await added(app, { name: 'Mini' })
      const { sql } = app.database
      for (const isGood of [true, true, false, true])
        await countEndedPlate(sql, id, { isGood, printMinutes: 90 })
      expect(await shown(app, id)).toMatchObject({ print_hours: 6, success_rate: 0.75 })
    })

    it('testing a printer without a network connection returns a message', async () => {
      const app = await buildTestApp()
      const { id } = await added(app, { name: 'Mini' })
      expect((await call(app, 'POST', `/${id}/test`)).json()).toEqual({
        ok: true,
        message: 'This printer has no network connection. A person starts and ends its prints here.',
      })
    })
  })

  describe('invalid printer requests', () => {
    it('printer requests with an invalid field are refused with 422, and the response names the field', async () => {
      const app = await buildTestApp()
      const nobody = crypto.randomUUID()
      const network = { name: 'n', kind: 'moonraker' }
      for (const [payload, status] of [
        [{}, 422],
        [{ name: ' ' }, 422],
        [{ name: 'a', kind: 'cnc' }, 422],
        [{ name: 'a', bed_mm: [250, 210] }, 422],
        [{ name: 'a', bed_mm: [250, 0, 210] }, 422],
        [{ name: 'a', nozzle_mm: -0.4 }, 422],
        [{ name: 'a', hourly_rate: 1.005 }, 422],
        [{ name: 'a', slots: [{ slot: 17 }] }, 422],
        [{ name: 'a', slots: [{ slot: 1 }, { slot: 1 }] }, 422],
        [{ name: 'a', slots: [{ slot: 1, filament_id: nobody }] }, 404],
        [{ name: 'a', location_id: nobody }, 404],
        [network, 422],
        [{ ...network, address: 'ftp://10.0.0.1' }, 422],
        [{ ...network, address: 'http://me:secret@10.0.0.1' }, 422],
        [{ name: 'a', address: 'http://10.0.0.1' }, 422],
      ] as const)
        expect([payload, (await call(app, 'POST', '', { as: 'admin', payload })).statusCode]).toEqual([
          payload,
          status,
        ])
      await added(app, { name: 'Mini' })
      expect((await call(app, 'POST', '', { payload: { name: 'MINI' } })).json()).toMatchObject({
        code: 'printer_taken',
      })
      expect((await call(app, 'POST', `/${nobody}/clear`)).statusCode).toBe(404)
    })
  })

  describe('printer requests without permission', () => {
    it('only admins can set and see the address of a printer, and nobody can read its key', async () => {
      const app = await buildTestApp()
      const payload = {
        name: 'Voron',
        kind: 'moonraker',
        address: 'http://10.0.0.7:7125',
        api_key: 'sesame-open',
      }
      expect((await call(app, 'POST', '', { payload })).statusCode).toBe(403)
      const answer = await call(app, 'POST', '', { as: 'admin', payload })
      expect(answer.json()).toMatchObject({ address: payload.address, has_api_key: true })
      const { id } = answer.json<Printer>()
      expect(await shown(app, id)).toMatchObject({ address: null, has_api_key: true })
      const put = async (as: Role, changes: object) =>
        call(app, 'PUT', `/${id}`, { as, payload: changes, headers: { 'if-match': '*' } })
      for (const changes of [
        { address: 'http://10.0.0.8' },
        { api_key: 'mine' },
        { api_key: null },
        { kind: 'manual' },
        { kind: 'octoprint' },
      ])
        expect([changes, (await put('staff', changes)).statusCode]).toEqual([changes, 403])
      expect((await put('staff', { kind: 'moonraker', notes: 'mine' })).statusCode).toBe(200)
      const secret = await loadRootSecret({ dataDir: app.dataDir })
      const [stored] = await listNetworkPrinters(app.database.sql)
      expect(stored && createPrinterKeys(secret).open(stored)).toBe('sesame-open')
      // The stored key is removed, because it belongs to the printer at the old address.
      expect((await put('admin', { address: 'http://10.0.0.8' })).json()).toMatchObject({
        has_api_key: false,
      })
      const audit = JSON.stringify(await app.database.sql`select * from audit_entries`)
      const rows = JSON.stringify(await app.database.sql`select * from printers`)
      for (const text of [answer.body, audit, rows]) expect(text).not.toContain('sesame-open')
    })
  })
})
