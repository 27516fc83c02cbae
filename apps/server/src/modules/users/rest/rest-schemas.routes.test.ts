import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'

it('a /rest/v1 request for another table or function is refused by its schema, or by its name if the schema is right', async () => {
  const app = await buildTestApp()
  const staff = await app.as('staff')
  for (const [method, path, profile, code] of [
    ['GET', 'accounts', 'accept-profile', 'PGRST205'],
    ['POST', 'accounts', 'content-profile', 'PGRST205'],
    ['GET', 'rpc/sleep', 'accept-profile', 'PGRST202'],
    ['POST', 'rpc/sleep', 'content-profile', 'PGRST202'],
  ] as const) {
    const send = async (schema: string) => {
      const headers = { ...staff, [profile]: schema }
      const answer = await app.http.inject({ method, url: `/rest/v1/${path}`, headers })
      return [answer.statusCode, answer.json<{ code: string }>().code]
    }
    expect([method, path, await send('auth'), await send('public')]).toEqual([
      method,
      path,
      [406, 'PGRST106'],
      [404, code],
    ])
  }
})

it('in a /rest/v1 query, parentheses inside quotes and dots in JSON paths are not read as calls or tables', async () => {
  const app = await buildTestApp()
  const headers = await app.as('staff')
  for (const [query, expected] of [
    ['select="a.count()":role_name', { 'a.count()': 'staff' }],
    ['select="a.count()":nothing', 'column user_roles.nothing does not exist'],
    ['select="a(b)"', 'column user_roles.a(b) does not exist'],
    ['role_name->>a.b=eq.x', 'column user_roles.role_name->>a.b does not exist'],
    [
      'select="x:y":accounts(count())',
      "Could not find a relationship between 'user_roles' and 'accounts' in the schema cache",
    ],
  ] as const) {
    const answer = await app.http.inject({ url: `/rest/v1/user_roles?${query}`, headers })
    const body = answer.json<{ message: string } | unknown[]>()
    expect([query, Array.isArray(body) ? body[0] : body.message]).toEqual([query, expected])
  }
})
