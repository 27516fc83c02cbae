import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { anAccountWithFactor } from '../../../../test/support/accounts/second-factor.ts'
import { HOUR_MS } from '../../../platform/clock.ts'

type Headers = Record<string, string>

const OBJECT = 'application/vnd.pgrst.object+json'

/** Returns the headers that the official client sends for `select(columns)`, optionally with `.single()`. */
const clientHeaders = (authorization: string, accept = '*/*'): Headers => ({
  accept,
  'accept-profile': 'public',
  apikey: 'sb_publishable_any',
  authorization,
  'x-client-info': 'supabase-js-web/2.112.2',
})

interface Person {
  id: string
  username: string
  headers: Headers
}

async function aPerson(
  app: TestApp,
  role: 'viewer' | 'staff' | 'admin' | 'owner' = 'staff',
): Promise<Person> {
  const username = await app.anAccount(role)
  const authorization = `Bearer ${await app.signIn(username)}`
  const me = await app.http.inject({ url: '/api/auth/me', headers: { authorization } })
  return { id: me.json<{ id: string }>().id, username, headers: { authorization } }
}

const read = (app: TestApp, { headers }: { headers: Headers }, query = '', more: Headers = {}) =>
  app.http.inject({ url: `/rest/v1/user_roles${query}`, headers: { ...headers, ...more } })

/** Returns the status of a response together with its rows or its error code. */
const statusAndCodeOf = (answer: { statusCode: number; json(): unknown }): [number, unknown] => {
  const body = answer.json() as unknown
  return [answer.statusCode, Array.isArray(body) ? body : (body as { code?: string }).code]
}

/** Adds two earlier roles to the account, so that it has three rows in `user_roles`. */
async function withHistory(app: TestApp, { id }: Person): Promise<void> {
  for (const [at, role] of ['viewer', 'employee'].entries())
    await app.database.sql`
      insert into user_roles (id, user_id, role_name, is_active, created_at)
      values (${crypto.randomUUID()}, ${id}, ${role}, false, ${new Date(Date.UTC(2020, at, 1))})`
}

