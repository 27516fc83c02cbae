import type { CredentialAnswer } from '@pegasus/contracts/auth/webauthn'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SECOND_MS } from '../../../src/platform/clock.ts'
import { type OfficialClient, officialClient } from '../../support/accounts/official-client.ts'
import { KEY_ORIGIN, KEY_SITE, SecurityKey, inBrowserForm } from '../../support/accounts/security-key.ts'
import { aServiceKey } from '../../support/accounts/service-keys.ts'
import { PASSWORD, type TestApp, buildTestApp } from '../../support/build-test-app.ts'
import { aKeyedStorageClient, aStorageClient } from '../../storage/storage-client.ts'

/** The result of a method of the client. `status` is the HTTP status of a refusal by the server. */
interface Refused {
  error: { status?: number | undefined } | null
}

const statusesOf = async (calls: readonly Promise<Refused>[]): Promise<(number | undefined)[]> =>
  (await Promise.all(calls)).map(({ error }) => error?.status)

/** Signs in a client that stores its session in a map, in place of a browser's storage. */
async function aStoredSession(app: TestApp) {
  const username = await app.anAccount('staff')
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  const options = { storage, persistSession: true, storageKey: 'session' }
  const client = await officialClient(app, options)
  await client.signInWithPassword({ email: `${username}@example.com`, password: PASSWORD })
  const readStored = () => JSON.parse(kept.get('session') ?? '{}') as Record<string, unknown>
  const change = (fields: object) => void kept.set('session', JSON.stringify({ ...readStored(), ...fields }))
  return { client, options, readStored, change }
}

/** Defines the browser's classes and functions that the client uses, with a simulated security key. */
function useAsBrowserKey(device: SecurityKey): void {
  class PublicKeyCredential {}
  const toText = (value: unknown) => Buffer.from(value as ArrayBuffer).toString('base64url')
  const asCredential = (answer: CredentialAnswer) =>
    Object.assign(new PublicKeyCredential(), inBrowserForm(answer))
  const create = async ({ publicKey }: { publicKey: Record<string, unknown> }) => {
    const user = publicKey['user'] as { id: unknown }
    const challenge = toText(publicKey['challenge'])
    return asCredential(
      device.create({ ...publicKey, challenge, user: { ...user, id: toText(user.id) } } as never),
    )
  }
  const get = async ({ publicKey }: { publicKey: Record<string, unknown> }) =>
    asCredential(device.get({ ...publicKey, challenge: toText(publicKey['challenge']) } as never))
  const location = { hostname: KEY_SITE.rpId, origin: KEY_ORIGIN }
  vi.stubGlobal('PublicKeyCredential', PublicKeyCredential)
  vi.stubGlobal('document', {})
  vi.stubGlobal('window', { PublicKeyCredential, location })
  vi.stubGlobal('navigator', { credentials: { create, get } })
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
}

