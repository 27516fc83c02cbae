import { STORAGE_ACCESS } from '@pegasus/contracts/media/storage-access'
import { StorageClient } from '@supabase/storage-js'
import { expect, it } from 'vitest'
import { aStorageClient, baseUrlOf } from '../../../test/storage/storage-client.ts'
import { aServiceKey } from '../../../test/support/accounts/service-keys.ts'
import { buildTestApp, type TestApp } from '../../../test/support/build-test-app.ts'
import { aPicture } from '../../../test/support/library/pictures.ts'

const CALLERS = ['nobody', 'anon', 'viewer', 'employee', 'staff', 'admin', 'owner', 'service_role'] as const
type Caller = (typeof CALLERS)[number]

/** For each right in the table, `y` or `n` shows whether a caller has it, in the order of the callers. */
const MATRIX: Readonly<Record<keyof typeof STORAGE_ACCESS, string>> = {
  readPublic: 'yyyyyyyy',
  useSigned: 'yyyyyyyy',
  listBuckets: 'nnyyyyyy',
  readObjects: 'nnyyyyyy',
  signReads: 'nnyyyyyy',
  readPrivate: 'nnnyyyyy',
  changeObjects: 'nnnyyyyy',
  changeBuckets: 'nnnnnyyy',
}

interface Subject {
  client: StorageClient
  /** A signed address of an object. */
  signedUrl: string
  /** Returns a name that no earlier call has returned. */
  fresh: () => string
}

type Call = (subject: Subject) => Promise<{ error: unknown }>

const visit = async (url: string) => ({ error: (await fetch(url)).ok ? null : 'refused' })

const readsOf = (bucket: string): readonly Call[] => [
  ({ client }) => client.from(bucket).download('a.jpg'),
  ({ client }) => client.from(bucket).download('a.jpg', { transform: { width: 9 } }),
  ({ client }) => client.from(bucket).info('a.jpg'),
  ({ client }) => client.from(bucket).list(),
  ({ client }) => client.from(bucket).listV2(),
]

const signsOf = (bucket: string): readonly Call[] => [
  ({ client }) => client.from(bucket).createSignedUrl('a.jpg', 60),
  ({ client }) => client.from(bucket).createSignedUrls(['a.jpg'], 60),
]

/** The calls that require each right. */
const CALLS: Readonly<Record<keyof typeof STORAGE_ACCESS, readonly Call[]>> = {
  readPublic: [
    ({ client }) => visit(client.from('open').getPublicUrl('a.jpg').data.publicUrl),
    ({ client }) =>
      visit(client.from('open').getPublicUrl('a.jpg', { transform: { width: 9 } }).data.publicUrl),
  ],
  useSigned: [({ signedUrl }) => visit(signedUrl)],
  listBuckets: [({ client }) => client.listBuckets(), ({ client }) => client.getBucket('closed')],
  readObjects: readsOf('open'),
  signReads: signsOf('open'),
  readPrivate: [...readsOf('closed'), ...signsOf('closed')],
  changeObjects: [
    ({ client, fresh }) => client.from('closed').upload(fresh(), 'text'),
    ({ client }) => client.from('closed').update('b.txt', 'text'),
    ({ client, fresh }) => client.from('closed').copy('b.txt', fresh()),
    ({ client }) => client.from('closed').move('b.txt', 'b.txt'),
    ({ client }) => client.from('closed').remove(['none']),
    ({ client, fresh }) => client.from('closed').createSignedUploadUrl(fresh()),
  ],
  changeBuckets: [
    ({ client, fresh }) => client.createBucket(fresh()),
    ({ client }) => client.updateBucket('empty', { public: false }),
    ({ client }) => client.emptyBucket('empty'),
    async ({ client, fresh }) => {
      await client.createBucket(fresh())
      return client.deleteBucket('empty')
    },
  ],
}

async function headersOf(app: TestApp, caller: Caller): Promise<Record<string, string>> {
  if (caller === 'nobody') return {}
  if (caller !== 'anon' && caller !== 'service_role') return app.as(caller)
  const { key } = await aServiceKey(app, caller)
  return { apikey: key, authorization: `Bearer ${key}` }
}

it('every caller of the official client has exactly the rights in the table', async () => {
  const app = await buildTestApp()
  const { client: owner } = await aStorageClient(app, 'owner')
  const jpeg = await aPicture({ width: 20, height: 10 })
  await owner.createBucket('open', { public: true })
  await owner.createBucket('closed')
  for (const bucket of ['open', 'closed'])
    await owner.from(bucket).upload('a.jpg', jpeg, { contentType: 'image/jpeg' })
  await owner.from('closed').upload('b.txt', 'text')
  const { data } = await owner.from('closed').createSignedUrl('a.jpg', 600)
  let count = 0
  const found: Record<string, string> = {}
  for (const right of Object.keys(MATRIX) as (keyof typeof MATRIX)[])
    for (const caller of CALLERS) {
      const client = new StorageClient(`${await baseUrlOf(app)}/storage/v1`, await headersOf(app, caller))
      const answers: boolean[] = []
      for (const call of CALLS[right]) {
        await owner.createBucket('empty')
        const fresh = () => `new-${(count += 1)}`
        const { error } = await call({ client, signedUrl: data?.signedUrl ?? '', fresh })
        answers.push(error === null)
      }
      const isMixed = new Set(answers).size > 1
      found[right] = (found[right] ?? '') + (isMixed ? '?' : answers[0] ? 'y' : 'n')
    }
  expect(found).toEqual(MATRIX)
})

it('a storage call returns 401 without a session and 403 without the right, each as status and in the body', async () => {
  const app = await buildTestApp()
  const url = `${await baseUrlOf(app)}/storage/v1`
  const nobody = await new StorageClient(url).listBuckets()
  expect(nobody.error).toMatchObject({
    status: 401,
    statusCode: '401',
    message: 'Invalid Compact JWS',
  })
  const { client } = await aStorageClient(app, 'viewer')
  expect((await client.createBucket('mine')).error).toMatchObject({ status: 403, statusCode: '403' })
})
