import { hash } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { describe, expect, it } from 'vitest'
import { accountId } from '../../../../test/support/accounts/api-keys.ts'
import {
  OWNER_PASSWORD,
  PASSWORD,
  type TestApp,
  buildTestApp,
} from '../../../../test/support/build-test-app.ts'
import { lastLinkTo } from '../../../../test/support/accounts/mails.ts'
import { officialClient } from '../../../../test/support/accounts/official-client.ts'
import { addPasskey, signInWith } from '../../../../test/support/accounts/passkeys.ts'
import { callHosted, enroll, errorCodeOf } from '../../../../test/support/accounts/second-factor.ts'
import { aServiceKey, adminClient, asOwner } from '../../../../test/support/accounts/service-keys.ts'
import { HOUR_MS, SECOND_MS } from '../../../platform/clock.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'
const EMAIL = 'ada@example.com'
/** The error that the official client throws for the code `session_not_found`. */
const SESSION_GONE = 'AuthSessionMissingError'

async function anAdmin(options?: Parameters<typeof buildTestApp>[0]) {
  const app = await buildTestApp(options)
  const { key, id } = await aServiceKey(app)
  return { app, key, keyId: id, admin: await adminClient(app, key) }
}

const roleOf = async (app: TestApp, id: string): Promise<string> => {
  const [row] = await app.database.sql<[{ role: string }]>`select role from people where id = ${id}`
  return row.role
}

/** Returns the actions that the audit has recorded for a service key and an account, oldest first. */
const auditOf = async (app: TestApp, keyId: string, id: string): Promise<string[]> => {
  const rows = await app.database.sql<{ action: string }[]>`
    select action from audit_entries where actor_id = ${keyId} and entity_id = ${id} order by at, id`
  return rows.map(({ action }) => action)
}

const passwordSignIn = async (app: TestApp, email: string, password = PASSWORD) => {
  const client = await officialClient(app)
  const { data, error } = await client.signInWithPassword({ email, password })
  return { client, session: data.session, code: error?.code ?? null }
}

