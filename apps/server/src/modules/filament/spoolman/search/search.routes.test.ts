import { expect, it } from 'vitest'
import { aKey, keyHeader } from '../../../../../test/support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../../../../test/support/build-test-app.ts'
import { aSpool } from '../../../../../test/support/stock-factories.ts'
import { colorDistance, readColor } from './colors.ts'

const API = '/spoolman/api/v1'

interface Hits {
  spools: { spool: { id: number }; match_field: string }[]
  filaments: {
    filament: { id: number }
    match_field: string
    spools?: { id: number }[]
    spool_count?: number
  }[]
  vendors: { vendor: { id: number }; match_field: string }[]
  is_color_query: boolean
}

async function aShop() {
  const app = await buildTestApp()
  const headers = keyHeader((await aKey(app, { scope: ['print-jobs'] })).key)
  await aSpool(app, {
    material: 'PETG',
    brand: 'Prusament',
    name: 'Galaxy',
    color: 'Black',
    colorHex: '#111111',
    remainingGrams: 600,
    location: 'Dry box',
    lotNumber: 'L-77',
    notes: 'dry it',
  })
  await aSpool(app, {
    brand: 'Polymaker',
    name: 'Galaxy',
    color: 'Ruby',
    colorHex: '#E00000',
    location: 'Shelf',
  })
  await aSpool(app, {
    brand: 'Polymaker',
    name: 'Galaxy',
    color: 'Ruby',
    location: 'Shelf',
    archivedAt: app.clock.now(),
  })
  return { app, headers }
}

