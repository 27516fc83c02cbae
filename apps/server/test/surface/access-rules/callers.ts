import type { ErrorCode } from '@pegasus/contracts/errors'
import type { Role } from '@pegasus/contracts/roles'
import { randomDigits, withCheck } from '../../../src/modules/api-keys/key-format.ts'
import { MINUTE_MS, addMs } from '../../../src/platform/clock.ts'
import { accountId, aKey } from '../../support/accounts/api-keys.ts'
import { anAccountWithFactor } from '../../support/accounts/second-factor.ts'
import { aServiceKey } from '../../support/accounts/service-keys.ts'
import type { TestApp } from '../../support/build-test-app.ts'
import { ACCESS, type AccessName } from '../access-table/access-table.ts'

export const SOME_ID = '01890000-0000-7000-8000-000000000000'
/** The only IP address from which one of the keys may be used. */
const ALLOWED_ADDRESS = '203.0.113.7'

/** At least one endpoint of each kind of access in the access table. */
export const ENDPOINTS = {
  public: 'GET /api/config',
  'public, hosted': 'GET /auth/v1/settings',
  'any session': 'GET /auth/v1/user',
  'signed in': 'GET /api/inventory?limit=1',
  me: 'GET /api/auth/me',
  staff: 'GET /api/drafts',
  admin: 'GET /api/channels',
  owner: 'GET /api/service-keys',
  'admin, recent': `GET /api/channels/${SOME_ID}/key`,
  integration: 'GET /api/integration/stock',
  'orders of a program': 'POST /api/integration/orders',
  'print jobs': `GET /api/print-jobs/${SOME_ID}/file`,
  'people or key': `GET /api/stl-files/${SOME_ID}/slices`,
  'staff or key': `DELETE /api/stl-files/${SOME_ID}/slices/${SOME_ID}`,
  spoolman: 'GET /spoolman/api/v1/info',
  'service role': 'GET /auth/v1/admin/users',
  buckets: 'GET /storage/v1/bucket',
  rows: 'GET /rest/v1/user_roles?select=role_name',
  'no caller': 'DELETE /rest/v1/user_roles',
  'own profile': 'PUT /auth/v1/user',
  picture: `GET /api/stl-files/${SOME_ID}/thumbnail`,
} as const
export type Name = keyof typeof ENDPOINTS

/** Returns the kinds of access in the access table for which `ENDPOINTS` has no endpoint. */
export function uncheckedKinds(): AccessName[] {
  const checked = new Set<string>(Object.values(ENDPOINTS).map((route) => route.replace(/\?.*/, '')))
  const isChecked = (route: string) => checked.has(route.replace(/:\w+/g, SOME_ID))
  const covered = new Set(Object.entries(ACCESS).flatMap(([route, kind]) => (isChecked(route) ? [kind] : [])))
  return [...new Set(Object.values(ACCESS))].filter((kind) => !covered.has(kind))
}

/** The expected response. The guard lets the call through (`open`), or refuses it with a status or an error. */
export type Expected = 'open' | 401 | 403 | 429 | ErrorCode

export interface Caller {
  name: string
  /** The id of the account. Only callers with a session have it. */
  id?: string
  headers: Record<string, string>
  from?: string
  /** The expected response of endpoints that are not in `answers`. */
  otherwise: Expected
  answers?: Partial<Record<Name, Expected>>
}

