import { setTimeout as wait } from 'node:timers/promises'
import type { ApiKey, ApiKeyUsage, IssuedApiKey } from '@pegasus/contracts/api-keys'
import type { Role, ApiKeyScope } from '@pegasus/contracts/roles'
import type { TestApp } from '../build-test-app.ts'

export type Headers = Record<string, string>

export const keyHeader = (key: string): Headers => ({ 'x-api-key': key })

export async function accountId(app: TestApp, username: string): Promise<string> {
  const [row] = await app.database.sql<[{ id: string }]>`select id from accounts where username = ${username}`
  return row.id
}

/** Creates an API key as an owner, for a given account or for a new account with the given role. */
export async function aKey(
  app: TestApp,
  options: {
    role?: Role
    username?: string
    scope?: readonly ApiKeyScope[]
    label?: string
    days?: number
    addresses?: readonly string[]
  } = {},
): Promise<IssuedApiKey> {
  const username = options.username ?? (await app.anAccount(options.role ?? 'staff'))
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/api-keys',
    headers: await app.as('owner'),
    payload: {
      user_id: await accountId(app, username),
      ...(options.label && { label: options.label }),
      ...(options.scope && { scope: options.scope }),
      ...(options.days && { expires_days: options.days }),
      ...(options.addresses && { allowed_addresses: options.addresses }),
    },
  })
  if (response.statusCode !== 201) throw new Error(`aKey: ${response.statusCode} ${response.body}`)
  return response.json<IssuedApiKey>()
}

/** Returns the use of a key, as an administrator sees it. */
export const usageOf = async (app: TestApp, keeper: Headers, id: string): Promise<ApiKeyUsage> =>
  (await app.http.inject({ url: `/api/api-keys/${id}/usage`, headers: keeper })).json<ApiKeyUsage>()

/** Reads the use of a key until it satisfies the condition. The server writes the use shortly after the call. */
export async function usageWhen(
  app: TestApp,
  keeper: Headers,
  id: string,
  isEnough: (usage: ApiKeyUsage) => boolean,
): Promise<ApiKeyUsage> {
  for (const until = Date.now() + 10_000; ; await wait(20)) {
    const usage = await usageOf(app, keeper, id)
    if (isEnough(usage)) return usage
    if (Date.now() > until) throw new Error(`never so: ${JSON.stringify(usage)}`)
  }
}

/** Returns the audit entries of a kind of object in short form, oldest first. */
export const auditOf = (app: TestApp, entity: string) =>
  app.database.sql<
    { action: string; entity_id: string; actor_name: string; before: unknown; after: unknown }[]
  >`
    select action, entity_id, actor_name, before, after from audit_entries where entity = ${entity}
    order by at, id`

export const KEYS_URL = '/api/api-keys'

export const createKey = (app: TestApp, headers: Headers, payload: object, key?: string) =>
  app.http.inject({
    method: 'POST',
    url: KEYS_URL,
    headers: { ...headers, ...(key && { 'idempotency-key': key }) },
    payload,
  })

export const actOnKey = (
  app: TestApp,
  headers: Headers,
  id: string,
  what: 'rotate' | 'enable' | 'disable' | 'delete',
) => {
  if (what === 'delete') return app.http.inject({ method: 'DELETE', url: `${KEYS_URL}/${id}`, headers })
  return app.http.inject({
    method: what === 'rotate' ? 'POST' : 'PUT',
    url: `${KEYS_URL}/${id}/${what}`,
    headers,
  })
}

export const listKeys = async (app: TestApp, headers: Headers) =>
  (await app.http.inject({ url: KEYS_URL, headers })).json<ApiKey[]>()

export const readsWith = async (app: TestApp, key: string): Promise<number> =>
  (await app.http.inject({ url: '/api/integration/stock', headers: keyHeader(key) })).statusCode

export const aKeyOwner = async (app: TestApp, role: 'staff' | 'admin' | 'owner' | 'viewer' = 'staff') =>
  accountId(app, await app.anAccount(role))
