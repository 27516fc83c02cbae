import type { Slice } from '@pegasus/contracts/slices/slices'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { aSlice } from '../../../../test/support/library/slice-factories.ts'
import { allPages } from '../../../../test/support/stock-factories.ts'

it('the list of sliced files has pages, newest first, with the plates of one file by number', async () => {
  const app = await buildTestApp()
  const model = await aModel(app)
  for (const plate of [2, 3, 1]) await aSlice(app, model, { format: 'gcode.3mf', plate })
  // All plates of an uploaded file have the same creation time.
  await app.database.sql`update sliced_files set created_at = (select min(created_at) from sliced_files)`
  await aSlice(app, model)
  const headers = await app.as('viewer')
  const url = `/api/stl-files/${model}/slices`
  const { items, total } = await allPages<Slice>(app, headers, `${url}?limit=2`)
  expect(items.map(({ format, plate }) => [format, plate])).toEqual([
    ['gcode', 1],
    ['gcode.3mf', 1],
    ['gcode.3mf', 2],
    ['gcode.3mf', 3],
  ])
  expect(total).toBe('4')
  expect((await app.http.inject({ url: `${url}?limit=1001`, headers })).statusCode).toBe(422)
})
