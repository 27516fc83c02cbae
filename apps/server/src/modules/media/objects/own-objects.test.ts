import { createHash, randomBytes } from 'node:crypto'
import { MEDIA_BUCKET } from '@pegasus/contracts/media/media-files'
import { StorageClient } from '@supabase/storage-js'
import { describe, expect, it } from 'vitest'
import { tusCalls } from '../../../../test/storage/resumable-upload.ts'
import { aKeyedStorageClient, aStorageClient, baseUrlOf } from '../../../../test/storage/storage-client.ts'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'
import { aPicture } from '../../../../test/support/library/pictures.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function anAppWithBuckets() {
  const app = await buildTestApp()
  const admin = await aStorageClient(app, 'admin')
  await admin.client.createBucket('open', { public: true })
  await admin.client.createBucket('closed')
  const { url, client } = await aStorageClient(app, 'staff')
  return { app, url, client, admin: admin.client }
}

const PAGE = '<html><script>alert(1)</script></html>'

const DOWNLOAD = 'application/octet-stream'
const VERSIONS = ['1.0', '1.1', '1.2', '1.3', '1.4', '1.5']

/**
 * The declared type, the content, whether a browser may show the file at this origin, and the sent type if it
 * differs from the declared one.
 */
const FILES: readonly (readonly [
  type: string,
  content: string | Buffer,
  isShown: boolean,
  sentAs?: string,
])[] = [
  ['text/html', PAGE, false, DOWNLOAD],
  ['text/html; charset=utf-8', PAGE, false, DOWNLOAD],
  ['TEXT/HTML', PAGE, false, DOWNLOAD],
  ['application/xhtml+xml', PAGE, false, DOWNLOAD],
  ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', false, DOWNLOAD],
  ['text/xml', PAGE, false, DOWNLOAD],
  ['model/x3d+xml', PAGE, false, DOWNLOAD],
  ['application/javascript', 'alert(1)', false, DOWNLOAD],
  ['text/javascript; charset=utf-8', 'alert(1)', false, DOWNLOAD],
  ...VERSIONS.map((version) => [`text/javascript${version}`, 'alert(1)', false, DOWNLOAD] as const),
  ['TEXT/JavaScript1.5', 'alert(1)', false, DOWNLOAD],
  ['text/jscript', 'alert(1)', false, DOWNLOAD],
  ['text/livescript', 'alert(1)', false, DOWNLOAD],
  ['application/x-ecmascript', 'alert(1)', false, DOWNLOAD],
  ['application/wasm', 'alert(1)', false, DOWNLOAD],
  ['text/css', 'body{}', false, DOWNLOAD],
  ['application/pdf', '%PDF-1.7', false],
  ['application/json', '{}', false],
  ['application/zip', 'PK', false],
  ['multipart/x-mixed-replace', PAGE, false, DOWNLOAD],
  ['application/octet-stream', randomBytes(3000), false],
  ['model/stl', 'solid x', false],
  ['model/3mf', 'PK', false],
  ['text/plain', PAGE, true],
  ['text/plain; charset=UTF-8', PAGE, true, 'text/plain; charset=utf-8'],
  ['text/plain; charset=utf-7; a="b"', PAGE, true, 'text/plain'],
  ['text/csv', 'a;b', true],
  ['image/png', PAGE, true],
  ['IMAGE/PNG; a=b', PAGE, true, 'image/png'],
  ['video/mp4', randomBytes(10), true],
]

/** Declared types with a comma. Browsers use the type after the comma. */
const COMMA_TYPES = [
  'text/plain;,text/javascript',
  'image/png;,text/html',
  'text/plain; a=",text/html',
  'image/png,text/html',
] as const

const WAYS = ['raw', 'form', 'tus'] as const

/** Uploads a file to the public bucket in the given way. Returns the status according to the protocol. */
async function sendFile(
  { app, url }: { app: TestApp; url: string },
  way: (typeof WAYS)[number],
  { path, contentType, content }: { path: string; contentType: string; content: string | Buffer },
): Promise<number> {
  const staff = await app.as('staff')
  if (way === 'tus') {
    const values = { bucketName: 'open', objectName: path, contentType }
    const body = Buffer.from(content)
    const chunk = { 'content-type': 'application/offset+octet-stream' }
    return (await tusCalls(app, staff).create(body.length, values, chunk, body)).statusCode
  }
  const form = new FormData()
  form.append('contentType', contentType)
  form.append('', new Blob([new Uint8Array(Buffer.from(content))]), 'a')
  const headers = { ...staff, ...(way === 'raw' && { 'content-type': contentType }) }
  const body = way === 'raw' ? new Uint8Array(Buffer.from(content)) : form
  const answer = await fetch(`${url}/storage/v1/object/open/${path}`, { method: 'POST', headers, body })
  const { statusCode } = (await answer.json()) as { statusCode?: string }
  return Number(statusCode ?? answer.status)
}

