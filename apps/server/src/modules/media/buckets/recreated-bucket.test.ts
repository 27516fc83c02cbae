import { expect, it } from 'vitest'
import { RESUMABLE, tusCalls } from '../../../../test/storage/resumable-upload.ts'
import { aStorageClient } from '../../../../test/storage/storage-client.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { untilWaiting } from '../../../../test/support/database/lock-waits.ts'

const BYTES = Buffer.alloc(10)
const VALUES = { bucketName: 'files', objectName: 'a.bin' }
const UPSERT = { 'x-upsert': 'true' }

it('uploads and signed addresses become invalid with their bucket, even if a new bucket has the same name', async () => {
  const app = await buildTestApp()
  const { client } = await aStorageClient(app, 'admin')
  const bucket = client.from('files')
  await client.createBucket('files')
  await bucket.upload('a.bin', 'before')
  const staff = await app.as('staff')
  const calls = tusCalls(app, staff)
  const begun = String((await calls.create(10, VALUES, UPSERT)).headers.location)
  const { data: upload } = await bucket.createSignedUploadUrl('a.bin', { upsert: true })
  const token = upload?.token ?? ''
  const signed = tusCalls(app, { 'x-signature': token }, `${RESUMABLE}/sign`)
  const signedBegun = String((await signed.create(10, VALUES)).headers.location)
  const { data: read } = await bucket.createSignedUrl('a.bin', 600)
  const { data: many } = await bucket.createSignedUrls(['a.bin'], 600)
  const recreate = async () => {
    await client.emptyBucket('files')
    await client.deleteBucket('files')
    await client.createBucket('files', { public: true })
  }
  await recreate()
  await bucket.upload('a.bin', 'after')
  expect((await calls.write(begun, 0, BYTES)).statusCode).toBe(404)
  expect((await signed.write(signedBegun, 0, BYTES)).statusCode).toBe(404)
  expect((await signed.create(10, VALUES)).statusCode).toBe(404)
  const missing = { code: 'NoSuchBucket' }
  expect((await bucket.uploadToSignedUrl('a.bin', token, 'x')).error).toMatchObject(missing)
  for (const url of [read?.signedUrl, many?.[0]?.signedUrl])
    expect(await (await fetch(url ?? '')).json()).toMatchObject(missing)
  // Replace the bucket after an upload was admitted and before its bytes are stored.
  const { begin } = app.storage
  app.storage.begin = async () => {
    app.storage.begin = begin
    await recreate()
    return begin()
  }
  expect((await bucket.upload('late.bin', 'late')).error).toMatchObject(missing)
  expect(await app.database.sql`select name from objects`).toEqual([])
})

it('a move and a copy are refused if one of their buckets is deleted and re-created in the meantime', async () => {
  const app = await buildTestApp()
  const { client } = await aStorageClient(app, 'admin')
  await client.createBucket('files')
  await client.createBucket('other')
  for (const replaced of ['files', 'other'])
    for (const call of ['move', 'copy'] as const) {
      await client.from('files').upload('a.bin', 'before', { upsert: true })
      const waiting = await app.database.transaction(async (tx) => {
        await tx`select 1 from buckets where id = ${replaced} for update`
        const answer = client.from('files')[call]('a.bin', 'b.bin', { destinationBucket: 'other' })
        await untilWaiting(app, 1)
        await tx`create temporary table kept on commit drop as select * from objects where bucket_id = ${replaced}`
        await tx`delete from objects where bucket_id = ${replaced}`
        await tx`delete from buckets where id = ${replaced}`
        await tx`insert into buckets (id, name, is_public) values (${replaced}, ${replaced}, true)`
        await tx`insert into objects select * from kept`
        return { answer }
      })
      expect([replaced, call, (await waiting.answer).error]).toMatchObject([
        replaced,
        call,
        { code: 'NoSuchBucket' },
      ])
      expect(await app.database.sql`select bucket_id, name from objects`).toEqual([
        { bucket_id: 'files', name: 'a.bin' },
      ])
    }
})
