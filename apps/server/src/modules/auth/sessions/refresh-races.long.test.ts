import { expect, it } from 'vitest'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { PASSWORD, type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { SECOND_MS } from '../../../platform/clock.ts'

const ROUNDS = 1000
const FAMILIES = 100

/** Returns a storage that several clients share, as the tabs of one browser do. */
function sharedStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

const anApp = () => buildTestApp({ variables: { REQUESTS_PER_SECOND: '100000' } })

/**
 * Returns whether a refresh left a valid session. If another tab has stored a newer session in the meantime, the client
 * discards its own result and uses that session.
 */
const isKept = ({ error }: { error: Error | null }): boolean =>
  error === null || error.name === 'AuthRefreshDiscardedError'

it('two tabs that refresh at the same time, on two replicas, never sign anybody out', async () => {
  const app = await anApp()
  const replica = await app.replica()
  const email = `${await app.anAccount('staff')}@example.com`
  const shared = { storage: sharedStorage(), storageKey: 'tabs', persistSession: true }
  const tabs = await Promise.all([app, replica].map((each) => officialClient(each, shared)))
  const [one] = tabs
  expect((await one?.signInWithPassword({ email, password: PASSWORD }))?.error).toBeNull()
  let signOuts = 0
  for (const tab of tabs)
    tab.onAuthStateChange((event) => {
      if (event === 'SIGNED_OUT') signOuts += 1
    })
  let kept = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const refreshed = await Promise.all(tabs.map((tab) => tab.refreshSession()))
    const people = await Promise.all(tabs.map((tab) => tab.getUser()))
    const sessions = await Promise.all(tabs.map((tab) => tab.getSession()))
    const tokens = new Set(sessions.map(({ data }) => data.session?.access_token))
    const isSame = tokens.size === 1 && !tokens.has(undefined)
    if (refreshed.every(isKept) && people.every(({ error }) => error === null) && isSame) kept += 1
    app.clock.advance(SECOND_MS)
  }
  console.info(`two tabs refreshed at once and stayed signed in ${kept} of ${ROUNDS}`)
  expect([kept, signOuts]).toEqual([ROUNDS, 0])
})

interface Tokens {
  access_token: string
  refresh_token: string
}

const refresh = (app: TestApp, token: string) =>
  app.http.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=refresh_token',
    payload: { refresh_token: token },
  })

it('using a stolen refresh token after the grace interval ends all tokens of its session', async () => {
  const app = await anApp()
  let ended = 0
  for (let family = 0; family < FAMILIES; family += 1) {
    const email = `${await app.anAccount('viewer')}@example.com`
    const signIn = await app.http.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      payload: { email, password: PASSWORD },
    })
    const stolen = signIn.json<Tokens>().refresh_token
    let current = signIn.json<Tokens>()
    // Before the thief uses the stolen token, the owner refreshes one or more times.
    for (let count = 0; count <= family % 5; count += 1)
      current = (await refresh(app, current.refresh_token)).json<Tokens>()
    app.clock.advance(11 * SECOND_MS)
    const reused = await refresh(app, stolen)
    const later = await refresh(app, current.refresh_token)
    const user = await app.http.inject({
      url: '/auth/v1/user',
      headers: { authorization: `Bearer ${current.access_token}` },
    })
    if ([reused, later].every(({ statusCode }) => statusCode === 400) && user.statusCode === 403) ended += 1
  }
  console.info(`sessions ended by a stolen refresh token ${ended} of ${FAMILIES}`)
  expect(ended).toBe(FAMILIES)
})
