import { expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { createLiveSessionLookUp } from './live-sessions.ts'

/**
 * Returns a session that was used often enough to be cached. For such a session, the server asks the database only
 * whether anything was committed.
 */
async function aKnownSession(app: TestApp) {
  const username = await app.anAccount('viewer')
  const headers = { authorization: `Bearer ${await app.signIn(username)}` }
  const ask = async () => {
    const { statusCode, body } = await app.http.inject({ url: '/api/auth/me', headers })
    return statusCode === 200 ? (JSON.parse(body) as { role: string; full_name: string }) : statusCode
  }
  for (let times = 0; times < 4; times += 1) await ask()
  const [account] = await app.database.sql<[{ id: string }]>`
    select id from accounts where username = ${username}`
  return { accountId: account.id, ask }
}

it('a change of an account takes effect with the next request, even while the account is in use', async () => {
  const app = await buildTestApp()
  const { sql } = app.database
  const { accountId, ask } = await aKnownSession(app)
  expect(await ask()).toMatchObject({ role: 'viewer', full_name: 'The viewer' })
  await sql`update user_roles set role_name = 'staff' where user_id = ${accountId}`
  expect(await ask()).toMatchObject({ role: 'staff' })
  await sql`update profiles set full_name = 'Another' where account_id = ${accountId}`
  expect(await ask()).toMatchObject({ full_name: 'Another' })
  await sql`update accounts set is_active = false where id = ${accountId}`
  expect(await ask()).toBe(401)
  await sql`update accounts set is_active = true where id = ${accountId}`
  expect(await ask()).toMatchObject({ role: 'staff' })
  await sql`delete from sessions where account_id = ${accountId}`
  expect(await ask()).toBe(401)
})

it('a session that is in use ends at its time limit, even if nothing is committed to the database at that time', async () => {
  const app = await buildTestApp()
  const { accountId, ask } = await aKnownSession(app)
  const endsAt = addMs(app.clock.now(), 10 * MINUTE_MS)
  await app.database.sql`update sessions set ends_at = ${endsAt} where account_id = ${accountId}`
  for (let times = 0; times < 4; times += 1) expect(await ask()).toMatchObject({ role: 'viewer' })
  app.clock.advance(10 * MINUTE_MS - 1)
  expect(await ask()).toMatchObject({ role: 'viewer' })
  app.clock.advance(1)
  expect(await ask()).toBe(401)
})

it('a session gets a change of its account only after the change is committed', async () => {
  const app = await buildTestApp()
  const { accountId, ask } = await aKnownSession(app)
  await app.database.transaction(async (tx) => {
    await tx`update user_roles set role_name = 'staff' where user_id = ${accountId}`
    for (let times = 0; times < 4; times += 1) expect(await ask()).toMatchObject({ role: 'viewer' })
  })
  expect(await ask()).toMatchObject({ role: 'staff' })
})

it('the session look-up after a change is one statement, and later look-ups only read the state of the database', async () => {
  const app = await buildTestApp()
  const { accountId } = await aKnownSession(app)
  const { sql } = app.database
  const [session] = await sql<[{ id: string }]>`select id from sessions where account_id = ${accountId}`
  const sent: string[] = []
  const counted = Object.assign((strings: TemplateStringsArray, ...values: never[]) => {
    const [start = ''] = strings
    if (/^\s*select /.test(start)) sent.push(start.includes('row_to_json') ? 'session' : 'state')
    return sql(strings, ...values)
  }, sql) as Database['sql']
  const { clock } = app
  const find = createLiveSessionLookUp({ database: { sql: counted, lostConnections: () => 0 }, clock })
  for (let round = 0; round < 3; round += 1) {
    expect(await find(session.id)).not.toBeNull()
    await sql`update accounts set revision = revision + 1 where id = ${accountId}`
    // The look-up above is that of a request for a change, and this is that of a request for the list afterwards.
    expect((await find(session.id))?.row.revision).toBeGreaterThan(round)
  }
  expect(sent).toEqual(Array(6).fill('session'))
  for (let times = 0; times < 4; times += 1) await find(session.id)
  expect(sent.slice(6)).toEqual(['session', 'session', 'state', 'state'])
})
