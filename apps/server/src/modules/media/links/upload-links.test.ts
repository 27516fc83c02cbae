import { MEDIA_BUCKET } from '@pegasus/contracts/media/media-files'
import { StorageClient } from '@supabase/storage-js'
import { describe, expect, it } from 'vitest'
import { idOf } from '../../../../test/support/accounts/account-actions.ts'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'
import { OBJECT, read } from '../../../../test/storage/media-upload.ts'
import { aPicture } from '../../../../test/support/library/pictures.ts'
import { anAccountWithFactor } from '../../../../test/support/accounts/second-factor.ts'
import { aStorageClient } from '../../../../test/storage/storage-client.ts'
import { HOUR_MS } from '../../../platform/clock.ts'

const PATH = 'images/products/dragon one.jpg'

/** Returns a shop, and the official client without a sign-in. */
async function aShop() {
  const app = await buildTestApp()
  const { url, bucket } = await aStorageClient(app, 'staff')
  const stranger = new StorageClient(`${url}/storage/v1`, { apikey: 'any' }).from(MEDIA_BUCKET)
  return { app, bucket, stranger, picture: await aPicture({ width: 9, height: 7 }) }
}

const isThere = async (app: TestApp, path = PATH) => (await read(app, encodeURI(path))).statusCode === 200

const countObjects = async (app: TestApp): Promise<number> => {
  const [row] = await app.database.sql<[{ count: number }]>`select count(*)::int as count from objects`
  return row.count
}

const put = (app: TestApp, token: string, bytes: Uint8Array, path = PATH, headers: object = {}) =>
  app.http.inject({
    method: 'PUT',
    url: `${OBJECT}/upload/sign/${MEDIA_BUCKET}/${encodeURI(path)}?token=${token}`,
    headers: { 'content-type': 'image/jpeg', 'cache-control': 'max-age=60', ...headers },
    payload: Buffer.from(bytes),
  })

