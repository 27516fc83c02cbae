import { MEDIA_BUCKET } from '@pegasus/contracts/media/media-files'
import type { Role } from '@pegasus/contracts/roles'
import { StorageClient } from '@supabase/storage-js'
import { aServiceKey } from '../support/accounts/service-keys.ts'
import type { TestApp } from '../support/build-test-app.ts'

/** The official client of the hosted service, signed in, over a real port. */
export async function aStorageClient(app: TestApp, role: Role) {
  const url = await baseUrlOf(app)
  const client = new StorageClient(`${url}/storage/v1`, { apikey: 'any', ...(await app.as(role)) })
  return { url, client, bucket: client.from(MEDIA_BUCKET) }
}

/** The same with a secret key instead of a person. */
export async function aKeyedStorageClient(app: TestApp) {
  const { key } = await aServiceKey(app, 'service_role')
  return new StorageClient(`${await baseUrlOf(app)}/storage/v1`, {
    apikey: key,
    authorization: `Bearer ${key}`,
  })
}

/** The address of the app, which listens from the first call on. */
export async function baseUrlOf(app: TestApp): Promise<string> {
  if (!app.http.server.listening) await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.http.server.address() as { port: number }
  return `http://127.0.0.1:${port}`
}
