import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Location, LocationContents } from '@pegasus/contracts/inventory/locations'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { type Calls, addedItem, callsOf } from '../../../../test/support/api-calls.ts'
import { aPrinter, aSpool, allPages } from '../../../../test/support/stock-factories.ts'
import { DAY_MS } from '../../../platform/clock.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'
const ANY = { 'if-match': '*' }

const shop = async () => {
  const app = await buildTestApp()
  const staff = callsOf(app, await app.as('staff'))
  return { app, staff, add: adder(staff) }
}

const adder =
  (staff: Calls) =>
  async (name: string, parent: Location | null = null, kind = 'place'): Promise<Location> => {
    const answer = await staff('POST /api/locations', { name, kind, parent_id: parent?.id ?? null })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.json<Location>()
  }

describe('the tree of locations', () => {
  it('renaming or moving a location changes the paths of all locations in it, while items stay where they are', async () => {
    const { app, staff, add } = await shop()
    const workshop = await add('Workshop')
    const rack = await add('Rack A3', workshop)
    const bin = await add('Bin 12', rack, 'bin')
    expect(bin).toMatchObject({ path: 'Workshop / Rack A3 / Bin 12', kind: 'bin', revision: 1 })
    expect(bin.label_code).toMatch(/^L-\d{4}$/)
    const { id } = await addedItem(staff, { location: 'Workshop / Rack A3', bin_location: 'Bin 12' })
    const placeOf = async () => {
      const { location, bin_location: name } = (await staff(`GET /api/inventory/${id}`)).json<InventoryItem>()
      return [location, name]
    }

    const stale = await staff(`PUT /api/locations/${workshop.id}`, { name: 'Hall' })
    expect(stale.status).toBe(428)
    const renamed = await staff(`PUT /api/locations/${workshop.id}`, { name: 'Hall' }, { 'if-match': '"1"' })
    expect([renamed.status, renamed.etag]).toEqual([200, '"2"'])
    expect(
      (await staff(`PUT /api/locations/${workshop.id}`, { name: 'X' }, { 'if-match': '"1"' })).status,
    ).toBe(412)
    expect(await placeOf()).toEqual(['Hall / Rack A3', 'Bin 12'])

    const attic = await add('Attic')
    await staff(`PUT /api/locations/${rack.id}`, { parent_id: attic.id, notes: 'by the window' }, ANY)
    expect(await placeOf()).toEqual(['Attic / Rack A3', 'Bin 12'])
    await staff(`PUT /api/locations/${rack.id}`, { parent_id: null }, ANY)
    expect(await placeOf()).toEqual(['Rack A3', 'Bin 12'])
    expect((await staff(`GET /api/locations/${bin.id}`)).json()).toMatchObject({
      path: 'Rack A3 / Bin 12',
      item_count: 1,
    })
    expect((await staff('GET /api/inventory?search=rack')).json<unknown[]>()).toHaveLength(1)
    expect((await staff(`GET /api/inventory?location_id=${rack.id}`)).json<unknown[]>()).toHaveLength(1)
    expect((await staff(`GET /api/inventory?location_id=${attic.id}`)).json<unknown[]>()).toHaveLength(0)
    const updates = (await entriesOf(app)).filter(({ action }) => action === 'location.updated')
    expect(updates.map(({ before, after }) => [before?.['path'], after?.['path']])).toEqual([
      ['Workshop', 'Hall'],
      ['Hall / Rack A3', 'Attic / Rack A3'],
      ['Attic / Rack A3', 'Rack A3'],
    ])
  })

  it('a location is refused if it forms a cycle, is inside a bin, has a duplicate name, or is nested too deeply', async () => {
    const { staff, add } = await shop()
    const top = await add('Top')
    const middle = await add('Middle', top)
    const bin = await add('Bin', middle, 'bin')
    const said = async (answer: ReturnType<Calls>) => [(await answer).status, (await answer).detail()]
    const circle = 'A location cannot be inside itself or inside a location that it contains.'
    for (const into of [top, middle])
      expect(await said(staff(`PUT /api/locations/${top.id}`, { parent_id: into.id }, ANY))).toEqual([
        422,
        circle,
      ])
    const put = (name: string, parentId: string | null, kind = 'place') =>
      staff('POST /api/locations', { name, kind, parent_id: parentId })
    expect(await said(put('x', bin.id))).toEqual([422, 'A bin cannot contain other locations.'])
    expect((await put('x', NOBODY)).status).toBe(404)
    expect((await put('MIDDLE', top.id)).status).toBe(409)
    expect((await put('Middle', null)).status).toBe(201)
    for (const name of ['', ' ', 'a / b', '/ a', 'a /', 'x'.repeat(101), 'a\0'])
      expect((await put(name, null)).status).toBe(422)
    expect((await put('A/B', null)).status).toBe(201)
    let deep = middle
    for (let level = 3; level <= 9; level += 1) deep = await add(`Level ${level}`, deep)
    const last = await add('Level 10', deep)
    expect((await put('Level 11', last.id)).status).toBe(422)
    const tower = await add('Tower')
    await add('Floor', tower)
    expect((await staff(`PUT /api/locations/${tower.id}`, { parent_id: deep.id }, ANY)).status).toBe(422)
  })

  it('a person can see the contents of a location, and can delete only an empty one', async () => {
    const { app, staff, add } = await shop()
    const rack = await add('Rack')
    const shelf = await add('Shelf', rack)
    const item = await addedItem(staff, { name: 'Hook', location: 'Rack / Shelf' })
    await aSpool(app, { location: 'Rack / Shelf' })
    const printer = await aPrinter(app, 'MK4')
    await app.database.sql`update printers set location_id = ${rack.id} where id = ${printer}`
    const contents = (await staff(`GET /api/locations/${rack.id}/contents`)).json<LocationContents>()
    expect(contents.locations.map(({ path }) => path)).toEqual(['Rack / Shelf'])
    expect(contents.items).toMatchObject([{ id: item.id, name: 'Hook', location_path: 'Rack / Shelf' }])
    expect(contents.spools).toMatchObject([{ name: 'PLA PolyLite Bone White', location_id: shelf.id }])
    expect(contents.printers).toMatchObject([{ name: 'MK4', location_path: 'Rack' }])

    const full = await staff(`DELETE /api/locations/${shelf.id}`)
    expect([full.status, full.detail()]).toEqual([
      409,
      'This location is not empty: it contains 1 item, 1 spool. Please move them first.',
    ])
    expect((await staff(`DELETE /api/locations/${rack.id}`)).detail()).toContain('1 place or bin, 1 printer')
    await app.database.sql`update printers set location_id = null`
    await app.database.sql`update spools set location_id = null`
    await staff(`POST /api/inventory/${item.id}/move`, {})
    expect((await staff(`DELETE /api/locations/${shelf.id}`)).status).toBe(204)
    expect((await staff(`DELETE /api/locations/${rack.id}`)).status).toBe(204)
    expect((await staff(`GET /api/locations/${rack.id}`)).status).toBe(404)
    const early = await staff(`POST /api/locations/${shelf.id}/restore`)
    expect([early.status, early.detail()]).toEqual([
      422,
      'The location that contained it no longer exists. Please restore that location first.',
    ])
    expect((await staff(`POST /api/locations/${rack.id}/restore`)).status).toBe(200)
    expect((await staff(`POST /api/locations/${shelf.id}/restore`)).json()).toMatchObject({
      path: 'Rack / Shelf',
    })
    await staff(`DELETE /api/locations/${shelf.id}`)
    expect((await staff('GET /api/locations?deleted=true')).json()).toMatchObject([{ id: shelf.id }])
    app.clock.advance(30 * DAY_MS)
    const later = callsOf(app, await app.as('staff'))
    expect((await later(`POST /api/locations/${shelf.id}/restore`)).status).toBe(404)
  })

  it('locations are listed by path, page by page, and found by name and label', async () => {
    const { app, staff, add } = await shop()
    const rack = await add('Rack')
    for (const name of ['B', 'a', 'C']) await add(name, rack)
    await add('Attic')
    const headers = await app.as('viewer')
    const { items, total } = await allPages<Location>(app, headers, '/api/locations?limit=2')
    expect(total).toBe('5')
    expect(items.map(({ path }) => path)).toEqual(['Attic', 'Rack', 'Rack / a', 'Rack / B', 'Rack / C'])
    const found = async (query: string) =>
      (await staff(`GET /api/locations?${query}`)).json<Location[]>().map(({ path }) => path)
    expect(await found('search=rack%20b')).toEqual(['Rack / B'])
    expect(await found(`search=${rack.label_code.toLowerCase()}`)).toEqual(['Rack'])
    expect(await found(`parent_id=${rack.id}`)).toHaveLength(3)
    expect((await staff('GET /api/locations?cursor=bm8')).status).toBe(422)
    const viewer = callsOf(app, headers)
    expect((await viewer('POST /api/locations', { name: 'x' })).status).toBe(403)
    expect((await viewer(`DELETE /api/locations/${rack.id}`)).status).toBe(403)
  })

  it('the paths of locations stay correct while items arrive and locations are renamed in parallel', async () => {
    const { app, staff, add } = await shop()
    const rack = await add('Rack')
    const names = Array.from({ length: 12 }, (_, at) => `Rack ${at}`)
    await Promise.all([
      ...names.map((name) => staff(`PUT /api/locations/${rack.id}`, { name }, ANY)),
      ...names.map((_, at) => staff('POST /api/inventory', { name: 'Hook', location: `Rack / Shelf ${at}` })),
    ])
    const wrong = await app.database.sql`
      with recursive tree as (
        select id, name as path from locations where parent_id is null
        union all select l.id, tree.path || ' / ' || l.name from locations l join tree on l.parent_id = tree.id
      ) select l.path, tree.path as right_path from locations l join tree on tree.id = l.id where l.path <> tree.path`
    expect(wrong).toEqual([])
    const items = (await staff('GET /api/inventory')).json<InventoryItem[]>()
    expect(items).toHaveLength(12)
    expect(items.every(({ location_id: place }) => place !== null)).toBe(true)
  })

  it('no item is lost when it is moved into a location that is being deleted', async () => {
    const { app, staff, add } = await shop()
    for (let round = 0; round < 10; round += 1) {
      const shelf = await add(`Shelf ${round}`)
      const { id } = await addedItem(staff)
      await Promise.all([
        staff(`DELETE /api/locations/${shelf.id}`),
        staff(`POST /api/inventory/${id}/move`, { location_id: shelf.id }),
      ])
    }
    const lost = await app.database.sql`
      select i.id from items i join locations l on l.id = i.location_id where l.deleted_at is not null`
    expect(lost).toEqual([])
  })
})
