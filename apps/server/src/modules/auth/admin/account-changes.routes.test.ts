import type { User } from '@pegasus/contracts/users/users'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'

const userOf = async (app: TestApp, username: string): Promise<User> => {
  const [row] = await app.database.sql<[{ id: string }]>`select id from accounts where username = ${username}`
  const url = `/api/auth/users/${row.id}`
  return (await app.http.inject({ url, headers: await app.as('admin') })).json()
}

describe('an account update that changes nothing', () => {
  it('an account update that changes nothing keeps the revision and writes no audit entry', async () => {
    const app = await buildTestApp()
    const headers = await app.as('admin')
    const before = await userOf(app, await app.anAccount('staff'))
    const entries = async () =>
      (await entriesOf(app)).filter((entry) => entry.entity_id === before.id).map(({ action }) => action)
    const written = await entries()
    const { role, system_access, is_active, approved } = before
    for (const payload of [{}, { role }, { role, system_access, is_active, approved }]) {
      const answer = await app.http.inject({
        method: 'PATCH',
        url: `/api/auth/users/${before.id}`,
        headers: { ...headers, 'if-match': `"${before.revision}"` },
        payload,
      })
      expect([answer.statusCode, answer.headers.etag, answer.json()]).toEqual([
        200,
        `"${before.revision}"`,
        before,
      ])
    }
    expect(await entries()).toEqual(written)
  })
})
