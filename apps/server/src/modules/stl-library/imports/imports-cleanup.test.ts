import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createBox, createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { buildZip, type PackedFile } from '../../../../../../packages/mesh/test/zip-tools.ts'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'
import {
  getImport,
  importIn,
  storeModelOf,
  keptBy,
  QUICK,
  uploadByUrl,
} from '../../../../test/support/library/model-imports.ts'
import { upload } from '../../../../test/support/library/model-upload.ts'
import { aRemote, serving } from '../../../../test/servers/remote-server.ts'
import { HOUR_MS } from '../../../platform/clock.ts'
import { createArchiveTask } from './archive.task.ts'

const CUBE = writeBinaryStl(createCube(20))
const ONE: PackedFile[] = [{ name: 'cube.stl', data: CUBE }]

type Headers = Record<string, string>

const offer = async (app: TestApp, headers: Headers, files: PackedFile[]) =>
  (await upload(app, headers, { name: 'set.zip', bytes: buildZip(files) })).json<ModelImport>()

const accountOf = async (app: TestApp): Promise<string> =>
  (await app.database.sql<{ id: string }[]>`select id from accounts where username = 'staff-1'`)[0]?.id ?? ''

/** Makes the commit of every transaction that has written an import entry fail. */
const refuseToCommit = (app: TestApp) =>
  app.database.sql.unsafe(
    `create function refuse_all() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
     create constraint trigger refuse_all after insert on stl_import_entries
     deferrable initially deferred for each row execute function refuse_all()`,
  )

