import type { ListedModel, Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { analyzed, upload } from '../../../../test/support/library/model-upload.ts'
import { aProduct, allPages } from '../../../../test/support/stock-factories.ts'

type Headers = Record<string, string>

const address = (query: Record<string, string>) => `/api/stl-files?${new URLSearchParams(query)}`

async function titles(app: TestApp, headers: Headers, query: Record<string, string>): Promise<string[]> {
  const answer = await app.http.inject({ url: address(query), headers })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<Model[]>().map(({ title }) => title)
}

const refusal = async (app: TestApp, headers: Headers, query: Record<string, string>) => {
  const answer = await app.http.inject({ url: address(query), headers })
  return [answer.statusCode, answer.json<{ errors?: { path: string }[] }>().errors?.[0]?.path]
}

describe('searching models', () => {
  it('a model search finds words in any order, in all texts and despite typos, and returns the best match first', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    const models = [
      { title: 'Shelf', description: 'holds a bracket of steel' },
      { title: 'Wall bracket' },
      { title: 'Brackets for pipes' },
      { title: 'Barcket', description: 'as somebody spelt it' },
      { title: 'Hook', tags: ['wall', 'bracket'] },
      { title: 'Clip', fileName: 'corner-bracket_v2.stl' },
      { title: 'Gear', printNotes: 'Supports under the flange' },
      { title: 'Bear' },
    ]
    for (const model of models) await aModel(app, model)

    const best = (search: string) => titles(app, viewer, { search, sort: 'relevance' })
    expect(await best('bracket')).toEqual([
      'Wall bracket',
      'Brackets for pipes',
      'Hook',
      'Clip',
      'Shelf',
      'Barcket',
    ])
    expect(await best('wall bracket')).toEqual(['Wall bracket', 'Hook'])
    expect(await best('BRACKET wall')).toEqual(['Wall bracket', 'Hook'])
    expect(await best('gear')).toEqual(['Gear', 'Bear'])
    expect(await best('flange suports')).toEqual(['Gear'])
    expect(await best('corner-bracket')).toEqual(['Clip'])
    expect(await best('cornre')).toEqual(['Clip'])

    // If the list is sorted by age, a fuzzy match could precede the exact match, so there are no fuzzy
    // matches here.
    const newest = (search: string) => titles(app, viewer, { search })
    expect(await newest('bracket')).toEqual(['Clip', 'Hook', 'Brackets for pipes', 'Wall bracket', 'Shelf'])
    expect(await newest('gear')).toEqual(['Gear'])
    expect(await newest('gaer')).toEqual(['Gear'])
    expect(await newest('walll braket')).toEqual(['Hook', 'Wall bracket'])
    expect(await newest('nowhere')).toEqual([])

    // Once the title is corrected, the misspelled word is no longer in the library's search vocabulary.
    await app.database.sql`update stl_files set title = 'Bracket' where title = 'Barcket'`
    expect(await newest('barcket')).toHaveLength(6)
  })

  it('a list that is read again shows each change of a model, its file, its uploader and its original', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    const { sql } = app.database
    const original = await aModel(app, { title: 'Original' })
    const id = await aModel(app, { title: 'Copy' })
    await sql`update stl_files set duplicate_of = ${original} where id = ${id}`
    const read = async () => {
      const answer = await app.http.inject({ url: address({ search: 'copy' }), headers: viewer })
      return { model: answer.json<ListedModel[]>()[0]!, etag: String(answer.headers.etag) }
    }
    const { model, etag } = await read()
    expect(model).toMatchObject({ title: 'Copy', duplicate_of: original })
    const known = { ...viewer, 'if-none-match': etag }
    expect((await app.http.inject({ url: address({ search: 'copy' }), headers: known })).statusCode).toBe(304)
    await sql`update stl_files set deleted_at = now() where id = ${original}`
    expect((await read()).model.duplicate_of).toBeNull()
    await sql`update stl_versions set triangles = 12 where stl_file_id = ${id}`
    expect((await read()).model.triangles).toBe(12)
    await sql`update stl_files set tags = array['wall'] where id = ${id}`
    expect((await read()).model.tags).toEqual(['wall'])
    const [uploader] = await sql<
      { id: string; username: string }[]
    >`select id, username from accounts limit 1`
    await sql`update stl_versions set uploaded_by = ${uploader!.id} where stl_file_id = ${id}`
    expect((await read()).model.uploaded_by).toBe(uploader!.username)
    await sql`update accounts set username = 'renamed' where id = ${uploader!.id}`
    expect((await read()).model.uploaded_by).toBe('renamed')
  })

  it('a model search filters by properties of the file and by whether prints may be sold', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const cube = writeBinaryStl(createCube(20))
    const uploaded = await upload(app, staff, { name: 'cube.stl', bytes: cube }, { title: 'Cube' })
    await analyzed(app, staff, uploaded.json<Model>().id)
    const day = app.clock.now().toISOString().slice(0, 10)
    const box = (x: number, y: number, z: number) => ({ min: [0, 0, 0], max: [x, y, z], size: [x, y, z] })
    const other = { createdAt: new Date('2020-02-29T23:59:59.999Z'), uploadedBy: null }
    await aModel(app, {
      ...other,
      title: 'Long',
      licenseType: 'CC BY-NC',
      format: 'obj',
      box: box(100, 250, 30),
    })
    await aModel(app, {
      ...other,
      title: 'Tall',
      licenseType: 'Custom',
      format: '3mf',
      box: box(20, 20, 300),
    })
    const sold = await aModel(app, {
      ...other,
      title: 'Sold',
      licenseType: 'Custom',
      saleAllowed: true,
      printMaterial: 'PETG',
      tags: ['wall hook', 'steel'],
    })
    await aModel(app, {
      ...other,
      title: 'Kept',
      licenseType: 'Custom',
      saleAllowed: false,
      isWatertight: false,
    })
    await aProduct(app, { stlFileIds: [sold] })

    const find = async (query: Record<string, string>) =>
      (await titles(app, staff, { sort: 'title', ...query })).join(' ')
    expect(await find({})).toBe('Cube Kept Long Sold Tall')
    expect(await find({ license_type: 'CC BY-NC' })).toBe('Long')
    expect(await find({ sale: 'allowed' })).toBe('Cube Sold')
    expect(await find({ sale: 'forbidden' })).toBe('Kept Long')
    expect(await find({ sale: 'unknown' })).toBe('Tall')
    expect(await find({ material: 'petg' })).toBe('Sold')
    expect(await find({ format: 'obj' })).toBe('Long')
    expect(await find({ fits: '220x220x250' })).toBe('Cube')
    expect(await find({ fits: '250x100x30' })).toBe('Cube Long')
    expect(await find({ fits: '249.99x100x30' })).toBe('Cube')
    expect(await find({ fits: '20x20x300' })).toBe('Cube Tall')
    expect(await find({ is_watertight: 'true' })).toBe('Cube')
    expect(await find({ is_watertight: 'false' })).toBe('Kept')
    expect(await find({ is_product: 'true' })).toBe('Sold')
    expect(await find({ is_product: 'false' })).toBe('Cube Kept Long Tall')
    expect(await find({ uploaded_by: 'STAFF-1' })).toBe('Cube')
    expect(await find({ uploaded_by: 'nobody' })).toBe('')
    expect(await find({ created_from: day })).toBe('Cube')
    expect(await find({ created_to: '2020-02-29' })).toBe('Kept Long Sold Tall')
    expect(await find({ created_to: '2020-02-28' })).toBe('')
    expect(
      await find({ created_from: '2020-02-29', created_to: '2020-02-29', tags: 'STEEL,wall  hook' }),
    ).toBe('Sold')
    expect(await find({ search: 'long', license_type: 'CC BY-NC', fits: '300x300x300' })).toBe('Long')
    expect(await find({ deleted: 'true' })).toBe('')
  })

  it('a model search returns each model once over all pages, in every order, and counts up to 1,000 models', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    const count = 23
    for (let at = 0; at < count; at += 1)
      await aModel(app, {
        title: at % 3 === 0 ? 'Twin "gear" ß\u0001' : `Gear ${at}`,
        description: at % 2 === 0 ? 'wheel' : 'whele',
        sizeBytes: 1000 + (at % 5),
        ...(at % 4 === 0 && { createdAt: new Date('2026-01-01T00:00:00.123Z') }),
      })
    for (const sort of ['newest', 'oldest', 'title', 'largest', 'smallest', 'relevance'])
      for (const search of ['', 'gear', 'wheel gear']) {
        const whole = await allPages<Model>(app, viewer, address({ sort, search, limit: '1000' }))
        const pages = await allPages<Model>(app, viewer, address({ sort, search, limit: '4' }))
        expect(
          pages.items.map(({ id }) => id),
          `${sort} ${search}`,
        ).toEqual(whole.items.map(({ id }) => id))
        expect(pages.total, `${sort} ${search}`).toBe(String(whole.items.length))
        expect(new Set(pages.items.map(({ id }) => id)).size).toBe(whole.items.length)
        if (search !== 'wheel gear' || sort === 'relevance') expect(whole.items).toHaveLength(count)
      }
    const sizes = (await allPages<Model>(app, viewer, address({ sort: 'largest' }))).items
    expect(sizes.map((model) => model.file_size)).toEqual(
      sizes.map((model) => model.file_size).toSorted((a, b) => b - a),
    )
  })

  it('a model search by relevance returns each counted model, in the same order in short pages as in one long page', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    const count = 620
    // Enough titles contain the word to fill a short first page, but not a long one.
    await Promise.all(
      Array.from({ length: count }, (_, at) =>
        aModel(app, { title: at % 9 === 0 ? `Flange ${at}` : `Part ${at}`, description: 'flange' }),
      ),
    )
    const read = async (limit: string) => {
      const query = address({ sort: 'relevance', search: 'flange', limit })
      const { items, total } = await allPages<Model>(app, viewer, query)
      return { ids: items.map(({ id }) => id), total }
    }
    const whole = await read('1000')
    expect([whole.total, new Set(whole.ids).size]).toEqual([String(count), count])
    expect(await read('50')).toEqual(whole)
    expect(await read('200')).toEqual(whole)
  })
})

