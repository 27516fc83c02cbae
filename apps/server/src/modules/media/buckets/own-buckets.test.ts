import { MEDIA_BUCKET } from '@pegasus/contracts/media/media-files'
import type { StorageClient } from '@supabase/storage-js'
import { expect, it } from 'vitest'
import { aKeyedStorageClient, aStorageClient } from '../../../../test/storage/storage-client.ts'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'

type Answer = Awaited<ReturnType<StorageClient['createBucket']>>

/** Returns the code and message of an error from the official client, or `done` if there is none. */
const resultOf = ({ error }: Pick<Answer, 'error'>): unknown =>
  error === null ? 'done' : [(error as { code?: string }).code, error.message]

it('admins can create, change, empty and delete buckets, each with an audit entry', async () => {
  const app = await buildTestApp()
  const { client } = await aStorageClient(app, 'admin')
  const settings = { public: true, fileSizeLimit: '20mb', allowedMimeTypes: ['image/*', 'text/plain'] }
  expect((await client.createBucket('Invoices (2026)', settings)).data).toEqual({ name: 'Invoices (2026)' })
  const { data } = await client.getBucket('Invoices (2026)')
  const [me] = await app.database.sql<
    [{ id: string }]
  >`select user_id as id from user_roles where role_name = 'admin' and is_active`
  expect(data).toMatchObject({
    owner: me.id,
    public: true,
    file_size_limit: 20_000_000,
    allowed_mime_types: ['image/*', 'text/plain'],
  })
  await client.updateBucket('Invoices (2026)', { public: false })
  expect((await client.getBucket('Invoices (2026)')).data).toMatchObject({
    public: false,
    file_size_limit: 20_000_000,
    allowed_mime_types: ['image/*', 'text/plain'],
  })
  await client.updateBucket('Invoices (2026)', { public: false, fileSizeLimit: null, allowedMimeTypes: [] })
  expect((await client.getBucket('Invoices (2026)')).data).toMatchObject({
    file_size_limit: null,
    allowed_mime_types: null,
  })
  const bucket = client.from('Invoices (2026)')
  for (const path of ['a.txt', 'b/c.txt']) expect((await bucket.upload(path, 'text')).error).toBeNull()
  expect(resultOf(await client.deleteBucket('Invoices (2026)'))).toEqual([
    'ResourceNotEmpty',
    'The bucket you tried to delete is not empty',
  ])
  expect(resultOf(await client.emptyBucket('Invoices (2026)'))).toBe('done')
  expect((await bucket.list()).data).toEqual([])
  expect((await client.deleteBucket('Invoices (2026)')).data).toEqual({ message: 'Successfully deleted' })
  expect(resultOf(await client.getBucket('Invoices (2026)'))).toEqual(['NoSuchBucket', 'Bucket not found'])
  const entries = await app.database.sql<{ action: string; after: unknown }[]>`
    select action, after from audit_entries where entity = 'bucket' order by at, id`
  expect(entries.map(({ action }) => action)).toEqual([
    'bucket.created',
    'bucket.updated',
    'bucket.updated',
    'bucket.emptied',
    'bucket.deleted',
  ])
  expect(entries[3]?.after).toEqual({ removed: 2 })
})

it('a bucket that a secret key creates has no owner', async () => {
  const app = await buildTestApp()
  const client = await aKeyedStorageClient(app)
  expect((await client.createBucket('exports')).data).toEqual({ name: 'exports' })
  expect((await client.getBucket('exports')).data).toMatchObject({ owner: '', public: false })
})

it('invalid names, limits and types of buckets are refused', async () => {
  const app = await buildTestApp()
  const { client } = await aStorageClient(app, 'owner')
  const nameless = ['InvalidBucketName', 'Bucket name invalid']
  for (const name of [
    '',
    '.',
    '..',
    ' a',
    'a ',
    'a/b',
    'ä',
    'a%b',
    'a\0',
    'x'.repeat(101),
    'public',
    'sign',
    'list-v2',
  ])
    expect([name, resultOf(await client.createBucket(name))]).toEqual([name, nameless])
  expect(resultOf(await client.createBucket('one'))).toBe('done')
  const exists = ['BucketAlreadyExists', 'The resource already exists']
  expect(resultOf(await client.createBucket('one'))).toEqual(exists)
  expect(resultOf(await client.createBucket(MEDIA_BUCKET))).toEqual(exists)
  for (const fileSizeLimit of [-1, 1.5, 'much', '1tb', '-1mb', '1e9', Number.MAX_SAFE_INTEGER, '999999gb'])
    expect(resultOf(await client.createBucket('two', { public: true, fileSizeLimit }))).not.toBe('done')
  for (const allowedMimeTypes of [
    ['image'],
    ['a/b/c'],
    ['image/png; x=y'],
    ['x'.repeat(128)],
    Array.from({ length: 101 }, () => 'a/b'),
  ])
    expect(resultOf(await client.createBucket('two', { public: true, allowedMimeTypes }))).not.toBe('done')
  for (const change of [
    client.updateBucket('none', { public: true }),
    client.emptyBucket('none'),
    client.deleteBucket('none'),
  ])
    expect(resultOf(await change)).toEqual(['NoSuchBucket', 'Bucket not found'])
  expect((await client.listBuckets()).data?.map(({ id }) => id)).toEqual(['one', MEDIA_BUCKET])
})

it('an upload during the deletion of its bucket is either stored or refused, without losing a stored file', async () => {
  const app = await buildTestApp()
  const { client } = await aStorageClient(app, 'admin')
  let stored = 0
  let deleted = 0
  for (let round = 0; round < 10; round += 1) {
    await client.createBucket('brief')
    const uploads = Array.from({ length: 10 }, (_, at) =>
      client.from('brief').upload(`${at}.txt`, `text ${at}`),
    )
    const [removal, ...answers] = await Promise.all([client.deleteBucket('brief'), ...uploads])
    const kept = answers.filter(({ error }) => error === null).length
    for (const { error } of answers)
      if (error) expect(resultOf({ error })).toEqual(['NoSuchBucket', 'Bucket not found'])
    if (removal.error === null) {
      deleted += 1
      expect(kept).toBe(0)
    } else expect((await client.from('brief').list()).data).toHaveLength(kept)
    stored += kept
    await client.emptyBucket('brief')
    await client.deleteBucket('brief')
  }
  console.info(
    `uploads beside the deletion of their bucket: stored ${stored}, buckets deleted first ${deleted} of 10`,
  )
  expect(await app.database.sql`select 1 from objects`).toEqual([])
})
