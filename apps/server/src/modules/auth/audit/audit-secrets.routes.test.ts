import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { OWNER_PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { fragmentOf, lastLinkTo } from '../../../../test/support/accounts/mails.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

/** Returns every row of every table as text. */
async function dumpOf(app: TestApp): Promise<string> {
  const { sql } = app.database
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const dumps = await Promise.all(
    tables.map(({ name }) =>
      sql.unsafe(`select coalesce(string_agg(t::text, chr(10)), '') as rows from ${name} t`),
    ),
  )
  return dumps.map(([row]) => String(row?.rows)).join('\n')
}

describe('T112 T26 secrets of people and programs', () => {
  it('no log, table, error or audit entry contains a secret of a person or program', async () => {
    let logged = ''
    const app = await buildTestApp({ logTo: { write: (line: string) => void (logged += line) } })
    const canaries = new Map<string, string>()
    const plant = <T extends string>(name: string, secret: T): T => {
      expect(secret.length).toBeGreaterThanOrEqual(8)
      canaries.set(name, secret)
      return secret
    }
    let refusals = ''
    const call = async (
      method: 'GET' | 'POST' | 'PUT' | 'PATCH',
      url: string,
      {
        token,
        payload,
        headers,
      }: { token?: string; payload?: unknown; headers?: Record<string, string> } = {},
    ): Promise<LightMyRequestResponse> => {
      const response = await app.http.inject({
        method,
        url,
        headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
        ...(payload !== undefined && { payload: payload as Record<string, unknown> }),
      })
      if (response.statusCode >= 400) refusals += `${JSON.stringify(response.headers)}${response.body}`
      return response
    }
    const login = async (username: string, password: string) =>
      (await call('POST', '/auth/login', { payload: { username, password } })).json<{
        access_token: string
        refresh_token: string
      }>()

    plant('password', OWNER_PASSWORD)
    const session = await login('owner', OWNER_PASSWORD)
    const token = plant('access token', session.access_token)
    plant('signature of the access token', token.split('.')[2] ?? '')
    plant('refresh token', session.refresh_token)
    await login('owner', plant('wrong password', 'canary-wrong-Ω-password'))
    await login(plant('password typed as a name', 'canary-typed-as-name'), 'x')
    await call('GET', '/api/auth/me', { token: plant('forged token', `${token.slice(0, -8)}canaryXX`) })
    for (const name of ['access_token', 'token', 'apikey', 'api_key', 'password'])
      await call('GET', `/api/auth/me?${name}=${plant(`in the address as ${name}`, `canary-query-${name}`)}`)

    const made = plant('password of a new account', 'canary-made-Password')
    const person = { email: 'ada@example.com', username: 'ada', role: 'staff', password: made }
    const { id } = (await call('POST', '/api/auth/users', { token, payload: person })).json<{ id: string }>()
    await call('POST', '/api/auth/users', { token, payload: person })
    const reset = plant('password of a reset', 'canary-reset-Password')
    await call('POST', '/api/auth/admin/reset-password', {
      token,
      payload: { user_id: id, new_password: reset, confirm_password: reset },
    })
    await call('POST', '/api/auth/admin/reset-password', {
      token,
      payload: {
        user_id: id,
        new_password: plant('refused reset', 'canary-refused'),
        confirm_password: 'other',
      },
    })
    const ada = await login('ada', reset)
    const chosen = plant('chosen password', 'canary-chosen-Password')
    await call('POST', '/api/auth/change-password', {
      token: ada.access_token,
      payload: {
        current_password: plant('refused current password', 'canary-current'),
        new_password: chosen,
        confirm_password: chosen,
      },
    })
    await call('POST', '/api/auth/change-password', {
      token: ada.access_token,
      payload: { current_password: reset, new_password: chosen, confirm_password: chosen },
    })
    await call('POST', '/api/auth/reauthenticate', {
      token,
      payload: { password: plant('wrong re-authentication', 'canary-again') },
    })
    await call('POST', '/api/auth/reauthenticate', {
      token,
      payload: { code: plant('wrong code', '90817263') },
    })

    await call('POST', '/auth/v1/recover', { payload: { email: 'ada@example.com' } })
    const recovery = await lastLinkTo(app, 'ada@example.com')
    plant('recovery link', recovery.token)
    plant('recovery code', recovery.code)
    const opened = fragmentOf((await call('GET', recovery.url)).headers.location)
    plant('access token of a link', opened.access_token ?? '')
    plant('refresh token of a link', opened.refresh_token ?? '')
    await call('GET', recovery.url)
    await call('PUT', '/auth/v1/user', {
      token: opened.access_token ?? '',
      payload: { password: plant('password by a link', 'canary-by-link-Password') },
    })
    app.clock.advance(MINUTE_MS)
    await call('POST', '/api/auth/users', { token, payload: { email: 'bob@example.com', username: 'bob' } })
    plant('invitation', (await lastLinkTo(app, 'bob@example.com')).token)
    await call('POST', '/auth/v1/signup', {
      payload: {
        email: 'eve@example.com',
        password: plant('password of a sign-up', 'canary-sign-up-Password'),
      },
    })
    plant('sign-up link', (await lastLinkTo(app, 'eve@example.com')).token)

    const created = await call('POST', '/api/api-keys', { token, payload: { user_id: id } })
    const { key, id: keyId } = created.json<{ key: string; id: string }>()
    plant('API key', key)
    await call('GET', '/api/integration/stock', { headers: { 'x-api-key': key } })
    await call('GET', `/api/integration/stock?api_key=${key}`, { headers: { cookie: `api_key=${key}` } })
    await call('GET', '/api/integration/stock', { token: `${key.slice(0, -1)}!` })
    const rotated = await call('POST', `/api/api-keys/${keyId}/rotate`, { token })
    plant('rotated API key', rotated.json<{ key: string }>().key)
    await call('GET', '/api/integration/stock', { headers: { 'x-api-key': key } })
    await call('GET', '/api/auth/users?limit=canary-limit', { token })
    await call('POST', '/auth/login', {
      payload: `{"username":"owner","password":"${OWNER_PASSWORD}`,
      headers: { 'content-type': 'application/json' },
    })
    // Closing also writes the buffered uses of sessions and keys.
    await app.auth.close()

    const places = { logs: logged, tables: await dumpOf(app), refusals }
    // Some stored values are not secret. Finding them proves that the search works.
    expect(places.logs).toContain('/api/auth/admin/reset-password')
    expect(places.tables).toContain('session.refused')
    expect(places.refusals).toContain('current_password_wrong')
    const hits = [...canaries].flatMap(([name, secret]) =>
      Object.entries(places).flatMap(([place, text]) =>
        text.includes(secret) ? [`${name} in ${place}`] : [],
      ),
    )
    console.info(
      `T112 T26 secrets found ${hits.length} of ${canaries.size} in ${Object.keys(places).length} places`,
    )
    expect(hits).toEqual([])
  })
})