describe('role lookup by the official client', () => {
  it('the official client looks up a role over a real connection and gets the one active row', async () => {
    const app = await buildTestApp()
    const { id, headers } = await aPerson(app, 'admin')
    await app.http.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.http.server.address() as { port: number }
    const query = `select=role_name%2Cpermissions%2Cis_active&user_id=eq.${id}&is_active=eq.true`
    const response = await fetch(`http://127.0.0.1:${port}/rest/v1/user_roles?${query}`, {
      headers: { ...clientHeaders(headers['authorization'] ?? '', OBJECT), origin: 'https://shop.example' },
    })
    expect([response.status, response.statusText]).toEqual([200, 'OK'])
    expect(response.headers.get('content-type')).toBe(`${OBJECT}; charset=utf-8`)
    expect(response.headers.get('content-range')).toBe('0-0/*')
    expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect(response.headers.get('access-control-expose-headers')).toContain('Content-Range')
    const row = (await response.json()) as { permissions: Record<string, boolean> }
    expect(Object.keys(row)).toEqual(['role_name', 'permissions', 'is_active'])
    expect(row).toMatchObject({ role_name: 'admin', is_active: true })
    expect(row.permissions['can_manage_users']).toBe(true)
  })

  it('a request for a single role row gets PGRST116 unless exactly one row matches', async () => {
    const app = await buildTestApp()
    const person = await aPerson(app)
    await withHistory(app, person)
    const none = await read(app, person, '?role_name=eq.nothing', { accept: OBJECT })
    expect([none.statusCode, none.json()]).toEqual([
      406,
      {
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        details: 'The result contains 0 rows',
        hint: null,
      },
    ])
    expect(none.headers['proxy-status']).toBe('PostgREST; error=PGRST116')
    const many = await read(app, person, '', { accept: OBJECT })
    expect(many.json().details).toBe('The result contains 3 rows')
    const one = await read(app, person, '?is_active=is.true&select=role:role_name', { accept: OBJECT })
    expect(one.json()).toEqual({ role: 'staff' })
  })

  it('T9 GET /rest/v1/user_roles shows an account with a role below admin only its own rows, whatever the query contains', async () => {
    const app = await buildTestApp()
    const staff = await aPerson(app)
    let [foreign, asked] = [0, 0]
    for (const role of ['viewer', 'staff'] as const) {
      const person = await aPerson(app, role)
      const queries = [
        '',
        `?user_id=eq.${staff.id}`,
        `?user_id=neq.${person.id}`,
        `?or=(user_id.eq.${staff.id},user_id.neq.${staff.id})`,
        '?not.and=(user_id.is.null,id.is.null)',
        `?user_id=in.(${staff.id},${person.id})`,
      ]
      let own = 0
      for (const query of queries) {
        asked += 1
        for (const row of (await read(app, person, query)).json<{ user_id: string }[]>())
          if (row.user_id === person.id) own += 1
          else foreign += 1
      }
      expect(own).toBeGreaterThan(0)
    }
    console.info(`T9 role rows of others shown ${foreign} in ${asked} questions`)
    expect(foreign).toBe(0)
  })

  it('admins and owners can read the user_roles rows of all accounts, even as CSV', async () => {
    const app = await buildTestApp()
    const staff = await aPerson(app)
    for (const role of ['admin', 'owner'] as const) {
      const person = await aPerson(app, role)
      const others = await read(app, person, `?user_id=eq.${staff.id}&select=role_name`)
      expect(others.json()).toEqual([{ role_name: 'staff' }])
    }
    const admin = await aPerson(app, 'admin')
    const select = `?user_id=eq.${staff.id}&select=role_name,is_active,permissions`
    const csv = await read(app, admin, select, { accept: 'text/csv' })
    expect([csv.statusCode, csv.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const [header, line = ''] = csv.body.split('\n')
    expect(header).toBe('role_name,is_active,permissions')
    expect(line).toMatch(/^staff,t,"\{""can_/)
    const none = await read(app, admin, '?role_name=eq.none', { accept: 'text/csv' })
    expect([none.statusCode, none.body]).toEqual([200, ''])
  })

  it('GET /rest/v1/user_roles shows a changed role, and keeps the earlier row as history', async () => {
    const app = await buildTestApp()
    const person = await aPerson(app, 'viewer')
    const owner = await app.as('owner')
    const url = `/api/auth/users/${person.id}`
    const { etag } = (await app.http.inject({ url, headers: owner })).headers
    const headers = { ...owner, 'if-match': String(etag) }
    await app.http.inject({ method: 'PATCH', url, headers, payload: { role: 'staff' } })
    const rows = await read(app, person, '?select=role_name,is_active&order=is_active.desc')
    expect(rows.json()).toEqual([
      { role_name: 'staff', is_active: true },
      { role_name: 'viewer', is_active: false },
    ])
  })
})

const FOUND: readonly (readonly [query: string, roles: readonly string[]])[] = [
  ['role_name=eq.staff', ['staff']],
  ['role_name=neq.staff', ['viewer', 'employee']],
  ['role_name=in.(staff,"viewer")', ['viewer', 'staff']],
  ['role_name=in.()', []],
  ['role_name=not.in.(staff)', ['viewer', 'employee']],
  ['role_name=like.*mpl*', ['employee']],
  ['role_name=ilike.V%25', ['viewer']],
  ['role_name=not.like.s%25', ['viewer', 'employee']],
  ['is_active=is.true', ['staff']],
  ['is_active=is.FALSE', ['viewer', 'employee']],
  ['is_active=not.is.null', ['viewer', 'employee', 'staff']],
  ['is_active=not.eq.true&role_name=gt.m', ['viewer']],
  ['created_at=lt.2020-01-15', ['viewer']],
  ['created_at=gte.2020-02-01T00:00:00%2B00:00', ['employee', 'staff']],
  ['permissions=eq.{}', ['viewer', 'employee']],
  ['or=(role_name.eq.viewer,and(is_active.is.true,role_name.in.(staff,"a,b")))', ['viewer', 'staff']],
  ['not.or=(role_name.eq.viewer,role_name.eq."staff")', ['employee']],
  ['and=(not.or(role_name.eq.viewer),is_active.not.is.true)', ['employee']],
  ['order=role_name.desc', ['viewer', 'staff', 'employee']],
  ['order=is_active.desc.nullslast,role_name', ['staff', 'employee', 'viewer']],
  ['limit=1', ['viewer']],
  ['limit=1&offset=1', ['employee']],
  ['limit=0', []],
  ['offset=9', []],
]

describe('filters, order and ranges of role queries', () => {
  it('filters, order and ranges of GET /rest/v1/user_roles find the same rows as PostgREST', async () => {
    const app = await buildTestApp()
    const person = await aPerson(app)
    await withHistory(app, person)
    const found: [string, string[]][] = []
    for (const [query] of FOUND) {
      const rows = (await read(app, person, `?select=role_name&${query}`)).json<{ role_name: string }[]>()
      found.push([query, rows.map((row) => row.role_name)])
    }
    expect(found).toEqual(FOUND)
  })

  it('GET /rest/v1/user_roles renames, casts and omits columns as requested, in the order of the select list', async () => {
    const app = await buildTestApp()
    const person = await aPerson(app)
    const all = (await read(app, person)).json<Record<string, unknown>[]>()[0] ?? {}
    expect(Object.keys(all)).toEqual([
      'id',
      'user_id',
      'role_name',
      'permissions',
      'is_active',
      'created_at',
      'updated_at',
    ])
    expect(all['created_at']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/)
    // A filter with a value from a response finds the same row.
    const found = await read(app, person, `?created_at=eq.${encodeURIComponent(String(all['created_at']))}`)
    expect(found.json()).toHaveLength(1)
    const some = await read(app, person, '?select=active:is_active::text,__proto__:role_name,"role_name"')
    expect(some.body).toBe('[{"active" : "true", "__proto__" : "staff", "role_name" : "staff"}]')
    expect((await read(app, person, '?select=')).json()[0]).toEqual(all)
  })

  it('GET /rest/v1/user_roles counts rows on request, and returns 206 if the response contains only some of them', async () => {
    const app = await buildTestApp()
    const person = await aPerson(app)
    await withHistory(app, person)
    const ranges = async (query: string, more: Headers) => {
      const { statusCode, headers } = await read(app, person, query, more)
      return [statusCode, headers['content-range']]
    }
    const counted = { prefer: 'count=exact' }
    expect(await ranges('', {})).toEqual([200, '0-2/*'])
    expect(await ranges('', counted)).toEqual([200, '0-2/3'])
    expect(await ranges('?limit=2', counted)).toEqual([206, '0-1/3'])
    expect(await ranges('?offset=2&limit=5', counted)).toEqual([206, '2-2/3'])
    expect(await ranges('', { range: '1-1', 'range-unit': 'items' })).toEqual([200, '1-1/*'])
    expect(await ranges('', { ...counted, range: '1-' })).toEqual([206, '1-2/3'])
    expect(await ranges('?role_name=eq.x', counted)).toEqual([200, '*/0'])
    expect(await ranges('?offset=9', counted)).toEqual([416, undefined])
    expect(await ranges('', { range: '2-1' })).toEqual([416, undefined])
    const head = await app.http.inject({
      method: 'HEAD',
      url: '/rest/v1/user_roles',
      headers: { ...person.headers, ...counted },
    })
    expect([head.statusCode, head.headers['content-range'], head.body]).toEqual([200, '0-2/3', ''])
  })
})

const REFUSED: readonly (readonly [path: string, status: number, code: string, message: string | RegExp])[] =
  [
    ['user_roles?select=nothing', 400, '42703', 'column user_roles.nothing does not exist'],
    ['user_roles?nothing=eq.1', 400, '42703', 'column user_roles.nothing does not exist'],
    ['user_roles?order=nothing', 400, '42703', 'column user_roles.nothing does not exist'],
    ['user_roles?select=id,accounts(email)', 400, 'PGRST200', /'user_roles' and 'accounts'/],
    ['user_roles?select=count()', 400, 'PGRST123', 'Use of aggregate functions is not allowed'],
    ['user_roles?select=latest:created_at.max()::text', 400, 'PGRST123', /aggregate functions/],
    ['user_roles?accounts.email=eq.a', 400, 'PGRST108', /^'accounts' is not an embedded resource/],
    ['user_roles?accounts.order=email', 400, 'PGRST108', /^'accounts' is not an embedded resource/],
    ['user_roles?accounts.or=(id.eq.1)', 400, 'PGRST108', /^'accounts' is not an embedded resource/],
    ['user_roles?role_name=staff', 400, 'PGRST100', /failed to parse filter \(staff\)/],
    ['user_roles?role_name=fts.staff', 400, 'PGRST100', /failed to parse filter/],
    ['user_roles?or=(role_name.eq.a', 400, 'PGRST100', /logic tree|filter/],
    ['user_roles?or=()', 400, 'PGRST100', /logic tree/],
    ['user_roles?limit=x', 400, 'PGRST100', /limit/],
    ['user_roles?limit=-1', 416, 'PGRST103', 'Requested range not satisfiable'],
    ['user_roles?user_id=eq.me', 400, '22P02', 'invalid input syntax for type uuid: "me"'],
    ['user_roles?is_active=eq.perhaps', 400, '22P02', 'invalid input syntax for type boolean: "perhaps"'],
    ['user_roles?permissions=eq.{', 400, '22P02', 'invalid input syntax for type json'],
    ['user_roles?created_at=gt.soon', 400, '22007', /timestamp with time zone: "soon"/],
    ['user_roles?role_name=eq.%00', 400, '22021', /invalid byte sequence/],
    ['user_roles?user_id=like.a*', 400, '42883', /operator does not exist/],
    ['user_roles?select=role_name::int', 400, '22P02', /type integer: "staff"/],
    ['user_roles?select=role_name::pg_sleep', 400, 'PGRST100', /select/],
    ['user_roles?select=role_name::money', 400, '42704', 'type "money" does not exist'],
    ['accounts', 404, 'PGRST205', "Could not find the table 'public.accounts' in the schema cache"],
    ['rpc/sleep', 404, 'PGRST202', 'Could not find the function public.sleep in the schema cache'],
    ['user_roles/1', 404, 'PGRST125', 'Invalid path specified in request URL'],
    ['', 404, 'PGRST125', 'Invalid path specified in request URL'],
  ]

describe('refused role queries', () => {
  it('an error response of /rest/v1 has the four fields of the protocol, including its error code', async () => {
    const app = await buildTestApp()
    const { headers } = await aPerson(app)
    const refusals: unknown[] = []
    for (const [path] of REFUSED) {
      const answer = await app.http.inject({ url: `/rest/v1/${path}`, headers })
      const { code, message, details, hint, ...more } = answer.json<Record<string, unknown>>()
      const isHinted = code === 'PGRST108'
      expect([more, hint, details === null || typeof details === 'string']).toEqual([
        {},
        isHinted ? "Verify that 'accounts' is included in the 'select' query parameter." : null,
        true,
      ])
      expect(answer.headers['proxy-status']).toBe(`PostgREST; error=${String(code)}`)
      refusals.push([path, answer.statusCode, code, message])
    }
    const expected = REFUSED.map(([path, status, code, message]) => [
      path,
      status,
      code,
      message instanceof RegExp ? expect.stringMatching(message) : message,
    ])
    expect(refusals).toEqual(expected)
  })

  it('T90 names, values and nesting in a /rest/v1 query cannot break out of the statement', async () => {
    const app = await buildTestApp()
    const person = await aPerson(app)
    const hostile = [
      "role_name=eq.'; drop table user_roles; --",
      "role_name=in.(a,');delete from user_roles;--)",
      'role_name"; drop table user_roles; --=eq.1',
      'select=role_name;select',
      "select='x':role_name",
      'select="a\\"b":role_name',
      'select=(select 1)',
      'order=role_name;drop table user_roles',
      'order=role_name.asc.nullsfirst,(select 1)',
      'limit=1;drop table user_roles',
      'constructor=eq.1',
      '__proto__=eq.1',
      `or=(${'or('.repeat(500)}role_name.eq.a${')'.repeat(500)})`,
      `or=(${Array.from({ length: 60 }, () => 'role_name.eq.a').join(',')})`,
      Array.from({ length: 60 }, () => 'role_name=eq.a').join('&'),
      `role_name=in.(${Array.from({ length: 101 }, () => 'a').join(',')})`,
      `select=${Array.from({ length: 41 }, () => 'id').join(',')}`,
      `role_name=eq.${'x'.repeat(9000)}`,
      `role_name=like.${'*a'.repeat(2000)}`,
      `select=${':'.repeat(3000)}`,
    ]
    const wrong: string[] = []
    for (const text of hostile) {
      const query = `?${text.replace(/[^\w=&(),.:*-]/g, encodeURIComponent)}`
      const { statusCode } = await read(app, person, query)
      if (statusCode !== 400 && statusCode !== 200) wrong.push(`${text.slice(0, 60)}: ${statusCode}`)
    }
    console.info(`T90 hostile queries of roles answered otherwise ${wrong.length} of ${hostile.length}`)
    expect(wrong).toEqual([])
    expect((await read(app, person)).json()).toHaveLength(1)
  })

  it('/rest/v1/user_roles refuses all writes, with 403 for an owner and 401 for strangers', async () => {
    const app = await buildTestApp()
    const owner = await aPerson(app, 'owner')
    const payload = { role_name: 'owner' }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const url = '/rest/v1/user_roles'
      const answer = await app.http.inject({ method, url, headers: owner.headers, payload })
      expect(statusAndCodeOf(answer)).toEqual([403, '42501'])
      const stranger = await app.http.inject({ method, url, payload })
      expect(statusAndCodeOf(stranger)).toEqual([401, '42501'])
      expect(stranger.headers['www-authenticate']).toBe('Bearer')
      const other = await app.http.inject({ method, url: '/rest/v1/accounts', payload })
      expect(statusAndCodeOf(other)).toEqual([404, 'PGRST205'])
    }
    expect((await read(app, owner, `?user_id=eq.${owner.id}`)).json()).toHaveLength(1)
    const strange = await app.http.inject({ method: 'TRACE' as 'GET', url: '/rest/v1/user_roles' })
    expect([strange.statusCode, strange.json().code]).toEqual([405, 'PGRST117'])
  })

  it('an error response of /rest/v1 names the mistake in a token, a schema or a media type', async () => {
    const app = await buildTestApp()
    const person = await aPerson(app)
    const garbage = await read(app, { headers: { authorization: 'Bearer a.b.c' } })
    expect(statusAndCodeOf(garbage)).toEqual([401, 'PGRST301'])
    expect(garbage.headers['www-authenticate']).toContain('Bearer error="invalid_token"')
    // Without a session, the official client sends the public key as its token.
    const nobody = await read(app, { headers: { authorization: 'Bearer sb_publishable_any' } })
    expect([...statusAndCodeOf(nobody), nobody.headers['www-authenticate']]).toEqual([401, '42501', 'Bearer'])
    expect(statusAndCodeOf(await read(app, person, '', { 'accept-profile': 'auth' }))).toEqual([
      406,
      'PGRST106',
    ])
    expect(statusAndCodeOf(await read(app, person, '', { accept: 'application/geo+json' }))).toEqual([
      406,
      'PGRST107',
    ])
    expect((await read(app, person, '', { accept: 'text/html, */*;q=0.8' })).statusCode).toBe(200)
    await app.http.inject({ method: 'POST', url: '/auth/v1/logout?scope=local', headers: person.headers })
    expect(statusAndCodeOf(await read(app, person))).toEqual([401, 'PGRST303'])
    const late = await aPerson(app)
    app.clock.advance(2 * HOUR_MS)
    const expired = await read(app, late)
    expect([expired.statusCode, expired.json()]).toEqual([
      401,
      { code: 'PGRST303', message: 'JWT expired', details: null, hint: null },
    ])
  })

  it('/rest/v1/user_roles requires the second step of the sign-in, but works while a password change is pending', async () => {
    const app = await buildTestApp()
    const { username, session } = await anAccountWithFactor(app)
    const first = { headers: { authorization: `Bearer ${await app.signIn(username, PASSWORD)}` } }
    expect(statusAndCodeOf(await read(app, first))).toEqual([403, '42501'])
    const both = { headers: { authorization: `Bearer ${session.access_token}` } }
    expect((await read(app, both)).statusCode).toBe(200)
    const fresh = await aPerson(app)
    await app.database.sql`update accounts set must_change_password = true where id = ${fresh.id}`
    expect((await read(app, fresh)).json()).toHaveLength(1)
  })
})
