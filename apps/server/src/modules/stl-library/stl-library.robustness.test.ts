import { readdir, readlink } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube, createGear, createVase } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it } from 'vitest'
import { isLongRun } from '../../../test/process/product-process.ts'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { analyzed, multipart, upload } from '../../../test/support/library/model-upload.ts'
import { HOUR_MS } from '../../platform/clock.ts'
import { encodeModelCursor } from './search/model-cursor.ts'
import { sweepOrphans } from './upload/stored-bytes.ts'

const CUBE = writeBinaryStl(createCube(20))

/** Lists the models and pictures on disk, without the storage's other files. */
const objects = async (app: TestApp): Promise<string[]> => {
  const entries = await readdir(join(app.dataDir, 'objects'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

const cursorOf = (createdAt: string): string =>
  encodeModelCursor({ list: 'newest', keys: [createdAt], id: '01890000-0000-7000-8000-000000000000' })

/** Number of stored objects of a model: its bytes, two pictures, and the preview mesh. */
const OBJECTS_OF_A_MODEL = 4

/** Lists the files in a folder that this process has open. */
const openFiles = async (folder: string): Promise<number> => {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  return links.filter((target) => target.startsWith(folder)).length
}

describe('text and timestamps that the database cannot store', () => {
  it.each([
    '?search=a%00b',
    '?tags=a%00b',
    `?cursor=${cursorOf('2026-02-30T00:00:00Z')}`,
    `?cursor=${cursorOf('0000-01-01T00:00:00Z')}`,
    `?cursor=${cursorOf('2026-01-01T24:00:00Z')}`,
    `?search=${'a+'.repeat(11)}`,
  ])('GET /api/stl-files returns 422 for the invalid query %s', async (query) => {
    const app = await buildTestApp()
    const answer = await app.http.inject({ url: `/api/stl-files${query}`, headers: await app.as('viewer') })
    expect([answer.statusCode, answer.json().detail.length > 10]).toEqual([422, true])
  })

  it('GET /api/stl-files accepts a valid cursor, and a search with ten words', async () => {
    const app = await buildTestApp()
    const headers = await app.as('viewer')
    for (const query of [`?cursor=${cursorOf('2026-02-28T23:59:59.123456Z')}`, `?search=${'a+'.repeat(10)}`])
      expect((await app.http.inject({ url: `/api/stl-files${query}`, headers })).statusCode).toBe(200)
  })

  it.each([{ title: 'a\0b' }, { description: 'a\0' }, { tags: '["a\\u0000b"]' }, { print_notes: '\0x' }])(
    'an upload with the unstorable field %j is refused and stores nothing',
    async (fields) => {
      const app = await buildTestApp()
      const answer = await upload(app, await app.as('staff'), { name: 'c.stl', bytes: CUBE }, fields as never)
      expect(answer.statusCode).toBe(422)
      expect(await objects(app)).toEqual([])
    },
  )

  it('a sign-in with a null character in the user name does not cause a server error', async () => {
    const app = await buildTestApp()
    const answer = await app.http.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { username: 'a\0b', password: 'whatever it is' },
    })
    expect(answer.statusCode).toBeLessThan(500)
  })
})

describe('uploads whose form is interrupted', () => {
  it('T85 an upload form is refused if it is cut off in the file, in a field or at the start', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { payload, headers } = await multipart({ title: 'x' }, [{ name: 'cube.stl', bytes: CUBE }])
    for (const length of [payload.length - 10, payload.length - 300, 120, 30, 0]) {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/stl-files/upload',
        headers: { ...staff, ...headers },
        payload: payload.subarray(0, length),
      })
      expect([length, answer.statusCode]).toEqual([length, length === 0 ? 422 : 400])
    }
    const noBoundary = await app.http.inject({
      method: 'POST',
      url: '/api/stl-files/upload',
      headers: { ...staff, 'content-type': 'multipart/form-data' },
      payload,
    })
    expect(noBoundary.statusCode).toBe(400)
    expect(await objects(app)).toEqual([])
  })

  it('an upload whose client disconnects is not logged as a server failure', async () => {
    const lines: string[] = []
    const app = await buildTestApp({ logTo: { write: (line) => void lines.push(line) } })
    const staff = await app.as('staff')
    const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
    const { payload, headers } = await multipart({}, [
      { name: 'big.stl', bytes: writeBinaryStl(createVase(80, 400)) },
    ])
    const sent = httpRequest(`${address}/api/stl-files/upload`, {
      method: 'POST',
      headers: { ...staff, ...headers, 'content-length': payload.length },
    })
    sent.on('error', () => undefined)
    sent.write(payload.subarray(0, payload.length / 2), () => setTimeout(() => sent.destroy(), 50))
    await expect
      .poll(() => lines.filter((line) => /request refused|request failed/.test(line)).length, {
        timeout: 5000,
      })
      .toBe(1)
    expect(lines.filter((line) => line.includes('request failed'))).toEqual([])
    await expect.poll(() => objects(app)).toEqual([])
  })
})

