import { PostgrestClient } from '@supabase/postgrest-js'
import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../support/build-test-app.ts'
import { methodNames, privateNames } from './client-methods.ts'

type Client = PostgrestClient
const rolesOf = (client: Client) => client.from('user_roles').select('role_name')
/** A query of `user_roles`, which the methods of the client extend. */
type Roles = ReturnType<typeof rolesOf>
type Result = PromiseLike<{ data: unknown; error: { code: string } | null; status: number }>

/** The account has three rows: `viewer` and `employee`, which have ended, and `staff`, which is active. */
const QUERIES: Readonly<Record<string, readonly [build: (roles: Roles) => unknown, expected: unknown]>> = {
  eq: [(roles) => roles.eq('role_name', 'staff'), ['staff']],
  neq: [(roles) => roles.neq('role_name', 'staff'), ['employee', 'viewer']],
  gt: [(roles) => roles.gt('role_name', 'staff'), ['viewer']],
  gte: [(roles) => roles.gte('role_name', 'staff'), ['staff', 'viewer']],
  lt: [(roles) => roles.lt('role_name', 'staff'), ['employee']],
  lte: [(roles) => roles.lte('role_name', 'staff'), ['employee', 'staff']],
  like: [(roles) => roles.like('role_name', 's%'), ['staff']],
  ilike: [(roles) => roles.ilike('role_name', 'S%'), ['staff']],
  is: [(roles) => roles.is('is_active', true), ['staff']],
  isDistinct: [(roles) => roles.isDistinct('role_name', 'staff'), ['employee', 'viewer']],
  in: [(roles) => roles.in('role_name', ['staff', 'viewer', 'a,b']), ['staff', 'viewer']],
  notIn: [(roles) => roles.notIn('role_name', ['staff']), ['employee', 'viewer']],
  match: [(roles) => roles.match({ role_name: 'staff', is_active: true }), ['staff']],
  not: [(roles) => roles.not('is_active', 'is', true), ['employee', 'viewer']],
  or: [(roles) => roles.or('role_name.eq.viewer,is_active.is.true'), ['staff', 'viewer']],
  filter: [(roles) => roles.filter('role_name', 'in', '("viewer")'), ['viewer']],
  order: [(roles) => roles.order('role_name', { ascending: false }), ['viewer', 'staff', 'employee']],
  limit: [(roles) => roles.order('role_name').limit(1), ['employee']],
  range: [(roles) => roles.order('role_name').range(1, 2), ['staff', 'viewer']],
  single: [(roles) => roles.eq('is_active', true).single(), 'staff'],
  maybeSingle: [(roles) => roles.eq('role_name', 'none').maybeSingle(), null],
  csv: [(roles) => roles.eq('is_active', true).csv(), 'role_name\nstaff'],
  stripNulls: [(roles) => roles.eq('is_active', true).stripNulls(), ['staff']],
  abortSignal: [(roles) => roles.is('is_active', true).abortSignal(AbortSignal.timeout(60_000)), ['staff']],
  retry: [(roles) => roles.is('is_active', true).retry(false), ['staff']],
  setHeader: [(roles) => roles.is('is_active', true).setHeader('prefer', 'count=exact'), ['staff']],
  throwOnError: [(roles) => roles.is('is_active', true).throwOnError(), ['staff']],
  returns: [(roles) => roles.is('is_active', true).returns<unknown[]>(), ['staff']],
  overrideTypes: [(roles) => roles.is('is_active', true).overrideTypes<unknown[]>(), ['staff']],
  likeAllOf: [(roles) => roles.likeAllOf('role_name', ['s%']), 'PGRST100'],
  likeAnyOf: [(roles) => roles.likeAnyOf('role_name', ['s%']), 'PGRST100'],
  ilikeAllOf: [(roles) => roles.ilikeAllOf('role_name', ['s%']), 'PGRST100'],
  ilikeAnyOf: [(roles) => roles.ilikeAnyOf('role_name', ['s%']), 'PGRST100'],
  regexMatch: [(roles) => roles.regexMatch('role_name', '^s'), 'PGRST100'],
  regexIMatch: [(roles) => roles.regexIMatch('role_name', '^S'), 'PGRST100'],
  contains: [(roles) => roles.contains('permissions', { can_view_orders: true }), 'PGRST100'],
  containedBy: [(roles) => roles.containedBy('permissions', {}), 'PGRST100'],
  rangeGt: [(roles) => roles.rangeGt('created_at', '[2020-01-01,2021-01-01)'), 'PGRST100'],
  rangeGte: [(roles) => roles.rangeGte('created_at', '[2020-01-01,2021-01-01)'), 'PGRST100'],
  rangeLt: [(roles) => roles.rangeLt('created_at', '[2020-01-01,2021-01-01)'), 'PGRST100'],
  rangeLte: [(roles) => roles.rangeLte('created_at', '[2020-01-01,2021-01-01)'), 'PGRST100'],
  rangeAdjacent: [(roles) => roles.rangeAdjacent('created_at', '[2020-01-01,2021-01-01)'), 'PGRST100'],
  overlaps: [(roles) => roles.overlaps('created_at', '[2020-01-01,2021-01-01)'), 'PGRST100'],
  textSearch: [(roles) => roles.textSearch('role_name', 'staff'), 'PGRST100'],
  geojson: [(roles) => roles.geojson(), 'PGRST107'],
  explain: [(roles) => roles.explain(), 'PGRST107'],
}