const get = async <T>(app: TestApp, headers: Record<string, string>, path: string): Promise<T> => {
  const answer = await app.http.inject({ url: `${API}${path}`, headers })
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`)
  return answer.json<T>()
}

it('the Spoolman search finds objects that contain each word, and filaments of a similar color', async () => {
  const { app, headers } = await aShop()
  for (const [query, spools, filaments, vendors] of [
    ['prusa', [], ['1 vendor.name'], ['1 name']],
    ['PRUSA petg', [], ['1 material'], []],
    ['box dry', ['1 comment'], [], []],
    ['l-77', ['1 lot_nr'], [], []],
    ['2', ['2 id'], [], []],
    ['3', [], [], []],
    ['3&allow_archived=true', ['3 id'], [], []],
    ['galaxy', [], ['1 name', '2 name'], []],
    ['galaxy&limit=1', [], ['1 name'], []],
    ['red', [], ['2 color'], []],
    ['%23e00000&color_similarity_threshold=0', [], ['2 color'], []],
    ['galaxy nothing', [], [], []],
    ['%25', [], [], []],
  ] as const) {
    const hits = await get<Hits>(app, headers, `/search?q=${query.replaceAll(' ', '+')}`)
    expect([
      query,
      hits.spools.map(({ spool, match_field: field }) => `${spool.id} ${field}`),
      hits.filaments.map(({ filament, match_field: field }) => `${filament.id} ${field}`),
      hits.vendors.map(({ vendor, match_field: field }) => `${vendor.id} ${field}`),
    ]).toEqual([query, spools, filaments, vendors])
  }
  const withSpools = await get<Hits>(app, headers, '/search?q=ruby&spools_per_filament=1&allow_archived=true')
  expect(withSpools.filaments).toMatchObject([{ spools: [{ id: 2, location: 'Shelf' }], spool_count: 2 }])
  for (const query of ['', '?q=', '?q=x&limit=0', '?q=x&spools_per_filament=11', '?q=x&other=1'])
    expect((await app.http.inject({ url: `${API}/search${query}`, headers })).statusCode).toBe(422)
})

it('the Spoolman API counts spools in groups, with the same filters as the list', async () => {
  const { app, headers } = await aShop()
  const groups = (query: string) => get<Record<string, unknown>[]>(app, headers, `/spool/group?${query}`)
  expect(await groups('group_by=filament&sort=group.total_remaining:desc')).toMatchObject([
    { key: '2', spool_count: 1, in_use_count: 0, total_remaining_weight: 1000, filament: { id: 2 } },
    { key: '1', spool_count: 1, in_use_count: 1, total_remaining_weight: 600, filament: { id: 1 } },
  ])
  expect(await groups('group_by=vendor&allow_archived=true')).toMatchObject([
    { key: '2', spool_count: 2, vendor: { name: 'Polymaker' } },
    { key: '1', spool_count: 1 },
  ])
  expect((await groups('group_by=location&filament.material=petg')).map(({ key }) => key)).toEqual([
    'Dry box',
  ])
  expect((await groups('group_by=material&limit=1&offset=1')).map(({ key }) => key)).toEqual(['PLA'])
  for (const [query, status] of [
    ['', 422],
    ['?group_by=banana', 400],
    ['?group_by=extra.none', 400],
    ['?group_by=location&last_used=soon', 400],
    ['?group_by=location&sort=price:asc', 422],
  ] as const)
    expect([
      query,
      (await app.http.inject({ url: `${API}/spool/group${query}`, headers })).statusCode,
    ]).toEqual([query, status])
})

it('the Spoolman API filters spools by time, and moves spools when a program renames their location', async () => {
  const { app, headers } = await aShop()
  const change = (path: string, method: 'PATCH' | 'PUT', payload: object) =>
    app.http.inject({ method, url: `${API}${path}`, headers, payload })
  await change('/spool/1', 'PATCH', {
    last_used: '2026-06-01T02:00:00+02:00',
    first_used: '2026-05-01T00:00:00',
  })
  const idsOf = async (query: string) =>
    (await get<{ id: number }[]>(app, headers, `/spool?${query}`)).map(({ id }) => id)
  for (const [query, ids] of [
    ['last_used=2026-06-01T00:00:00Z', [1]],
    ['last_used=2026-06-01T00:00:00Z|', [1]],
    ['last_used=|2026-05-31T23:59:59Z', []],
    ['last_used=', [2]],
    ['first_used=2026-04-30T00:00:00Z|2026-05-02T00:00:00Z', [1]],
    ['last_used=|2020-01-01T00:00:00Z,', [2]],
  ] as const)
    expect([query, await idsOf(query)]).toEqual([query, ids])
  expect((await change('/location/Shelf', 'PATCH', { name: 'Dry box' })).json()).toBe('Dry box')
  expect(await idsOf('location="Dry box"&allow_archived=true')).toEqual([1, 2, 3])
  const none = await change('/spool/field/location', 'PATCH', { value: 'Shelf', new_value: 'Attic' })
  expect(none.json()).toEqual({ spools_updated: 0 })
  for (const [field, body, status] of [
    ['material', { value: 'PLA', new_value: 'PETG' }, 400],
    ['extra.none', { value: 'a', new_value: 'b' }, 400],
    ['location', { value: 'Dry box', new_value: 'x'.repeat(65) }, 400],
    ['location', { value: '', new_value: 'x' }, 422],
  ] as const)
    expect([field, (await change(`/spool/field/${field}`, 'PATCH', body)).statusCode]).toEqual([
      field,
      status,
    ])
  const measured = await change('/spool/2/measure', 'PUT', { weight: 1000 })
  expect(measured.json()).toHaveProperty('last_used')
})

it('the Spoolman search reads colors as words or hex codes, and compares colors by how different they look', () => {
  expect(['#f00', 'FF0000', ' Red ', 'galaxy', '#12'].map(readColor)).toEqual([
    'FF0000',
    'FF0000',
    'FF0000',
    null,
    null,
  ])
  expect(colorDistance('FF0000', 'FF000088')).toBe(0)
  expect(colorDistance('FFFFFF', '000000')).toBeCloseTo(100, 0)
  expect(colorDistance('FE0000', 'EE0000')).toBeLessThan(20)
  expect(colorDistance('FE0000', '000000')).toBeGreaterThan(20)
})