describe('signed addresses for uploads', () => {
  it('a signed upload stores a file for the signing account, with every kind of body that the official client sends', async () => {
    const { app, bucket, stranger, picture } = await aShop()
    const file = new File([new Uint8Array(picture)], 'IMG.JPEG', { type: 'image/jpeg' })
    const form = new FormData()
    form.append('photo', file)
    const bodies = [
      [file, {}],
      [form, { cacheControl: '60' }],
      [picture, { contentType: 'image/jpeg', metadata: { by: 'hand' } }],
      [new Blob([new Uint8Array(picture)]).stream(), { contentType: 'image/jpeg' }],
    ] as const
    for (const [index, [body, options]] of bodies.entries()) {
      const path = `${index} ${PATH}`
      const { data: signed, error } = await bucket.createSignedUploadUrl(path)
      expect(error).toBeNull()
      expect(signed?.signedUrl).toMatch(
        /\/storage\/v1\/object\/upload\/sign\/product-images\/\d%20images\/products\/dragon%20one\.jpg\?token=[\w.-]+$/,
      )
      expect(await isThere(app, path)).toBe(false)
      expect(await stranger.uploadToSignedUrl(path, signed?.token ?? '', body, options)).toEqual({
        data: { path, fullPath: `${MEDIA_BUCKET}/${path}` },
        error: null,
      })
      expect(await isThere(app, path)).toBe(true)
    }
    expect((await bucket.info(`2 ${PATH}`)).data).toMatchObject({ metadata: { by: 'hand' } })
    const [person] = await app.database.sql<{ id: string }[]>`
      select p.id from people p where p.full_name = 'The staff'`
    const owners = await app.database.sql`select distinct owner_id from objects`
    expect(owners).toEqual([{ owner_id: person?.id }])
    expect((await entriesOf(app)).at(-1)).toMatchObject({
      action: 'media.stored',
      actor_id: person?.id,
      actor_name: 'The staff',
    })
    // The signed URL also works without the official client.
    const { data } = await bucket.createSignedUploadUrl('by hand.jpg')
    const headers = { 'content-type': 'image/jpeg' }
    const byHand = await fetch(data?.signedUrl ?? '', {
      method: 'PUT',
      headers,
      body: new Uint8Array(picture),
    })
    expect([byHand.status, await byHand.json()]).toEqual([200, { Key: `${MEDIA_BUCKET}/by hand.jpg` }])
  })

  it('a signed upload replaces a file only if its address was signed for that', async () => {
    const { app, bucket, stranger, picture } = await aShop()
    const once = (await bucket.createSignedUploadUrl(PATH)).data?.token ?? ''
    expect((await stranger.uploadToSignedUrl(PATH, once, picture)).error).toBeNull()
    const { etag } = (await read(app, encodeURI(PATH))).headers
    const other = await aPicture({ width: 20, height: 20 })
    const again = await stranger.uploadToSignedUrl(PATH, once, other, { upsert: true })
    expect(again.error).toMatchObject({ statusCode: '409', code: 'KeyAlreadyExists' })
    expect((await bucket.createSignedUploadUrl(PATH)).error).toMatchObject({ statusCode: '409' })
    expect((await read(app, encodeURI(PATH))).headers.etag).toBe(etag)
    const over = (await bucket.createSignedUploadUrl(PATH, { upsert: true })).data?.token ?? ''
    expect((await stranger.uploadToSignedUrl(PATH, over, other)).error).toBeNull()
    expect((await read(app, encodeURI(PATH))).headers.etag).not.toBe(etag)
  })

  it('nobody can store a file with an expired, changed or forged upload address, or read a file with any upload address', async () => {
    const { app, bucket, picture } = await aShop()
    const token = (await bucket.createSignedUploadUrl(PATH, { upsert: true })).data?.token ?? ''
    expect((await put(app, token, picture)).statusCode).toBe(200)
    const download = (await bucket.createSignedUrl(PATH, 600)).data?.signedUrl ?? ''
    const toRead = new URL(download).searchParams.get('token') ?? ''
    const [head = '', claims = '', signature = ''] = token.split('.')
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const changed = (change: object) =>
      encode({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), ...change })
    const session = (await app.as('staff')).authorization.replace('Bearer ', '')
    const tries: [string, string][] = [
      ['', PATH],
      [toRead, PATH],
      [session, PATH],
      [`${head}.${claims}.`, PATH],
      [`${head}.${changed({ exp: 9_999_999_999 })}.${signature}`, PATH],
      [`${head}.${changed({ owner: 'somebody' })}.${signature}`, PATH],
      [`${encode({ alg: 'none' })}.${claims}.`, PATH],
      ['a'.repeat(5000), PATH],
      [`${token}&token=${token}`, PATH],
      [token, 'images/products/other.jpg'],
      [token, `${PATH}/x.jpg`],
      [token, 'a/ /x.jpg'],
      [token, 'a\\x.jpg'],
      [token, 'images/products/dragon one.svg'],
    ]
    const kept = await countObjects(app)
    let accepted = 0
    for (const [key, path] of tries) {
      const answer = await put(app, key, picture, path)
      if (answer.statusCode < 400) accepted += 1
      expect([path, answer.statusCode, answer.json<{ code: string }>().code]).toEqual([
        path,
        400,
        expect.stringMatching(/^Invalid(JWT|Signature|Key)$/),
      ])
    }
    const reads = [`${OBJECT}/sign/${MEDIA_BUCKET}`, '/storage/v1/render/image/sign/product-images']
    for (const place of reads) {
      const answer = await app.http.inject({ url: `${place}/${encodeURI(PATH)}?token=${token}` })
      if (answer.statusCode < 400) accepted += 1
      expect(answer.json()).toMatchObject({ statusCode: '400', code: 'InvalidSignature' })
    }
    app.clock.advance(2 * HOUR_MS + 1000)
    const late = await put(app, token, picture)
    if (late.statusCode < 400) accepted += 1
    expect(late.json()).toMatchObject({ statusCode: '400', code: 'ExpiredToken' })
    console.info(`uploads and reads by addresses not signed for them ${accepted} of ${tries.length + 3}`)
    expect([accepted, await countObjects(app)]).toEqual([0, kept])
  })

  it('signed uploads refuse wrong types, large files and bad names, and only staff can sign upload addresses', async () => {
    const app = await buildTestApp({ variables: { UPLOAD_LIMIT: '2kb' } })
    const { bucket } = await aStorageClient(app, 'staff')
    const token = (await bucket.createSignedUploadUrl(PATH)).data?.token ?? ''
    const large = Buffer.concat([await aPicture({ width: 2, height: 2 }), Buffer.alloc(4000)])
    expect((await put(app, token, large)).json()).toMatchObject({ statusCode: '413', code: 'EntityTooLarge' })
    expect((await put(app, token, Buffer.from('<svg/>'))).json()).toMatchObject({ statusCode: '422' })
    expect((await put(app, token, Buffer.alloc(0))).json()).toMatchObject({ statusCode: '400' })
    // If an upload is refused before its body is read, the client still gets the response, and the connection
    // stays open.
    const much = Buffer.alloc(20 * 2 ** 20, 1)
    for (const [key, code] of [
      ['none', 'InvalidJWT'],
      [token, 'EntityTooLarge'],
    ] as const)
      expect((await bucket.uploadToSignedUrl(PATH, key, much)).error).toMatchObject({ code })
    expect(await countObjects(app)).toBe(0)
    const names = [
      '..%2f..%2fx.jpg',
      'a%00.jpg',
      'a%5cx.jpg',
      `${'x'.repeat(800)}.jpg`,
      'a.svg',
      'a',
      '%20.jpg',
    ]
    const staff = await app.as('staff')
    const sign = (path: string, headers: object, inBucket = MEDIA_BUCKET) =>
      app.http.inject({
        method: 'POST',
        url: `${OBJECT}/upload/sign/${inBucket}/${path}`,
        headers: { ...headers },
      })
    let signed = 0
    for (const name of names) {
      const answer = await sign(name, staff)
      if (answer.statusCode === 200) signed += 1
      expect([name, answer.statusCode]).toEqual([name, 400])
    }
    console.info(`T60 uploads signed for names that climb or deceive ${signed} of ${names.length}`)
    expect((await sign('a.jpg', staff, 'elsewhere')).json()).toMatchObject({ code: 'NoSuchBucket' })
    expect((await sign('a.jpg', await app.as('viewer'))).statusCode).toBe(403)
    expect((await sign('a.jpg', {})).statusCode).toBe(401)
  })

  it('T115 an upload address becomes invalid when its signer signs out, is deactivated, changes role or must change the password', async () => {
    const { app, picture } = await aShop()
    const admin = await app.as('admin')
    const change = async (username: string, payload: object) => {
      const url = `/api/auth/users/${await idOf(app, username)}`
      const answer = await app.http.inject({
        method: 'PATCH',
        url,
        headers: { ...admin, 'if-match': '*' },
        payload,
      })
      expect(answer.statusCode).toBe(200)
    }
    const signOut = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const url = '/auth/v1/logout'
      expect((await app.http.inject({ method: 'POST', url, headers })).statusCode).toBe(204)
    }
    const endings: [string, (username: string, token: string) => Promise<void>][] = [
      ['signed out', (_, token) => signOut(token)],
      ['deactivated', (username) => change(username, { is_active: false })],
      [
        'deactivated and back again',
        async (username) => {
          await change(username, { is_active: false })
          await change(username, { is_active: true })
        },
      ],
      ['a viewer now', (username) => change(username, { role: 'viewer' })],
      [
        'a password that has to be changed',
        async (username) => {
          await app.database.sql`update accounts set must_change_password = true where username = ${username}`
        },
      ],
    ]
    const survivors: string[] = []
    for (const [index, [what, end]] of endings.entries()) {
      const username = await app.anAccount('staff')
      const token = await app.signIn(username)
      const path = `${index}.jpg`
      const url = `${OBJECT}/upload/sign/${MEDIA_BUCKET}/${path}`
      const headers = { authorization: `Bearer ${token}`, 'x-upsert': 'true' }
      const answer = await app.http.inject({ method: 'POST', url, headers })
      const link = answer.json<{ token: string }>().token
      expect((await put(app, link, picture, path)).statusCode).toBe(200)
      await end(username, token)
      const late = await put(app, link, picture, path)
      if (late.statusCode < 400) survivors.push(what)
      expect([what, late.json()]).toEqual([
        what,
        expect.objectContaining({ statusCode: '400', code: 'ExpiredToken' }),
      ])
    }
    console.info(
      `T115 addresses for uploads that outlive their signer's right ${survivors.length} of ${endings.length}`,
    )
    expect(survivors).toEqual([])
  })

  it('signed uploads accept requests from pages at other origins', async () => {
    const { app, bucket, picture } = await aShop()
    const token = (await bucket.createSignedUploadUrl(PATH)).data?.token ?? ''
    const asked = 'apikey,authorization,x-client-info,content-type,cache-control,x-upsert,x-metadata'
    const preflight = await app.http.inject({
      method: 'OPTIONS',
      url: `${OBJECT}/upload/sign/${MEDIA_BUCKET}/${encodeURI(PATH)}?token=${token}`,
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': asked,
      },
    })
    expect([preflight.statusCode, preflight.headers['access-control-allow-headers']]).toEqual([204, asked])
    expect(preflight.headers['access-control-allow-methods']).toContain('PUT')
    const stored = await put(app, token, picture, PATH, { origin: 'https://shop.example' })
    expect([stored.statusCode, stored.headers['access-control-allow-origin']]).toEqual([
      200,
      'https://shop.example',
    ])
  })

  it('upload addresses can be signed only after the second step of sign-in', async () => {
    const app = await buildTestApp()
    const { username, session } = await anAccountWithFactor(app, 'staff')
    const sign = (token: string) =>
      app.http.inject({
        method: 'POST',
        url: `${OBJECT}/upload/sign/${MEDIA_BUCKET}/a.jpg`,
        headers: { authorization: `Bearer ${token}` },
      })
    expect((await sign(await app.signIn(username))).statusCode).toBe(403)
    const { token } = (await sign(session.access_token)).json<{ token: string }>()
    const picture = await aPicture({ width: 2, height: 2 })
    expect((await put(app, token, picture, 'a.jpg')).statusCode).toBe(200)
  })
})
