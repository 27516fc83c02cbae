import { MEDIA_BUCKET } from '@pegasus/contracts/media/media-files'
import { StorageClient } from '@supabase/storage-js'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { OBJECT, sendForm } from '../../../../test/storage/media-upload.ts'
import { aPicture } from '../../../../test/support/library/pictures.ts'
import { aKeyedStorageClient, aStorageClient } from '../../../../test/storage/storage-client.ts'

const ROLES = ['viewer', 'staff', 'admin', 'owner'] as const
const BASE = '/storage/v1'

const MADE = {
  id: MEDIA_BUCKET,
  name: MEDIA_BUCKET,
  owner: '',
  public: true,
  file_size_limit: null,
  allowed_mime_types: null,
  created_at: expect.any(String),
  updated_at: expect.any(String),
}

describe('buckets', () => {
  it('the official client lists and reads buckets', async () => {
    const app = await buildTestApp()
    const { url } = await aStorageClient(app, 'viewer')
    const client = new StorageClient(`${url}${BASE}`, { apikey: 'any', ...(await app.as('viewer')) })
    expect(await client.listBuckets()).toEqual({ data: [{ ...MADE, type: 'STANDARD' }], error: null })
    expect(await client.getBucket(MEDIA_BUCKET)).toEqual({ data: MADE, error: null })
    expect((await client.getBucket('none')).error).toMatchObject({
      statusCode: '404',
      code: 'NoSuchBucket',
      message: 'Bucket not found',
    })
    await app.database.sql`
      insert into buckets (id, name, file_size_limit, allowed_mime_types, created_at)
      values ('archive', 'archive', 20971520, '{image/png}', '2099-02-17T04:43:32.770Z')`
    const { data } = await client.getBucket('archive')
    expect(data).toMatchObject({
      public: false,
      file_size_limit: 20_971_520,
      allowed_mime_types: ['image/png'],
      created_at: '2099-02-17T04:43:32.770Z',
    })
    const ids = async (options?: Parameters<typeof client.listBuckets>[0]) =>
      (await client.listBuckets(options)).data?.map(({ id }) => id)
    expect(await ids()).toEqual(['archive', MEDIA_BUCKET])
    expect(await ids({ sortColumn: 'created_at', sortOrder: 'asc' })).toEqual([MEDIA_BUCKET, 'archive'])
    expect(await ids({ sortOrder: 'desc', limit: 1 })).toEqual([MEDIA_BUCKET])
    expect(await ids({ limit: 5, offset: 1 })).toEqual([MEDIA_BUCKET])
    expect(await ids({ search: 'ARCH' })).toEqual(['archive'])
    expect(await ids({ search: '%' })).toEqual([])
    for (const query of [
      'limit=0',
      'limit=x',
      'offset=-1',
      'sortColumn=is_public',
      'sortOrder=up',
      'search=%00',
    ]) {
      const answer = await app.http.inject({
        url: `${BASE}/bucket?${query}`,
        headers: await app.as('viewer'),
      })
      expect([query, answer.statusCode, answer.json<{ statusCode: string }>().statusCode]).toEqual([
        query,
        400,
        '422',
      ])
    }
  })

  it("nobody can change, empty or delete the bucket for the shop's media", async () => {
    const app = await buildTestApp()
    const { url } = await aStorageClient(app, 'staff')
    const bytes = await aPicture({ width: 2, height: 2 })
    expect((await sendForm(app, await app.as('staff'), { path: 'a.jpg', bytes })).statusCode).toBe(200)
    const clients = [await aKeyedStorageClient(app)]
    for (const role of ROLES)
      clients.push(new StorageClient(`${url}${BASE}`, { apikey: 'any', ...(await app.as(role)) }))
    const refusals: (string | undefined)[] = []
    for (const client of clients)
      for (const change of [
        client.updateBucket(MEDIA_BUCKET, { public: false }),
        client.emptyBucket(MEDIA_BUCKET),
        client.deleteBucket(MEDIA_BUCKET),
      ]) {
        const { error } = await change
        refusals.push(error && 'statusCode' in error ? String(error.statusCode) : 'done')
      }
    console.info(
      `changes of the shop's bucket that somebody got through ${refusals.filter((code) => code !== '403').length} of ${refusals.length}`,
    )
    expect(new Set(refusals)).toEqual(new Set(['403']))
    const rows = await app.database.sql`select id, is_public from buckets`
    expect(rows).toEqual([{ id: MEDIA_BUCKET, is_public: true }])
    expect((await app.http.inject({ url: `${OBJECT}/public/${MEDIA_BUCKET}/a.jpg` })).statusCode).toBe(200)
  })

  it('the status and version of the storage are public', async () => {
    const app = await buildTestApp()
    const status = await app.http.inject({ url: `${BASE}/status` })
    expect([status.statusCode, status.body]).toEqual([200, ''])
    const version = await app.http.inject({ url: `${BASE}/version` })
    expect([version.statusCode, version.headers['content-type'], version.body]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '0.0.0-test',
    ])
    const unknown = await app.http.inject({ url: `${BASE}/nothing` })
    expect(unknown.json()).toMatchObject({ statusCode: '404' })
  })
})
