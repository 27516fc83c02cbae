import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../test/support/audit-entries.ts'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { type Headers, OBJECT, read, sendForm, sendRaw } from '../../../test/storage/media-upload.ts'
import { aPicture, aWebm } from '../../../test/support/library/pictures.ts'
import { HOUR_MS } from '../../platform/clock.ts'

const PATH = 'images/products/dragon.jpg'

describe('media', () => {
  it('media can be uploaded with every kind of body that the official client sends', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const jpeg = await aPicture({ width: 30, height: 20 })
    const stored = await sendForm(app, staff, { path: PATH, bytes: jpeg })
    expect(stored.statusCode, stored.body).toBe(200)
    expect(stored.json()).toEqual({ Id: expect.any(String), Key: `product-images/${PATH}` })

    const answer = await read(app, PATH)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'max-age=3600',
      'content-length': String(answer.rawPayload.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'x-robots-tag': 'none',
      'last-modified': expect.stringContaining('GMT'),
    })
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect((await sharp(answer.rawPayload).metadata()).format).toBe('jpeg')

    const types = [
      ['image/jpeg', 'POST'],
      ['application/json', 'POST'],
      ['text/plain;charset=UTF-8', 'POST'],
      ['application/octet-stream', 'PUT'],
    ] as const
    for (const [type, method] of types) {
      const path = `images/products/raw-${method}-${type.length}.jpg`
      const raw = await sendRaw(
        app,
        { ...staff, 'content-type': type, 'x-upsert': 'false' },
        path,
        jpeg,
        method,
      )
      expect([type, raw.statusCode, raw.json()]).toEqual([
        type,
        200,
        expect.objectContaining({ Key: `product-images/${path}` }),
      ])
      expect((await read(app, path)).headers['cache-control']).toBe('max-age=3600')
    }
    const named = await sendForm(app, staff, { path: 'a.jpg', bytes: jpeg, name: 'file', fields: {} })
    expect([named.statusCode, (await read(app, 'a.jpg')).headers['cache-control']]).toEqual([200, 'no-cache'])
  })

  it('an upload replaces a media file only if that is requested', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const [first, second] = await Promise.all([10, 20].map((width) => aPicture({ width, height: 10 })))
    const widthOf = async () => (await sharp((await read(app, PATH)).rawPayload).metadata()).width
    const upload = (bytes: Buffer, upsert: boolean) => sendForm(app, staff, { path: PATH, bytes, upsert })
    const { Id } = (await upload(first!, false)).json<{ Id: string }>()
    const again = await upload(second!, false)
    expect(again.statusCode).toBe(400)
    expect(again.json()).toEqual({
      statusCode: '409',
      error: 'Duplicate',
      code: 'KeyAlreadyExists',
      message: 'The resource already exists',
    })
    expect(await widthOf()).toBe(10)
    const etag = (await read(app, PATH)).headers.etag
    expect((await upload(second!, true)).json()).toMatchObject({ Id })
    expect(await widthOf()).toBe(20)
    expect((await read(app, PATH)).headers.etag).not.toBe(etag)
    expect((await sendForm(app, staff, { path: PATH, bytes: first! }, 'PUT')).statusCode).toBe(200)
    expect(await widthOf()).toBe(10)
    const parallel = await Promise.all(
      Array.from({ length: 8 }, () => sendForm(app, staff, { path: 'x.jpg', bytes: first!, upsert: false })),
    )
    expect(parallel.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const stored = (await entriesOf(app)).filter(({ action }) => action === 'media.stored')
    expect(stored[0]).toMatchObject({ entity_name: `product-images/${PATH}`, actor_name: 'The staff' })
  })

  it('media can be read whole, in ranges, conditionally (ETag, date), with HEAD, and as downloads', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const webm = aWebm()
    expect(
      (await sendRaw(app, { ...staff, 'content-type': 'video/webm' }, 'v/a b.webm', webm)).statusCode,
    ).toBe(200)
    const whole = await read(app, 'v/a%20b.webm')
    expect([whole.headers['content-type'], whole.rawPayload.equals(webm)]).toEqual(['video/webm', true])
    const part = await read(app, 'v/a%20b.webm', { range: 'bytes=4-9' })
    expect([part.statusCode, part.headers['content-range'], part.rawPayload]).toEqual([
      206,
      `bytes 4-9/${webm.length}`,
      webm.subarray(4, 10),
    ])
    const beyond = await read(app, 'v/a%20b.webm', { range: 'bytes=99999-' })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${webm.length}`])
    const { etag, 'last-modified': modified } = whole.headers
    expect((await read(app, 'v/a%20b.webm', { 'if-none-match': String(etag) })).statusCode).toBe(304)
    expect((await read(app, 'v/a%20b.webm', { 'if-modified-since': String(modified) })).statusCode).toBe(304)
    expect(
      (await read(app, 'v/a%20b.webm', { 'if-modified-since': new Date(0).toUTCString() })).statusCode,
    ).toBe(200)
    const head = await read(app, 'v/a%20b.webm', {}, 'HEAD')
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([
      200,
      String(webm.length),
      '',
    ])
    const named = await read(app, 'v/a%20b.webm?download=turn.webm')
    expect(named.headers['content-disposition']).toContain('filename="turn.webm"')
    expect((await read(app, 'v/a%20b.webm?download=')).headers['content-disposition']).toContain(
      'filename="a b.webm"',
    )
    const cors = await read(app, 'v/a%20b.webm', { origin: 'https://shop.example' })
    expect(cors.headers['access-control-allow-origin']).toBe('https://shop.example')
    expect(cors.headers['access-control-expose-headers']).toContain('Content-Range')

    const viewer = await app.as('viewer')
    const get = (url: string) => app.http.inject({ url: `${OBJECT}/${url}`, headers: viewer })
    expect((await get('product-images/v/a%20b.webm')).rawPayload.equals(webm)).toBe(true)
    expect((await get('authenticated/product-images/v/a%20b.webm')).headers['cache-control']).toBe(
      'private, no-cache',
    )
    expect((await get('info/product-images/v/a%20b.webm')).json()).toMatchObject({
      name: 'v/a b.webm',
      bucket_id: 'product-images',
      size: webm.length,
      content_type: 'video/webm',
    })
    const missing = await get('info/product-images/none.jpg')
    expect([missing.statusCode, missing.json<{ code: string }>().code]).toEqual([400, 'NoSuchKey'])
  })

  it('a person can list media by folder, and can remove them', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const bytes = await aPicture({ width: 2, height: 2 })
    for (const path of [
      'images/products/b.jpg',
      'images/products/a.jpg',
      'images/products/sub/c.jpg',
      'images_x.jpg',
    ])
      expect((await sendForm(app, staff, { path, bytes })).statusCode).toBe(200)
    const list = async (body: object) =>
      (
        await app.http.inject({
          method: 'POST',
          url: `${OBJECT}/list/product-images`,
          headers: staff,
          payload: body,
        })
      ).json<{ name: string; id: string | null; metadata: { size: number } | null }[]>()
    expect((await list({ prefix: '' })).map(({ name, id }) => [name, id === null])).toEqual([
      ['images', true],
      ['images_x.jpg', false],
    ])
    const rows = await list({ prefix: 'images/products/', sortBy: { column: 'name', order: 'desc' } })
    expect(rows.map(({ name }) => name)).toEqual(['sub', 'b.jpg', 'a.jpg'])
    expect(rows[1]?.metadata).toMatchObject({ mimetype: 'image/jpeg', cacheControl: 'max-age=3600' })
    expect(
      (await list({ prefix: 'images/products', search: 'A.J', limit: 1 })).map(({ name }) => name),
    ).toEqual(['a.jpg'])
    const remove = (headers: Headers) =>
      app.http.inject({
        method: 'DELETE',
        url: `${OBJECT}/product-images`,
        headers,
        payload: { prefixes: ['images/products/a.jpg', 'nothing.jpg'] },
      })
    expect((await remove(await app.as('viewer'))).statusCode).toBe(403)
    expect((await remove(staff)).json()).toEqual([
      { id: expect.any(String), name: 'images/products/a.jpg', bucket_id: 'product-images' },
    ])
    expect((await read(app, 'images/products/a.jpg')).json()).toMatchObject({
      statusCode: '404',
      code: 'NoSuchKey',
    })
  })

  it('a picture is rendered once for each requested size and format', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    await sendForm(app, staff, { path: PATH, bytes: await aPicture({ width: 1000, height: 500 }) })
    const render = (query: string, headers: Headers = {}) =>
      app.http.inject({ url: `/storage/v1/render/image/public/product-images/${PATH}${query}`, headers })
    for (const format of ['avif', 'webp', 'jpeg']) {
      const picture = await render(`?width=300&format=${format}`)
      expect([picture.statusCode, picture.headers['content-type'], picture.headers.vary]).toEqual([
        200,
        `image/${format}`,
        'Origin',
      ])
      expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ width: 320, height: 160 })
      expect(
        (await render(`?width=300&format=${format}`, { 'if-none-match': String(picture.headers.etag) }))
          .statusCode,
      ).toBe(304)
    }
    const negotiated = await render('?width=9000', { accept: 'image/avif,image/webp,*/*' })
    expect([negotiated.headers['content-type'], negotiated.headers.vary]).toEqual([
      'image/avif',
      'Accept, Origin',
    ])
    expect((await sharp(negotiated.rawPayload).metadata()).width).toBe(1000)
    expect((await render('', { accept: '*/*' })).headers['content-type']).toBe('image/jpeg')
    const fifty = await Promise.all(Array.from({ length: 50 }, () => render('?width=160&format=webp')))
    expect(new Set(fifty.map(({ statusCode, headers }) => `${statusCode} ${headers.etag}`)).size).toBe(1)
    expect((await render('?width=0')).statusCode).toBe(400)
    await sendRaw(app, { ...staff, 'content-type': 'video/webm' }, 'v.webm', aWebm())
    const video = await app.http.inject('/storage/v1/render/image/public/product-images/v.webm?width=160')
    expect(video.json()).toMatchObject({ statusCode: '415', code: 'InvalidMimeType' })
  })

  it('the cleanup removes replaced media and their variants after an hour', async () => {
    const app = await buildTestApp()
    const staff = await app.as('staff')
    const keys = async () => {
      const found: string[] = []
      for await (const { key } of app.storage.list('media')) found.push(key)
      return found
    }
    for (const width of [10, 20])
      await sendForm(app, staff, { path: PATH, bytes: await aPicture({ width, height: 9 }) })
    await app.http.inject(`/storage/v1/render/image/public/product-images/${PATH}?width=160&format=webp`)
    expect(await keys()).toHaveLength(3)
    await app.cleanup.run()
    expect(await keys()).toHaveLength(3)
    app.clock.advance(2 * HOUR_MS)
    await app.cleanup.run()
    expect(await keys()).toHaveLength(2)
    expect((await read(app, PATH)).statusCode).toBe(200)
  })
})

describe('refused media requests', () => {
  it('viewers cannot upload media, and strangers cannot read private files', async () => {
    const app = await buildTestApp()
    const bytes = await aPicture({ width: 2, height: 2 })
    const viewer = await app.as('viewer')
    const refusals = [
      await sendForm(app, viewer, { path: 'a.jpg', bytes }),
      await sendForm(app, viewer, { path: 'a.jpg', bytes }, 'PUT'),
      await sendRaw(app, { ...viewer, 'content-type': 'image/jpeg' }, 'a.exe', bytes),
    ]
    for (const refusal of refusals)
      expect([refusal.statusCode, refusal.json()]).toEqual([
        403,
        {
          statusCode: '403',
          error: 'Unauthorized',
          code: 'AccessDenied',
          message: "You don't have permission to do this.",
        },
      ])
    for (const headers of [{}, { authorization: 'Bearer nonsense' }]) {
      const stranger = await sendForm(app, headers as Headers, { path: 'a.jpg', bytes })
      expect([stranger.statusCode, stranger.json<{ statusCode: string }>().statusCode]).toEqual([401, '401'])
    }
    await sendForm(app, await app.as('employee'), { path: 'a.jpg', bytes })
    await app.database.sql`update buckets set is_public = false`
    expect((await read(app, 'a.jpg')).json()).toMatchObject({ statusCode: '404' })
    expect(
      (await app.http.inject({ url: `${OBJECT}/product-images/a.jpg`, headers: viewer })).statusCode,
    ).toBe(200)
  })
})
