import { randomBytes } from 'node:crypto'
import { MEDIA_BUCKET } from '@pegasus/contracts/media/media-files'
import { Upload, type UploadOptions } from 'tus-js-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { s3Variables, startS3Server } from '../../../../test/servers/s3-server.ts'
import { offsetOf, RESUMABLE, tusCalls } from '../../../../test/storage/resumable-upload.ts'
import { aKeyedStorageClient, aStorageClient, baseUrlOf } from '../../../../test/storage/storage-client.ts'
import { aServiceKey } from '../../../../test/support/accounts/service-keys.ts'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'
import { aPicture } from '../../../../test/support/library/pictures.ts'
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'

const STORES = ['folder', 's3'] as const

async function anApp(store: (typeof STORES)[number] = 'folder') {
  const s3 = store === 's3' ? await startS3Server() : null
  if (s3) onTestFinished(() => s3.close())
  const app = await buildTestApp(s3 ? { variables: s3Variables(s3) } : {})
  const { client } = await aStorageClient(app, 'admin')
  await client.createBucket('files')
  return { app, client, bucket: client.from('files'), staff: await app.as('staff') }
}

/** Uploads with the official client of the protocol, and returns the address of the upload. */
const upload = (
  url: string,
  bytes: Buffer,
  headers: Record<string, string>,
  { objectName = 'a.bin', ...options }: Partial<UploadOptions> & { objectName?: string } = {},
): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const running: Upload = new Upload(bytes, {
      endpoint: `${url}${RESUMABLE}`,
      headers,
      retryDelays: null,
      chunkSize: 6 * 1024 * 1024,
      ...options,
      metadata: {
        bucketName: 'files',
        objectName,
        contentType: 'model/stl',
        cacheControl: '3600',
        ...options.metadata,
      },
      onError: reject,
      onSuccess: () => resolve(running.url),
    })
    running.start()
  })

const objectsOf = (app: TestApp) =>
  app.database.sql<{ name: string; size_bytes: number }[]>`select name, size_bytes from objects order by name`

const leftOf = async (app: TestApp) => {
  const [row] = await app.database.sql<[{ uploads: number; chunks: number }]>`
    select (select count(*)::int from resumable_uploads) as uploads,
           (select count(*)::int from resumable_chunks) as chunks`
  return row
}

const FILES = { bucketName: 'files', objectName: 'a.bin' }

