import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { expect, it, onTestFinished } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/platform/clock.ts'
import { type TestApp, buildTestApp } from '../support/build-test-app.ts'
import { OBJECT, read, sendForm, sendRaw } from './media-upload.ts'
import { analyzed, upload } from '../support/library/model-upload.ts'
import { aPicture, aWebm } from '../support/library/pictures.ts'
import { type S3Fault, type S3Server, s3Variables, startS3Server } from '../servers/s3-server.ts'

interface AppOnS3 {
  app: TestApp
  store: S3Server
  /** Returns the app's log. */
  logged: () => string
}

async function anAppOnS3(): Promise<AppOnS3> {
  const store = await startS3Server()
  const lines: string[] = []
  // Close the store after the app, which is also closed when the test ends.
  onTestFinished(() => store.close())
  const app = await buildTestApp({
    variables: s3Variables(store),
    logTo: { write: (line) => void lines.push(line) },
  })
  return { app, store, logged: () => lines.join('\n') }
}

const get = (app: TestApp, url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ url, headers })

/** Returns a model of 8.4 MB, which is stored in two parts. */
const aLargeModel = (): Buffer => {
  const triangles = 168_000
  const bytes = Buffer.alloc(84 + triangles * 50)
  bytes.writeUInt32LE(triangles, 80)
  for (let triangle = 0; triangle < triangles; triangle += 1)
    for (let value = 3; value < 12; value += 1)
      bytes.writeFloatLE(((triangle * 31 + value * 17) % 1000) / 10, 84 + triangle * 50 + value * 4)
  return bytes
}

