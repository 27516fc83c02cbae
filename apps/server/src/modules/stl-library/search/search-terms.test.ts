import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { upload } from '../../../../test/support/library/model-upload.ts'

const CUBE = writeBinaryStl(createCube(20))
/** A text without repetitions, so that each part of it occurs in one place only. */
const LONG_WORD = Array.from({ length: 2000 }, (_, at) => (at * 7919).toString(36)).join('')

interface Texts {
  title: string
  description: string
}

const LIBRARY: readonly Texts[] = [
  { title: 'Wall bracket', description: 'for a shelf, 100% strong\n\tand\ttwo  screws' },
  { title: 'brackets of the FREEZER', description: '' },
  { title: 'Gear_18 x2', description: 'ünïcödé ÄRGER Ωmega шестерня' },
  { title: 'Narrow\u00a0space', description: 'line\r\nbreak\u2003wide \\ backslash' },
  { title: 'Long', description: `before ${LONG_WORD} after` },
  { title: 'Many', description: Array.from({ length: 400 }, (_, at) => `qq${at}zz`).join(' ') },
]

const SEARCHES = [
  'bracket;rack;BRACKETS;shelf,;two screws;strong for;w;zer wall;e;nowhere',
  '100%;%;_;x_;\\;ärger;ÜNÏ;ωmega;ШЕСТЕР;narrow space;row;wide;kwide;\' or 1=1 --;{;"',
  'line break;before after;qq;qq7;q zz;qq399zz qq0zz;qq400zz',
].flatMap((line) => line.split(';'))

/** Computes the expected result: models whose title and description contain every word. */
const findByReading = (search: string): string[] =>
  LIBRARY.filter(({ title, description }) => {
    const text = `${title}\n${description}`.toLowerCase()
    return search
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  }).map(({ title }) => title)

async function find(
  app: TestApp,
  headers: Record<string, string>,
  search: string,
  sort = 'newest',
): Promise<string[]> {
  const answer = await app.http.inject({
    url: `/api/stl-files?search=${encodeURIComponent(search)}&sort=${sort}`,
    headers,
  })
  const titles = answer.json<Model[]>().map(({ title }) => title)
  expect(answer.headers['x-total-count']).toBe(String(titles.length))
  return titles.reverse()
}

async function aLibrary() {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  for (const { title, description } of LIBRARY) {
    await upload(app, staff, { name: 'm.stl', bytes: CUBE }, { title, description })
    app.clock.advance(1)
  }
  return { app, staff }
}

it('the search by the word index finds the same models as a search through every text', async () => {
  const { app, staff } = await aLibrary()
  const pieces = [0, 150, 199, 200, 201, 399, 400, 3333, LONG_WORD.length - 200].map((at) =>
    LONG_WORD.slice(at, at + 200),
  )
  const searches = [...SEARCHES, ...pieces]
  const found = Object.fromEntries(
    await Promise.all(searches.map(async (search) => [search, await find(app, staff, search)] as const)),
  )
  expect(found).toEqual(Object.fromEntries(searches.map((search) => [search, findByReading(search)])))
  expect(pieces.map((piece) => found[piece])).toEqual(pieces.map(() => ['Long']))
})

it('a search finds the new words of a changed text, and no longer finds the old words', async () => {
  const { app, staff } = await aLibrary()
  await app.database
    .sql`update stl_files set title = 'Hinge', description = 'of steel' where title = 'Wall bracket'`
  expect(await find(app, staff, 'steel hin')).toEqual(['Hinge'])
  expect(await find(app, staff, 'shelf')).toEqual([])
})

it('models with the same new words can be added at the same time', async () => {
  const { app, staff } = await aLibrary()
  const words = Array.from({ length: 200 }, (_, at) => `new${at}`)
  const descriptions = [words.join(' '), words.toReversed().join(' ')]
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      upload(
        app,
        staff,
        { name: 'm.stl', bytes: CUBE },
        { title: 'Twin', description: descriptions[at % 2]! },
      ),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 201))
  expect(await find(app, staff, 'new0 new199')).toHaveLength(8)
})

it('a search allows a typo in words of every alphabet', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  for (const title of ['голова утки', 'Großer Käse', '鴨の頭部模型']) await aModel(app, { title })
  const slips = {
    утка: 'голова утки',
    голва: 'голова утки',
    головаа: 'голова утки',
    käsa: 'Großer Käse',
    鴨の頭邵模型: '鴨の頭部模型',
  }
  for (const [search, title] of Object.entries(slips))
    for (const sort of ['newest', 'relevance'])
      expect([search, await find(app, staff, search, sort)]).toEqual([search, [title]])
  expect(await find(app, staff, 'жираф')).toEqual([])
})
