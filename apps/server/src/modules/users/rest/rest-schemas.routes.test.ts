import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'

it('calls of other tables and functions are refused by their schema first, then by their name', async () => {
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
