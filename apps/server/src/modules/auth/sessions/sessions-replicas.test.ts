import { expect, it } from 'vitest'
import { OWNER_PASSWORD, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { isLongRun } from '../../../../test/process/product-process.ts'

const BESIDE = 8

it('a new role or a sign-out takes effect on another server with the next request, even while many other requests are running', async () => {
  const app = await buildTestApp({ variables: { REQUESTS_PER_SECOND: '100000' } })
  const other = await app.replica()
  const owner = {
    authorization: `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}`,
    'if-match': '*',
  }
  const username = await app.anAccount('viewer')
  const [{ id }] = await app.database.sql<
    [{ id: string }]
  >`select id from accounts where username = ${username}`
  const rounds = isLongRun ? 500 : 100
  let wrong = 0
  for (let round = 0; round < rounds; round += 1) {
    const session = { authorization: `Bearer ${await app.signIn(username)}` }
    const role = round % 2 === 0 ? 'staff' : 'viewer'
    const ask = () => other.http.inject({ url: '/api/filament', headers: session })
    const create = () =>
      other.http.inject({ method: 'POST', url: '/api/inventory', headers: session, payload: {} })
    // These requests look up the session all the time. Without care, other requests could get a result from before the
    // change.
    const beside = Array.from({ length: BESIDE }, ask)
    const changed = await app.http.inject({
      method: 'PATCH',
      url: `/api/auth/users/${id}`,
      headers: owner,
      payload: { role },
    })
    expect(changed.statusCode).toBe(200)
    const [created] = await Promise.all([create(), ...Array.from({ length: BESIDE }, ask)])
    if (created.statusCode !== (role === 'staff' ? 422 : 403)) wrong += 1
    const signedOut = await app.http.inject({
      method: 'POST',
      url: '/auth/v1/logout?scope=local',
      headers: session,
    })
    expect(signedOut.statusCode).toBe(204)
    const [after] = await Promise.all([create(), ...Array.from({ length: BESIDE }, ask)])
    if (after.statusCode !== 401) wrong += 1
    await Promise.all(beside)
  }
  console.info(`sessions on two servers: ${2 * rounds - wrong} of ${2 * rounds} changes held at once`)
  expect(wrong).toBe(0)
}, 300_000)
