import { errorEntry } from '@pegasus/contracts/errors'
import { type Role, hasRole, isRole } from '@pegasus/contracts/roles'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { assertMayIssue, assertMayOwn } from '../../../src/modules/api-keys/api-keys.policy.ts'
import { createServiceKeyGuard } from '../../../src/modules/api-keys/service-keys/service-key-guard.ts'
import { assertMayManage } from '../../../src/modules/auth/admin/manage-accounts.ts'
import type { AccountSummaryRow } from '../../../src/modules/users/index.ts'
import { SECOND_MS, addMs } from '../../../src/platform/clock.ts'
import { AppError } from '../../../src/platform/errors/app-error.ts'
import { aKey } from '../../support/accounts/api-keys.ts'
import { type TestApp, buildTestApp } from '../../support/build-test-app.ts'
import { aModel } from '../../support/library/library-factories.ts'
import { silentLog } from '../../support/silent-log.ts'
import {
  bearer,
  type Caller,
  ENDPOINTS,
  type Expected,
  type Name,
  people,
  programs,
  programsOfHosted,
  PUBLIC,
  signInAs,
  SOME_ID,
} from './callers.ts'

const REQUESTS_PER_MINUTE = 1_000_000

export interface AccessWorld {
  app: TestApp
  callers: readonly Caller[]
  /** A key whose calls the test counts up to the limit. */
  limited: { id: string; key: string }
  /** The signed address of a model's picture. */
  pictureAddress: string
  /** The ids of service keys, and whether each is a valid secret key. */
  serviceKeys: readonly (readonly [id: string, isSecret: boolean])[]
}

export async function createAccessWorld(): Promise<AccessWorld> {
  const app = await buildTestApp({
    variables: {
      API_KEY_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
      GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
    },
  })
  const modelId = await aModel(app)
  await app.database.sql`update stl_versions set thumbnail_key = 'models/none' where stl_file_id = ${modelId}`
  // Create the accounts before the keys, because setting up a second factor moves the clock.
  const accounts = await people(app)
  const keys = await programs(app)
  const { callers: hosted, serviceKeys } = await programsOfHosted(app)
  const limited = await aKey(app, { role: 'viewer', scope: ['integration'] })
  const { headers } = await signInAs(app, 'viewer')
  const found = await app.http.inject({ url: `/api/stl-files/${modelId}`, headers })
  const { thumbnail_path: pictureAddress } = found.json<Model>()
  const callers: Caller[] = [
    { name: 'nobody', headers: {}, otherwise: 401, answers: PUBLIC },
    {
      name: 'garbage',
      headers: bearer('garbage'),
      otherwise: 401,
      answers: { ...PUBLIC, 'any session': 403, 'service role': 403, 'own profile': 403 },
    },
    ...keys,
    ...hosted,
    ...accounts,
  ]
  return { app, callers, limited, pictureAddress: pictureAddress ?? '', serviceKeys }
}

interface Answer {
  statusCode: number
  body: string
}

/**
 * Returns whether a response is as expected. A call that passes the guard may still fail, for example because an object
 * does not exist.
 */
function isExpected({ statusCode, body }: Answer, expected: Expected): boolean {
  if (expected === 'open') return ![401, 403, 429].includes(statusCode) && statusCode < 500
  if (typeof expected === 'number') return statusCode === expected
  const { status, message, hosted, storage, rest } = errorEntry(expected)
  const texts = [message, hosted?.message, storage?.message, rest?.message]
  return statusCode === status && texts.some((text) => text !== undefined && body.includes(text))
}

const callAs = (
  { app }: AccessWorld,
  { headers, from = '10.0.0.1' }: Caller,
  route: string,
): Promise<Answer> => {
  const [method = 'GET', url = '/'] = route.split(' ')
  return app.http.inject({ method: method as 'GET', url, headers, remoteAddress: from })
}

/** Returns the code of the error that a function throws, or null. */
function refusalOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}

