import type { Model } from '@pegasus/contracts/stl-library/models'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'

const MODELS = 2000

/** Texts full of special characters, which a search must match literally. */
const LITERALS = [
  '100%',
  '_',
  '%_',
  '\\',
  "'; drop table stl_files; --",
  '{a,b}',
  '"',
  '$1',
  '.*',
  '(a+)+$',
  '[',
  '\\u0000',
]

/** Searches with the maximum number of letters, words, special characters or alternatives. */
const SLOW = [
  'a'.repeat(200),
  '%_'.repeat(100),
  '_'.repeat(200),
  '\\'.repeat(200),
  'ab'.repeat(20),
  'a-'.repeat(100),
  Array.from({ length: 100 }, (_, at) => String.fromCharCode(97 + (at % 26))).join('-'),
  'e a i o u n r t s l',
  Array.from({ length: 10 }, (_, at) => 'qwertzuiopasdfg'.slice(at, at + 6)).join(' '),
  '(a+)+$'.repeat(33),
  'ß'.repeat(200),
]

async function aLargeLibrary(app: TestApp): Promise<void> {
  await app.database.sql`
    with numbers as (select n, gen_random_uuid() as id, gen_random_uuid() as version_id
                     from generate_series(1, ${MODELS}::int) n),
    versions as (
      insert into stl_versions (id, stl_file_id, number, file_name, file_size, sha256, object_key, format, created_at)
      select version_id, id, 1, 'gear-' || md5(n::text) || '.stl', 684, md5(n::text), md5(n::text), 'stl', now()
      from numbers)
    insert into stl_files (id, title, description, license_type, current_version_id, created_at, updated_at)
    select id, 'Gear ' || md5(n::text), repeat(md5(n::text) || ' ', 20), 'CC0', version_id, now(), now() from numbers`
}

it('T90 a search takes every special character literally, and is never slow enough to delay other searches', {
  timeout: 120_000,
}, async () => {
  const app = await buildTestApp()
  const viewer = await app.as('viewer')
  const find = (search: string, sort: string) =>
    app.http.inject({ url: `/api/stl-files?${new URLSearchParams({ search, sort })}`, headers: viewer })
  for (const [at, text] of LITERALS.entries()) await aModel(app, { title: `${at} x${text}x` })
  await aModel(app, { title: 'plain' })
  let wrong = 0
  for (const sort of ['newest', 'relevance'])
    for (const text of LITERALS) {
      const titles = (await find(text, sort)).json<Model[]>().map(({ title }) => title)
      // The title contains each word of the search.
      const isRight = (title: string) =>
        text
          .toLowerCase()
          .split(/\s+/)
          .every((word) => title.toLowerCase().includes(word))
      const expected = [...LITERALS.entries()].map(([at, held]) => `${at} x${held}x`).filter(isRight)
      if (titles.toSorted().join() !== expected.toSorted().join()) wrong += 1
    }

  await aLargeLibrary(app)
  const durations: number[] = []
  for (const sort of ['newest', 'relevance'])
    for (const search of SLOW) {
      const startedAt = performance.now()
      const { statusCode, body } = await find(search, sort)
      durations.push(performance.now() - startedAt)
      expect(statusCode, body.slice(0, 200)).toBe(200)
    }
  const slowest = Math.max(...durations).toFixed(0)
  console.info(
    `T90 wrong ${wrong} of ${LITERALS.length * 2}, slowest of ${durations.length} searches ${slowest} ms`,
  )
  expect(wrong).toBe(0)
  // This is far above the time of any normal search, and far below the time of a runaway pattern.
  expect(Number(slowest)).toBeLessThan(5000)
})
