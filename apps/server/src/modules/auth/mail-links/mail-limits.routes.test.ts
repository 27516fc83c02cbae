import { expect, it } from 'vitest'
import { buildTestApp } from '../../../../test/support/build-test-app.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

it('a stranger who requests emails for an address neither delays nor uses up the emails of its owner', async () => {
  const app = await buildTestApp()
  const email = 'owner@pegasus.local'
  const ask = async (remoteAddress: string): Promise<unknown> => {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/auth/v1/recover',
      remoteAddress,
      payload: { email },
    })
    return answer.statusCode === 200 ? 200 : answer.json().error_code
  }
  for (let count = 0; count < 12; count += 1) {
    expect(await ask('203.0.113.9')).toBe(count < 10 ? 200 : 'over_email_send_rate_limit')
    app.clock.advance(MINUTE_MS)
  }
  expect([await ask('198.51.100.4'), await ask('198.51.100.4')]).toEqual([200, 'over_email_send_rate_limit'])
})
