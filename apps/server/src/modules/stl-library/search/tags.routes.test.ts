import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'

const tagsOf = async (app: TestApp, headers: Record<string, string>, query = '') => {
  const answer = await app.http.inject({ url: `/api/stl-tags${query}`, headers })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ tag: string; models: number }[]>().map(({ tag, models }) => `${tag} ${models}`)
}

/** Computes the expected counts by reading every model. */
const countedByReading = async (app: TestApp) => {
  const rows = await app.database.sql<{ tag: string; models: number }[]>`
    select tag, count(*)::int as models from stl_files, unnest(tags) as tag
    where deleted_at is null group by tag order by models desc, tag`
  return rows.map(({ tag, models }) => `${tag} ${models}`)
}

it('the number of models per tag stays correct through all changes, including concurrent ones', async () => {
  const app = await buildTestApp()
  const { sql } = app.database
  const viewer = await app.as('viewer')
  for (const tags of [['wall', 'hook'], ['wall', '100%_steel'], ['wall'], []]) await aModel(app, { tags })
  expect(await tagsOf(app, viewer)).toEqual(['wall 3', '100%_steel 1', 'hook 1'])
  expect(await tagsOf(app, viewer, '?limit=1')).toEqual(['wall 3'])
  expect(await tagsOf(app, viewer, '?search=OO')).toEqual(['hook 1'])
  expect(await tagsOf(app, viewer, `?search=${encodeURIComponent('%_')}`)).toEqual(['100%_steel 1'])
  expect(await tagsOf(app, viewer, `?search=${encodeURIComponent('_s')}`)).toEqual(['100%_steel 1'])
  expect(await tagsOf(app, viewer, '?search=wall%20hook')).toEqual([])

  const changes = [
    () => sql`update stl_files set tags = array_append(tags, 'new') where 'wall' = any(tags)`,
    () => sql`update stl_files set deleted_at = now() where 'hook' = any(tags)`,
    () => sql`update stl_files set tags = '{}' where deleted_at is not null`,
    () => sql`update stl_files set deleted_at = null, tags = '{hook,back}'`,
    () => sql`update stl_files set title = title || '!'`,
  ]
  for (const change of changes) {
    await change()
    expect(await tagsOf(app, viewer)).toEqual(await countedByReading(app))
  }
  // Add the tags in opposite orders at the same time: the transactions wait for each other, and no count is lost.
  await Promise.all(
    Array.from({ length: 20 }, (_, at) => aModel(app, { tags: at % 2 ? ['a', 'b', 'c'] : ['c', 'b', 'a'] })),
  )
  expect(await tagsOf(app, viewer)).toEqual(await countedByReading(app))
  expect(await tagsOf(app, viewer, '?search=b')).toEqual(['b 20', 'back 4'])
})
