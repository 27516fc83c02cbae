import type { IssuedServiceKey, ServiceKeyKind } from '@pegasus/contracts/service-keys'
import { OWNER_PASSWORD, type TestApp } from '../build-test-app.ts'
import { type OfficialClient, officialClient } from './official-client.ts'

/** Returns the first owner's `Authorization` header after a new sign-in. */
export const asOwner = async (app: TestApp): Promise<{ authorization: string }> => ({
  authorization: `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}`,
})

/** Creates a service key as the owner. */
export async function aServiceKey(
  app: TestApp,
  kind: ServiceKeyKind = 'secret',
  label = 'Account sync',
): Promise<IssuedServiceKey> {
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/service-keys',
    headers: await asOwner(app),
    payload: { kind, label },
  })
  if (response.statusCode !== 201) throw new Error(`aServiceKey: ${response.statusCode} ${response.body}`)
  return response.json<IssuedServiceKey>()
}

/** Returns the admin part of the official client with a key, as a program uses it. */
export const adminClient = async (app: TestApp, key: string): Promise<OfficialClient['admin']> =>
  (await officialClient(app, { headers: { apikey: key, Authorization: `Bearer ${key}` } })).admin
