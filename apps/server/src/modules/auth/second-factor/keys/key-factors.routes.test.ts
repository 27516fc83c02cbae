import { describe, expect, it, vi } from 'vitest'
import { PASSWORD, buildTestApp } from '../../../../../test/support/build-test-app.ts'
import { anAccountWithKey, enrollKey, proveKey } from '../../../../../test/support/accounts/key-factors.ts'
import { officialClient } from '../../../../../test/support/accounts/official-client.ts'
import {
  callHosted,
  claimsOf,
  enroll,
  errorCodeOf,
  factorsOf,
  getMe,
  passSecondStep,
  signInHosted,
} from '../../../../../test/support/accounts/second-factor.ts'
import { KEY_SITE, SecurityKey, inBrowserForm } from '../../../../../test/support/accounts/security-key.ts'

describe('a security key as a second factor', () => {
  describe('valid security key requests', () => {
    it('a security key is registered and used with the official client, and required from then on', async () => {
      const app = await buildTestApp()
      const username = await app.anAccount('staff')
      const signedIn = async () => {
        const client = await officialClient(app)
        const email = `${username}@example.com`
        expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
        return client
      }
      const client = await signedIn()
      const key = new SecurityKey()
      const enrolled = await client.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Yubi' })
      expect(enrolled.data).toMatchObject({ type: 'webauthn', friendly_name: 'Yubi' })
      const factorId = enrolled.data?.id ?? ''
      const asked = await client.mfa.challenge({ factorId, webauthn: KEY_SITE })
      expect(asked.data).toMatchObject({
        type: 'webauthn',
        webauthn: {
          type: 'create',
          credential_options: {
            publicKey: { rp: { id: 'localhost', name: 'Pegasus Ops' }, attestation: 'none' },
          },
        },
      })
      expect((asked.data?.expires_at ?? 0) - Math.floor(app.clock.now().getTime() / 1000)).toBe(300)
      if (asked.data?.webauthn.type !== 'create') throw new Error('no creation')
      const toCreate = asked.data.webauthn.credential_options.publicKey
      const json = {
        ...toCreate,
        challenge: Buffer.from(toCreate.challenge).toString('base64url'),
        user: { ...toCreate.user, id: Buffer.from(toCreate.user.id as ArrayBuffer).toString('base64url') },
      }
      const verified = await client.mfa.verify({
        factorId,
        challengeId: asked.data.id,
        webauthn: {
          ...KEY_SITE,
          type: 'create',
          credential_response: inBrowserForm(key.create(json as never)),
        },
      })
      expect(verified.error).toBeNull()
      const level = await client.mfa.getAuthenticatorAssuranceLevel()
      expect([level.data?.currentLevel, level.data?.nextLevel]).toEqual(['aal2', 'aal2'])
      expect(
        level.data?.currentAuthenticationMethods.map((entry) =>
          typeof entry === 'string' ? entry : entry.method,
        ),
      ).toEqual(['mfa/webauthn', 'password'])
      expect((await client.mfa.listFactors()).data?.webauthn).toMatchObject([
        { id: factorId, status: 'verified', factor_type: 'webauthn', friendly_name: 'Yubi' },
      ])

      const later = await signedIn()
      const token = (await later.getSession()).data.session?.access_token ?? ''
      expect(errorCodeOf(await getMe(app, token))).toBe('403 insufficient_aal')
      const again = await later.mfa.challenge({ factorId, webauthn: KEY_SITE })
      if (again.data?.webauthn.type !== 'request') throw new Error('no request')
      const { challenge } = again.data.webauthn.credential_options.publicKey
      const options = { challenge: Buffer.from(challenge).toString('base64url'), rpId: 'localhost' }
      const done = await later.mfa.verify({
        factorId,
        challengeId: again.data.id,
        webauthn: {
          ...KEY_SITE,
          type: 'request',
          credential_response: inBrowserForm(key.get(options as never)),
        },
      })
      expect(done.error).toBeNull()
      const me = await getMe(app, done.data?.access_token ?? '')
      expect(me.json()).toMatchObject({ username, second_factor: true })

      expect((await later.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })
      expect((await later.mfa.listFactors()).data?.all).toEqual([])
      const [row] = await app.database.sql`select count(*)::int as left from webauthn_credentials`
      expect(row).toEqual({ left: 0 })
    })

    it('an account registers a security key once, and the key suffices as its second factor beside an app', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithKey(app)
      const token = person.session.access_token
      const second = await enrollKey(app, token, 'Second')
      const answer = await callHosted(app, `POST /factors/${second}/challenge`, token)
      const { publicKey } = answer.json().webauthn.credential_options
      expect(publicKey.excludeCredentials.map(({ id }: { id: string }) => id)).toEqual([
        person.key.id.toString('base64url'),
      ])
      const phone = await enroll(app, token, 'Phone')
      const raised = await passSecondStep(app, token, phone)
      const { access_token: plain } = await signInHosted(app, person.email)
      const proved = await proveKey(app, plain, person)
      expect(claimsOf(proved.json().access_token).aal).toBe('aal2')
      expect((await factorsOf(app, raised.access_token)).map(({ factor_type: type }) => type).sort()).toEqual(
        ['totp', 'webauthn'],
      )
    })

    it('the server ignores the attestation of a security key and calls no address in it', async () => {
      const network = vi.spyOn(globalThis, 'fetch')
      const app = await buildTestApp()
      const token = await app.signIn(await app.anAccount('viewer'))
      const factor = { factorId: await enrollKey(app, token), key: new SecurityKey() }
      const statement = new Map<string, string>([['x5c', 'http://169.254.169.254/latest']])
      const answer = await proveKey(app, token, factor, { attestation: { fmt: 'packed', statement } })
      expect([errorCodeOf(answer), network.mock.calls]).toEqual(['200', []])
    })

    it('the list of accounts shows administrators which accounts have a security key as second factor', async () => {
      const app = await buildTestApp()
      const person = await anAccountWithKey(app)
      const admin = await app.as('admin')
      const list = await app.http.inject({ url: '/api/auth/users', headers: admin })
      const row = list
        .json<{ username: string; has_second_factor: boolean }[]>()
        .find(({ username }) => username === person.username)
      expect(row?.has_second_factor).toBe(true)
    })
  })
})