describe('the admin API of the hosted auth protocol', () => {
  it('the official client creates, reads, lists, changes and deletes an account with a secret key', async () => {
    const { app, admin, keyId } = await anAdmin()
    const made = await admin.createUser({
      email: 'Ada@Example.com',
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { full_name: 'Ada L.', color: 'yellow' },
      app_metadata: { team: ['print'] },
    })
    expect(made.error).toBeNull()
    const id = made.data.user?.id ?? ''
    expect(made.data.user).toMatchObject({
      email: EMAIL,
      user_metadata: { full_name: 'Ada L.', color: 'yellow' },
      app_metadata: { provider: 'email', providers: ['email'], team: ['print'] },
      identities: [{ provider: 'email', id }],
    })
    expect(await roleOf(app, id)).toBe('viewer')
    expect((await admin.getUserById(id)).data.user?.email).toBe(EMAIL)
    const first = await passwordSignIn(app, EMAIL)
    expect(first.code).toBeNull()

    const changed = await admin.updateUserById(id, {
      email: 'countess@example.com',
      password: 'another decent phrase',
      user_metadata: { color: null, size: 3 },
      app_metadata: { team: null, plant: 'north' },
    })
    expect(changed.data.user).toMatchObject({
      email: 'countess@example.com',
      user_metadata: { full_name: 'Ada L.', size: 3 },
      app_metadata: { provider: 'email', providers: ['email'], plant: 'north' },
    })
    // A new password ends all sessions of the account.
    expect((await first.client.refreshSession()).error?.code).toBe('refresh_token_not_found')
    const later = await passwordSignIn(app, 'countess@example.com', 'another decent phrase')
    expect(later.code).toBeNull()

    const listed = await admin.listUsers({ page: 1, perPage: 1 })
    expect(listed.data).toMatchObject({ total: 2, nextPage: 2, lastPage: 2, aud: 'authenticated' })
    expect(listed.data.users.map((user) => user.email)).toEqual(['countess@example.com'])
    expect((await admin.listUsers({ page: 3, perPage: 1 })).data.users).toEqual([])

    expect((await admin.deleteUser(id)).error).toBeNull()
    expect((await later.client.getUser()).error?.name).toBe(SESSION_GONE)
    expect((await admin.getUserById(id)).error?.code).toBe('user_not_found')
    expect((await admin.deleteUser(id)).error?.code).toBe('user_not_found')
    expect((await admin.listUsers()).data.users.map((user) => user.email)).toEqual(['owner@pegasus.local'])
    // The address can be used again, and the history still shows the person's name.
    expect((await admin.createUser({ email: 'countess@example.com' })).error).toBeNull()
    const [row] = await app.database.sql`select full_name, status from people where id = ${id}`
    expect(row).toEqual({ full_name: 'Ada L.', status: 'deactivated' })
    expect(await auditOf(app, keyId, id)).toEqual([
      'account.created',
      'email.changed',
      'profile.updated',
      'password.reset',
      'account.deleted',
    ])
    const people = await app.http.inject({ url: '/api/auth/users', headers: await app.as('admin') })
    expect(people.body).not.toContain(id)
    const patch = await app.http.inject({
      method: 'PATCH',
      url: `/api/auth/users/${id}`,
      headers: { ...(await asOwner(app)), 'if-match': '*' },
      payload: { is_active: true },
    })
    expect(patch.statusCode).toBe(404)
  })

  it('the official client lists and removes the passkeys of an account, and the audit records it', async () => {
    const { app, admin, keyId } = await anAdmin()
    const username = await app.anAccount('staff')
    const userId = await accountId(app, username)
    const { device, id } = await addPasskey(app, await app.signIn(username))
    const { data } = await admin.passkey.listPasskeys({ userId })
    expect(data).toMatchObject([{ id, friendly_name: 'Passkey' }])
    expect(await admin.passkey.deletePasskey({ userId, passkeyId: id })).toEqual({ data: null, error: null })
    expect((await admin.passkey.listPasskeys({ userId })).data).toEqual([])
    expect(errorCodeOf(await signInWith(app, device))).toBe('400 webauthn_verification_failed')
    expect((await admin.passkey.deletePasskey({ userId, passkeyId: id })).error?.code).toBe(
      'webauthn_credential_not_found',
    )
    expect(await auditOf(app, keyId, id)).toEqual(['passkey.removed'])
  })

  it('no service key can gain the rights of an admin or owner', async () => {
    const { app, admin } = await anAdmin()
    const [chief, owner] = [await app.anAccount('admin'), 'owner']
    const refused: unknown[] = []
    const noteRefusal = ({ error }: { error: { code?: string | undefined } | null }) =>
      refused.push(error?.code)
    for (const name of [chief, owner]) {
      const id = await accountId(app, name)
      const email = name === owner ? 'owner@pegasus.local' : `${chief}@example.com`
      noteRefusal(await admin.updateUserById(id, { password: 'another decent phrase' }))
      noteRefusal(await admin.updateUserById(id, { email: 'mine@example.com' }))
      noteRefusal(await admin.updateUserById(id, { ban_duration: '1h' }))
      noteRefusal(await admin.deleteUser(id))
      noteRefusal(await admin.generateLink({ type: 'recovery', email }))
      noteRefusal(await admin.generateLink({ type: 'magiclink', email }))
      noteRefusal(await admin.generateLink({ type: 'email_change_new', email, newEmail: 'mine@example.com' }))
      noteRefusal(await admin.mfa.deleteFactor({ userId: id, id: NOBODY }))
      noteRefusal(await admin.passkey.deletePasskey({ userId: id, passkeyId: NOBODY }))
    }
    for (const role of ['admin', 'owner'])
      noteRefusal(await admin.createUser({ email: EMAIL, app_metadata: { role } }))
    const viewer = await accountId(app, await app.anAccount('viewer'))
    noteRefusal(await admin.updateUserById(viewer, { app_metadata: { role: 'owner' } }))
    expect(refused).toEqual(Array.from({ length: 21 }, () => 'not_admin'))
    // Metadata cannot grant permissions. The server also ignores fields that it computes itself.
    const { data } = await admin.createUser({
      email: EMAIL,
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { role: 'owner', permissions: { can_manage_users: true } },
      app_metadata: { provider: 'saml', roles: ['owner'], role: 'staff' },
    })
    expect(data.user?.user_metadata).toEqual({})
    expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'], roles: ['owner'] })
    expect(await roleOf(app, data.user?.id ?? '')).toBe('staff')
    await admin.updateUserById(data.user?.id ?? '', { app_metadata: { role: 'viewer' } })
    expect(await roleOf(app, data.user?.id ?? '')).toBe('viewer')
    // A new account does not become the first owner, even if its id sorts before all others.
    app.clock.advance(SECOND_MS)
    const early = '00000000-0000-4000-8000-000000000001'
    await admin.createUser({ id: early, email: 'early@example.com' })
    expect((await app.auth.owner.ensure(app.config.owner)).username).toBe('owner')
    expect((await passwordSignIn(app, 'owner@pegasus.local', OWNER_PASSWORD)).code).toBeNull()
  })

  it('generated links of every type work only once and send no email', async () => {
    const { app, admin, keyId } = await anAdmin()
    const client = () => officialClient(app)
    const linkOf = async (request: Parameters<typeof admin.generateLink>[0]) => {
      const { data, error } = await admin.generateLink(request)
      if (error) throw error
      return { ...data.properties, user: data.user }
    }
    const signUp = await linkOf({
      type: 'signup',
      email: EMAIL,
      password: PASSWORD,
      options: { data: { a: 1 } },
    })
    expect(signUp.user).toMatchObject({ email: EMAIL, user_metadata: { a: 1 } })
    expect(signUp.user?.email_confirmed_at).toBeUndefined()
    expect(signUp.action_link).toBe(
      `${app.config.publicUrl}/auth/v1/verify?token=${signUp.hashed_token}&type=signup&redirect_to=${encodeURIComponent(`${app.config.publicUrl}/`)}`,
    )
    expect((await passwordSignIn(app, EMAIL)).code).toBe('email_not_confirmed')
    const verified = await (await client()).verifyOtp({
      token_hash: signUp.hashed_token ?? '',
      type: 'signup',
    })
    expect(verified.data.user?.email_confirmed_at).toBeTruthy()
    expect((await passwordSignIn(app, EMAIL)).code).toBeNull()

    const magic = await linkOf({ type: 'magiclink', email: EMAIL })
    const byCode = await (await client()).verifyOtp({
      email: EMAIL,
      token: magic.email_otp ?? '',
      type: 'email',
    })
    expect(byCode.data.session).not.toBeNull()
    const again = await (await client()).verifyOtp({
      token_hash: magic.hashed_token ?? '',
      type: 'magiclink',
    })
    expect(again.error?.code).toBe('otp_expired')

    const recovery = await linkOf({ type: 'recovery', email: EMAIL })
    const path = new URL(recovery.action_link ?? '')
    const followed = await app.http.inject(`${path.pathname}${path.search}`)
    expect([followed.statusCode, String(followed.headers.location)]).toEqual([
      303,
      expect.stringContaining('type=recovery'),
    ])

    const change = await linkOf({ type: 'email_change_current', email: EMAIL, newEmail: 'new@example.com' })
    expect([change.user?.new_email, change.verification_type]).toEqual([
      'new@example.com',
      'email_change_current',
    ])
    await (await client()).verifyOtp({ token_hash: change.hashed_token ?? '', type: 'email_change' })
    expect((await passwordSignIn(app, 'new@example.com')).code).toBeNull()

    const invite = await linkOf({ type: 'invite', email: 'guest@example.com' })
    expect(invite.user?.invited_at).toBeTruthy()
    const guest = await client()
    await guest.verifyOtp({ token_hash: invite.hashed_token ?? '', type: 'invite' })
    expect((await guest.updateUser({ password: PASSWORD })).error).toBeNull()
    const unknown = await linkOf({ type: 'magiclink', email: 'fresh@example.com' })
    expect(unknown.verification_type).toBe('signup')
    expect(await app.database.sql`select id from outbox_mails`).toEqual([])
    expect(await auditOf(app, keyId, signUp.user?.id ?? '')).toEqual([
      'account.created',
      ...Array.from({ length: 4 }, () => 'account.link_issued'),
    ])
    const written = JSON.stringify(await app.database.sql`select * from audit_entries`)
    for (const { hashed_token: token, email_otp: code } of [signUp, magic, recovery, change, invite]) {
      expect(written).not.toContain(token)
      expect(written).not.toContain(code)
    }
  })

  it('a program with a service key can mail an invitation, and can repeat it only after a waiting time', async () => {
    const { app, admin, key, keyId } = await anAdmin()
    const { data, error } = await admin.inviteUserByEmail(EMAIL, { data: { full_name: 'Ada L.' } })
    expect([error, data.user?.user_metadata]).toEqual([null, { full_name: 'Ada L.' }])
    expect(data.user?.invited_at).toBeTruthy()
    const { token } = await lastLinkTo(app, EMAIL)
    expect((await admin.inviteUserByEmail(EMAIL)).error?.code).toBe('over_email_send_rate_limit')
    app.clock.advance(61 * SECOND_MS)
    expect((await admin.inviteUserByEmail(EMAIL)).error).toBeNull()
    const stale = await callHosted(app, 'POST /verify', key, {
      payload: { type: 'invite', token_hash: token },
    })
    expect(errorCodeOf(stale)).toBe('403 otp_expired')
    const client = await officialClient(app)
    await client.verifyOtp({ token_hash: (await lastLinkTo(app, EMAIL)).token, type: 'invite' })
    expect((await client.updateUser({ password: PASSWORD })).error).toBeNull()
    app.clock.advance(61 * SECOND_MS)
    expect((await admin.inviteUserByEmail(EMAIL)).error?.code).toBe('email_exists')
    expect(await auditOf(app, keyId, data.user?.id ?? '')).toEqual([
      'account.created',
      'account.invited',
      'account.invited',
    ])
    // A stranger who signed up knows the password of the account, so an invitation must not approve the account.
    await (await officialClient(app)).signUp({ email: 'other@example.com', password: PASSWORD })
    expect((await admin.inviteUserByEmail('other@example.com')).error?.code).toBe('email_exists')
  })

  it('a ban ends all sessions, and ends after its duration or when somebody lifts it', async () => {
    const { app, admin, keyId } = await anAdmin()
    const username = await app.anAccount('staff')
    const [id, email] = [await accountId(app, username), `${username}@example.com`]
    const { client } = await passwordSignIn(app, email)
    const { data } = await admin.updateUserById(id, { ban_duration: '1h30m' })
    expect(data.user).toMatchObject({
      banned_until: new Date(app.clock.now().getTime() + 1.5 * HOUR_MS).toISOString(),
    })
    expect((await client.getUser()).error?.name).toBe(SESSION_GONE)
    expect((await passwordSignIn(app, email)).code).toBe('invalid_credentials')
    await app.auth.purge()
    expect((await passwordSignIn(app, email)).code).toBe('invalid_credentials')
    app.clock.advance(1.5 * HOUR_MS)
    await app.auth.purge()
    expect((await passwordSignIn(app, email)).code).toBeNull()
    await admin.updateUserById(id, { ban_duration: '876000h' })
    expect((await admin.updateUserById(id, { ban_duration: 'none' })).data.user).not.toHaveProperty(
      'banned_until',
    )
    expect((await passwordSignIn(app, email)).code).toBeNull()
    expect(await auditOf(app, keyId, id)).toEqual([
      'account.deactivated',
      'account.deactivated',
      'account.reactivated',
    ])
  })

  it('a service key can list and remove factors, and can import an account with its password hash', async () => {
    const { app, admin, keyId } = await anAdmin()
    const username = await app.anAccount('staff')
    const id = await accountId(app, username)
    const { factorId } = await enroll(app, await app.signIn(username), 'Phone')
    const listed = await admin.mfa.listFactors({ userId: id })
    expect(listed.data?.factors).toMatchObject([
      { id: factorId, friendly_name: 'Phone', status: 'unverified' },
    ])
    expect((await admin.mfa.deleteFactor({ userId: id, id: factorId })).error).toBeNull()
    expect((await admin.mfa.listFactors({ userId: id })).data?.factors).toEqual([])
    expect((await admin.mfa.deleteFactor({ userId: id, id: factorId })).error?.code).toBe(
      'mfa_factor_not_found',
    )
    expect(await auditOf(app, keyId, factorId)).toEqual(['factor.removed'])
    const passwordHash = await hash(PASSWORD, { memoryCost: 1024, timeCost: 1, parallelism: 1 })
    await admin.createUser({ email: EMAIL, password_hash: passwordHash, email_confirm: true })
    const { session, code } = await passwordSignIn(app, EMAIL)
    expect(code).toBeNull()
    // A program can sign a person out with that person's access token.
    expect((await admin.signOut(session?.access_token ?? '', 'global')).error).toBeNull()
    expect((await admin.signOut(session?.access_token ?? '')).error?.name).toBe(SESSION_GONE)
    expect((await admin.signOut('garbage')).error?.message).toMatch(/^invalid JWT/)
  })

  it('an imported bcrypt hash admits its person, and becomes an argon2id hash at the first sign-in', async () => {
    const { app, admin } = await anAdmin()
    const imported = await bcrypt(PASSWORD, 4)
    // Other systems use different prefixes for the same algorithm.
    for (const prefix of ['$2a$', '$2b$', '$2y$']) {
      const email = `${prefix.slice(1, 3)}@example.com`
      const fields = { email, password_hash: imported.replace('$2b$', prefix), email_confirm: true }
      expect((await admin.createUser(fields)).error).toBeNull()
      const storedHash = async () => {
        const rows = await app.database.sql<{ password_hash: string }[]>`
          select password_hash from accounts where email = ${email}`
        return rows[0]?.password_hash
      }
      expect((await passwordSignIn(app, email, 'another decent phrase')).session).toBeNull()
      expect(await storedHash()).toBe(fields.password_hash)
      // The two sign-ins run in parallel, so both may find the imported hash.
      const both = await Promise.all([passwordSignIn(app, email), passwordSignIn(app, email)])
      expect(both.map(({ code }) => code)).toEqual([null, null])
      expect(await storedHash()).toMatch(/^\$argon2id\$/)
      expect((await passwordSignIn(app, email)).code).toBeNull()
      expect((await passwordSignIn(app, email, 'another decent phrase')).session).toBeNull()
    }
  })

  it('redirects of generated links lead only to our own origin', async () => {
    const { app, admin } = await anAdmin({ variables: { PUBLIC_URL: 'https://ops.example.com' } })
    const targets: (string | undefined)[] = []
    for (const [at, redirectTo] of [
      'https://ops.example.com/scan',
      'https://evil.example/',
      'javascript:1',
    ].entries()) {
      const email = `${at}@example.com`
      const { data } = await admin.generateLink({ type: 'magiclink', email, options: { redirectTo } })
      targets.push(data.properties?.redirect_to)
    }
    expect(targets).toEqual([
      'https://ops.example.com/scan',
      'https://ops.example.com/',
      'https://ops.example.com/',
    ])
    expect(app.config.publicUrl).toBe('https://ops.example.com')
  })
})