it('the server stores models, pictures and media in a bucket, returns them unchanged, and deletes them', async () => {
  const { app, store } = await anAppOnS3()
  const staff = await app.as('staff')
  const small = Buffer.from(writeBinaryStl(createCube(20)))
  const models: Model[] = []
  for (const bytes of [small, aLargeModel()]) {
    const answer = await upload(app, staff, { name: 'm.stl', bytes })
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { file_size: bytes.length }])
    const model = await analyzed(app, staff, answer.json<Model>().id)
    expect(model.analysis_status).toBe('done')
    models.push(model)
    expect(store.objects.get(`models/${model.sha256}`)?.bytes.equals(bytes)).toBe(true)
    const whole = await get(app, `/api/stl-files/${model.id}/file`, staff)
    expect(whole.rawPayload.equals(bytes)).toBe(true)
    const part = await get(app, `/api/stl-files/${model.id}/file`, { ...staff, range: 'bytes=100-299' })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 100-299/${bytes.length}`])
    expect(part.rawPayload.equals(bytes.subarray(100, 300))).toBe(true)
    const picture = await get(app, model.thumbnail_path ?? '')
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp'])
  }
  expect(store.calls.filter(({ name }) => name === 'UploadPart')).toHaveLength(2)

  expect(
    (await sendForm(app, staff, { path: 'a.jpg', bytes: await aPicture({ width: 40, height: 30 }) }))
      .statusCode,
  ).toBe(200)
  const video = Buffer.concat([aWebm(), randomBytes(3_000_000)])
  const sent = await sendRaw(app, { ...staff, 'content-type': 'video/webm' }, 'v.webm', video)
  const shown = await read(app, 'a.jpg')
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
  expect([sent.statusCode, (await read(app, 'v.webm')).rawPayload.equals(video)]).toEqual([200, true])
  const smaller = await get(app, '/storage/v1/render/image/public/product-images/a.jpg?width=20')
  expect(smaller.statusCode).toBe(200)
  const kinds = new Set([...store.objects.keys()].map((key) => key.split('/')[0]))
  expect(kinds).toEqual(new Set(['media', 'media-variants', 'models', 'previews', 'thumbnails']))
  // With S3, these files are not stored on this machine.
  expect(await readdir(join(app.dataDir, 'uploads'))).toEqual([])
  expect(await readdir(app.dataDir)).not.toContain('objects')

  for (const { id } of models)
    await app.http.inject({ method: 'DELETE', url: `/api/stl-files/${id}`, headers: staff })
  const gone = await app.http.inject({
    method: 'DELETE',
    url: `${OBJECT}/product-images`,
    headers: staff,
    payload: { prefixes: ['a.jpg', 'v.webm'] },
  })
  expect(gone.statusCode).toBe(200)
  app.clock.advance(31 * DAY_MS)
  await app.cleanup.run()
  app.clock.advance(2 * HOUR_MS)
  await app.cleanup.run()
  expect([...store.objects.keys()]).toEqual([])
})

it('T105 T112 if the bucket fails, the server reports that it is unavailable, and reveals no secret', async () => {
  const { app, store, logged } = await anAppOnS3()
  const staff = await app.as('staff')
  const bytes = Buffer.from(writeBinaryStl(createCube(20)))
  const faults: [S3Fault, number][] = [
    [{ status: 500, code: 'InternalError' }, 503],
    [{ status: 503, code: 'SlowDown' }, 503],
    [{ status: 403, code: 'AccessDenied' }, 503],
    [{ status: 403, code: 'SignatureDoesNotMatch' }, 503],
    ['forget', 503],
    ['corrupt', 503],
    ['damage', 503],
    [{ status: 507, code: 'XMinioStorageFull' }, 507],
  ]
  const answers: string[] = []
  for (const [fault, status] of faults) {
    store.fault = ({ method }) => (method === 'GET' || method === 'HEAD' ? null : fault)
    const answer = await upload(app, staff, { name: 'm.stl', bytes })
    const media = await sendForm(app, staff, {
      path: 'a.jpg',
      bytes: await aPicture({ width: 9, height: 9 }),
    })
    expect([fault, answer.statusCode, media.statusCode]).toEqual([fault, status, status])
    expect(answer.headers['retry-after']).toBe(status === 503 ? '2' : undefined)
    answers.push(answer.body, media.body, JSON.stringify([answer.headers, media.headers]))
  }
  const [counted] = await app.database.sql<[{ models: number; media: number }]>`
    select (select count(*)::int from stl_files) as models, (select count(*)::int from objects) as media`
  const full = await get(app, '/readyz')
  expect([full.statusCode, full.json()]).toEqual([
    200,
    { status: 'ok', checks: { database: 'ok', storage: 'full' } },
  ])
  store.fault = () => ({ status: 403, code: 'AccessDenied' })
  await expect.poll(async () => (await get(app, '/readyz')).statusCode, { timeout: 30_000 }).toBe(503)
  const ready = await get(app, '/readyz')
  expect(ready.json()).toMatchObject({ detail: 'Not ready: storage cannot be reached.' })
  const { accessKeyId, secretAccessKey } = store.keys
  const shown = [logged(), ...answers, ready.body].join('\n')
  const secrets = [accessKeyId, secretAccessKey, encodeURIComponent(secretAccessKey), 'AWS4-HMAC']
  const hits = secrets.filter((secret) => shown.includes(secret))
  console.info(
    `T105 through the product: false successes ${counted.models + counted.media} of ${faults.length * 2}; T112 secrets of S3 found ${hits.length} of ${secrets.length} in ${shown.length} characters`,
  )
  expect([counted, hits]).toEqual([{ models: 0, media: 0 }, []])
  expect(shown).toContain('SlowDown')

  store.fault = () => null
  const answer = await upload(app, staff, { name: 'm.stl', bytes })
  expect(answer.statusCode).toBe(201)
  const model = await analyzed(app, staff, answer.json<Model>().id)
  const file = await get(app, `/api/stl-files/${model.id}/file`, staff)
  expect(file.rawPayload.equals(bytes)).toBe(true)
  await expect.poll(async () => (await get(app, '/readyz')).statusCode, { timeout: 10_000 }).toBe(200)
})