describe('methods of the official auth client that other tests do not call', () => {
  it('a new client takes over the stored session, refreshes it in the background, and stops when it is disposed of', async () => {
    const app = await buildTestApp()
    const first = await aStoredSession(app)
    const before = first.readStored()['access_token']
    const client = await officialClient(app, first.options)
    expect((await client.initialize()).error).toBeNull()
    expect((await client.getSession()).data.session?.access_token).toBe(before)
    // Advance the app's clock, so that the new token differs from the old one.
    app.clock.advance(SECOND_MS)
    first.change({ expires_at: Math.floor(Date.now() / 1000) + 10 })
    await client.startAutoRefresh()
    onTestFinished(() => client.dispose())
    await expect.poll(() => first.readStored()['access_token'], { timeout: 20_000 }).not.toBe(before)
    await client.stopAutoRefresh()
    expect((await client.getUser()).error).toBeNull()
    await client.dispose()
    expect((await first.client.getSession()).data.session).not.toBeNull()
  })

  it('a client with throwOnError throws the errors of the server', async () => {
    const app = await buildTestApp()
    const client = await officialClient(app, { throwOnError: true })
    expect(client.isThrowOnErrorEnabled()).toBe(true)
    await expect(
      client.signInWithPassword({ email: 'nobody@example.com', password: PASSWORD }),
    ).rejects.toMatchObject({ code: 'invalid_credentials' })
  })

  it('the helpers of the client add security keys and passkeys, sign in with them, and pass the second step', async () => {
    const app = await buildTestApp()
    const email = `${await app.anAccount('staff')}@example.com`
    const clients = await Promise.all(Array.from({ length: 5 }, () => officialClient(app)))
    const [client, later, step, holder, stranger] = clients as [
      OfficialClient,
      OfficialClient,
      OfficialClient,
      OfficialClient,
      OfficialClient,
    ]
    const signIn = (each: OfficialClient) => each.signInWithPassword({ email, password: PASSWORD })
    await Promise.all([client, holder].map(signIn))
    const levelOf = async (each: OfficialClient) =>
      (await each.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel

    useAsBrowserKey(new SecurityKey())
    expect((await holder.registerPasskey()).error).toBeNull()
    expect((await stranger.signInWithPasskey()).data?.session?.user.email).toBe(email)

    useAsBrowserKey(new SecurityKey())
    const registered = await client.mfa.webauthn.register({ friendlyName: 'Yubi', webauthn: KEY_SITE })
    expect(registered.error).toBeNull()
    const factorId = (await client.mfa.listFactors()).data?.webauthn[0]?.id ?? ''
    // Each second step ends the sessions that have not passed it, so the clients sign in one after another.
    await signIn(later)
    expect((await later.mfa.webauthn.authenticate({ factorId, webauthn: KEY_SITE })).error).toBeNull()
    await signIn(step)
    const asked = await step.mfa.webauthn.challenge({ factorId, webauthn: KEY_SITE })
    if (!asked.data) throw asked.error
    const proof = { factorId, challengeId: asked.data.challengeId, webauthn: asked.data.webauthn }
    expect((await step.mfa.webauthn.verify(proof as never)).error).toBeNull()
    expect([await levelOf(client), await levelOf(later), await levelOf(step)]).toEqual(Array(3).fill('aal2'))
    expect((await client.mfa.webauthn.enroll({ friendlyName: 'Second' })).data).toMatchObject({
      type: 'webauthn',
    })
  })

  it('the calls for custom providers are refused, because providers are configured on the server', async () => {
    const app = await buildTestApp()
    const { key } = await aServiceKey(app)
    const { admin } = await officialClient(app, { headers: { Authorization: `Bearer ${key}` } })
    const provider = {
      provider_type: 'oidc',
      identifier: 'custom:shop',
      name: 'Shop',
      client_id: 'a',
      client_secret: 'b',
      issuer: 'https://id.example.com',
    } as const
    const calls = [
      admin.customProviders.listProviders(),
      admin.customProviders.createProvider(provider),
      admin.customProviders.getProvider('custom:shop'),
      admin.customProviders.updateProvider('custom:shop', { name: 'Other' }),
      admin.customProviders.deleteProvider('custom:shop'),
    ]
    expect(await statusesOf(calls)).toEqual(Array(calls.length).fill(404))
  })
})

describe('methods of the official storage client that other tests do not call', () => {
  it('a header that is set later identifies the caller, and a client with throwOnError throws the errors of the server', async () => {
    const app = await buildTestApp()
    const { url, client } = await aStorageClient(app, 'viewer')
    expect((await client.createBucket('documents')).error).toMatchObject({ status: 403 })
    const { authorization } = await app.as('admin')
    client.setHeader('authorization', String(authorization))
    expect((await client.createBucket('documents')).error).toBeNull()
    const bucket = client.from('documents').setHeader('x-client-info', url)
    await expect(bucket.throwOnError().download('none.txt')).rejects.toMatchObject({ status: 400 })
    await expect(client.throwOnError().getBucket('none')).rejects.toMatchObject({ statusCode: '404' })
  })

  it('caches, lifecycles, vector buckets and analytics buckets are refused, because they are not offered', async () => {
    const app = await buildTestApp()
    const storage = await aKeyedStorageClient(app)
    await storage.createBucket('documents')
    const { vectors, analytics } = storage
    const vectorBucket = vectors.from('embeddings')
    const vectorIndex = vectorBucket.index('words')
    const index = { indexName: 'words', dataType: 'float32', dimension: 2, distanceMetric: 'cosine' } as const
    const data = { float32: [1, 2] }
    const calls: Promise<Refused>[] = [
      storage.purgeBucketCache('documents'),
      storage.from('documents').purgeCache('a.txt'),
      storage.getBucketLifecycle('documents'),
      storage.updateBucketLifecycle('documents', { rules: [] }),
      storage.deleteBucketLifecycle('documents'),
      vectors.createBucket('embeddings'),
      vectors.getBucket('embeddings'),
      vectors.listBuckets(),
      vectors.deleteBucket('embeddings'),
      vectorBucket.createIndex(index),
      vectorBucket.getIndex('words'),
      vectorBucket.listIndexes(),
      vectorBucket.deleteIndex('words'),
      vectorIndex.putVectors({ vectors: [{ key: 'a', data }] }),
      vectorIndex.getVectors({ keys: ['a'] }),
      vectorIndex.listVectors(),
      vectorIndex.queryVectors({ queryVector: data, topK: 1 }),
      vectorIndex.deleteVectors({ keys: ['a'] }),
      analytics.createBucket('warehouse'),
      analytics.listBuckets(),
      analytics.deleteBucket('warehouse'),
      analytics.from('warehouse').listNamespaces(),
    ]
    // The storage service responds to most errors with 400 and has the real status in `statusCode`.
    expect(await statusesOf(calls)).toEqual(Array(calls.length).fill(400))
    expect((await vectors.listBuckets()).error).toMatchObject({ statusCode: '404' })
  })
})