describe('refused searches of models', () => {
  it('T9 T11 a model search with invalid filters or with a cursor of another list is refused, and reveals nothing', async () => {
    const app = await buildTestApp()
    const viewer = await app.as('viewer')
    for (let at = 0; at < 3; at += 1) await aModel(app, { title: `Gear ${at}` })
    const wrong: Record<string, string>[] = [
      { sort: 'password_hash' },
      { sort: 'newest,id' },
      { sale: 'maybe' },
      { license_type: 'MIT' },
      { format: 'exe' },
      { fits: '220' },
      { fits: '220x220' },
      { fits: '-1x2x3' },
      { fits: '1e9x1x1' },
      { fits: '١x٢x٣' },
      { fits: 'NaNxNaNxNaN' },
      { is_watertight: '1' },
      { is_product: 'yes' },
      { deleted: 'false' },
      { created_from: '2026-02-30' },
      { created_from: '0000-01-01' },
      { created_to: 'today' },
      { uploaded_by: 'x\0' },
      { material: '\0' },
      { search: 'a\0b' },
      { tags: '\0' },
      { search: 'a b c d e f g h i j k' },
      { search: 'x'.repeat(201) },
      { limit: '0' },
      { limit: '1001' },
      { cursor: 'x' },
      { cursor: 'x'.repeat(2501) },
    ]
    const answers = await Promise.all(wrong.map((query) => refusal(app, viewer, query)))
    expect(answers).toEqual(wrong.map((query) => [422, Object.keys(query)[0]]))

    const cursorOf = async (query: Record<string, string>) => {
      const answer = await app.http.inject({ url: address({ ...query, limit: '1' }), headers: viewer })
      return (
        new URLSearchParams(/<[^?]+\?([^>]+)>/.exec(String(answer.headers.link))?.[1]).get('cursor') ?? ''
      )
    }
    const sorts = ['newest', 'oldest', 'title', 'largest', 'smallest', 'relevance']
    let foreign = 0
    let accepted = 0
    for (const from of sorts)
      for (const to of sorts)
        for (const deleted of [{}, { deleted: 'true' }]) {
          const cursor = await cursorOf({ sort: from, search: 'gear' })
          const isOwn = from === to && !('deleted' in deleted)
          const [status] = await refusal(app, viewer, { sort: to, search: 'gear', cursor, ...deleted })
          expect(status, `${from} ${to}`).toBe(isOwn ? 200 : 422)
          if (!isOwn) foreign += 1
          if (!isOwn && status === 200) accepted += 1
        }
    const forge = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
    const id = '01890000-0000-7000-8000-000000000000'
    const forged = [
      ['newest', forge('newest', id, '2026-02-30T00:00:00Z')],
      ['newest', forge('newest', "' or 1=1", '2026-01-01T00:00:00Z')],
      ['title', forge('title', id, 'a\0')],
      ['title', forge('title', id, ['a'])],
      ['largest', forge('largest', id, '1')],
      ['largest', forge('largest', id, 1e300)],
      ['relevance', forge('relevance', id, 1.5, '2026-01-01T00:00:00Z')],
      ['relevance', forge('relevance', id, 1e12, '2026-01-01T00:00:00Z')],
    ] as const
    for (const [sort, cursor] of forged)
      expect(await refusal(app, viewer, { sort, cursor, search: 'gear' }), cursor).toEqual([422, 'cursor'])
    console.info(`T11 foreign cursors accepted ${accepted} of ${foreign}, forged 0 of ${forged.length}`)
  })
})