describe('stored bytes that no row refers to', () => {
  it('an upload with a refused idempotency key stores no bytes, and the bytes of an upload are removed if its transaction fails', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const key = { 'idempotency-key': 'one' }
    await upload(app, staff, { name: 'a.stl', bytes: CUBE }, {}, key)
    await expect.poll(async () => (await objects(app)).length, { timeout: 60_000 }).toBe(OBJECTS_OF_A_MODEL)
    const gear = { name: 'a.stl', bytes: writeBinaryStl(createGear()) }
    expect((await upload(app, staff, gear, {}, key)).statusCode).toBe(409)
    expect((await objects(app)).length).toBe(OBJECTS_OF_A_MODEL)
    await app.database.sql.unsafe(
      `create function refuse_all() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse_all before insert on stl_versions for each row execute function refuse_all()`,
    )
    expect((await upload(app, staff, gear)).statusCode).toBe(500)
    expect((await upload(app, staff, { name: 'a.stl', bytes: CUBE })).statusCode).toBe(500)
    // The bytes of the gear are removed. The bytes of the cube also belong to another model.
    expect((await objects(app)).length).toBe(OBJECTS_OF_A_MODEL)
  })

  it('bytes that a crash left behind are removed after an hour, unless a model uses them', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const { id } = (await upload(app, staff, { name: 'a.stl', bytes: CUBE })).json<Model>()
    await analyzed(app, staff, id)
    const lost = 'f'.repeat(64)
    for (const orphan of [`models/${lost}`, `thumbnails/${lost}-v1.webp`, 'exports/kept'])
      await app.storage.put(orphan, new Blob(['x']).stream())
    expect(await sweepOrphans(app)).toBe(0)
    app.clock.advance(2 * HOUR_MS)
    expect(await sweepOrphans(app)).toBe(2)
    expect((await objects(app)).length).toBe(OBJECTS_OF_A_MODEL + 1)
    expect(await app.storage.stat('exports/kept')).not.toBe(null)
    const file = await app.http.inject({ url: `/api/stl-files/${id}/file`, headers: await app.as('viewer') })
    expect(file.rawPayload.equals(CUBE)).toBe(true)
  })
})

describe('duplicate models', () => {
  it('duplicate models are detected even if they are uploaded at the same time, and they share one analysis', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, i) => upload(app, staff, { name: `${i}.stl`, bytes: CUBE })),
    )
    const models = answers.map((answer) => answer.json<Model>())
    expect(models.filter((model) => model.duplicate_of === null).length).toBe(1)
    for (const { id } of models) expect((await analyzed(app, staff, id)).thumbnail_path).not.toBe(null)
    // A later duplicate already has measures and pictures in its first response.
    const later = (await upload(app, staff, { name: 'later.stl', bytes: CUBE })).json<Model>()
    expect(later).toMatchObject({ analysis_status: 'done', triangles: 12, shells: 1, is_watertight: true })
    expect(later.thumbnail_path).not.toBe(null)
  })
})