const CALLS: Readonly<Record<string, readonly [call: (client: Client) => unknown, expected: unknown]>> = {
  from: [(client) => client.from('accounts').select(), 'PGRST205'],
  schema: [(client) => client.schema('auth').from('user_roles').select(), 'PGRST106'],
  getOpenApiSpec: [(client) => client.getOpenApiSpec(), 'PGRST125'],
  rpc: [(client) => client.rpc('sleep', { seconds: 1 }), 'PGRST202'],
  select: [(client) => client.from('user_roles').select('role_name').is('is_active', true), ['staff']],
  insert: [(client) => client.from('user_roles').insert({ role_name: 'owner' }), '42501'],
  upsert: [(client) => client.from('user_roles').upsert({ role_name: 'owner' }), '42501'],
  update: [
    (client) => client.from('user_roles').update({ role_name: 'owner' }).eq('is_active', true),
    '42501',
  ],
  delete: [(client) => client.from('user_roles').delete().eq('is_active', true), '42501'],
  rollback: [(client) => client.from('user_roles').delete().eq('is_active', true).rollback(), '42501'],
  maxAffected: [(client) => client.from('user_roles').delete().eq('is_active', true).maxAffected(1), '42501'],
}

/** These methods make no request of their own. */
const WITHOUT_REQUEST = ['then']

async function aClientWithRoles(app: TestApp): Promise<Client> {
  const username = await app.anAccount('staff')
  const [row] = await app.database.sql<{ id: string }[]>`select id from accounts where username = ${username}`
  for (const role of ['viewer', 'employee'])
    await app.database.sql`
      insert into user_roles (id, user_id, role_name, is_active, created_at)
      values (${crypto.randomUUID()}, ${row?.id ?? ''}, ${role}, false, '2020-01-01')`
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.http.server.address() as { port: number }
  const authorization = `Bearer ${await app.signIn(username)}`
  return new PostgrestClient(`http://127.0.0.1:${port}/rest/v1`, { headers: { authorization } })
}

const rolesIn = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.map((row: { role_name: string }) => row.role_name)
  return data instanceof Object && 'role_name' in data ? data.role_name : data
}

it('each method of the unmodified database client returns the rows of user_roles, or the error of the protocol', async () => {
  const app = await buildTestApp()
  const client = await aClientWithRoles(app)
  // Builders keep the schema in a protected field, but `client.schema()` is public.
  const hidden = new Set([...privateNames('database')].filter((name) => name !== 'schema'))
  const builders = [client, client.from('user_roles'), rolesOf(client)]
  const methods = new Set(builders.flatMap((builder) => methodNames(builder, hidden)))
  const tested = [...Object.keys(QUERIES), ...Object.keys(CALLS), ...WITHOUT_REQUEST]
  expect(tested.toSorted()).toEqual([...methods].toSorted())

  const calls = [
    ...Object.entries(QUERIES).map(
      ([name, [build, expected]]) => [name, () => build(rolesOf(client)), expected] as const,
    ),
    ...Object.entries(CALLS).map(([name, [call, expected]]) => [name, () => call(client), expected] as const),
  ]
  for (const [name, call, expected] of calls) {
    const { data, error } = await (call() as Result)
    const found = error ? error.code : rolesIn(data)
    const isOrdered = ['order', 'limit', 'range'].includes(name)
    const rows =
      Array.isArray(found) && !isOrdered
        ? found.map(String).toSorted((a, b) => a.localeCompare(b, 'en'))
        : found
    expect([name, rows]).toEqual([name, expected])
  }
})