/** The kinds of endpoints that everybody may call. */
export const PUBLIC = { public: 'open', 'public, hosted': 'open' } as const
/** The kinds of endpoints that a viewer may call. */
const SIGNED_IN = {
  ...PUBLIC,
  'any session': 'open',
  'signed in': 'open',
  me: 'open',
  'people or key': 'open',
  buckets: 'open',
  rows: 'open',
  'own profile': 'open',
  picture: 'open',
} as const
const STAFF = { ...SIGNED_IN, staff: 'open', 'staff or key': 'open' } as const
const ADMIN = { ...STAFF, admin: 'open', 'admin, recent': 'open' } as const
const OWNER = { ...ADMIN, owner: 'open' } as const
const RECENT = { 'admin, recent': 'REAUTHENTICATION_REQUIRED' } as const
/** The kinds of endpoints that a key with the scope `print-jobs` may call, whatever role its owner has. */
const JOBS = { ...PUBLIC, 'people or key': 'open', spoolman: 'open' } as const

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export async function signInAs(
  app: TestApp,
  role: Role,
): Promise<{ id: string; headers: Record<string, string> }> {
  const username = await app.anAccount(role)
  return { id: await accountId(app, username), headers: bearer(await app.signIn(username)) }
}

/** Returns people in every state that the guard distinguishes. */
export async function people(app: TestApp): Promise<Caller[]> {
  const { sql } = app.database
  const owner = await signInAs(app, 'owner')
  const admin = await signInAs(app, 'admin')
  const staff = await signInAs(app, 'staff')
  const viewer = await signInAs(app, 'viewer')
  const disabled = await signInAs(app, 'owner')
  await sql`update accounts set is_active = false where id = ${disabled.id}`
  const given = await signInAs(app, 'owner')
  await sql`update accounts set must_change_password = true where id = ${given.id}`
  const { username } = await anAccountWithFactor(app, 'owner')
  const half = bearer(await app.signIn(username))
  const anonymous = await app.http.inject({ method: 'POST', url: '/auth/v1/signup', payload: {} })
  const signedInAt = async (ageMs: number): Promise<Record<string, string>> => {
    const { id, headers } = await signInAs(app, 'admin')
    const at = addMs(app.clock.now(), -ageMs)
    await sql`update sessions set authenticated_at = ${at} where account_id = ${id}`
    return headers
  }
  const employee = await signInAs(app, 'employee')
  await sql`update sign_in_rules set second_factor_roles = '{employee}'`
  const before = { ...PUBLIC, 'own profile': 403 } as const
  return [
    { name: 'owner', ...owner, otherwise: 403, answers: OWNER },
    { name: 'admin', ...admin, otherwise: 403, answers: ADMIN },
    { name: 'staff', ...staff, otherwise: 403, answers: STAFF },
    { name: 'viewer', ...viewer, otherwise: 403, answers: SIGNED_IN },
    {
      name: 'viewer in lower case',
      headers: { authorization: viewer.headers['authorization']?.replace('Bearer', 'bearer') ?? '' },
      otherwise: 403,
      answers: SIGNED_IN,
    },
    {
      name: 'disabled owner',
      ...disabled,
      otherwise: 401,
      answers: { ...PUBLIC, 'any session': 403, 'service role': 403, 'own profile': 403 },
    },
    {
      name: 'owner with a generated password',
      headers: given.headers,
      otherwise: 'PASSWORD_CHANGE_REQUIRED',
      answers: { ...PUBLIC, 'any session': 'open', me: 'open', rows: 'open', 'own profile': 'open' },
    },
    {
      name: 'owner before the second step',
      headers: half,
      otherwise: 'SECOND_FACTOR_REQUIRED',
      answers: { ...PUBLIC, 'any session': 'open', 'own profile': 401 },
    },
    {
      name: 'anonymous',
      headers: bearer(anonymous.json<{ access_token: string }>().access_token),
      otherwise: 'ANONYMOUS_REFUSED',
      answers: { ...PUBLIC, 'any session': 'open', 'own profile': 'open' },
    },
    {
      name: 'employee before the setup of a second factor',
      headers: employee.headers,
      otherwise: 'SECOND_FACTOR_SETUP_REQUIRED',
      answers: { ...before, 'any session': 'open', me: 'open' },
    },
    {
      name: 'admin of an hour ago',
      headers: await signedInAt(60 * MINUTE_MS),
      otherwise: 403,
      answers: { ...ADMIN, ...RECENT },
    },
    {
      name: 'admin of 15 minutes ago',
      headers: await signedInAt(15 * MINUTE_MS),
      otherwise: 403,
      answers: { ...ADMIN, ...RECENT },
    },
    {
      name: 'admin of almost 15 minutes ago',
      headers: await signedInAt(15 * MINUTE_MS - 1),
      otherwise: 403,
      answers: ADMIN,
    },
  ]
}

