import type { ServerResponse } from 'node:http'
import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { createCube, createGear } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { buildZip } from '../../../../../../packages/mesh/test/zip-tools.ts'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import {
  getImport,
  importIn,
  keptBy,
  QUICK,
  uploadByUrl,
} from '../../../../test/support/library/model-imports.ts'
import { analyzed } from '../../../../test/support/library/model-upload.ts'
import { aRemote, type Remote, serving } from '../../../../test/servers/remote-server.ts'

const CUBE = writeBinaryStl(createCube(20))

const appFor = (remote: Remote) =>
  buildTestApp({
    variables: { URL_IMPORT_ALLOW: `10.9.8.7, 127.0.0.1:${remote.port}` },
    outbound: { limits: QUICK },
  })

/**
 * Starts as many fetches of `staff-1` as can run at once. The remote server does not respond to them. `other` is the
 * account `staff-2`.
 */
async function whereAllAreBusy({ fetches }: { fetches: number }) {
  const unanswered: ServerResponse[] = []
  const remote = await aRemote((request, response) => {
    if (request.url?.startsWith('/busy')) unanswered.push(response)
    else serving(CUBE)(request, response)
  })
  const app = await buildTestApp({
    variables: { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}` },
    outbound: { limits: { ...QUICK, answerMs: 60_000 } },
  })
  const [busy, other] = [await app.as('staff'), await app.as('staff')]
  for (let index = 0; index < fetches; index += 1) await uploadByUrl(app, busy, `${remote.url}/busy/${index}`)
  // Only four fetches run at a time.
  await expect.poll(() => unanswered.length, { timeout: 60_000 }).toBe(4)
  return { app, remote, other, unanswered }
}

describe('uploads by URL', () => {
  it("an upload by URL becomes a model with the import's id, and its source is stored as evidence and in the audit", async () => {
    const remote = await aRemote(serving(CUBE))
    const app = await appFor(remote)
    const staff = await app.as('staff')
    const answer = await uploadByUrl(app, staff, `${remote.url}/files/Best%20cube.stl?download=1#top`, {
      license_type: 'CC BY',
      tags: '["cube"]',
    })
    expect(answer.statusCode).toBe(202)
    const begun = answer.json<ModelImport>()
    const url = `${remote.url}/files/Best%20cube.stl?download=1`
    expect(begun).toMatchObject({ source: 'url', status: 'fetching', url, entries: null, stl_file_id: null })
    const done = await importIn(app, staff, begun.id, 'done', 'failed')
    expect(done).toMatchObject({
      status: 'done',
      stl_file_id: begun.id,
      received_bytes: CUBE.byteLength,
      total_bytes: CUBE.byteLength,
      error: null,
    })
    const model = await analyzed(app, staff, begun.id)
    expect(model).toMatchObject({
      title: 'Best cube',
      file_name: 'Best cube.stl',
      license_type: 'CC BY',
      tags: ['cube'],
      source_url: url,
      triangles: 12,
      uploaded_by: 'staff-1',
    })
    expect(model.fetched_at).not.toBe(null)
    const added = (await entriesOf(app)).filter((entry) => entry.action === 'model.added')
    expect(added).toMatchObject([
      { entity_id: begun.id, actor_name: 'The staff', after: { source_url: url } },
    ])
  })

  it('two uploads by URL with the same idempotency key make one import and one model', async () => {
    const remote = await aRemote(serving(CUBE))
    const app = await appFor(remote)
    const staff = await app.as('staff')
    const key = { 'idempotency-key': 'once' }
    const url = `${remote.url}/a.stl`
    const answers = [1, 2].map(() => uploadByUrl(app, staff, url, {}, key))
    const [first, second] = (await Promise.all(answers)).map((answer) => answer.json<ModelImport>().id)
    expect(second).toBe(first)
    await importIn(app, staff, first ?? '', 'done')
    expect((await uploadByUrl(app, staff, `${remote.url}/b.stl`, {}, key)).statusCode).toBe(409)
    expect(await keptBy(app)).toMatchObject({ models: 1, imports: 1 })
  })

  it('if an upload by URL fetches a ZIP, it waits for a choice, and the chosen models record their source', async () => {
    const zip = buildZip([
      { name: 'parts/a.stl', data: CUBE },
      { name: 'b.stl', data: writeBinaryStl(createGear()) },
    ])
    const remote = await aRemote(serving(zip, { 'content-disposition': 'attachment; filename="set.zip"' }))
    const app = await appFor(remote)
    const staff = await app.as('staff')
    const { id } = (await uploadByUrl(app, staff, `${remote.url}/download`)).json<ModelImport>()
    const choosing = await importIn(app, staff, id, 'choosing', 'failed')
    expect(choosing).toMatchObject({ status: 'choosing', file_name: 'set.zip' })
    const choose = { method: 'POST' as const, url: `/api/stl-imports/${id}/choose`, headers: staff }
    expect((await app.http.inject({ ...choose, payload: { entries: [0] } })).statusCode).toBe(202)
    const done = await importIn(app, staff, id, 'done', 'failed')
    const modelId = done.entries?.[0]?.stl_file_id ?? ''
    const model = (await app.http.inject({ url: `/api/stl-files/${modelId}`, headers: staff })).json<Model>()
    expect(model).toMatchObject({ title: 'a', source_url: `${remote.url}/download` })
  })

  it('a failed upload by URL gives the reason, leaves nothing behind, and can be retried', async () => {
    let isUp = false
    const remote = await aRemote((request, response) => {
      if (isUp) serving(CUBE)(request, response)
      else response.writeHead(503).end()
    })
    const app = await appFor(remote)
    const staff = await app.as('staff')
    const { id } = (await uploadByUrl(app, staff, `${remote.url}/a.stl`)).json<ModelImport>()
    const failed = await importIn(app, staff, id, 'failed')
    expect(failed.error).toContain('Nothing could be fetched')
    expect(await keptBy(app)).toEqual({ files: 0, models: 0, imports: 1 })
    isUp = true
    const retry = { method: 'POST' as const, url: `/api/stl-imports/${id}/retry`, headers: staff }
    expect((await app.http.inject(retry)).json()).toMatchObject({ status: 'fetching', error: null })
    expect(await importIn(app, staff, id, 'done')).toMatchObject({ stl_file_id: id })
    expect((await app.http.inject(retry)).statusCode).toBe(409)
  })

  it('an upload by URL reports its progress, and ends on every replica when somebody cancels it', async () => {
    const released = Promise.withResolvers<void>()
    const remote = await aRemote((_request, response) => {
      response.writeHead(200, { 'content-length': String(CUBE.byteLength) })
      response.write(CUBE.subarray(0, 200))
      void released.promise.then(() => response.end(CUBE.subarray(200)))
    })
    const app = await buildTestApp({
      variables: { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}` },
      outbound: { limits: { ...QUICK, windowMs: 60_000 } },
    })
    const other = await app.replica()
    const staff = await app.as('staff')
    const { id } = (await uploadByUrl(app, staff, `${remote.url}/a.stl`)).json<ModelImport>()
    await expect
      .poll(async () => (await getImport(app, staff, id)).received_bytes, { timeout: 60_000 })
      .toBe(200)
    expect(await getImport(app, staff, id)).toMatchObject({
      total_bytes: CUBE.byteLength,
      status: 'fetching',
    })
    const cancel = { method: 'DELETE' as const, url: `/api/stl-imports/${id}`, headers: staff }
    expect((await other.http.inject(cancel)).statusCode).toBe(204)
    await expect.poll(async () => (await keptBy(app)).files, { timeout: 60_000 }).toBe(0)
    released.resolve()
    expect(await getImport(app, staff, id)).toMatchObject({ status: 'cancelled', stl_file_id: null })
    // A second cancellation removes the import from the list.
    expect((await app.http.inject(cancel)).statusCode).toBe(204)
    expect(await keptBy(app)).toEqual({ files: 0, models: 0, imports: 0 })
  })

  it('an upload by URL adds no model for a person who was deactivated during the fetch', async () => {
    const released = Promise.withResolvers<void>()
    const remote = await aRemote((request, response) => {
      void released.promise.then(() => serving(CUBE)(request, response))
    })
    const app = await buildTestApp({
      variables: { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}` },
      outbound: { limits: { ...QUICK, answerMs: 10_000 } },
    })
    const staff = await app.as('staff')
    const { id } = (await uploadByUrl(app, staff, `${remote.url}/a.stl`)).json<ModelImport>()
    await expect.poll(() => remote.hits.length, { timeout: 60_000 }).toBe(1)
    await app.database.sql`update accounts set is_active = false where username = 'staff-1'`
    released.resolve()
    await expect
      .poll(
        async () => (await app.database.sql`select status from stl_imports where id = ${id}`)[0]?.['status'],
        {
          timeout: 60_000,
        },
      )
      .toBe('failed')
    expect(await keptBy(app)).toMatchObject({ files: 0, models: 0 })
  })

  it('an upload by URL reaches a host that the operator allowed, but no unknown host', async () => {
    const remote = await aRemote(serving(CUBE))
    const app = await buildTestApp({
      variables: { URL_IMPORT_ALLOW: `localhost:${remote.port}` },
      outbound: { limits: { lookupMs: 200 } },
    })
    const staff = await app.as('staff')
    const named = await uploadByUrl(app, staff, `http://localhost:${remote.port}/a.stl`)
    expect(await importIn(app, staff, named.json<ModelImport>().id, 'done', 'failed')).toMatchObject({
      status: 'done',
    })
    expect((await uploadByUrl(app, staff, `${remote.url}/a.stl`)).statusCode).toBe(422)
    const unknown = await uploadByUrl(app, staff, 'http://nobody-has-this-name.example.com/a.stl')
    expect(unknown.statusCode).toBe(422)
  })

  it('T100 an upload by URL that cannot be stored leaves nothing behind, and the reported failure can be retried', {
    timeout: 60_000,
  }, async () => {
    const remote = await aRemote(serving(CUBE))
    const app = await appFor(remote)
    const staff = await app.as('staff')
    await app.database.sql.unsafe(
      `create function refuse_all() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse_all before insert on stl_versions for each row execute function refuse_all()`,
    )
    const { id } = (await uploadByUrl(app, staff, `${remote.url}/a.stl`)).json<ModelImport>()
    await expect
      .poll(async () => (await getImport(app, staff, id)).error, { timeout: 50_000 })
      .toContain('on our side')
    console.info(`T100 anomalies of a fetch that cannot be written down 0 of ${remote.hits.length} attempts`)
    expect(await keptBy(app)).toEqual({ files: 0, models: 0, imports: 1 })
    await app.database.sql.unsafe('drop trigger refuse_all on stl_versions')
    const retry = { method: 'POST' as const, url: `/api/stl-imports/${id}/retry`, headers: staff }
    expect((await app.http.inject(retry)).statusCode).toBe(202)
    await importIn(app, staff, id, 'done')
    expect(await keptBy(app)).toMatchObject({ models: 1, imports: 1 })
  })

  it('an upload by URL does not wait until all earlier uploads of another person have ended', async () => {
    const { app, remote, other, unanswered } = await whereAllAreBusy({ fetches: 8 })
    const { id } = (await uploadByUrl(app, other, `${remote.url}/other`)).json<ModelImport>()
    unanswered[0]?.end(CUBE)
    await importIn(app, other, id, 'done')
    expect(remote.hits.findIndex((hit) => hit.path === '/other')).toBe(4)
  })

  it('an upload by URL is not fetched if the person who requested it was deactivated while it waited', async () => {
    const { app, remote, other: gone, unanswered } = await whereAllAreBusy({ fetches: 4 })
    const { id } = (await uploadByUrl(app, gone, `${remote.url}/gone`)).json<ModelImport>()
    const { sql } = app.database
    await sql`update accounts set is_active = false where username = 'staff-2'`
    unanswered[0]?.end(CUBE)
    await expect
      .poll(async () => await sql`select status, error from stl_imports where id = ${id}`, {
        timeout: 60_000,
      })
      .toMatchObject([{ status: 'failed', error: expect.any(String) as string }])
    expect(remote.hits.filter(({ path }) => path === '/gone')).toEqual([])
  })

  it('an upload by URL requires a valid address', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const empty = await uploadByUrl(app, staff, ' ')
    expect([empty.statusCode, empty.json().detail]).toEqual([422, 'Please enter a URL.'])
  })
})

