import type { HostedSession } from '@pegasus/contracts/auth/hosted-auth'
import { describe, expect, it } from 'vitest'
import { PASSWORD, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { addPasskey, signInWith } from '../../../../test/support/accounts/passkeys.ts'
import {
  anAccountWithFactor,
  claimsOf,
  errorCodeOf,
  getMe,
  passSecondStep,
} from '../../../../test/support/accounts/second-factor.ts'
import { SecurityKey } from '../../../../test/support/accounts/security-key.ts'

describe('passkeys', () => {
  describe('valid passkey requests', () => {
    it('a passkey is added, listed, renamed, used and removed with the official client', async () => {
      const app = await buildTestApp()
      const username = await app.anAccount('staff')
      const client = await officialClient(app)
      await client.signInWithPassword({ email: `${username}@example.com`, password: PASSWORD })
      const device = new SecurityKey()
      const started = await client.passkey.startRegistration()
      expect(started.data?.options).toMatchObject({
        rp: { id: 'localhost' },
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      const { challenge_id: challengeId = '', options, expires_at: expiresAt = 0 } = started.data ?? {}
      expect(expiresAt - Math.floor(app.clock.now().getTime() / 1000)).toBe(300)
      const credential = device.create(options as never) as never
      const added = await client.passkey.verifyRegistration({ challengeId, credential })
      expect(added.data).toMatchObject({ friendly_name: 'Passkey' })
      const passkeyId = added.data?.id ?? ''
      const renamed = await client.passkey.update({ passkeyId, friendlyName: 'Phone' })
      expect(renamed.data).toMatchObject({ id: passkeyId, friendly_name: 'Phone' })

      const stranger = await officialClient(app)
      const asked = await stranger.passkey.startAuthentication()
      expect(asked.data?.options).toMatchObject({ rpId: 'localhost', allowCredentials: [] })
      const signed = await stranger.passkey.verifyAuthentication({
        challengeId: asked.data?.challenge_id ?? '',
        credential: device.get(asked.data?.options as never) as never,
      })
      expect(signed.error).toBeNull()
      expect(signed.data?.session?.user.email).toBe(`${username}@example.com`)
      const token = signed.data?.session?.access_token ?? ''
      expect((await getMe(app, token)).json()).toMatchObject({ username })
      expect([claimsOf(token).aal, claimsOf(token).amr.map(({ method }) => method)]).toEqual([
        'aal1',
        ['passkey'],
      ])
      const list = await stranger.passkey.list()
      expect(list.data).toMatchObject([{ id: passkeyId, friendly_name: 'Phone' }])
      expect(list.data?.[0]?.last_used_at).toBeDefined()
      expect((await stranger.passkey.delete({ passkeyId })).error).toBeNull()
      expect((await client.passkey.list()).data).toEqual([])
      expect(errorCodeOf(await signInWith(app, device))).toBe('400 webauthn_verification_failed')

      const audited = (await entriesOf(app)).map(({ action, after }) => [action, after?.['method']])
      expect(audited).toContainEqual(['passkey.added', undefined])
      expect(audited).toContainEqual(['session.opened', 'passkey'])
      expect(audited).toContainEqual(['passkey.removed', undefined])
    })

    it('a passkey replaces the password but not the second factor', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithFactor(app)
      const { device } = await addPasskey(app, person.session.access_token)
      const { access_token: token } = (await signInWith(app, device)).json<HostedSession>()
      expect(errorCodeOf(await getMe(app, token))).toBe('403 insufficient_aal')
      const raised = await passSecondStep(app, token, person)
      expect((await getMe(app, raised.access_token)).statusCode).toBe(200)
    })

    it('GET /settings and the configuration show whether passkeys are offered', async () => {
      const offers: unknown[] = []
      for (const variables of [
        {},
        { GOTRUE_PASSKEY_ENABLED: 'false' },
        { PUBLIC_URL: 'http://10.0.0.5:3000' },
      ] as Record<string, string>[]) {
        const app = await buildTestApp({ variables })
        const settings = (await app.http.inject('/auth/v1/settings')).json()
        const config = (await app.http.inject('/api/config')).json()
        offers.push([settings.passkeys_enabled, config.passkeys])
      }
      expect(offers).toEqual([
        [true, true],
        [false, false],
        [false, false],
      ])
    })
  })
})
