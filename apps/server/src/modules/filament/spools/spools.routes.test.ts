import type { Spool } from '@pegasus/contracts/filament/spools'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'
import { aSpool } from '../../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../../platform/actor.ts'
import { DAY_MS } from '../../../platform/clock.ts'
import { createSpool } from './add-spool.ts'

type Headers = Record<string, string>
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const call = (app: TestApp, headers: Headers, method: Method, url: string, payload?: object) =>
  app.http.inject({ method, url, headers, ...(payload && { payload }) })

const PLA = {
  material: 'PLA',
  brand: 'Polymaker',
  name: 'PolyLite',
  color: 'Bone White',
  color_hex: '#e9e6dd',
  spool_weight_grams: 140,
  cost: 19.99,
  location: 'Dry box 1',
  lot_number: 'L-1',
  nozzle_temp_c: 210,
  notes: 'first of its kind',
}

const added = async (app: TestApp, headers: Headers, body: object = PLA): Promise<Spool> => {
  const answer = await call(app, headers, 'POST', '/api/filament', body)
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.json<Spool>()
}

const change = (app: TestApp, headers: Headers, spool: Spool, edit: object) =>
  call(app, { ...headers, 'if-match': `"${spool.revision}"` }, 'PUT', `/api/filament/${spool.id}`, edit)

const changed = async (app: TestApp, headers: Headers, spool: Spool, edit: object): Promise<Spool> => {
  const answer = await change(app, headers, spool, edit)
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.json<Spool>()
}

const filaments = async (app: TestApp): Promise<number> =>
  (await app.database.sql`select 1 from filaments where deleted_at is null`).length

describe('POST /api/filament', () => {
  it('POST /api/filament adds a full spool with its vendor, its filament and its opening balance', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const answer = await call(app, staff, 'POST', '/api/filament', PLA)
    expect(answer.statusCode).toBe(201)
    const spool = answer.json<Spool>()
    expect(answer.headers.etag).toBe(`"${spool.revision}"`)
    const known = { ...PLA, color_hex: '#E9E6DD', density_g_cm3: 1.24, diameter_mm: 1.75, weight_grams: 1000 }
    expect(spool).toMatchObject({ ...known, remaining_grams: 1000, status: 'active' })
    const ledger = await call(app, staff, 'GET', `/api/filament/${spool.id}/ledger`)
    expect(ledger.json()).toMatchObject([{ kind: 'open', delta_grams: 1000, can_undo: false }])
    expect((await call(app, staff, 'GET', `/api/filament/${spool.id}`)).json()).toEqual(spool)
    expect((await auditOf(app, 'spool')).map(({ action }) => action)).toEqual(['spool.added'])
  })

  it('a new spool needs only a material, and gets the usual density of that material', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const spool = await added(app, staff, { material: 'petg', remaining_grams: 412.5 })
    expect(spool).toMatchObject({ name: 'petg', brand: null, color: '', density_g_cm3: 1.27 })
    expect(spool.remaining_grams).toBe(412.5)
    expect(await added(app, staff, { material: 'ABS', remaining_grams: 0 })).toMatchObject({
      status: 'empty',
    })
  })

  it('a new spool uses the matching filament, ignoring case, and corrects its values, but not with the usual density of the material', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const first = await added(app, staff, { ...PLA, density_g_cm3: 1.31 })
    await added(app, staff, { ...PLA, brand: 'POLYMAKER', density_g_cm3: 1.24, bed_temp_c: 60 })
    expect(await filaments(app)).toBe(1)
    const again = (await call(app, staff, 'GET', `/api/filament/${first.id}`)).json<Spool>()
    // The usual density only prefills the form, so it does not replace a measured density.
    expect(again).toMatchObject({ density_g_cm3: 1.31, bed_temp_c: 60, nozzle_temp_c: 210 })
  })

  it('a box of identical spools is added completely or not at all, with a number for each spool', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const answer = await call(app, staff, 'POST', '/api/filament/batch', { ...PLA, count: 4 })
    expect(answer.statusCode).toBe(201)
    expect(new Set(answer.json<Spool[]>().map((spool) => spool.number)).size).toBe(4)
    for (const body of [
      { ...PLA, count: 101 },
      { ...PLA, count: 0 },
      { ...PLA, count: 3, cost: 1.999 },
    ])
      expect((await call(app, staff, 'POST', '/api/filament/batch', body)).statusCode).toBe(422)
    expect(await app.database.sql`select 1 from spools`).toHaveLength(4)
  })

  it('a spool is added once for a repeated idempotency key', async () => {
    const app = await buildTestApp()
    const staff = { ...(await app.as('staff')), 'idempotency-key': 'box-7' }
    const answers = await Promise.all([1, 2, 3].map(() => added(app, staff)))
    expect(new Set(answers.map((spool) => spool.id)).size).toBe(1)
    expect((await call(app, staff, 'POST', '/api/filament', { material: 'ABS' })).statusCode).toBe(409)
  })

  it('POST /api/filament refuses invalid input and names the field', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    for (const [body, path] of [
      [{}, 'material'],
      [{ material: ' ' }, 'material'],
      [{ material: 'x'.repeat(65) }, 'material'],
      [{ material: 'PLA\0' }, 'material'],
      [{ material: 'PLA', color_hex: 'red' }, 'color_hex'],
      [{ material: 'PLA', diameter_mm: 0 }, 'diameter_mm'],
      [{ material: 'PLA', density_g_cm3: -1 }, 'density_g_cm3'],
      [{ material: 'PLA', remaining_grams: -0.1 }, 'remaining_grams'],
      [{ material: 'PLA', remaining_grams: 5000 }, 'remaining_grams'],
      [{ material: 'PLA', remaining_grams: 251, weight_grams: 250 }, 'remaining_grams'],
      [{ material: 'PLA', weight_grams: 1_000_001 }, 'weight_grams'],
      [{ material: 'PLA', cost: 1.005 }, 'cost'],
      [{ material: 'PLA', opened_at: '0000-01-01T00:00:00Z' }, 'opened_at'],
      [{ material: 'PLA', nozzle_temp_c: 210.5 }, 'nozzle_temp_c'],
    ] as const) {
      const answer = await call(app, staff, 'POST', '/api/filament', body)
      const said = answer.json<{ errors: { path: string }[] }>()
      expect([body, answer.statusCode, said.errors[0]?.path]).toEqual([body, 422, path])
    }
    expect(await app.database.sql`select 1 from spools`).toHaveLength(0)
  })

  it('POST /api/filament refuses a viewer with 403, whatever the body', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    expect((await call(app, viewer, 'POST', '/api/filament', {})).statusCode).toBe(403)
  })
})