describe.each(STORES)('resumable uploads into a %s', (store) => {
  it('the official client can upload in chunks, even with the first bytes in its first request', async () => {
    const { app, bucket, staff } = await anApp(store)
    const url = await baseUrlOf(app)
    const bytes = randomBytes(14 * 1024 * 1024)
    for (const uploadDataDuringCreation of [false, true]) {
      const objectName = `folder/${uploadDataDuringCreation}.stl`
      const metadata = { metadata: JSON.stringify({ order: 7 }) }
      const address = await upload(url, bytes, staff, { objectName, uploadDataDuringCreation, metadata })
      expect(address).toContain(RESUMABLE)
      const { data } = await bucket.download(objectName)
      expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true)
      expect((await bucket.info(objectName)).data).toMatchObject({
        size: bytes.length,
        contentType: 'model/stl',
        cacheControl: 'max-age=3600',
        metadata: { order: 7 },
      })
      // A client that lost the last response learns that all bytes have arrived.
      const head = await tusCalls(app, staff).head(new URL(address ?? '').pathname)
      expect([head.statusCode, head.headers['upload-offset']]).toEqual([200, String(bytes.length)])
    }
    expect((await leftOf(app)).chunks).toBe(0)
    await expect(upload(url, bytes, staff, { objectName: 'folder/true.stl' })).rejects.toThrow('409')
    await upload(url, Buffer.from('new'), { ...staff, 'x-upsert': 'true' }, { objectName: 'folder/true.stl' })
    expect((await bucket.info('folder/true.stl')).data?.size).toBe(3)
  })

  it('an upload whose connection is lost continues from the last byte that arrived', async () => {
    const { app, bucket, staff } = await anApp(store)
    const url = await baseUrlOf(app)
    const bytes = randomBytes(9 * 1024 * 1024)
    const calls = tusCalls(app, staff)
    const { headers } = await calls.create(bytes.length, FILES)
    const uploadUrl = `${url}${headers.location}`
    let sent = 0
    for (let cut = 0; cut < 3; cut += 1) {
      const from = await offsetOf(calls, new URL(uploadUrl).pathname)
      const controller = new AbortController()
      const half = new ReadableStream<Uint8Array>({
        start(stream) {
          stream.enqueue(bytes.subarray(from, from + 2_000_000))
        },
      })
      const broken = fetch(uploadUrl, {
        method: 'PATCH',
        headers: {
          ...staff,
          'tus-resumable': '1.0.0',
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(from),
        },
        body: half,
        duplex: 'half',
        signal: controller.signal,
      } as RequestInit)
      const [claimed] = [broken.catch(() => null)]
      await expect
        .poll(
          async () =>
            (await app.database.sql`select 1 from resumable_uploads where writer is not null`).length,
        )
        .toBe(1)
      await expect
        .poll(async () => {
          controller.abort()
          await claimed
          return offsetOf(calls, new URL(uploadUrl).pathname)
        })
        .toBeGreaterThanOrEqual(from)
      sent = await offsetOf(calls, new URL(uploadUrl).pathname)
    }
    expect(sent).toBeLessThan(bytes.length)
    // The server may still be storing the last bytes of the request whose connection was lost, so the client retries.
    await upload(url, bytes, staff, { uploadUrl, retryDelays: [50, 100, 500, 1000] })
    const { data } = await bucket.download('a.bin')
    expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true)
  })

  it('expired and canceled uploads leave nothing behind', async () => {
    const { app, staff } = await anApp(store)
    const calls = tusCalls(app, staff)
    const urls: string[] = []
    for (let at = 0; at < 3; at += 1) {
      const { headers } = await calls.create(
        100,
        { ...FILES, objectName: `${at}` },
        { 'content-type': 'application/offset+octet-stream' },
        Buffer.alloc(50),
      )
      urls.push(String(headers.location))
    }
    const [one = '', two = ''] = urls
    expect((await calls.remove(one)).statusCode).toBe(204)
    expect([await offsetOf(calls, one), await offsetOf(calls, two)]).toEqual([404, 50])
    app.clock.advance(DAY_MS)
    // The session has expired by then, so use a new one. The server answers that the upload has expired.
    const later = tusCalls(app, await app.as('staff'))
    expect(await offsetOf(later, two)).toBe(404)
    await app.database
      .sql`update resumable_uploads set owner_id = (select user_id from user_roles where role_name = 'staff' and is_active order by created_at desc limit 1)`
    expect(await offsetOf(later, two)).toBe(410)
    expect((await later.write(two, 50, Buffer.alloc(50))).statusCode).toBe(410)
    await app.cleanup.run()
    expect(await offsetOf(later, two)).toBe(404)
    expect(await leftOf(app)).toEqual({ uploads: 0, chunks: 0 })
    const keys: string[] = []
    for await (const { key } of app.storage.list('resumable/')) keys.push(key)
    expect(keys).toEqual([])
  })
})

