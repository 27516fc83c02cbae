import type { ExtraField } from '@pegasus/contracts/filament/spoolman-fields'
import type { SpoolmanFilament, SpoolmanSpool } from '@pegasus/contracts/filament/spoolman'
import { describe, expect, it } from 'vitest'
import { aKey, auditOf, keyHeader } from '../../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../../test/support/build-test-app.ts'
import { aSpool } from '../../../../../test/support/stock-factories.ts'

const API = '/spoolman/api/v1'

type Headers = Record<string, string>
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

const aPrinter = async (app: TestApp, role: 'viewer' | 'staff' = 'staff'): Promise<Headers> =>
  keyHeader((await aKey(app, { scope: ['print-jobs'], label: 'Voron', role })).key)

const call = (app: TestApp, headers: Headers, method: Method, path: string, payload?: unknown) =>
  app.http.inject({
    method,
    url: `${API}${path}`,
    headers: { ...headers, ...(payload !== undefined && { 'content-type': 'application/json' }) },
    ...(payload !== undefined && { payload: JSON.stringify(payload) }),
  })

const done = async <T>(
  app: TestApp,
  headers: Headers,
  method: Method,
  path: string,
  payload?: unknown,
): Promise<T> => {
  const answer = await call(app, headers, method, path, payload)
  if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body}`)
  return answer.json<T>()
}

const idsOf = async (app: TestApp, headers: Headers, query: string): Promise<number[]> =>
  (await done<SpoolmanSpool[]>(app, headers, 'GET', `/spool?${query}`)).map(({ id }) => id)

/** Defines one field of each type for spools, and adds spools with and without values. */
async function shopWithFields() {
  const app = await buildTestApp()
  const printer = await aPrinter(app)
  for (let count = 0; count < 3; count += 1) await aSpool(app)
  const choices = { choices: ['50%', '50X', 'B'], multi_choice: false }
  const fields: Record<string, object> = {
    shelf: { field_type: 'text' },
    count: { field_type: 'integer' },
    bounds: { field_type: 'integer_range' },
    ratio: { field_type: 'float' },
    span: { field_type: 'float_range' },
    dried: { field_type: 'datetime' },
    open: { field_type: 'boolean' },
    grade: { field_type: 'choice', ...choices },
    tags: { field_type: 'choice', ...choices, multi_choice: true },
  }
  for (const [key, field] of Object.entries(fields))
    await done(app, printer, 'POST', `/field/spool/${key}`, { name: key, ...field })
  const values = (...given: unknown[]) =>
    Object.fromEntries(Object.keys(fields).map((key, at) => [key, JSON.stringify(given[at])]))
  const first = ['a_1', 5, [1, 10], 1.5, [0.5, 1], '2026-01-01T02:00:00+02:00', true, '50%', ['50%', 'B']]
  const second = ['ax1', 50, [20, null], 2, [2, 3], '2026-06-01T00:00:00', false, '50X', ['50X']]
  await done(app, printer, 'PATCH', '/spool/1', { extra: values(...first) })
  await done(app, printer, 'PATCH', '/spool/2', { extra: values(...second) })
  return { app, printer }
}

describe('extra fields of spools, filaments and vendors', () => {
  it('spools are filtered and sorted by extra fields of every type', async () => {
    const { app, printer } = await shopWithFields()
    for (const [query, ids] of [
      ['extra.shelf=A_', [1]],
      ['extra.shelf="AX1",a_1', [1, 2]],
      ['extra.shelf=', [3]],
      ['extra.count=5,50', [1, 2]],
      ['extra.count=6:', [2]],
      ['extra.bounds=:10', [1]],
      ['extra.bounds=15:', [2]],
      ['extra.ratio=2.00', [2]],
      ['extra.span=0.1:1.5', [1]],
      ['extra.dried=2026-01-01T00:00:00Z', [1]],
      ['extra.dried=|2026-05-01', []],
      ['extra.dried=2026-02-01T00:00:00|', [2]],
      ['extra.open=true', [1]],
      ['extra.open=', [2, 3]],
      ['extra.grade="50%25"', [1]],
      ['extra.tags=B', [1]],
      ['extra.tags=', [3]],
      ['extra.count=5&extra.open=false', []],
      ['extra.unknown=x', [1, 2, 3]],
      ['sort=extra.count:desc', [2, 1, 3]],
      ['sort=extra.bounds:asc', [1, 2, 3]],
      ['sort=extra.open:asc', [2, 1, 3]],
      ['sort=extra.shelf:desc,id:asc', [2, 1, 3]],
      ['sort=extra.unknown:asc', [1, 2, 3]],
    ] as const) {
      const answer = await call(app, printer, 'GET', `/spool?${query}`)
      const listedIds = answer.statusCode === 200 ? answer.json<SpoolmanSpool[]>().map(({ id }) => id) : []
      expect([query, listedIds]).toEqual([query, ids])
    }
    for (const [query, message] of [
      ['extra.count=abc', 'Invalid integer filter value'],
      ['extra.count=:', 'range filter value'],
      ['extra.count=1:x', 'range filter value'],
      ['extra.bounds=100', 'Invalid range filter value'],
      ['extra.ratio=1e9', 'Invalid float filter value'],
      ['extra.open=1', 'Invalid boolean filter value'],
      ['extra.dried=|', 'datetime range filter'],
      ['extra.dried=soon', 'Invalid datetime filter value'],
    ] as const) {
      const answer = await call(app, printer, 'GET', `/spool?${query}`)
      expect([query, answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
        query,
        400,
        expect.stringContaining(message),
      ])
    }
  })

  it('the Spoolman API merges extra values into a spool, and removes those that are null or whose field is removed', async () => {
    const { app, printer } = await shopWithFields()
    const change = (extra: object) => call(app, printer, 'PATCH', '/spool/1', { extra })
    expect((await change({ shelf: null, count: '7' })).json()).toMatchObject({
      extra: { count: '7', ratio: '1.5' },
    })
    expect((await done<SpoolmanSpool>(app, printer, 'GET', '/spool/1')).extra).not.toHaveProperty('shelf')
    expect(await done(app, printer, 'GET', '/field/spool/tags/values')).toEqual(['50%', '50X', 'B'])
    expect(await done(app, printer, 'GET', '/field/spool/count/values')).toEqual([])
    const left = await done<ExtraField[]>(app, printer, 'DELETE', '/field/spool/count')
    expect(left.map(({ key }) => key)).not.toContain('count')
    expect((await done<SpoolmanSpool>(app, printer, 'GET', '/spool/1')).extra).not.toHaveProperty('count')
    for (const [key, json] of [
      ['count', '1'],
      ['shelf', '5'],
      ['shelf', '"a'],
      ['shelf', String.raw`"\u0000"`],
      ['shelf', String.raw`"\ud800"`],
      ['shelf', JSON.stringify('x'.repeat(4096))],
      ['ratio', '1e999'],
      ['ratio', '1e-400'],
      ['bounds', '[1]'],
      ['bounds', '[1.5, 2]'],
      ['dried', '"yesterday"'],
      ['open', 'null'],
      ['grade', '"C"'],
      ['tags', '["B", "B"]'],
      ['tags', '"B"'],
    ] as const)
      expect([key, json, (await change({ [key]: json })).statusCode]).toEqual([key, json, 400])
    expect((await change({ shelf: 5 })).statusCode).toBe(422)
  })

  it('definitions of extra fields that contradict themselves or stored values are refused', async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    const save = (key: string, field: object) =>
      call(app, printer, 'POST', `/field/vendor/${key}`, { name: 'Field', ...field })
    const choice = { field_type: 'choice', choices: ['a', 'b'], multi_choice: true }
    expect((await save('tags', choice)).statusCode).toBe(200)
    expect((await save('tags', { ...choice, choices: ['b', 'a', 'c'] })).statusCode).toBe(200)
    for (const [key, field, status] of [
      ['tags', { ...choice, choices: ['a'] }, 400],
      ['tags', { ...choice, multi_choice: false }, 400],
      ['tags', { field_type: 'text' }, 400],
      ['other', { field_type: 'choice', multi_choice: true }, 400],
      ['other', { field_type: 'choice', choices: ['a'] }, 400],
      ['other', { field_type: 'text', choices: ['a'] }, 400],
      ['other', { field_type: 'text', default_value: '5' }, 400],
      ['other', { field_type: 'color' }, 422],
      ['other', { field_type: 'text', name: '' }, 422],
      ['Other', { field_type: 'text' }, 404],
    ] as const)
      expect([key, field, (await save(key, field)).statusCode]).toEqual([key, field, status])
    expect(await done(app, printer, 'GET', '/field/vendor')).toHaveLength(1)
    expect((await call(app, printer, 'DELETE', '/field/vendor/other')).statusCode).toBe(404)
    const entries = await auditOf(app, 'extra_field')
    expect(entries.map(({ action }) => action)).toEqual(['extra_field.added', 'extra_field.updated'])
    const viewer = await aPrinter(app, 'viewer')
    expect((await call(app, viewer, 'DELETE', '/field/vendor/tags')).statusCode).toBe(403)
    expect(await done(app, viewer, 'GET', '/field/vendor')).toHaveLength(1)
  })

  it('the audit shows the values of an extra field even if its key looks like a secret', async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    await aSpool(app)
    await done(app, printer, 'POST', '/field/spool/api_key', { name: 'Tag', field_type: 'text' })
    await done(app, printer, 'PATCH', '/spool/1', { extra: { api_key: '"A"' } })
    const rename = { value: 'A', new_value: 'B' }
    expect(await done(app, printer, 'PATCH', '/spool/field/extra.api_key', rename)).toEqual({
      spools_updated: 1,
    })
    expect(await idsOf(app, printer, 'extra.api_key="B"')).toEqual([1])
    const changes = (await auditOf(app, 'spool')).filter(({ action }) => action === 'spool.updated')
    expect(changes.map(({ after }) => after)).toEqual([{ extra: ['api_key: "A"'] }, { value: 'B' }])
  })

  it('the settings of the Spoolman API keep stored values and replace all extra fields at once, but never change the currency', async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    const set = (key: string, body: unknown) => call(app, printer, 'POST', `/setting/${key}`, body)
    expect((await set('print_presets', '[{"name":"small"}]')).json()).toEqual({
      value: '[{"name":"small"}]',
      is_set: true,
      type: 'array',
    })
    expect((await set('print_presets', '')).json()).toMatchObject({ value: '[]', is_set: false })
    const field = { key: 'batch', entity_type: 'spool', name: 'Batch', field_type: 'text' }
    expect((await set('extra_fields_spool', JSON.stringify([field]))).statusCode).toBe(200)
    expect(await done(app, printer, 'GET', '/field/spool')).toMatchObject([{ key: 'batch' }])
    for (const [key, body, status] of [
      ['extra_fields_spool', JSON.stringify([{ key: 'nope' }]), 400],
      ['extra_fields_spool', JSON.stringify([{ ...field, entity_type: 'vendor' }]), 400],
      ['extra_fields_spool', JSON.stringify([field, field]), 400],
      ['extra_fields_spool', '{', 400],
      ['round_prices', '"yes"', 400],
      ['currency', '"SEK"', 400],
      ['currency', 5, 422],
      ['unknown', '""', 404],
    ] as const)
      expect([key, body, (await set(key, body)).statusCode]).toEqual([key, body, status])
    expect(await done(app, printer, 'GET', '/setting/currency')).toMatchObject({ value: '"USD"' })
    expect((await set('extra_fields_spool', '')).statusCode).toBe(200)
    expect(await done(app, printer, 'GET', '/field/spool')).toEqual([])
    const form = { method: 'POST', url: `${API}/setting/base_url`, payload: '"x"' } as const
    const plain = { ...printer, 'content-type': 'text/plain' }
    expect((await app.http.inject({ ...form, headers: plain })).statusCode).toBe(415)
  })
})

const PETG = { material: 'PETG', density: 1.27, diameter: 1.75, weight: 750, name: 'Galaxy Black' }

describe('empty names and the trash in the Spoolman API', () => {
  it('restoring a spool restores its filament and vendor if a program has removed them in the meantime', async () => {
    const app = await buildTestApp()
    const id = await aSpool(app, { name: 'PolyLite', color: 'Red', brand: 'Polymaker' })
    const staff = await app.as('staff')
    const printer = await aPrinter(app)
    const trash = (method: 'DELETE' | 'POST', path = '') =>
      app.http.inject({ method, url: `/api/filament/${id}${path}`, headers: staff })
    const removeAll = async () => {
      expect((await trash('DELETE')).statusCode).toBe(204)
      const [row] = await app.database.sql<[{ filament: number; vendor: number }]>`
        select f.number::int as filament, v.number::int as vendor
        from spools s join filaments f on f.id = s.filament_id join vendors v on v.id = f.vendor_id
        where s.id = ${id}`
      await done(app, printer, 'DELETE', `/filament/${row.filament}`)
      await done(app, printer, 'DELETE', `/vendor/${row.vendor}`)
    }
    const shown = async () => {
      const { filament } = await done<SpoolmanSpool>(app, printer, 'GET', '/spool/1')
      return [filament.id, filament.name, filament.vendor?.name]
    }
    await removeAll()
    expect((await trash('POST', '/restore')).statusCode).toBe(200)
    expect(await shown()).toEqual([1, 'PolyLite Red', 'Polymaker'])
    expect(await done(app, printer, 'GET', '/filament')).toHaveLength(1)
    await removeAll()
    // In the meantime, an equal filament has been added, with the same name in different case.
    await aSpool(app, { name: 'polylite', color: 'red', brand: 'POLYMAKER' })
    expect((await trash('POST', '/restore')).statusCode).toBe(200)
    expect(await shown()).toEqual([2, 'polylite red', 'POLYMAKER'])
  })

  it('the Spoolman API accepts a filament without a name and a material, and a vendor with an empty name, as Spoolman does', async () => {
    const app = await buildTestApp()
    const printer = await aPrinter(app)
    expect(await done(app, printer, 'POST', '/vendor', { name: '' })).toMatchObject({ id: 1, name: '' })
    const bare = { density: 1.25, diameter: 1.75 }
    const filament = await done<SpoolmanFilament>(app, printer, 'POST', '/filament', {
      ...bare,
      vendor_id: 1,
    })
    expect(filament).toMatchObject({ ...bare, vendor: { name: '' } })
    expect([filament.name, filament.material]).toEqual([undefined, undefined])
    await done(app, printer, 'POST', '/filament', { ...PETG })
    for (const [query, ids] of [
      ['?name=', [1]],
      ['?material=', [1]],
      ['?vendor.name=', [1]],
      ['?vendor.id=-1', [2]],
      ['?name=unknown', []],
    ] as const) {
      const found = await done<SpoolmanFilament[]>(app, printer, 'GET', `/filament${query}`)
      expect([query, found.map(({ id }) => id)]).toEqual([query, ids])
    }
    expect(await done(app, printer, 'GET', '/material')).toEqual(['PETG'])
    const named = await done<SpoolmanFilament>(app, printer, 'PATCH', '/filament/1', { material: 'ABS' })
    expect([named.name, named.material]).toEqual([undefined, 'ABS'])
    await done(app, printer, 'POST', '/spool', { filament_id: 1 })
    const spools = await app.http.inject({ url: '/api/filament', headers: await app.as('viewer') })
    expect(spools.json()).toMatchObject([{ brand: 'Unnamed', material: 'ABS', name: 'ABS' }])
  })
})
