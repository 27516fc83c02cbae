import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { buildTestApp, type TestApp } from '../../../../test/support/build-test-app.ts'
import { type Headers, OBJECT, read, sendForm, sendRaw } from '../../../../test/storage/media-upload.ts'
import { aPicture, aWebm } from '../../../../test/support/library/pictures.ts'
import { aStorageClient } from '../../../../test/storage/storage-client.ts'
import { HOUR_MS, SECOND_MS } from '../../../platform/clock.ts'

const OLD = 'images/products/dragon.jpg'
const NEW = 'images/kept/green dragon.jpeg'
const BUCKET = 'product-images'

const shownAt = async (app: TestApp, path: string) => {
  const { statusCode, rawPayload } = await read(app, encodeURI(path))
  return statusCode === 200 ? rawPayload.toString('base64') : null
}

const storedBytes = async (app: TestApp): Promise<number> => {
  let count = 0
  for await (const _ of app.storage.list('media/')) count += 1
  return count
}

/** Returns a shop with one file, and the official client of a person who may change the file. */
async function aShopWithFile(metadata?: Record<string, unknown>) {
  const app = await buildTestApp()
  const { bucket } = await aStorageClient(app, 'staff')
  const bytes = await aPicture({ width: 9, height: 7 })
  const options = { contentType: 'image/jpeg', ...(metadata && { metadata }) }
  expect((await bucket.upload(OLD, bytes, options)).error).toBeNull()
  return { app, bucket, shown: await shownAt(app, OLD) }
}