describe('imports of another person', () => {
  it('T6 imports of another person return 404, even for admins', async () => {
    const remote = await aRemote(serving(CUBE))
    const app = await appFor(remote)
    const staff = await app.as('staff')
    const { id } = (await uploadByUrl(app, staff, `${remote.url}/a.stl`)).json<ModelImport>()
    await importIn(app, staff, id, 'done')
    const leaks: string[] = []
    let calls = 0
    for (const role of ['staff', 'admin'] as const) {
      const headers = await app.as(role)
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/choose'],
        ['POST', '/retry'],
        ['DELETE', ''],
      ] as const) {
        const payload = path === '/choose' ? { entries: [0] } : undefined
        const url = `/api/stl-imports/${id}${path}`
        const { statusCode } = await app.http.inject({ method, url, headers, ...(payload && { payload }) })
        calls += 1
        if (statusCode !== 404) leaks.push(`${role} ${method} ${path}: ${statusCode}`)
      }
      const listed = await app.http.inject({ url: '/api/stl-imports', headers })
      calls += 1
      if (listed.json<ModelImport[]>().length > 0) leaks.push(`${role} list`)
    }
    console.info(`T6 imports of others seen or changed ${leaks.length} of ${calls}`)
    expect(leaks).toEqual([])
    const own = await app.http.inject({ url: '/api/stl-imports', headers: staff })
    expect(own.json<ModelImport[]>().map((each) => each.id)).toEqual([id])
    expect(own.headers['x-total-count']).toBe('1')
  })
})
