import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { createBox, createCube, createGear } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { build3mf } from '../../../../../../packages/mesh/test/threemf-tools.ts'
import { buildZip, type PackedFile } from '../../../../../../packages/mesh/test/zip-tools.ts'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'
import { getImport, importIn, keptBy } from '../../../../test/support/library/model-imports.ts'
import { upload } from '../../../../test/support/library/model-upload.ts'
import { DAY_MS } from '../../../platform/clock.ts'

const CUBE = writeBinaryStl(createCube(20))
const GEAR = writeBinaryStl(createGear())
const OBJ = 'o box\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'

const zipped = (files: PackedFile[]) => ({ name: 'set.zip', bytes: buildZip(files) })

/** An archive with folders and extra files, as real archives have. */
const SET: PackedFile[] = [
  { name: 'set/', data: '' },
  { name: 'set/cube.stl', data: CUBE },
  { name: '__MACOSX/set/._cube.stl', data: 'junk' },
  { name: 'set/.DS_Store', data: 'junk' },
  { name: 'set/read me.txt', data: 'Please print this twice, thank you.' },
  { name: 'set/deep/gear.stl', data: GEAR },
  { name: 'set/pyramid', data: OBJ },
  { name: 'set/package.3mf', data: build3mf() },
]

type Headers = Record<string, string>

const act = (app: TestApp, headers: Headers, id: string, audit: 'choose' | 'retry', payload?: object) =>
  app.http.inject({
    method: 'POST',
    url: `/api/stl-imports/${id}/${audit}`,
    headers,
    ...(payload && { payload }),
  })

const offer = async (app: TestApp, headers: Headers, files: PackedFile[], fields: Headers = {}) =>
  (await upload(app, headers, zipped(files), fields)).json<ModelImport>()

const modelsOf = async (app: TestApp, headers: Headers): Promise<Model[]> =>
  (await app.http.inject({ url: '/api/stl-files', headers })).json<Model[]>()