describe('moving and copying media', () => {
  it('a file that the official client moves keeps its content, and is found only by its new name', async () => {
    const { app, bucket, shown } = await aShopWithFile({ by: 'hand' })
    const before = (await bucket.info(OLD)).data
    app.clock.advance(5 * SECOND_MS)
    expect(await bucket.move(OLD, NEW)).toEqual({
      data: { message: 'Successfully moved', Id: before?.id, Key: NEW },
      error: null,
    })
    expect([await shownAt(app, OLD), await shownAt(app, NEW)]).toEqual([null, shown])
    const { data } = await bucket.info(NEW)
    expect(data).toMatchObject({ id: before?.id, createdAt: before?.createdAt, metadata: { by: 'hand' } })
    expect(data?.version).not.toBe(before?.version)
    // A client may have cached an older file with that name. The server must not confirm that file as
    // current.
    const { 'last-modified': modified } = (await read(app, encodeURI(NEW))).headers
    expect(new Date(String(modified)).getTime()).toBe(Math.floor(app.clock.now().getTime() / 1000) * 1000)
    expect((await entriesOf(app)).at(-1)).toMatchObject({
      action: 'media.moved',
      entity_id: before?.id,
      entity_name: `${BUCKET}/${NEW}`,
      actor_name: 'The staff',
      before: { name: `${BUCKET}/${OLD}` },
      after: { name: `${BUCKET}/${NEW}` },
    })
    expect((await bucket.move(NEW, OLD, { sourceVersionId: before?.version ?? '' })).error).toMatchObject({
      statusCode: '404',
    })
    const entries = (await entriesOf(app)).length
    expect((await bucket.move(NEW, NEW, { sourceVersionId: data?.version ?? '' })).error).toBeNull()
    expect([await shownAt(app, NEW), (await entriesOf(app)).length]).toEqual([shown, entries])
  })

  it('the official client can copy a file, and then remove the original or the copy', async () => {
    const { app, bucket, shown } = await aShopWithFile({ by: 'hand' })
    expect((await bucket.copy(OLD, NEW)).data).toEqual({ path: `${BUCKET}/${NEW}` })
    expect((await bucket.info(NEW)).data).toMatchObject({
      contentType: 'image/jpeg',
      cacheControl: 'max-age=3600',
      metadata: { by: 'hand' },
    })
    expect((await entriesOf(app)).at(-1)).toMatchObject({
      action: 'media.stored',
      entity_name: `${BUCKET}/${NEW}`,
      after: { copied_from: `${BUCKET}/${OLD}` },
    })
    expect(await storedBytes(app)).toBe(1)
    let lost = 0
    for (const gone of [OLD, NEW]) {
      const stays = gone === OLD ? NEW : OLD
      const later = (await aStorageClient(app, 'staff')).bucket
      expect((await later.remove([gone])).data).toHaveLength(1)
      app.clock.advance(2 * HOUR_MS)
      await app.cleanup.run()
      if ((await shownAt(app, stays)) !== shown) lost += 1
      expect((await (await aStorageClient(app, 'staff')).bucket.copy(stays, gone)).error).toBeNull()
    }
    console.info(`copies lost with what they were copied from ${lost} of 2`)
    expect(lost).toBe(0)
    const last = (await aStorageClient(app, 'staff')).bucket
    expect((await last.remove([OLD, NEW])).data).toHaveLength(2)
    app.clock.advance(2 * HOUR_MS)
    await app.cleanup.run()
    expect(await storedBytes(app)).toBe(0)
  })

  it('a client can copy a file with other metadata, and can let the copy replace an existing file', async () => {
    const { app, bucket, shown } = await aShopWithFile({ by: 'hand' })
    const own = { copyMetadata: false, metadata: { cacheControl: 'max-age=60', mimetype: 'text/html' } }
    expect((await bucket.copy(OLD, 'b.jpg', own)).error).toBeNull()
    expect((await bucket.info('b.jpg')).data).toMatchObject({
      contentType: 'image/jpeg',
      cacheControl: 'max-age=60',
      metadata: {},
    })
    const other = await aPicture({ width: 20, height: 20 })
    const [id] = [(await bucket.upload('c.jpg', other, { contentType: 'image/jpeg' })).data?.id]
    const staff = await app.as('staff')
    const copy = (headers: Headers) =>
      app.http.inject({
        method: 'POST',
        url: `${OBJECT}/copy`,
        headers: { ...staff, ...headers },
        payload: { bucketId: BUCKET, sourceKey: OLD, destinationKey: 'c.jpg', copyMetadata: false },
      })
    const metadata = Buffer.from('{"by":"copy"}').toString('base64')
    expect((await copy({ 'x-upsert': 'true', 'x-metadata': metadata })).json()).toMatchObject({
      Key: `${BUCKET}/c.jpg`,
      Id: id,
      id,
      name: 'c.jpg',
      bucket_id: BUCKET,
    })
    expect(await shownAt(app, 'c.jpg')).toBe(shown)
    expect((await bucket.info('c.jpg')).data).toMatchObject({
      metadata: { by: 'copy' },
      cacheControl: 'max-age=3600',
    })
    expect((await copy({ 'x-metadata': 'bm9uc2Vuc2U=', 'x-upsert': 'true' })).statusCode).toBe(400)
  })

  it('removing a media file returns 404 the second time', async () => {
    const { app } = await aShopWithFile()
    const staff = await app.as('staff')
    const remove = () =>
      app.http.inject({ method: 'DELETE', url: `${OBJECT}/${BUCKET}/${OLD}`, headers: staff })
    const removed = await remove()
    expect([removed.statusCode, removed.json()]).toEqual([200, { message: 'Successfully deleted' }])
    expect((await entriesOf(app)).at(-1)).toMatchObject({ action: 'media.deleted' })
    expect((await remove()).json()).toMatchObject({ statusCode: '404', code: 'NoSuchKey' })
  })

  it('only one of many parallel moves to the same name succeeds, without losing a file', async () => {
    const { app, bucket, shown } = await aShopWithFile()
    const rounds = 4
    let wrong = 0
    for (let round = 0; round < rounds; round += 1) {
      const names = Array.from({ length: 6 }, (_, index) => `r${round}-${index}.jpg`)
      for (const name of names) await bucket.copy(OLD, name)
      const moves = await Promise.all(names.map((name) => bucket.move(name, `r${round}.jpg`)))
      const there = await Promise.all([...names, `r${round}.jpg`].map((name) => shownAt(app, name)))
      if (moves.filter(({ error }) => error === null).length !== 1) wrong += 1
      if (there.filter((bytes) => bytes === shown).length !== names.length) wrong += 1
      // Each of these copies replaces the source of the other one, so they could deadlock.
      const [a = '', b = ''] = names.filter((_, index) => there[index] !== null)
      const staff = await app.as('staff')
      const over = (sourceKey: string, destinationKey: string) =>
        app.http.inject({
          method: 'POST',
          url: `${OBJECT}/copy`,
          headers: { ...staff, 'x-upsert': 'true' },
          payload: { bucketId: BUCKET, sourceKey, destinationKey },
        })
      const both = await Promise.all([over(a, b), over(b, a), over(a, b), over(b, a)])
      if (both.some(({ statusCode }) => statusCode !== 200)) wrong += 1
    }
    console.info(`media moved to one name at once, wrong ${wrong} of ${rounds * 3}`)
    expect(wrong).toBe(0)
  })
})

