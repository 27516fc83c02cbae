import { readFile } from 'node:fs/promises'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'

const MIGRATION = new URL('../../../../migrations/0044-library-word-vectors.sql', import.meta.url)

it('after the migration to vectors, a search finds the same models, and the database has word statistics', async () => {
  const app = await buildTestApp()
  const { sql } = app.database
  const viewer = await app.as('viewer')
  for (let at = 0; at < 60; at += 1)
    await aModel(app, { title: `Gear ${at}`, description: at % 20 === 0 ? "the miller's own" : 'of brass' })
  const text = await readFile(MIGRATION, 'utf8')
  await app.database.transaction((tx) => tx.unsafe(text))

  const known = await sql<{ attname: string; frequency: number }[]>`
    select attname, max(frequency) as frequency
    from pg_stats, unnest(most_common_elem_freqs) as frequency
    where tablename = 'stl_files' and attname in ('words', 'title_words') group by attname order by attname`
  expect(known).toEqual([
    { attname: 'title_words', frequency: 1 },
    { attname: 'words', frequency: 1 },
  ])
  const answer = await app.http.inject({ url: "/api/stl-files?search=gear miller's", headers: viewer })
  expect(answer.json<Model[]>().map(({ title }) => title)).toEqual(['Gear 40', 'Gear 20', 'Gear 0'])
  // Words added later are indexed as well.
  await aModel(app, { title: 'Sprocket' })
  const later = await app.http.inject({ url: '/api/stl-files?search=sprock', headers: viewer })
  expect(later.json<Model[]>().map(({ title }) => title)).toEqual(['Sprocket'])
})