/** Returns callers with API keys in every state that the guard distinguishes, with the key in each possible header. */
export async function programs(app: TestApp): Promise<Caller[]> {
  const { sql } = app.database
  const ofViewer = await aKey(app, { role: 'viewer', scope: ['print-jobs'] })
  const ofEmployee = await aKey(app, { role: 'employee', scope: ['print-jobs'] })
  const integration = await aKey(app, { role: 'viewer', scope: ['integration'] })
  const integrationOfEmployee = await aKey(app, { role: 'employee', scope: ['integration'] })
  const none = await aKey(app, { role: 'owner', scope: ['print-jobs'] })
  await sql`update api_keys set scopes = '{}' where id = ${none.id}`
  const changed = async (change: (id: string, owner: string) => Promise<unknown>) => {
    const username = await app.anAccount('owner')
    const { id, key } = await aKey(app, { username, scope: ['print-jobs'] })
    await change(id, await accountId(app, username))
    return { 'x-api-key': key }
  }
  const ended = [
    ['disabled key', await changed((id) => sql`update api_keys set is_active = false where id = ${id}`)],
    [
      'expired key',
      await changed((id) => sql`update api_keys set expires_at = ${app.clock.now()} where id = ${id}`),
    ],
    [
      'key of a disabled owner',
      await changed((_, owner) => sql`update accounts set is_active = false where id = ${owner}`),
    ],
    [
      'key of an owner without access',
      await changed((_, owner) => sql`update profiles set system_access = false where account_id = ${owner}`),
    ],
    ['key with another secret', { 'x-api-key': withCheck(`${ofViewer.key_prefix}_${randomDigits(43)}`) }],
    ['unknown key', { 'x-api-key': `${ofViewer.key.slice(0, -1)}${ofViewer.key.endsWith('0') ? '1' : '0'}` }],
  ] as const
  const soon = await changed(
    (id) => sql`update api_keys set expires_at = ${addMs(app.clock.now(), 1)} where id = ${id}`,
  )
  const local = await aKey(app, { role: 'owner', scope: ['print-jobs'], addresses: [ALLOWED_ADDRESS] })
  const localKey = { 'x-api-key': local.key }
  const basic = (user: string, key: string) => `Basic ${Buffer.from(user + key).toString('base64')}`
  const staffJobs = { ...JOBS, 'print jobs': 'open', 'staff or key': 'open' } as const
  return [
    { name: 'key of a viewer', headers: { 'x-api-key': ofViewer.key }, otherwise: 403, answers: JOBS },
    {
      name: 'key of an employee',
      headers: { 'x-api-key': ofEmployee.key },
      otherwise: 403,
      answers: staffJobs,
    },
    { name: 'key as the token', headers: bearer(ofViewer.key), otherwise: 403, answers: JOBS },
    {
      name: 'key as the password',
      headers: { authorization: basic('any:', ofViewer.key) },
      otherwise: 401,
      answers: { ...PUBLIC, spoolman: 'open' },
    },
    {
      name: 'key without a user in Basic',
      headers: { authorization: basic('', ofViewer.key) },
      otherwise: 401,
      answers: PUBLIC,
    },
    {
      name: 'key beside an invalid token',
      headers: { 'x-api-key': ofViewer.key, authorization: 'Bearer' },
      otherwise: 401,
      answers: PUBLIC,
    },
    {
      name: 'key for orders',
      headers: { 'x-api-key': integration.key },
      otherwise: 403,
      answers: { ...PUBLIC, integration: 'open' },
    },
    {
      name: 'key for orders of an employee',
      headers: { 'x-api-key': integrationOfEmployee.key },
      otherwise: 403,
      answers: { ...PUBLIC, integration: 'open', 'orders of a program': 'open' },
    },
    { name: 'key without a scope', headers: { 'x-api-key': none.key }, otherwise: 403, answers: PUBLIC },
    { name: 'key that expires in a moment', headers: soon, otherwise: 403, answers: staffJobs },
    {
      name: 'key at its address',
      headers: localKey,
      from: ALLOWED_ADDRESS,
      otherwise: 403,
      answers: staffJobs,
    },
    {
      name: 'key at its mapped address',
      headers: localKey,
      from: `::ffff:${ALLOWED_ADDRESS}`,
      otherwise: 403,
      answers: staffJobs,
    },
    {
      name: 'key at another address',
      headers: localKey,
      from: '203.0.113.8',
      otherwise: 401,
      answers: PUBLIC,
    },
    {
      name: 'key at a local address with a zone',
      headers: localKey,
      from: 'fe80::1%eth0',
      otherwise: 401,
      answers: PUBLIC,
    },
    ...ended.map(([name, headers]): Caller => ({ name, headers, otherwise: 401, answers: PUBLIC })),
  ]
}