describe('serving model files', () => {
  const aModel = async (app: TestApp, headers: Record<string, string>) => {
    const { id } = (await upload(app, headers, { name: 'a.stl', bytes: CUBE })).json<Model>()
    return analyzed(app, headers, id)
  }

  it('HEAD on a model file returns the length of the file or of the requested range', async () => {
    const app = await buildTestApp()
    const headers = await app.as('staff')
    const { id } = await aModel(app, headers)
    const head = (more: Record<string, string> = {}) =>
      app.http.inject({ method: 'HEAD', url: `/api/stl-files/${id}/file`, headers: { ...headers, ...more } })
    const whole = await head()
    expect([whole.statusCode, whole.headers['content-length'], whole.rawPayload.length]).toEqual([
      200,
      String(CUBE.length),
      0,
    ])
    expect((await head({ range: 'bytes=0-9' })).headers['content-length']).toBe('10')
    expect(await openFiles(join(app.dataDir, 'objects'))).toBe(0)
  })

  it('a model file returns 304 if If-None-Match lists its ETag or *, and is sent whole if If-Range differs', async () => {
    const app = await buildTestApp()
    const headers = await app.as('staff')
    const { id, sha256 } = await aModel(app, headers)
    const get = (more: Record<string, string>) =>
      app.http.inject({ url: `/api/stl-files/${id}/file`, headers: { ...headers, ...more } })
    for (const tag of ['*', `"${sha256}"`, `W/"${sha256}"`, `"x", W/"${sha256}"`])
      expect([tag, (await get({ 'if-none-match': tag })).statusCode]).toEqual([tag, 304])
    expect((await get({ 'if-none-match': '"x"' })).statusCode).toBe(200)
    expect((await get({ range: 'bytes=0-9', 'if-range': `"${sha256}"` })).statusCode).toBe(206)
    expect((await get({ range: 'bytes=0-9', 'if-range': '"older"' })).statusCode).toBe(200)
    const beyond = await get({ range: `bytes=${CUBE.length}-` })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${CUBE.length}`])
    expect(beyond.headers).not.toHaveProperty('content-disposition')
  })

  it("the response for missing bytes of a model's file or picture cannot be cached", async () => {
    const app = await buildTestApp()
    const headers = await app.as('staff')
    const { id, sha256 } = await aModel(app, headers)
    for (const key of [`models/${sha256}`, `thumbnails/${sha256}-v1.webp`]) await app.storage.delete(key)
    for (const what of ['file', 'thumbnail']) {
      const answer = await app.http.inject({
        url: `/api/stl-files/${id}/${what}`,
        headers: { ...headers, 'if-none-match': '*' },
      })
      expect(answer.statusCode).toBe(404)
      expect(answer.headers).not.toHaveProperty('etag')
      expect(answer.headers).not.toHaveProperty('content-disposition')
      expect(String(answer.headers['cache-control'] ?? '')).not.toContain('max-age=86400')
    }
  })

  it('T84 downloads leave no file open if they are aborted, requested by HEAD, or out of range', {
    timeout: isLongRun ? 120_000 : 30_000,
  }, async () => {
    const app = await buildTestApp()
    const headers = await app.as('staff')
    const bytes = writeBinaryStl(createVase(80, 400))
    const { id } = (await upload(app, headers, { name: 'big.stl', bytes })).json<Model>()
    await analyzed(app, headers, id)
    const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
    const cases = [{}, { method: 'HEAD' }, { headers: { ...headers, range: 'bytes=99999999999-' } }]
    const count = isLongRun ? 500 : 30
    await Promise.all(
      Array.from(
        { length: count },
        (_, i) =>
          new Promise<void>((resolve) => {
            const options = { headers, ...cases[i % cases.length] }
            const call = httpRequest(`${address}/api/stl-files/${id}/file`, options, (answer) => {
              answer.once('close', resolve)
              if (i % cases.length === 0) answer.once('data', () => call.destroy())
              else answer.resume()
            })
            call.on('error', () => resolve()).end()
          }),
      ),
    )
    await expect.poll(() => openFiles(join(app.dataDir, 'objects')), { timeout: 5000 }).toBe(0)
    console.info(`T84 aborted downloads, HEADs and bad ranges: files left open 0 of ${count}`)
  })
})
