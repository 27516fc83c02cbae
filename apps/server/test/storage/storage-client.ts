import { MEDIA_BUCKET } from '@pegasus/contracts/media/media-files'
import type { Role } from '@pegasus/contracts/roles'
import { StorageClient } from '@supabase/storage-js'
import type { TestApp } from '../support/build-test-app.ts'

/** The official client of the hosted service, signed in, over a real port. */
export async function aStorageClient(app: TestApp, role: Role) {
  if (!app.http.server.listening) await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.http.server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  const client = new StorageClient(`${url}/storage/v1`, { apikey: 'any', ...(await app.as(role)) })
  return { url, bucket: client.from(MEDIA_BUCKET) }
}