/** Returns keys of the hosted service's protocol in every state that the guard distinguishes. */
export async function programsOfHosted(app: TestApp) {
  const { sql } = app.database
  const secret = await aServiceKey(app, 'secret')
  const publishable = await aServiceKey(app, 'publishable')
  const expired = await aServiceKey(app, 'secret')
  await sql`update service_keys set expires_at = ${app.clock.now()} where id = ${expired.id}`
  const deleted = await aServiceKey(app, 'secret')
  await sql`delete from service_keys where id = ${deleted.id}`
  const viewer = await signInAs(app, 'viewer')
  const open = { ...PUBLIC, 'service role': 'open', buckets: 'open' } as const
  const serviceKeys = [
    [secret.id, true],
    [publishable.id, false],
    [expired.id, false],
    [deleted.id, false],
  ] as const
  const callers: Caller[] = [
    {
      name: 'secret key',
      headers: bearer(secret.key),
      otherwise: 401,
      answers: { ...open, 'any session': 403, 'own profile': 403, rows: 'open', 'no caller': 403 },
    },
    {
      name: 'secret key in its header',
      headers: { apikey: secret.key },
      otherwise: 401,
      answers: { ...open, rows: 'open', 'no caller': 403 },
    },
    {
      name: 'publishable key',
      headers: bearer(publishable.key),
      otherwise: 401,
      answers: { ...PUBLIC, 'service role': 403, buckets: 403, 'any session': 403, 'own profile': 403 },
    },
    {
      name: 'publishable key in its header',
      headers: { apikey: publishable.key },
      otherwise: 401,
      answers: { ...PUBLIC, 'service role': 403, buckets: 403 },
    },
    { name: 'expired service key', headers: bearer(expired.key), otherwise: 401, answers: PUBLIC },
    {
      name: 'expired service key in its header',
      headers: { apikey: expired.key },
      otherwise: 401,
      answers: { public: 'open' },
    },
    { name: 'deleted service key', headers: bearer(deleted.key), otherwise: 401, answers: PUBLIC },
    {
      name: 'viewer with a publishable key',
      headers: { ...viewer.headers, apikey: publishable.key },
      otherwise: 403,
      answers: SIGNED_IN,
    },
    {
      name: 'viewer with any other key',
      headers: { ...viewer.headers, apikey: 'any' },
      otherwise: 403,
      answers: SIGNED_IN,
    },
    {
      name: 'viewer with an expired key',
      headers: { ...viewer.headers, apikey: expired.key },
      otherwise: 403,
      answers: {
        ...SIGNED_IN,
        'public, hosted': 401,
        'any session': 401,
        'own profile': 401,
        'service role': 401,
        buckets: 401,
        rows: 401,
        'no caller': 401,
      },
    },
  ]
  return { callers, serviceKeys }
}
