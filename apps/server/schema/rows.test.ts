import { readFile } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../test/support/database/test-database.ts'
import { ROWS_FILE } from './generate-rows.ts'
import { readRelations } from './read-relations.ts'
import { renderRows } from './render-rows.ts'

it('rows.ts matches the tables of the migrated database', async () => {
  const { database, drop } = await createTestDatabase()
  onTestFinished(drop)
  const rendered = renderRows(await readRelations(database.sql))
  expect(await readFile(ROWS_FILE, 'utf8'), 'run `npm run generate:rows` and look at what it changes').toBe(
    rendered,
  )
})
