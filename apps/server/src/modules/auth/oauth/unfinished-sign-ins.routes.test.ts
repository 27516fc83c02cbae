import { describe, expect, it } from 'vitest'
import { Browser } from '../../../../test/support/accounts/providers/browser.ts'
import {
  anAppWithProvider as anApp,
  isHome,
  pkceClient,
} from '../../../../test/support/accounts/providers/provider-app.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

describe('unfinished sign-ins through a provider', () => {
  it('the tokens of the provider are deleted if nobody exchanges the code within five minutes', async () => {
    const { app } = await anApp()
    const client = await pkceClient(app)
    const options = { skipBrowserRedirect: true }
    const { data } = await client.signInWithOAuth({ provider: 'keycloak', options })
    const asked = new URL(data.url ?? '')
    await new Browser(app).follow(asked.pathname + asked.search, isHome)
    const kept = async () =>
      (await app.database.sql`select 1 from flow_states where provider_tokens_sealed is not null`).length
    await app.auth.purge()
    expect(await kept()).toBe(1)
    app.clock.advance(5 * MINUTE_MS)
    await app.auth.purge()
    expect(await kept()).toBe(0)
  })

  it('only a limited number of states of provider sign-ins can be guessed from one IP address', async () => {
    const { app } = await anApp()
    const statuses: number[] = []
    for (let number = 0; number < 62; number += 1) {
      const answer = await app.http.inject(`/auth/v1/callback?code=1&state=${crypto.randomUUID()}`)
      statuses.push(answer.statusCode)
    }
    expect(statuses).toEqual([...Array<number>(60).fill(303), 429, 429])
  })
})
