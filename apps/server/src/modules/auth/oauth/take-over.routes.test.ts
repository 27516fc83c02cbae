import { describe, expect, it } from 'vitest'
import { aKey, readsWith } from '../../../../test/support/accounts/api-keys.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { Browser } from '../../../../test/support/accounts/providers/browser.ts'
import {
  ADA,
  fragmentIn,
  isHome,
  anAppWithProvider as anApp,
} from '../../../../test/support/accounts/providers/provider-app.ts'
import { PASSWORD, type TestApp } from '../../../../test/support/build-test-app.ts'

const AUTHORIZE = '/auth/v1/authorize?provider=keycloak'

/** Creates the account of an employee whose email address nobody has verified. */
async function anUnprovedAccount(app: TestApp): Promise<string> {
  const username = await app.anAccount('staff')
  await app.database.sql`update accounts set email_proved_at = null where username = ${username}`
  return username
}

describe('accounts whose address nobody has verified', () => {
  it('a password planted on an account stops working when the owner of the address signs in', async () => {
    const { app } = await anApp()
    const attacker = await officialClient(app)
    await attacker.signUp({ email: ADA.email, password: PASSWORD })
    expect((await attacker.getUser()).error).toBeNull()
    const landed = await new Browser(app).follow(AUTHORIZE, isHome)
    expect(fragmentIn(landed)['access_token']).toBeTruthy()
    expect((await attacker.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await attacker.signInWithPassword({ email: ADA.email, password: PASSWORD })).error?.code).toBe(
      'invalid_credentials',
    )
    const rows = await app.database.sql`
      select password_hash, app_metadata->>'providers' as providers from accounts where email = ${ADA.email}`
    expect(rows).toEqual([{ password_hash: null, providers: '["email", "keycloak"]' }])
  })

  it('nobody can take over an employee account that has a password', async () => {
    const { app, server } = await anApp()
    const username = await anUnprovedAccount(app)
    server.person = { ...ADA, email: `${username}@example.com` }
    const landed = await new Browser(app).follow(AUTHORIZE, isHome)
    expect(fragmentIn(landed)).toMatchObject({ error_code: 'email_exists' })
    expect(await app.signIn(username, PASSWORD)).toBeTruthy()
  })

  it('taking over an account ends its sessions and API keys, and is audited', async () => {
    const { app, server } = await anApp()
    const username = await anUnprovedAccount(app)
    const token = await app.signIn(username, PASSWORD)
    const { key } = await aKey(app, { username })
    expect(await readsWith(app, key)).toBe(200)
    await app.database.sql`update accounts set password_hash = null where username = ${username}`
    server.person = { ...ADA, email: `${username}@example.com` }
    const landed = await new Browser(app).follow(AUTHORIZE, isHome)
    expect(fragmentIn(landed)['access_token']).toBeTruthy()
    expect(await readsWith(app, key)).toBe(401)
    const old = await app.http.inject({
      url: '/api/auth/me',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(old.statusCode).toBe(401)
    const audit = await app.database.sql`select after from audit_entries where action = 'identity.linked'`
    const takeOver = { took_over: true, ended_sessions: 1, disabled_keys: 1 }
    expect(audit).toEqual([{ after: { provider: 'Keycloak', by: 'email', ...takeOver } }])
  })

  it('a provider identity is never linked to an account without an email address', async () => {
    const { app, server } = await anApp()
    const username = await app.anAccount('viewer')
    await app.database.sql`
      update accounts set has_email = false where username = ${username}`
    for (const email of [`${username}@example.com`, 'owner@pegasus.local']) {
      server.person = { ...ADA, email }
      const landed = await new Browser(app).follow(AUTHORIZE, isHome)
      expect(fragmentIn(landed)).toMatchObject({ error_code: 'email_exists' })
    }
    expect(await app.database.sql`select 1 from identities where provider = 'keycloak'`).toHaveLength(0)
  })
})