describe('objects in buckets that people create', () => {
  it.each(WAYS)(
    'an object (%s) is stored unchanged with its declared type, and never runs as a page or script of this origin',
    async (way) => {
      const { app, url, client } = await anAppWithBuckets()
      let wrong = 0
      for (const [at, [contentType, content, isShown, sentAs]] of FILES.entries()) {
        const path = `folder/${at}.html`
        const status = await sendFile({ app, url }, way, { path, contentType, content })
        expect([contentType, status]).toEqual([contentType, way === 'tus' ? 201 : 200])
        expect((await client.from('open').info(path)).data).toMatchObject({ contentType, metadata: {} })
        const read = await fetch(client.from('open').getPublicUrl(path).data.publicUrl)
        const bytes = Buffer.from(await read.arrayBuffer())
        const disposition = read.headers.get('content-disposition')
        const policy = read.headers.get('content-security-policy') ?? ''
        const isSafe = policy.includes('sandbox') && read.headers.get('x-content-type-options') === 'nosniff'
        if (!isSafe || (disposition === null) !== isShown) wrong += 1
        expect([contentType, read.headers.get('content-type')]).toEqual([contentType, sentAs ?? contentType])
        expect(sha256(bytes)).toBe(sha256(Buffer.from(content)))
        const signed = await client.from('open').createSignedUrl(path, 60)
        const bySignature = await fetch(signed.data?.signedUrl ?? '')
        expect(bySignature.headers.get('content-disposition') === null).toBe(isShown)
        expect(bySignature.status).toBe(200)
      }
      const listed = (await client.from('open').list('folder', { limit: 1000 })).data ?? []
      const types = new Set(listed.map(({ metadata }) => metadata?.mimetype))
      expect(types).toEqual(new Set(FILES.map(([type]) => type)))
      console.info(`files shown as a page of this origin after a ${way} upload ${wrong} of ${FILES.length}`)
      expect(wrong).toBe(0)
    },
  )

  it('an upload that declares two types is refused, and an object that was stored with two types is sent with the first', async () => {
    const { app, url, client } = await anAppWithBuckets()
    for (const contentType of COMMA_TYPES)
      for (const way of WAYS) {
        const file = { path: 'a', contentType, content: PAGE }
        expect([contentType, way, await sendFile({ app, url }, way, file)]).toEqual([contentType, way, 415])
      }
    await client.from('open').upload('a', 'alert(1)', { contentType: 'text/plain' })
    const sent: Record<string, string | null> = {}
    for (const contentType of COMMA_TYPES) {
      await app.database.sql`update objects set content_type = ${contentType}`
      const read = await fetch(client.from('open').getPublicUrl('a').data.publicUrl)
      sent[contentType] = read.headers.get('content-type')
    }
    expect(sent).toEqual({
      'text/plain;,text/javascript': 'text/plain',
      'image/png;,text/html': 'image/png',
      'text/plain; a=",text/html': 'text/plain',
      'image/png,text/html': DOWNLOAD,
    })
  })

  it('an object can be empty, and keeps the metadata that the client sent', async () => {
    const { client } = await anAppWithBuckets()
    const bucket = client.from('closed')
    expect((await bucket.upload('empty.bin', new Blob([]))).error).toBeNull()
    expect((await bucket.info('empty.bin')).data).toMatchObject({ size: 0 })
    expect((await bucket.download('empty.bin')).data?.size).toBe(0)
    const metadata = { order: '1001', nested: { a: 1 } }
    expect((await bucket.upload('m.txt', 'text', { metadata, cacheControl: '60' })).error).toBeNull()
    expect((await bucket.info('m.txt')).data).toMatchObject({ metadata, cacheControl: 'max-age=60' })
    const form = new FormData()
    form.append('file', new Blob(['{}'], { type: 'application/json' }), 'a.json')
    expect((await bucket.upload('a.json', form)).error).toBeNull()
    expect((await bucket.info('a.json')).data?.contentType).toBe('application/json')
  })

  it('every kind of upload must comply with the size limit and the allowed types of its bucket', async () => {
    const { client, admin } = await anAppWithBuckets()
    await admin.updateBucket('open', {
      public: true,
      fileSizeLimit: 100,
      allowedMimeTypes: ['image/*', 'text/plain'],
    })
    const bucket = client.from('open')
    const tooLarge = { statusCode: '413', message: 'The object exceeded the maximum allowed size' }
    const bytes = Buffer.alloc(101)
    const png = { contentType: 'image/png' }
    expect((await bucket.upload('a', bytes, png)).error).toMatchObject(tooLarge)
    expect((await bucket.upload('a', new Blob([bytes], { type: 'image/png' }))).error).toMatchObject(tooLarge)
    const refused = {
      statusCode: '415',
      code: 'InvalidMimeType',
      message: 'mime type video/mp4 is not supported',
    }
    for (const body of ['x', new Blob(['x'], { type: 'video/mp4' })])
      expect((await bucket.upload('a', body, { contentType: 'video/mp4' })).error).toMatchObject(refused)
    for (const contentType of ['image', 'image/png/x', 'im age/png', ''.padEnd(300, 'a')])
      expect([
        contentType,
        ((await bucket.upload('b', 'x', { contentType })).error as { statusCode?: string } | null)
          ?.statusCode,
      ]).toEqual([contentType, '415'])
    expect((await bucket.upload('a', bytes.subarray(1), png)).error).toBeNull()
    await client.from('closed').upload('movie', 'x', { contentType: 'video/mp4' })
    await client.from('closed').upload('large', bytes, png)
    const moves = [
      client.from('closed').move('movie', 'm', { destinationBucket: 'open' }),
      client.from('closed').copy('large', 'l', { destinationBucket: 'open' }),
    ]
    expect(
      (await Promise.all(moves)).map(({ error }) => (error as { statusCode?: string } | null)?.statusCode),
    ).toEqual(['415', '413'])
    expect((await bucket.list()).data?.map(({ name }) => name)).toEqual(['a'])
  })

  it("objects that were not cleaned cannot get into the shop's bucket, but a cleaned picture can be copied from it", async () => {
    const { client, app } = await anAppWithBuckets()
    const jpeg = await aPicture({ width: 8, height: 8 })
    await client.from('open').upload('raw.jpg', jpeg, { contentType: 'image/jpeg' })
    for (const change of [
      client.from('open').move('raw.jpg', 'raw.jpg', { destinationBucket: MEDIA_BUCKET }),
      client.from('open').copy('raw.jpg', 'raw.jpg', { destinationBucket: MEDIA_BUCKET }),
    ])
      expect((await change).error).toMatchObject({ statusCode: '415' })
    expect((await client.from(MEDIA_BUCKET).upload('clean.jpg', jpeg)).error).toBeNull()
    expect(
      (await client.from(MEDIA_BUCKET).copy('clean.jpg', 'clean.bin', { destinationBucket: 'open' })).error,
    ).toBeNull()
    expect(await app.database.sql`select name from objects where bucket_id = ${MEDIA_BUCKET}`).toEqual([
      { name: 'clean.jpg' },
    ])
  })

  it('a picture is rendered in another size whatever type was declared, but only for people who may read it', async () => {
    const { client, url } = await anAppWithBuckets()
    const bucket = client.from('closed')
    await bucket.upload('photo', await aPicture({ width: 400, height: 200 }), { contentType: 'text/plain' })
    const transform = { width: 160, height: 80 }
    const { data, error } = await bucket.download('photo', { transform })
    expect([error, data?.type]).toEqual([null, 'image/jpeg'])
    const signed = await bucket.createSignedUrl('photo', 60, { transform, download: 'small.jpg' })
    const small = await fetch(signed.data?.signedUrl ?? '')
    expect([small.status, small.headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="small.jpg"; filename*=UTF-8''small.jpg`,
    ])
    expect((await fetch(`${url}/storage/v1/render/image/authenticated/closed/photo?width=10`)).status).toBe(
      401,
    )
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    const damaged = (await aPicture({ width: 400, height: 200 })).subarray(0, 400)
    for (const [name, content] of [
      ['a.svg', svg],
      ['b.jpg', damaged],
      ['c.jpg', 'text'],
      ['d.jpg', ''],
    ] as const) {
      await bucket.upload(name, new Blob([new Uint8Array(Buffer.from(content))], { type: 'image/jpeg' }))
      expect([name, (await bucket.download(name, { transform })).error?.message]).toEqual([
        name,
        'Only pictures are available in other sizes.',
      ])
    }
  })

  it('folders are listed with keys that have no slash at the end', async () => {
    const { client } = await anAppWithBuckets()
    await client.from('open').upload('models/dragon/a.stl', 'solid')
    const page = await client.from('open').listV2({ with_delimiter: true })
    expect(page.data?.folders).toEqual([{ key: 'models', name: 'models/' }])
  })

  it('a program with a secret key can manage objects, and its upload addresses become invalid with the key', async () => {
    const { app } = await anAppWithBuckets()
    const client = await aKeyedStorageClient(app)
    const bucket = client.from('closed')
    expect((await bucket.upload('a.txt', 'one')).error).toBeNull()
    expect((await bucket.move('a.txt', 'b.txt')).error).toBeNull()
    expect((await bucket.copy('b.txt', 'c.txt')).error).toBeNull()
    const { data } = await bucket.createSignedUploadUrl('d.txt')
    expect((await bucket.uploadToSignedUrl('d.txt', data?.token ?? '', 'two')).error).toBeNull()
    expect((await bucket.list()).data?.map(({ name }) => name)).toEqual(['b.txt', 'c.txt', 'd.txt'])
    expect((await bucket.remove(['b.txt', 'none'])).data).toHaveLength(1)
    const late = await bucket.createSignedUploadUrl('e.txt')
    await app.database.sql`delete from service_keys`
    const stranger = new StorageClient(`${await baseUrlOf(app)}/storage/v1`).from('closed')
    expect((await stranger.uploadToSignedUrl('e.txt', late.data?.token ?? '', 'x')).error).toMatchObject({
      code: 'ExpiredToken',
    })
    const owners = await app.database.sql`select distinct owner_id from objects`
    expect(owners).toEqual([{ owner_id: null }])
  })
})