describe('resumable uploads', () => {
  it("a resumable upload can continue on another replica, and a picture for the shop's bucket is cleaned as in other uploads", async () => {
    const { app, staff } = await anApp()
    const replica = await app.replica()
    const jpeg = await aPicture({ width: 300, height: 200 })
    const place = { bucketName: MEDIA_BUCKET, objectName: 'images/a.jpg' }
    const [here, there] = [tusCalls(app, staff), tusCalls(replica, staff)]
    const url = String((await here.create(jpeg.length, place)).headers.location)
    expect((await there.write(url, 0, jpeg.subarray(0, 100))).statusCode).toBe(204)
    expect((await here.write(url, 100, jpeg.subarray(100))).statusCode).toBe(204)
    const [object] = await app.database.sql<
      { content_type: string; sha256: string }[]
    >`select content_type, sha256 from objects`
    expect(object?.content_type).toBe('image/jpeg')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    const refused = String(
      (await here.create(svg.length, { ...place, objectName: 'b.jpg' })).headers.location,
    )
    const answer = await here.write(refused, 0, svg)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([422, 'text/plain; charset=utf-8'])
    expect(await offsetOf(here, refused)).toBe(404)
  })

  it('a resumable upload never stores wrong bytes, whatever offsets clients send and however many clients write at once', async () => {
    const { app, bucket, staff } = await anApp()
    const calls = tusCalls(app, staff)
    const bytes = randomBytes(1000)
    const url = String((await calls.create(1000, FILES)).headers.location)
    expect((await calls.write(url, 0, bytes.subarray(0, 400))).statusCode).toBe(204)
    const lies: [number | string, number][] = [
      [0, 409],
      [399, 409],
      [401, 409],
      [1000, 409],
      [5000, 409],
      [-1, 400],
      ['x', 400],
      ['', 400],
      ['4e2', 400],
    ]
    for (const [offset, status] of lies)
      expect([offset, (await calls.write(url, offset, randomBytes(600))).statusCode]).toEqual([
        offset,
        status,
      ])
    expect((await calls.write(url, 400, randomBytes(601))).statusCode).toBe(413)
    expect(await offsetOf(calls, url)).toBe(400)
    const writers = await Promise.all(
      Array.from({ length: 10 }, () => calls.write(url, 400, bytes.subarray(400, 700))),
    )
    const statuses = writers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.every((status) => [204, 409, 423].includes(status))).toBe(true)
    const last = await Promise.all(
      Array.from({ length: 5 }, () => calls.write(url, 700, bytes.subarray(700))),
    )
    expect(last.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
    const { data } = await bucket.download('a.bin')
    expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true)
    expect((await calls.write(url, 1000, Buffer.alloc(1))).statusCode).toBe(409)
    expect((await calls.remove(url)).statusCode).toBe(400)
  })

  it('a resumable upload whose last step failed is stored when the last byte is sent again', async () => {
    const { app, bucket, staff } = await anApp()
    const calls = tusCalls(app, staff)
    const url = String((await calls.create(1000, FILES)).headers.location)
    const bytes = randomBytes(1000)
    await app.database.sql`alter table objects add constraint away check (size_bytes <> 1000)`
    expect((await calls.write(url, 0, bytes)).statusCode).toBe(500)
    expect(await offsetOf(calls, url)).toBe(999)
    await app.database.sql`alter table objects drop constraint away`
    expect((await calls.write(url, 999, bytes.subarray(999))).statusCode).toBe(204)
    const { data } = await bucket.download('a.bin')
    expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true)
  })

  it('a resumable upload is refused if its bucket was deleted or no longer accepts it, or if the name is taken', async () => {
    const { app, client, bucket, staff } = await anApp()
    const calls = tusCalls(app, staff)
    const begin = async (objectName: string) =>
      String((await calls.create(10, { ...FILES, objectName, contentType: 'text/plain' })).headers.location)
    const [gone, ruled, taken] = [await begin('gone'), await begin('ruled'), await begin('taken')]
    await bucket.upload('taken', 'x')
    expect((await calls.write(taken, 0, Buffer.alloc(10))).statusCode).toBe(409)
    await client.updateBucket('files', { public: false, fileSizeLimit: 9 })
    expect((await calls.write(ruled, 0, Buffer.alloc(10))).statusCode).toBe(413)
    await client.updateBucket('files', {
      public: false,
      fileSizeLimit: null,
      allowedMimeTypes: ['image/png'],
    })
    expect((await calls.write(ruled, 0, Buffer.alloc(10))).statusCode).toBe(415)
    await client.emptyBucket('files')
    await client.deleteBucket('files')
    expect((await calls.write(gone, 0, Buffer.alloc(10))).statusCode).toBe(404)
    expect(await objectsOf(app)).toEqual([])
  })

  it('a resumable upload can be continued only by the account, key or token that began it', async () => {
    const { app, client } = await anApp()
    const callers = ['staff', 'admin', 'owner'] as const
    const headers = await Promise.all(callers.map((role) => app.as(role)))
    const { key } = await aServiceKey(app)
    headers.push({ authorization: `Bearer ${key}` })
    let opened = 0
    for (const [at, mine] of headers.entries()) {
      const url = String(
        (await tusCalls(app, mine).create(10, { ...FILES, objectName: `${at}` })).headers.location,
      )
      for (const other of headers) {
        if (other === mine) continue
        const calls = tusCalls(app, other)
        for (const answer of [
          await calls.head(url),
          await calls.write(url, 0, Buffer.alloc(10)),
          await calls.remove(url),
        ])
          if (answer.statusCode !== 404) opened += 1
      }
      for (const stranger of [{}, await app.as('viewer')])
        expect((await tusCalls(app, stranger).write(url, 0, Buffer.alloc(10))).statusCode).toBeOneOf([
          401, 403,
        ])
      expect((await tusCalls(app, mine).write(url, 0, Buffer.alloc(10))).statusCode).toBe(204)
    }
    expect(opened).toBe(0)
    const { data } = await client.from('files').createSignedUploadUrl('signed')
    const signed = tusCalls(app, { 'x-signature': data?.token ?? '' }, `${RESUMABLE}/sign`)
    expect((await signed.create(10, { ...FILES, objectName: 'other' })).statusCode).toBe(400)
    const url = String((await signed.create(10, { ...FILES, objectName: 'signed' })).headers.location)
    expect(
      (await tusCalls(app, { 'x-signature': 'nonsense' }).write(url, 0, Buffer.alloc(10))).statusCode,
    ).toBe(400)
    expect((await signed.write(url, 0, Buffer.alloc(10))).statusCode).toBe(204)
    expect(
      (await aKeyedStorageClient(app).then((keyed) => keyed.from('files').info('signed'))).error,
    ).toBeNull()
  })

  it('an invalid request begins no resumable upload, nor does a request above the limit of a hundred unfinished uploads', async () => {
    const { app, staff } = await anApp()
    const calls = tusCalls(app, staff)
    const status = async (...call: Parameters<typeof calls.create>) =>
      (await calls.create(...call)).statusCode
    for (const length of ['', '-1', 'x', '1e3', '1.5', '99999999999999999999'])
      expect([length, await status(length, FILES)]).toEqual([length, 400])
    expect(await status(2_000_000_000_000, FILES)).toBe(413)
    for (const values of [{ objectName: 'a' }, { bucketName: 'files' }, { bucketName: '', objectName: '' }])
      expect(await status(1, values as Record<string, string>)).toBe(400)
    expect(await status(1, { ...FILES, bucketName: 'none' })).toBe(404)
    expect(await status(1, { ...FILES, objectName: '../a' })).toBe(422)
    expect(await status(1, { ...FILES, contentType: 'no type' })).toBe(415)
    expect(await status(1, { ...FILES, metadata: '[1]' })).toBe(400)
    for (const text of ['a b c', 'a !', ',', 'a YQ==,a YQ==', 'a /w==', `x ${'A'.repeat(9000)}`])
      expect([text.slice(0, 20), await status(1, {}, { 'upload-metadata': text })]).toEqual([
        text.slice(0, 20),
        400,
      ])
    expect(await status(1, FILES, { 'tus-resumable': '0.2.2' })).toBe(412)
    const version = await calls.create(1, FILES, { 'tus-resumable': '2.0.0' })
    expect([version.headers['tus-version'], version.headers['tus-resumable']]).toEqual(['1.0.0', '1.0.0'])
    const typeless = String((await calls.create(3, FILES)).headers.location)
    expect(
      (await calls.write(typeless, 0, Buffer.alloc(3), { 'content-type': 'text/plain' })).statusCode,
    ).toBe(415)
    expect((await calls.head(`${RESUMABLE}/nonsense`)).statusCode).toBe(404)
    const options = await calls.options()
    expect([options.statusCode, options.headers['tus-extension'], options.headers['tus-version']]).toEqual([
      204,
      'creation,creation-with-upload,expiration,termination',
      '1.0.0',
    ])
    expect((await calls.create(0, { ...FILES, objectName: 'empty' })).statusCode).toBe(201)
    expect(await objectsOf(app)).toEqual([{ name: 'empty', size_bytes: 0 }])
    const begun = await Promise.all(
      Array.from({ length: 110 }, (_, at) => status(1, { ...FILES, objectName: `${at}` })),
    )
    expect(begun.filter((code) => code === 201)).toHaveLength(99)
    expect(begun.filter((code) => code === 429)).toHaveLength(11)
    app.clock.advance(2 * HOUR_MS)
    await app.cleanup.run()
  })
})