const account = (role: string, change: Partial<AccountSummaryRow> = {}): AccountSummaryRow =>
  ({ id: role, role, is_active: true, system_access: true, ...change }) as AccountSummaryRow

/** Rules that a call reaches only if an account changes during the call. Therefore, they are checked without a call. */
const RULES: readonly (readonly [rule: string, answer: () => unknown, expected: unknown])[] = [
  ['nobody issues a key', () => refusalOf(() => assertMayIssue(null, account('viewer'))), 'FORBIDDEN'],
  [
    'staff issues a key',
    () => refusalOf(() => assertMayIssue(account('staff'), account('viewer'))),
    'FORBIDDEN',
  ],
  [
    'a disabled owner issues a key',
    () => refusalOf(() => assertMayIssue(account('owner', { is_active: false }), account('viewer'))),
    'FORBIDDEN',
  ],
  [
    'an admin issues a key for staff',
    () => refusalOf(() => assertMayIssue(account('admin'), account('staff'))),
    null,
  ],
  [
    'an admin issues an own key',
    () => refusalOf(() => assertMayIssue(account('admin'), account('admin'))),
    null,
  ],
  [
    'an admin issues a key for another admin',
    () => refusalOf(() => assertMayIssue(account('admin'), account('admin', { id: 'other' }))),
    'KEY_OWNERS_ONLY',
  ],
  [
    'an admin issues a key for an owner',
    () => refusalOf(() => assertMayIssue(account('admin'), account('owner'))),
    'KEY_OWNERS_ONLY',
  ],
  [
    'an owner issues a key for an admin',
    () => refusalOf(() => assertMayIssue(account('owner'), account('admin'))),
    null,
  ],
  [
    'a disabled account owns a key',
    () => refusalOf(() => assertMayOwn(account('staff', { is_active: false }))),
    'KEY_OWNER_NOT_IN_FORCE',
  ],
  [
    'an account without access owns a key',
    () => refusalOf(() => assertMayOwn(account('staff', { system_access: false }))),
    'KEY_OWNER_WITHOUT_ACCESS',
  ],
  ['an account owns a key', () => refusalOf(() => assertMayOwn(account('viewer'))), null],
  ['nobody has a role', () => [hasRole(null, 'viewer'), hasRole(undefined, 'viewer')], [false, false]],
  [
    'an unknown role is a viewer',
    () => [hasRole('root', 'viewer'), hasRole('root', 'staff'), isRole('root')],
    [true, false, false],
  ],
]

/** Checks a key's limit for calls: the last call within the limit, and the first call above it. */
async function* checkLimit({ app, limited }: AccessWorld): AsyncGenerator<string> {
  const startedAt = addMs(app.clock.now(), -20 * SECOND_MS)
  await app.database.sql`
    insert into key_windows (key_id, started_at, calls) values (${limited.id}, ${startedAt}, ${REQUESTS_PER_MINUTE - 1})
    on conflict (key_id) do update set started_at = excluded.started_at, calls = excluded.calls`
  const call = () =>
    app.http.inject({
      url: '/api/integration/stock',
      headers: { 'x-api-key': limited.key },
      remoteAddress: '10.0.0.1',
    })
  const last = await call()
  if (last.statusCode !== 200) yield `the last call within the limit: ${last.statusCode}`
  const above = await call()
  if (above.statusCode !== 429 || above.headers['retry-after'] !== '40')
    yield `a call above the limit: ${above.statusCode}, ${above.headers['retry-after']}`
}

/** Checks the signed address of a picture, and variants of it that must be refused. */
async function* checkSignedPaths({ app, pictureAddress }: AccessWorld): AsyncGenerator<string> {
  const call = async (url: string, headers = {}) => (await app.http.inject({ url, headers })).statusCode
  const other = pictureAddress.replace('/thumbnail', '/file')
  const viewerOnly = await call(pictureAddress, bearer('garbage'))
  if (viewerOnly !== 401) yield `a signed address with an invalid token: ${viewerOnly}`
  if (![200, 404].includes(await call(pictureAddress))) yield 'a signed address is refused'
  const changed = pictureAddress.replace(
    /signature=./,
    (start) => start.slice(0, -1) + (start.endsWith('A') ? 'B' : 'A'),
  )
  if (changed === pictureAddress || (await call(changed)) !== 401) yield 'a changed signature is accepted'
  if ((await call(other)) !== 401) yield 'a signature opens another address'
}