describe('uploads of a ZIP', () => {
  it('an uploaded ZIP lists its models by their content, without junk files, and the chosen ones are imported', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const gear = (await upload(app, staff, { name: 'gear.stl', bytes: GEAR })).json<Model>()
    const answer = await upload(app, staff, zipped(SET), {
      title: 'Box of things',
      tags: '["set"]',
      license_type: 'CC0',
    })
    expect(answer.statusCode).toBe(202)
    const offered = answer.json<ModelImport>()
    expect(offered).toMatchObject({
      source: 'archive',
      status: 'choosing',
      file_name: 'set.zip',
      stl_file_id: null,
    })
    expect(offered.entries).toMatchObject([
      { index: 0, name: 'set/cube.stl', size: CUBE.byteLength, format: 'stl', status: 'offered' },
      { index: 3, name: 'set/read me.txt', format: null },
      { index: 4, name: 'set/deep/gear.stl', format: 'stl' },
      { index: 5, name: 'set/pyramid', format: 'obj' },
      { index: 6, name: 'set/package.3mf', format: '3mf' },
    ])
    // Duplicates are already marked before the person chooses.
    expect(offered.entries?.map((entry) => entry.duplicate_of)).toEqual([null, null, gear.id, null, null])
    const { id } = offered
    expect((await act(app, staff, id, 'choose', { entries: [3] })).statusCode).toBe(422)
    expect((await act(app, staff, id, 'choose', { entries: [] })).statusCode).toBe(422)
    const chosen = await act(app, staff, id, 'choose', { entries: [0, 4, 5, 6] })
    expect([chosen.statusCode, chosen.json<ModelImport>().status]).toEqual([202, 'importing'])
    const done = await importIn(app, staff, id, 'done', 'failed')
    expect(done.entries?.map(({ status, error }) => [status, error])).toEqual([
      ['done', null],
      ['skipped', null],
      ['done', null],
      ['done', null],
      ['done', null],
    ])
    expect(done.entries?.map((entry) => entry.duplicate_of)).toEqual([null, null, gear.id, null, null])
    const models = await modelsOf(app, staff)
    const added = models.filter((model) => model.tags.includes('set'))
    expect(added.map((model) => `${model.title} ${model.format} ${model.license_type}`).toSorted()).toEqual([
      'cube stl CC0',
      'gear stl CC0',
      'package 3mf CC0',
      'pyramid obj CC0',
    ])
    expect(added.find(({ title }) => title === 'gear')?.duplicate_of).toBe(
      models.find((model) => !model.tags.includes('set'))?.id,
    )
    const audited = (await entriesOf(app)).filter((entry) => entry.action === 'model.added')
    expect(audited).toHaveLength(5)
    // The archive is deleted as soon as it is no longer needed.
    const keys = await app.database.sql`select 1 from stl_imports where object_key is not null`
    expect(keys).toHaveLength(0)
    expect((await act(app, staff, id, 'choose', { entries: [0] })).statusCode).toBe(409)
    expect((await act(app, staff, id, 'retry')).statusCode).toBe(409)
  })

  it('files in an uploaded ZIP are compared by their bytes with the current library, but not with the trash', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const box = (depth: number) => writeBinaryStl(createBox(1, 2, depth))
    const known = (await upload(app, staff, { name: 'a.stl', bytes: box(3) })).json<Model>()
    const archive = [
      { name: 'the same.stl', data: box(3) },
      { name: 'as large.stl', data: box(4) },
      { name: 'damaged.stl', data: box(3), isStored: true, packed: box(5) },
    ]
    const { id } = await offer(app, staff, archive)
    const duplicates = async () =>
      (await getImport(app, staff, id)).entries?.map((entry) => entry.duplicate_of)
    expect(await duplicates()).toEqual([known.id, null, null])
    await app.http.inject({ method: 'DELETE', url: `/api/stl-files/${known.id}`, headers: staff })
    expect(await duplicates()).toEqual([null, null, null])
  })

  it('the title given with an uploaded ZIP is used if only one file is chosen', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id } = await offer(app, staff, SET, { title: 'The one' })
    await act(app, staff, id, 'choose', { entries: [0] })
    await importIn(app, staff, id, 'done')
    expect((await modelsOf(app, staff)).map((model) => model.title)).toEqual(['The one'])
  })

  it('the import of a ZIP gives a reason for each failed file, and keeps the models that were stored', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id } = await offer(app, staff, [
      { name: 'good.stl', data: CUBE },
      { name: 'cut.stl', data: GEAR.subarray(0, GEAR.byteLength - 30) },
      { name: 'damaged.stl', data: writeBinaryStl(createBox(1, 2, 3)), isStored: true, packed: CUBE },
    ])
    await act(app, staff, id, 'choose', { entries: [0, 1, 2] })
    const done = await importIn(app, staff, id, 'done', 'failed')
    expect(done.status).toBe('done')
    expect(done.entries?.map((entry) => entry.status)).toEqual(['done', 'failed', 'failed'])
    for (const entry of done.entries?.slice(1) ?? []) expect(entry.error?.length).toBeGreaterThan(20)
    expect(await modelsOf(app, staff)).toHaveLength(1)
    // The archive is kept for another attempt. It is deleted if that attempt fails too and a day has passed.
    expect((await act(app, staff, id, 'retry')).statusCode).toBe(202)
    await importIn(app, staff, id, 'done')
    app.clock.advance(DAY_MS)
    await app.cleanup.run()
    const again = { authorization: `Bearer ${await app.signIn('staff-1')}` }
    expect((await act(app, again, id, 'retry')).statusCode).toBe(409)
    expect(await modelsOf(app, again)).toHaveLength(1)
  })

  it('uploading a ZIP twice with the same idempotency key makes one import', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const key = { 'idempotency-key': 'once' }
    const [first, second] = [
      await upload(app, staff, zipped(SET), {}, key),
      await upload(app, staff, zipped(SET), {}, key),
    ]
    expect(second.json()).toEqual(first.json())
    expect(await keptBy(app)).toEqual({ files: 1, models: 0, imports: 1 })
  })

  it('T93 a repeated choice with the same idempotency key returns the same response and imports once', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id } = await offer(app, staff, SET)
    const keyed = { ...staff, 'idempotency-key': 'once' }
    const chosen = await act(app, keyed, id, 'choose', { entries: [0] })
    const again = await act(app, keyed, id, 'choose', { entries: [0] })
    expect([again.statusCode, again.json()]).toEqual([202, chosen.json()])
    const other = await act(app, keyed, id, 'choose', { entries: [4] })
    expect([other.statusCode, other.json().code]).not.toEqual([409, 'import_state'])
    expect(other.statusCode).toBe(409)
    await importIn(app, staff, id, 'done')
    expect(await modelsOf(app, staff)).toHaveLength(1)
  })

  it('an uploaded ZIP leaves nothing behind if its import is cancelled or nobody chooses files for a day', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const cancelled = await offer(app, staff, SET)
    const forgotten = await offer(app, staff, [{ name: 'a.stl', data: CUBE }])
    expect((await keptBy(app)).files).toBe(2)
    const url = `/api/stl-imports/${cancelled.id}`
    expect((await app.http.inject({ method: 'DELETE', url, headers: staff })).statusCode).toBe(204)
    expect((await keptBy(app)).files).toBe(1)
    expect((await act(app, staff, cancelled.id, 'choose', { entries: [0] })).statusCode).toBe(409)
    await app.cleanup.run()
    expect((await getImport(app, staff, forgotten.id)).status).toBe('choosing')
    app.clock.advance(DAY_MS)
    await app.cleanup.run()
    const [row] = await app.database
      .sql`select status, error, object_key from stl_imports where id = ${forgotten.id}`
    expect(row).toMatchObject({ status: 'cancelled', object_key: null })
    expect(String(row?.['error'])).toContain('within a day')
    expect((await keptBy(app)).files).toBe(0)
    app.clock.advance(7 * DAY_MS)
    await app.cleanup.run()
    expect(await keptBy(app)).toEqual({ files: 0, models: 0, imports: 0 })
  })

  it('a ZIP that contains no model or cannot be opened is refused and leaves nothing behind', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const refused = [
      zipped([{ name: 'read me.txt', data: 'Hello there, this is a note.' }]),
      zipped([]),
      zipped([{ name: 'a.stl', data: CUBE, flags: 1 }]),
      zipped([{ name: '../a.stl', data: CUBE }]),
      { name: 'cut.zip', bytes: buildZip(SET).subarray(0, 3000) },
    ]
    for (const file of refused) {
      const answer = await upload(app, staff, file)
      expect([answer.statusCode, answer.json().detail.length > 25]).toEqual([422, true])
    }
    expect(await keptBy(app)).toEqual({ files: 0, models: 0, imports: 0 })
  })

  it('a cancelled import of a ZIP stops, and keeps the models that it has stored so far', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const files = Array.from({ length: 60 }, (_, index) => ({
      name: `${index}.stl`,
      data: writeBinaryStl(createBox(1 + index, 2, 3)),
    }))
    const { id } = await offer(app, staff, files)
    await act(app, staff, id, 'choose', { entries: files.map((_, index) => index) })
    const countDone = async () =>
      (await getImport(app, staff, id)).entries?.filter((entry) => entry.status === 'done').length ?? 0
    await expect.poll(countDone, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0)
    const url = `/api/stl-imports/${id}`
    expect((await app.http.inject({ method: 'DELETE', url, headers: staff })).statusCode).toBe(204)
    const ended = await getImport(app, staff, id)
    expect(ended.status).toBe('cancelled')
    const done = ended.entries?.filter((entry) => entry.status === 'done') ?? []
    const others = new Set(ended.entries?.map((entry) => entry.status))
    expect(others).toEqual(new Set(['done', 'skipped']))
    // The task has ended when no file is pending.
    const running = () => app.database.sql`
      select 1 from pgboss.job where name = 'stl-library.unpack' and state in ('created', 'retry', 'active')`
    await expect.poll(async () => (await running()).length, { timeout: 60_000 }).toBe(0)
    const [row] = await app.database.sql<[{ models: number }]>`select count(*)::int as models from stl_files`
    expect(row.models).toBe(done.length)
  })

  it('an account with 50 unfinished imports cannot upload another ZIP', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [account] = await app.database.sql<
      { id: string }[]
    >`select id from accounts where username = 'staff-1'`
    await app.database.sql`
      insert into stl_imports (id, account_id, source, status, fields, created_at, updated_at)
      select gen_random_uuid(), ${account?.id ?? ''}, 'archive', 'choosing', '{}', now(), now()
      from generate_series(1, 50)`
    const answer = await upload(app, staff, zipped(SET))
    expect([answer.statusCode, answer.json().detail]).toMatchObject([
      409,
      expect.stringContaining('50 unfinished imports'),
    ])
    expect((await keptBy(app)).files).toBe(0)
    expect((await upload(app, await app.as('staff'), zipped(SET))).statusCode).toBe(202)
  })
})
