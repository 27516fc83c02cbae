import { expect, test } from 'vitest'
import { queryKeysOf } from '@/lib/live-events/live-events-keys.ts'
import { similarQuery, trashQuery } from './model-forms/model-mutations.ts'
import { LISTS_KEY } from './stl-library.queries.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

test.each([
  ['the lists', LISTS_KEY],
  ['the similar models', similarQuery(ID).queryKey],
  ['the trash', trashQuery.queryKey],
])('the change of a model makes %s stale', (_, key) => {
  expect(queryKeysOf({ entity: 'stl_file', id: ID })).toContainEqual(key.slice(0, 2))
})
