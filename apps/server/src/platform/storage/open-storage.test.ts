import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type S3Server, startS3Server } from '../../../test/servers/s3-server.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { StartupError } from '../startup-error.ts'
import { openStorage } from './open-storage.ts'
import type { S3Settings } from './s3-address.ts'

async function aStore(): Promise<S3Server> {
  const store = await startS3Server()
  onTestFinished(() => store.close().catch(() => undefined))
  return store
}

/** Opens a storage with these settings. Returns the error, or null if it opens. */
async function failureOf(store: S3Server, settings: Partial<S3Settings> = {}): Promise<unknown> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pegasus-open-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const { bucket, url: endpoint, region, keys } = store
  const s3 = {
    bucket,
    endpoint,
    region,
    isPathStyle: true,
    keys: { ...keys, sessionToken: null },
    ...settings,
  }
  return openStorage({ dataDir, storageUrl: null, s3 }, silentLog).then(
    () => null,
    (error: unknown) => error,
  )
}

async function sentenceOf(store: S3Server, settings: Partial<S3Settings> = {}): Promise<string> {
  const error = await failureOf(store, settings)
  if (!(error instanceof StartupError))
    throw new Error('It started, or failed of something else.', { cause: error })
  const { accessKeyId, secretAccessKey } = store.keys
  const all = JSON.stringify([error.message, error.stack, error.cause ?? null])
  for (const secret of [accessKeyId, secretAccessKey, 'AKIAWRONG', 'wrong secret'])
    expect(all).not.toContain(secret)
  return error.message
}

describe('starting with a bucket', () => {
  it('the server does not start if its bucket is missing, the keys are wrong or the store does not respond', async () => {
    const store = await aStore()
    expect(await failureOf(store)).toBe(null)
    const at = (bucket = 'workshop') => `STORAGE_URL names the bucket "${bucket}" at ${store.url}, but`
    const refused =
      'it refuses the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; the keys must permit listing the bucket, and reading, writing and deleting in it'
    expect(await sentenceOf(store, { bucket: 'nothing' })).toBe(
      `${at('nothing')} this bucket does not exist; STORAGE_URL should name an existing bucket (404 NoSuchBucket).`,
    )
    const [accessKeyId, secretAccessKey] = ['AKIAWRONG', 'wrong secret']
    const wrongId = { ...store.keys, accessKeyId, sessionToken: null }
    expect(await sentenceOf(store, { keys: wrongId })).toMatch(`${at()} ${refused} (403 `)
    const wrongSecret = { ...store.keys, secretAccessKey, sessionToken: null }
    expect(await sentenceOf(store, { keys: wrongSecret })).toMatch(`${at()} ${refused} (403 `)
    expect(await sentenceOf(store, { region: 'eu-central-1' })).toContain(
      'the bucket is not in the region eu-central-1; the address should name the region of the bucket',
    )
    await store.close()
    expect(await sentenceOf(store)).toBe(
      `${at()} it cannot be reached; check the network, or correct STORAGE_URL (ECONNREFUSED).`,
    )
  })

  it.each(['HeadObject', 'PutObject', 'GetObject', 'ListObjectsV2', 'DeleteObject'])(
    'the server does not start if the keys of its bucket do not permit %s',
    async (name) => {
      const store = await aStore()
      store.fault = (call) => (call.name === name ? { status: 403, code: 'AccessDenied' } : null)
      expect(await sentenceOf(store)).toContain('the keys must permit listing the bucket')
    },
  )

  it('a failing S3 store is reported as unhealthy', async () => {
    const store = await aStore()
    store.fault = () => ({ status: 500, code: 'InternalError' })
    expect(await sentenceOf(store)).toContain('objects cannot be stored there; check the store (500 ')
  })
})