describe('refused moves and copies', () => {
  it('a move or copy is refused if the destination is taken, has another type, leaves the folder or is unknown', async () => {
    const { app, bucket, shown } = await aShopWithFile()
    const staff = await app.as('staff')
    expect((await bucket.copy(OLD, 'b.jpg')).error).toBeNull()
    await sendRaw(app, { ...staff, 'content-type': 'video/webm' }, 'v.webm', aWebm())
    const tries: [string, string, string | undefined, object][] = [
      [OLD, 'b.jpg', undefined, { statusCode: '409', code: 'KeyAlreadyExists' }],
      [OLD, 'a.png', undefined, { statusCode: '415', code: 'InvalidMimeType' }],
      [OLD, 'a.svg', undefined, { statusCode: '415', code: 'InvalidMimeType' }],
      [OLD, 'a', undefined, { statusCode: '415', code: 'InvalidMimeType' }],
      ['v.webm', 'v.jpg', undefined, { statusCode: '415', code: 'InvalidMimeType' }],
      [OLD, '', undefined, { statusCode: '400', code: 'InvalidKey' }],
      [OLD, '../../etc/x.jpg', undefined, { statusCode: '400', code: 'InvalidKey' }],
      [OLD, 'a/../x.jpg', undefined, { statusCode: '400', code: 'InvalidKey' }],
      [OLD, 'a\\x.jpg', undefined, { statusCode: '400', code: 'InvalidKey' }],
      [OLD, 'a\0.jpg', undefined, { statusCode: '400', code: 'InvalidKey' }],
      [OLD, 'a\u202Egpj.exe.jpg', undefined, { statusCode: '400', code: 'InvalidKey' }],
      [OLD, `${'x'.repeat(800)}.jpg`, undefined, { statusCode: '400', code: 'InvalidKey' }],
      ['../secret.jpg', 'a.jpg', undefined, { statusCode: '400', code: 'InvalidKey' }],
      ['none.jpg', 'a.jpg', undefined, { statusCode: '404', code: 'NoSuchKey' }],
      [OLD, 'a.jpg', 'elsewhere', { statusCode: '404', code: 'NoSuchBucket' }],
      [OLD, 'a.jpg', '../up', { statusCode: '404', code: 'NoSuchBucket' }],
    ]
    let accepted = 0
    for (const call of ['move', 'copy'])
      for (const [sourceKey, destinationKey, destinationBucket, expectedError] of tries) {
        const answer = await app.http.inject({
          method: 'POST',
          url: `${OBJECT}/${call}`,
          headers: staff,
          payload: { bucketId: BUCKET, sourceKey, destinationKey, destinationBucket },
        })
        if (answer.statusCode === 200) accepted += 1
        expect([call, destinationKey, answer.statusCode, answer.json()]).toEqual([
          call,
          destinationKey,
          400,
          expect.objectContaining(expectedError),
        ])
      }
    console.info(
      `T60 media moved or copied to a name that climbs or deceives ${accepted} of ${tries.length * 2}`,
    )
    expect(accepted).toBe(0)
    const { data } = await bucket.list('', { limit: 100 })
    expect(data?.map(({ name }) => name)).toEqual(['b.jpg', 'images', 'v.webm'])
    expect([await shownAt(app, OLD), await shownAt(app, 'b.jpg')]).toEqual([shown, shown])
    const strange = [undefined, {}, [], { bucketId: 7, sourceKey: null }, 'text']
    for (const payload of strange) {
      const url = `${OBJECT}/move`
      const answer = await app.http.inject({
        method: 'POST',
        url,
        headers: { ...staff, 'content-type': 'application/json' },
        ...(payload !== undefined && { payload: JSON.stringify(payload) }),
      })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        expect.objectContaining({ statusCode: expect.stringMatching(/4../) }),
      ])
    }
  })

  it('a move or copy is refused if the other bucket does not accept that size or type', async () => {
    const { app, bucket, shown } = await aShopWithFile()
    await app.database.sql`
      insert into buckets (id, name, file_size_limit, allowed_mime_types)
      values ('small', 'small', 10, null), ('videos', 'videos', null, '{video/webm}'), ('free', 'free', null, null)`
    const move = async (destinationBucket: string) =>
      (await bucket.move(OLD, 'a.jpg', { destinationBucket })).error
    expect(await move('small')).toMatchObject({ statusCode: '413' })
    expect(await move('videos')).toMatchObject({ statusCode: '415' })
    expect(await shownAt(app, OLD)).toBe(shown)
    expect(await move('free')).toBeNull()
    const rows = await app.database.sql`select bucket_id, name from objects`
    expect(rows).toMatchObject([{ bucket_id: 'free', name: 'a.jpg' }])
  })

  it('moving, copying and removing files is refused for viewers and strangers, and fails if the audit entry cannot be written', async () => {
    const { app, shown } = await aShopWithFile()
    const [staff, viewer] = [await app.as('staff'), await app.as('viewer')]
    const calls = (headers: Headers) => {
      const payload = { bucketId: BUCKET, sourceKey: OLD, destinationKey: 'b.jpg' }
      return Promise.all([
        app.http.inject({ method: 'POST', url: `${OBJECT}/move`, headers, payload }),
        app.http.inject({ method: 'POST', url: `${OBJECT}/copy`, headers, payload }),
        app.http.inject({ method: 'DELETE', url: `${OBJECT}/${BUCKET}/${OLD}`, headers }),
      ])
    }
    for (const { statusCode } of await calls(viewer)) expect(statusCode).toBe(403)
    for (const { statusCode } of await calls({})) expect(statusCode).toBe(401)
    await app.database
      .sql`alter table audit_entries add constraint full_up check (action not like 'media.%') not valid`
    for (const { statusCode } of await calls(staff)) expect(statusCode).toBe(500)
    expect([await shownAt(app, OLD), await shownAt(app, 'b.jpg')]).toEqual([shown, null])
  })

  it('calls that move, copy or remove media answer preflight requests from pages at other origins', async () => {
    const app = await buildTestApp()
    await sendForm(app, await app.as('staff'), {
      path: 'a.jpg',
      bytes: await aPicture({ width: 2, height: 2 }),
    })
    for (const [url, method] of [
      [`${OBJECT}/move`, 'POST'],
      [`${OBJECT}/copy`, 'POST'],
      [`${OBJECT}/${BUCKET}/a.jpg`, 'DELETE'],
    ] as const) {
      const asked = 'authorization,apikey,x-client-info,content-type,x-upsert,x-metadata'
      const preflight = await app.http.inject({
        method: 'OPTIONS',
        url,
        headers: {
          origin: 'https://shop.example',
          'access-control-request-method': method,
          'access-control-request-headers': asked,
        },
      })
      expect([preflight.statusCode, preflight.headers['access-control-allow-headers']]).toEqual([204, asked])
      expect(preflight.headers['access-control-allow-methods']).toContain(method)
    }
  })
})