describe('archives of imports', () => {
  it('T100 a failed commit leaves no archive behind, whether the archive was uploaded or fetched', {
    timeout: 60_000,
  }, async () => {
    const remote = await aRemote(serving(buildZip(ONE)))
    const app = await buildTestApp({
      variables: { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}` },
      outbound: { limits: QUICK },
    })
    const staff = await app.as('staff')
    await refuseToCommit(app)
    const sent = await upload(app, staff, { name: 'set.zip', bytes: buildZip(ONE) })
    expect(sent.statusCode).toBe(500)
    expect((await keptBy(app)).files).toBe(0)
    const { id } = (await uploadByUrl(app, staff, `${remote.url}/set.zip`)).json<ModelImport>()
    await importIn(app, staff, id, 'failed')
    console.info(
      `T100 archives left behind ${(await keptBy(app)).files} of ${1 + remote.hits.length} attempts`,
    )
    expect(await keptBy(app)).toEqual({ files: 0, models: 0, imports: 1 })
  })

  it('an archive counts towards the limit of imports for as long as it is kept, and a retry counts too', async () => {
    const app = await buildTestApp({ outbound: { resolve: async () => ['93.184.216.34'] } })
    const staff = await app.as('staff')
    const account = await accountOf(app)
    await app.database.sql`
      insert into stl_imports (id, account_id, source, status, object_key, fields, created_at, updated_at)
      select gen_random_uuid(), ${account}, 'archive', 'failed', 'imports/' || n, '{}', now(), now()
      from generate_series(1, 50) n`
    expect((await upload(app, staff, { name: 'set.zip', bytes: buildZip(ONE) })).statusCode).toBe(409)
    const [failed] = await app.database.sql<{ id: string }[]>`
      insert into stl_imports (id, account_id, source, status, url, fields, created_at, updated_at)
      values (gen_random_uuid(), ${account}, 'url', 'failed', 'http://files.example.com/a.stl', '{}', now(), now())
      returning id`
    const url = `/api/stl-imports/${failed?.id}/retry`
    const retried = await app.http.inject({ method: 'POST', url, headers: staff })
    expect([retried.statusCode, retried.json().code]).toEqual([409, 'too_many_imports'])
  })

  it('a page of the import list contains fewer imports if their archives have very many entries', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const account = await accountOf(app)
    await app.database.sql`
      with added as (
        insert into stl_imports (id, account_id, source, status, fields, created_at, updated_at)
        select gen_random_uuid(), ${account}, 'archive', 'cancelled', '{}', now() - n * interval '1 s', now()
        from generate_series(1, 12) n returning id)
      insert into stl_import_entries (import_id, index, name, size, status)
      select id, index, repeat('n', 500), 1, 'skipped' from added, generate_series(1, 4000) index`
    const seen: string[] = []
    let most = 0
    const read = (url: string) => app.http.inject({ url, headers: staff })
    for (let next: string | null = '/api/stl-imports?limit=1000'; next !== null; ) {
      const page: Awaited<ReturnType<typeof read>> = await read(next)
      const items = page.json<ModelImport[]>()
      most = Math.max(
        most,
        items.reduce((sum, { entries }) => sum + (entries?.length ?? 0), 0),
      )
      seen.push(...items.map(({ id }) => id))
      next = /<([^>]+)>;\s*rel="next"/.exec(String(page.headers['link'] ?? ''))?.[1] ?? null
    }
    expect([seen.length, new Set(seen).size]).toEqual([12, 12])
    expect(most).toBeLessThanOrEqual(20_000)
  })

  it('two tasks at the same time make one model of each file of an archive, and neither fails', {
    timeout: 60_000,
  }, async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { database, storage, clock } = app
    const files = Array.from({ length: 12 }, (_, index) => ({
      name: `${index}.stl`,
      data: writeBinaryStl(createBox(1 + index, 2, 3)),
    }))
    const { id } = await offer(app, staff, files)
    await database.sql`update stl_imports set status = 'importing', expires_at = null where id = ${id}`
    await database.sql`update stl_import_entries set status = 'waiting' where import_id = ${id}`
    const keep = storeModelOf(app)
    const inspect = () => Promise.reject(new Error('An STL needs no inspection.'))
    const task = createArchiveTask({ database, storage, clock, keep, inspect, uploadLimitBytes: 1e6 })
    const context = { signal: new AbortController().signal, attempt: 1, log: app.http.log }
    const run = async () => {
      await task.run({ importId: id }, context)
      return (await getImport(app, staff, id)).status
    }
    // The two runs overlap. Each must finish the whole import, because the other one could have died after its last
    // file.
    expect(await Promise.all([run(), run()])).toEqual(['done', 'done'])
    expect(await keptBy(app)).toMatchObject({ files: 12, models: 12 })
  })

  it('a model from a fetched archive records when the archive was fetched, not when it was requested', async () => {
    const remote = await aRemote((request, response) => {
      if (app.clock.now() < tomorrow) response.writeHead(503).end()
      else serving(buildZip([{ name: 'a\u202Elts.stl', data: CUBE }]))(request, response)
    })
    const app = await buildTestApp({
      variables: { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}` },
      outbound: { limits: QUICK },
    })
    const tomorrow = new Date(app.clock.now().getTime() + HOUR_MS / 2)
    const staff = await app.as('staff')
    const { id } = (await uploadByUrl(app, staff, `${remote.url}/set.zip`)).json<ModelImport>()
    await importIn(app, staff, id, 'failed')
    app.clock.advance(HOUR_MS / 2)
    const act = (audit: string, payload?: object) =>
      app.http.inject({
        method: 'POST',
        url: `/api/stl-imports/${id}/${audit}`,
        headers: staff,
        ...(payload && { payload }),
      })
    expect((await act('retry')).statusCode).toBe(202)
    const offered = await importIn(app, staff, id, 'choosing')
    // The displayed name contains no characters that reverse the reading order.
    expect(offered.entries?.map(({ name }) => name)).toEqual(['alts.stl'])
    await act('choose', { entries: [0] })
    const done = await importIn(app, staff, id, 'done', 'failed')
    const url = `/api/stl-files/${done.entries?.[0]?.stl_file_id}`
    const model = (await app.http.inject({ url, headers: staff })).json<Model>()
    expect(new Date(model.fetched_at ?? 0)).toEqual(tomorrow)
  })
})

it('an import whose task was lost is fetched after the next start', async () => {
  let isUp = false
  const remote = await aRemote((request, response) =>
    isUp ? serving(CUBE)(request, response) : response.writeHead(503).end(),
  )
  const app = await buildTestApp({
    variables: { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}` },
    outbound: { limits: QUICK },
  })
  const staff = await app.as('staff')
  const { id } = (await uploadByUrl(app, staff, `${remote.url}/cube.stl`)).json<ModelImport>()
  await importIn(app, staff, id, 'failed')
  isUp = true
  await app.database.sql`update stl_imports set status = 'fetching', error = null where id = ${id}`
  await app.replica()
  expect(await importIn(app, staff, id, 'done')).toMatchObject({ stl_file_id: id, error: null })
})
