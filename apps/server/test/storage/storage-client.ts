import { MEDIA_BUCKET } from '@pegasus/contracts/media/media-files'
import type { Role } from '@pegasus/contracts/roles'
import { StorageClient } from '@supabase/storage-js'
import { aServiceKey } from '../support/accounts/service-keys.ts'
import type { TestApp } from '../support/build-test-app.ts'

/** Creates the hosted service's official client. It is signed in and uses a real port. */
export async function aStorageClient(app: TestApp, role: Role) {
  const url = await baseUrlOf(app)
  const client = new StorageClient(`${url}/storage/v1`, { apikey: 'any', ...(await app.as(role)) })
  return { url, client, bucket: client.from(MEDIA_BUCKET) }
}

/** Creates the official client with a secret key instead of a person's token. */
export async function aKeyedStorageClient(app: TestApp) {
  const { key } = await aServiceKey(app, 'service_role')
  return new StorageClient(`${await baseUrlOf(app)}/storage/v1`, {
    apikey: key,
    authorization: `Bearer ${key}`,
  })
}

/** Returns the address of the app. The first call makes the app listen on a port. */
export async function baseUrlOf(app: TestApp): Promise<string> {
  if (!app.http.server.listening) await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.http.server.address() as { port: number }
  return `http://127.0.0.1:${port}`
}