describe('PUT /api/filament/{id}', () => {
  it('a spool edit merges the given fields, and changes neither the remaining weight nor read-only fields', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const spool = await added(app, staff)
    const edit = { notes: null, cost: 21, location: 'Shelf B', remaining_grams: 1, number: 99, made_up: true }
    const after = await changed(app, staff, spool, edit)
    expect(after).toEqual({
      ...spool,
      notes: null,
      cost: 21,
      location: 'Shelf B',
      revision: spool.revision + 1,
      updated_at: after.updated_at,
    })
    const [, entry] = await auditOf(app, 'spool')
    expect(entry).toMatchObject({
      action: 'spool.updated',
      before: { notes: 'first of its kind', price_minor: 1999, location: 'Dry box 1' },
      after: { notes: null, price_minor: 2100, location: 'Shelf B' },
    })
    expect(await changed(app, staff, after, { cost: 21, color_hex: '#E9E6DD' })).toEqual(after)
  })

  it('a spool edit that changes a name moves the spool to another filament, and deletes an unused filament', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [one, two] = [await added(app, staff), await added(app, staff)]
    const black = await changed(app, staff, one, { color: 'Black', color_hex: '#111111' })
    expect(black).toMatchObject({ color: 'Black', color_hex: '#111111', nozzle_temp_c: 210 })
    const other = (await call(app, staff, 'GET', `/api/filament/${two.id}`)).json<Spool>()
    expect(other).toMatchObject({ color: 'Bone White', color_hex: '#E9E6DD' })
    expect(await filaments(app)).toBe(2)
    await changed(app, staff, other, { color: 'Black' })
    expect(await filaments(app)).toBe(1)
  })

  it('a spool edit keeps the previous filament if another spool with that filament is added at the same time', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const spool = await added(app, staff)
    const { material, brand, name, color } = PLA
    const moved = await app.database.transaction(async (tx) => {
      await createSpool(tx, { material, brand, name, color }, { actor: SYSTEM_ACTOR, now: app.clock.now() })
      const answer = change(app, staff, spool, { name: 'PolyTerra' })
      await untilWaiting(app, 1)
      return { answer }
    })
    expect((await moved.answer).statusCode).toBe(200)
    expect(await filaments(app)).toBe(2)
  })

  it('a spool edit changes fields of the filament for all its spools, and updates the spelling', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [one, two] = [await added(app, staff), await added(app, staff)]
    const edit = { density_g_cm3: 1.3, low_stock_grams: 500, drying_interval_days: 30, brand: 'POLYMAKER' }
    await changed(app, staff, one, edit)
    const other = (await call(app, staff, 'GET', `/api/filament/${two.id}`)).json<Spool>()
    expect(other).toMatchObject(edit)
    expect(await filaments(app)).toBe(1)
  })

  it('a spool edit returns 428 without If-Match, and 412 with an outdated If-Match', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const spool = await added(app, staff)
    expect((await call(app, staff, 'PUT', `/api/filament/${spool.id}`, { notes: 'x' })).statusCode).toBe(428)
    const answers = await Promise.all(['a', 'b', 'c'].map((notes) => change(app, staff, spool, { notes })))
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 412, 412])
    const refused = answers.find((answer) => answer.statusCode === 412)
    const winner = answers.find((answer) => answer.statusCode === 200)
    expect(refused?.json()).toMatchObject({ code: 'precondition_failed', current: winner?.json() })
  })

  it('a spool edit succeeds although filament was used since the spool was read', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const spool = await added(app, staff)
    await call(app, staff, 'POST', `/api/filament/${spool.id}/use`, { grams: 12 })
    expect(await changed(app, staff, spool, { notes: 'half full' })).toMatchObject({ remaining_grams: 988 })
  })

  it('a spool edit is refused for invalid input, for unknown spools, and for viewers', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const spool = await added(app, staff)
    for (const edit of [
      { material: '' },
      { cost: -1 },
      { cost: 0.001 },
      { weight_grams: 0 },
      { color_hex: '#12' },
    ])
      expect([edit, (await change(app, staff, spool, edit)).statusCode]).toEqual([edit, 422])
    const nobody = { ...spool, id: crypto.randomUUID() }
    expect((await change(app, staff, nobody, {})).statusCode).toBe(404)
    expect((await change(app, await app.as('viewer'), spool, {})).statusCode).toBe(403)
  })
})

