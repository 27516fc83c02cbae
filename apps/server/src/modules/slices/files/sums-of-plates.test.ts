import type { Slice } from '@pegasus/contracts/slices/slices'
import { fileURLToPath } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import { expect, it, onTestFinished } from 'vitest'
import { gcode3mf, gcode3mfOf } from '../../../../../../packages/mesh/test/gcode-tools.ts'
import { callsOf } from '../../../../test/support/api-calls.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { createTestDatabase } from '../../../../test/support/database/test-database.ts'
import { aModel } from '../../../../test/support/library/library-factories.ts'
import { listSlices, uploadedSlices } from '../../../../test/support/library/slice-upload.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { migrate } from '../../../platform/database/migrate.ts'

/** A file with three plates that use one spool, and a file with two plates that use two spools in different shares. */
const FILES = {
  'dragon.gcode.3mf': gcode3mfOf([
    { part: 'head', grams: 10.25, minutes: 31 },
    { part: 'body', grams: 30.5, minutes: 150 },
    { part: 'tail', grams: 20, minutes: 61 },
  ]),
  'sign.gcode.3mf': gcode3mf(),
}

interface StoredSums {
  id: string
  plates: number | null
  tools: { tool: number; grams: number | null; metres: number | null }[] | null
  grams: number | null
  metres: number | null
  minutes: number | null
}

const NOTHING = { plates: null, tools: null, grams: null, metres: null, minutes: null }

const readStored = (sql: Queryable) => sql<StoredSums[]>`
  select id, file_plates as plates, file_tools as tools, file_grams::float8 as grams, file_metres::float8 as metres,
         file_minutes as minutes
  from sliced_files where deleted_at is null order by file_name, plate`

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.includes(null)
    ? null
    : Number(values.reduce<number>((sum, value) => sum + (value ?? 0), 0).toFixed(3))

/** Adds up the plates in the API's answer for each file. */
function sumsOf(slices: readonly Slice[]): Omit<StoredSums, 'id'> {
  const tools = slices.flatMap((slice) => slice.tools)
  const numbers = [...new Set(tools.map(({ tool }) => tool))].toSorted((a, b) => a - b)
  return {
    plates: slices.length,
    tools: numbers.map((tool) => {
      const same = tools.filter((each) => each.tool === tool)
      return {
        tool,
        grams: sumOf(same.map(({ grams }) => grams)),
        metres: sumOf(same.map(({ metres }) => metres)),
      }
    }),
    grams: sumOf(slices.map(({ grams }) => grams)),
    metres: sumOf(slices.map(({ metres }) => metres)),
    minutes: sumOf(slices.map(({ minutes }) => minutes)),
  }
}

/** Checks that each plate of the model has the sums of all plates of its file. */
async function expectSums(app: TestApp, modelId: string): Promise<void> {
  const slices = await listSlices(app, await app.as('viewer'), modelId)
  const stored = await readStored(app.database.sql)
  expect(stored.map(({ id }) => id).toSorted()).toEqual(slices.map(({ id }) => id).toSorted())
  for (const { id, ...sums } of stored) {
    const name = slices.find((slice) => slice.id === id)?.file_name
    const plates = slices.filter((slice) => slice.file_name === name)
    const expected = plates[0]?.needs_all_plates === true ? sumsOf(plates) : NOTHING
    expect(sums, name).toMatchObject(expected)
  }
}