/** Checks the guard for work that takes longer than a call: it must recognize exactly the valid secret keys. */
async function* checkServiceKeys({ app, serviceKeys: keys }: AccessWorld): AsyncGenerator<string> {
  const guard = createServiceKeyGuard({ database: app.database, clock: app.clock, log: silentLog })
  for (const [id, isSecret] of keys) {
    const found = await guard.findSecret(id)
    if ((found !== null) !== isSecret) yield `service key ${id} counts as ${found ? 'secret' : 'unknown'}`
  }
  await guard.close()
}

/** Checks who may create accounts with which role. Even allowed calls fail, because the email address is taken. */
async function* checkRoles({ app, callers }: AccessWorld): AsyncGenerator<string> {
  const create = async (caller: string, role: Role) => {
    const headers = callers.find(({ name }) => name === caller)?.headers ?? {}
    const payload = { email: 'owner@pegasus.local', username: 'somebody-new', role }
    return (await app.http.inject({ method: 'POST', url: '/api/auth/users', headers, payload })).statusCode
  }
  // A call meets these refusals only if an account changes during the call, so check the function itself.
  const KEEPERS = {
    owner: null,
    admin: 'OWNERS_ONLY',
    staff: 'FORBIDDEN',
    viewer: 'FORBIDDEN',
    'disabled owner': 'FORBIDDEN',
    nobody: 'FORBIDDEN',
  }
  for (const [name, expected] of Object.entries(KEEPERS)) {
    const id = callers.find((caller) => caller.name === name)?.id ?? SOME_ID
    const refusal = await app.database
      .transaction((tx) => assertMayManage(tx, id, ['viewer', 'admin']))
      .then(
        () => null,
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      )
    if (refusal !== expected) yield `${name} keeps admins: ${refusal}`
  }
  for (const [caller, role, expected] of [
    ['owner', 'owner', 409],
    ['owner', 'viewer', 409],
    ['admin', 'staff', 409],
    ['admin', 'admin', 403],
    ['admin', 'owner', 403],
    ['staff', 'viewer', 403],
  ] as const) {
    const status = await create(caller, role)
    if (status !== expected) yield `${caller} creates ${role}: ${status}`
  }
}

/**
 * Returns the responses that are not as expected, or only the first of them. `checks` is the number of checked rules
 * and of calls, one for each pair of a caller and an endpoint.
 */
export async function findWrongAnswers(
  world: AccessWorld,
  { stopsAtFirst = false } = {},
): Promise<{ wrong: string[]; checks: number }> {
  const wrong: string[] = []
  let checks = 0
  const isOver = () => stopsAtFirst && wrong.length > 0
  for (const [rule, answer, expected] of RULES) {
    checks += 1
    const given = answer()
    if (JSON.stringify(given) !== JSON.stringify(expected)) wrong.push(`${rule}: ${JSON.stringify(given)}`)
  }
  for (const caller of world.callers)
    for (const [name, route] of Object.entries(ENDPOINTS) as [Name, string][]) {
      if (isOver()) return { wrong, checks }
      checks += 1
      const expected = caller.answers?.[name] ?? caller.otherwise
      const answer = await callAs(world, caller, route)
      if (!isExpected(answer, expected))
        wrong.push(
          `${caller.name}, ${name}: ${answer.statusCode} ${answer.body.slice(0, 200)} instead of ${expected}`,
        )
    }
  for (const check of [checkLimit, checkSignedPaths, checkServiceKeys, checkRoles])
    for await (const problem of check(world)) wrong.push(problem)
  return { wrong, checks }
}