describe('deleting and archiving a spool', () => {
  it('a deleted spool can be restored unchanged for 30 days', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const spool = await added(app, staff)
    const url = `/api/filament/${spool.id}`
    expect((await call(app, { ...staff, 'if-match': '"9"' }, 'DELETE', url)).statusCode).toBe(412)
    expect((await call(app, staff, 'DELETE', url)).statusCode).toBe(204)
    expect((await call(app, staff, 'GET', url)).statusCode).toBe(404)
    expect((await call(app, staff, 'DELETE', url)).statusCode).toBe(404)
    expect((await call(app, staff, 'POST', `${url}/use`, { grams: 1 })).statusCode).toBe(404)
    const back = await call(app, staff, 'POST', `${url}/restore`)
    expect(back.json()).toMatchObject({ id: spool.id, remaining_grams: 1000 })
    expect((await call(app, staff, 'POST', `${url}/restore`)).statusCode).toBe(200)
    await call(app, staff, 'DELETE', url)
    app.clock.advance(31 * DAY_MS)
    expect((await call(app, await app.as('staff'), 'POST', `${url}/restore`)).statusCode).toBe(404)
  })

  it('a person can archive, unarchive and dry a spool, and a repeated request has no further effect', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const url = `/api/filament/${await aSpool(app)}`
    for (const [what, status] of [
      ['archive', 'archived'],
      ['archive', 'archived'],
      ['unarchive', 'active'],
      ['unarchive', 'active'],
    ])
      expect((await call(app, staff, 'POST', `${url}/${what}`)).json()).toMatchObject({ status })
    const now = app.clock.now().toISOString()
    expect((await call(app, staff, 'POST', `${url}/dry`)).json()).toMatchObject({ dried_at: now })
    const payload = { dried_at: '2026-11-01T08:00:00Z' }
    const dried = (await call(app, staff, 'POST', `${url}/dry`, payload)).json<Spool>()
    expect(new Date(dried.dried_at ?? '').toISOString()).toBe('2026-11-01T08:00:00.000Z')
    const actions = (await auditOf(app, 'spool')).map(({ action }) => action)
    expect(actions).toEqual(['spool.archived', 'spool.unarchived', 'spool.updated', 'spool.updated'])
  })
})

describe('the location of a restored spool', () => {
  it('a spool that is restored from the trash gets its location back, even if the location was deleted', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const spool = await added(app, staff)
    await call(app, staff, 'DELETE', `/api/filament/${spool.id}`)
    const [place] = (await call(app, staff, 'GET', '/api/locations')).json<{ id: string }[]>()
    expect((await call(app, staff, 'DELETE', `/api/locations/${place?.id}`)).statusCode).toBe(204)
    const restored = await call(app, staff, 'POST', `/api/filament/${spool.id}/restore`)
    expect(restored.json()).toMatchObject({ location: 'Dry box 1' })
    const places = (await call(app, staff, 'GET', '/api/locations')).json()
    expect(places).toMatchObject([{ path: 'Dry box 1', spool_count: 1 }])
  })
})