it('each row of a sliced file has the sums of all plates after every change of the file', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  const send = callsOf(app, staff)
  const modelId = await aModel(app)
  const upload = (name: keyof typeof FILES, fields: Record<string, string> = {}) =>
    uploadedSlices(app, staff, modelId, { name, bytes: FILES[name] }, fields)
  const change = async (what: 'PUT' | 'DELETE' | 'POST', { id }: Slice, body?: object, step = '') => {
    const answer = await send(`${what} /api/stl-files/${modelId}/slices/${id}${step}`, body, {
      'if-match': '*',
    })
    expect(answer.status, answer.text).toBeLessThan(300)
    await expectSums(app, modelId)
  }

  const [head, body] = await upload('dragon.gcode.3mf')
  const [sign] = await upload('sign.gcode.3mf', { needs_all_plates: 'true' })
  await expectSums(app, modelId)
  const stored = await readStored(app.database.sql)
  expect(stored.slice(3)).toMatchObject([
    { plates: 2, grams: 28.61, tools: [{ grams: 10.26 }, { grams: 18.35 }] },
    { plates: 2 },
  ])

  // Delete a plate, change the decision, and upload the plate again.
  await change('DELETE', body!)
  await change('PUT', head!, { needs_all_plates: true })
  expect((await readStored(app.database.sql))[0]).toMatchObject({ plates: 2, grams: 30.25 })
  await upload('dragon.gcode.3mf')
  await expectSums(app, modelId)
  expect((await readStored(app.database.sql))[0]).toMatchObject({ plates: 3, grams: 60.75, minutes: 242 })

  app.clock.advance(1)
  // Delete and restore the whole file, and change its material and its decision.
  await change('DELETE', head!)
  await change('POST', head!, undefined, '/restore')
  await change('PUT', head!, { material: 'PETG' })
  expect((await readStored(app.database.sql))[2]?.tools).toMatchObject([{ material: 'PETG' }])
  for (const decision of [false, true, null]) await change('PUT', sign!, { needs_all_plates: decision })

  // The sums stay right if a plate does not state its weight, and if its row is deleted for good.
  await app.database.sql`update sliced_files set grams = null where plate = 3`
  await expectSums(app, modelId)
  await app.database.sql`delete from sliced_files where plate = 3`
  await expectSums(app, modelId)
})

it('weights that are together too large for their column are unknown', async () => {
  const app = await buildTestApp()
  const bytes = FILES['dragon.gcode.3mf']
  const file = { name: 'dragon.gcode.3mf', bytes }
  await uploadedSlices(app, await app.as('staff'), await aModel(app), file, { needs_all_plates: 'true' })
  await app.database.sql`update sliced_files set grams = 50000000, metres = 5000000`
  const sums = { plates: 3, grams: null, metres: null, minutes: 242 }
  expect(await readStored(app.database.sql)).toMatchObject([sums, sums, sums])
})

const MIGRATIONS = fileURLToPath(new URL('../../../../migrations', import.meta.url))

it('an upgrade adds up the plates of the files that were decided before', async () => {
  const { database, drop } = await createTestDatabase({ isEmpty: true })
  onTestFinished(drop)
  const { sql } = database
  const settings = { database, folder: MIGRATIONS, log: silentLog }
  await migrate({ ...settings, isWanted: (name) => name < '0810' })
  await database.transaction(async (tx) => {
    const [modelId, versionId] = [uuidv7(), uuidv7()]
    await tx`
      insert into stl_files (id, title, license_type, current_version_id, created_at, updated_at)
      values (${modelId}, 'Dragon', 'CC0', ${versionId}, now(), now())`
    await tx`
      insert into stl_versions (id, stl_file_id, number, file_name, file_size, sha256, object_key, format,
                                analysis_status, created_at)
      values (${versionId}, ${modelId}, 1, 'dragon.stl', 684, ${'1'.repeat(64)}, 'models/1', 'stl', 'done', now())`
    // Insert more rows than the migration changes in one step.
    await tx`
      insert into sliced_files (id, stl_file_id, stl_version_id, object_key, file_name, file_size, sha256, format, plate,
                                tools, grams, minutes, needs_all_plates, actor_kind, actor_name, created_at, updated_at)
      select gen_random_uuid(), ${modelId}, ${versionId}, 'slices/' || n, 'dragon.gcode.3mf', 1000, n::text, 'gcode.3mf',
             plate, jsonb_build_array(jsonb_build_object('tool', 0, 'grams', n)), n, case when n > 1 then plate end,
             case when n < 500 then true end, 'system', 'Test', now(), now()
      from generate_series(1, 600) n, generate_series(1, 2) plate`
  })
  await migrate(settings)
  const rows = await sql<{ files: number; matches: boolean }[]>`
    select count(*)::int as files,
           bool_and(case when needs_all_plates
                    then file_plates = 2 and file_grams = 2 * grams and file_tools @> jsonb_build_array(jsonb_build_object('grams', 2 * grams))
                      and file_minutes is not distinct from case when minutes is not null then 3 end
                    else file_plates is null and file_tools is null end) as matches
    from sliced_files group by needs_all_plates order by files`
  expect(rows).toEqual([
    { files: 202, matches: true },
    { files: 998, matches: true },
  ])
})
