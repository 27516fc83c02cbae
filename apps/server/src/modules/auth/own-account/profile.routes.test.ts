import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import { describe, expect, it } from 'vitest'
import {
  OWNER_PASSWORD,
  PASSWORD,
  type TestApp,
  buildTestApp,
} from '../../../../test/support/build-test-app.ts'
import { aMailServer, linkIn } from '../../../../test/servers/mail-server.ts'
import { fragmentOf, lastLinkTo } from '../../../../test/support/accounts/mails.ts'
import { DAY_MS, MINUTE_MS } from '../../../platform/clock.ts'

type Headers = Record<string, string>

const put = (app: TestApp, headers: Headers, payload: Record<string, unknown>) =>
  app.http.inject({ method: 'PUT', url: '/api/auth/profile', headers, payload })

const getMe = async (app: TestApp, headers: Headers): Promise<CurrentUser> =>
  (await app.http.inject({ url: '/api/auth/me', headers })).json()

const withMail = (url: string) =>
  buildTestApp({ variables: { SMTP_URL: url, MAIL_FROM: 'Pegasus Ops <ops@example.com>' } })

describe('PUT /api/auth/profile', () => {
  describe('valid profile requests', () => {
    it('a profile update changes name and email, keeps omitted fields, and returns the account like /api/auth/me', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const named = await put(app, staff, { full_name: '  Ada Lovelace ' })
      expect(named.json()).toMatchObject({
        full_name: 'Ada Lovelace',
        email: 'staff-1@example.com',
        role: 'staff',
        new_email: null,
        revision: 2,
      })
      const mailed = await put(app, staff, { email: ' ADA@Example.com ' })
      expect(mailed.json()).toMatchObject({ full_name: 'Ada Lovelace', email: 'ada@example.com' })
      expect(mailed.json()).toEqual(await getMe(app, staff))
      expect(await app.signIn('ada@example.com')).toBeTruthy()
      const same = await put(app, staff, { full_name: 'Ada Lovelace', email: 'ada@example.com' })
      expect([same.statusCode, same.json().revision]).toEqual([200, mailed.json().revision])
      expect((await put(app, staff, { full_name: '' })).json().full_name).toBe('')
    })

    it('a profile update checks If-Match if it is sent, and returns the current state for an outdated revision', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const me = await app.http.inject({ url: '/api/auth/me', headers: staff })
      const guarded = { ...staff, 'if-match': String(me.headers.etag) }
      const first = await put(app, guarded, { full_name: 'First' })
      expect([first.statusCode, first.headers.etag]).toEqual([200, '"2"'])
      const stale = await put(app, guarded, { full_name: 'Second' })
      expect([stale.statusCode, stale.json().current.full_name]).toEqual([412, 'First'])
    })

    it('a new email address stays pending until it is confirmed, provided that the server can send emails', async () => {
      const server = await aMailServer()
      const app = await withMail(server.url)
      const staff = await app.as('staff')
      const answer = await put(app, staff, { full_name: 'Ada', email: 'ada@example.org' })
      expect(answer.json()).toMatchObject({
        full_name: 'Ada',
        email: 'staff-1@example.com',
        new_email: 'ada@example.org',
        revision: 3,
      })
      await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(2)
      const confirmation = server.received.find(({ to }) => to.includes('ada@example.org'))
      expect(server.received.map(({ to }) => String(to)).sort()).toEqual([
        'ada@example.org',
        'staff-1@example.com',
      ])
      // A change of the name does not affect the pending email address.
      expect(
        (await put(app, staff, { full_name: 'Ada L.', email: 'staff-1@example.com' })).json(),
      ).toMatchObject({
        new_email: 'ada@example.org',
      })
      const link = new URL(linkIn(confirmation))
      expect((await app.http.inject(`${link.pathname}${link.search}`)).statusCode).toBe(303)
      expect(await getMe(app, staff)).toMatchObject({ email: 'ada@example.org', new_email: null })
    })

    it('a new email that was not confirmed in time is discarded', async () => {
      const server = await aMailServer()
      const app = await withMail(server.url)
      const name = await app.anAccount('staff')
      await put(app, { authorization: `Bearer ${await app.signIn(name)}` }, { email: 'ada@example.org' })
      app.clock.advance(DAY_MS)
      await app.cleanup.run()
      expect(await getMe(app, { authorization: `Bearer ${await app.signIn(name)}` })).toMatchObject({
        email: `${name}@example.com`,
        new_email: null,
      })
    })
  })

  describe('invalid profile requests', () => {
    it.each([
      [{ full_name: 'x'.repeat(201) }, 'full_name'],
      [{ full_name: 'Ada\r\nforged line' }, 'full_name'],
      [{ full_name: 'Ada\u202Eecalevol' }, 'full_name'],
      [{ full_name: 'Ada\u2028next' }, 'full_name'],
      [{ full_name: 'Ada\u0000' }, 'full_name'],
      [{ full_name: ['Ada'] }, 'full_name'],
      [{ full_name: null }, 'full_name'],
      [{ email: '' }, 'email'],
      [{ email: 'nonsense' }, 'email'],
      [{ email: 'аda@example.com' }, 'email'],
      [{ email: 'ada@example.com\u200b' }, 'email'],
      [{ email: `${'x'.repeat(320)}@example.com` }, 'email'],
      [{ full_name: 'Ada', email: 'a b@example.com' }, 'email'],
    ])('a profile update with %j returns 422 and changes nothing', async (payload, path) => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const before = await getMe(app, staff)
      const answer = await put(app, staff, payload)
      expect([answer.statusCode, answer.json().errors[0].path]).toEqual([422, path])
      expect(await getMe(app, staff)).toEqual(before)
    })

    it('a profile update with a taken email changes nothing, not even the name, even if two requests run in parallel', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const before = await getMe(app, staff)
      const answer = await put(app, staff, { full_name: 'Mallory', email: 'OWNER@pegasus.local' })
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'email_taken'])
      expect(await getMe(app, staff)).toEqual(before)
      const rivals = await Promise.all(Array.from({ length: 8 }, () => app.as('viewer')))
      const answers = await Promise.all(
        rivals.map((rival) => put(app, rival, { full_name: 'Twin', email: 'twin@example.com' })),
      )
      expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([
        200,
        ...Array(7).fill(409),
      ])
      const [twins] = await app.database.sql<[{ n: number }]>`
        select count(*)::int as n from people where full_name = 'Twin'`
      expect(twins.n).toBe(1)
    })

    it('T4 a profile update ignores every field except name and email, whether it is sent alone, with others or nested', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const other = await app.anAccount('viewer')
      const [{ id: otherId }] = await app.database.sql<[{ id: string }]>`
        select id from accounts where username = ${other}`
      const me = await getMe(app, staff)
      const wishes: Record<string, unknown> = {
        id: otherId,
        user_id: otherId,
        account_id: otherId,
        username: 'owner2',
        role: 'owner',
        role_name: 'owner',
        roles: ['owner'],
        permissions: { can_manage_users: true },
        metadata: { role: 'owner', permissions: { can_manage_users: true } },
        user_metadata: { role: 'owner' },
        app_metadata: { role: 'owner' },
        system_access: false,
        isActive: false,
        is_active: false,
        approved_at: null,
        password: 'entirely new words',
        password_hash: 'x',
        new_email: 'planted@example.com',
        email_confirmed_at: null,
        password_change_required: true,
        revision: 99,
        created_at: '2001-01-01T00:00:00Z',
        last_login: null,
        user: { role: 'owner' },
        profile: { role: 'owner', full_name: 'Nested' },
      }
      const state = async () => {
        const [row] = await app.database.sql`
          select (select json_agg(a order by id) from accounts a) as accounts,
                 (select json_agg(p order by account_id) from profiles p) as profiles,
                 (select json_agg(r order by id) from user_roles r) as roles`
        return row
      }
      const before = await state()
      const changed: string[] = []
      for (const [name, value] of [...Object.entries(wishes), ['', wishes]] as const) {
        const answer = await put(app, staff, name === '' ? wishes : { [name]: value })
        expect(answer.statusCode).toBe(200)
        if (JSON.stringify(await state()) !== JSON.stringify(before)) changed.push(name)
      }
      console.info(`T4 profile fields changed ${changed.length} of ${Object.keys(wishes).length + 1}`)
      expect(changed).toEqual([])
      expect(await getMe(app, staff)).toEqual(me)
      for (const payload of ['[]', '"role"', 'null', '[{"role":"owner"}]']) {
        const answer = await app.http.inject({
          method: 'PUT',
          url: '/api/auth/profile',
          headers: { ...staff, 'content-type': 'application/json' },
          payload,
        })
        expect(answer.statusCode).toBe(422)
      }
    })
  })

  describe('profile requests without permission', () => {
    it('T23 a profile update requires a recent sign-in only if it changes the email', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      app.clock.advance(15 * MINUTE_MS)
      const refused = await put(app, staff, { full_name: 'Ada', email: 'ada@example.com' })
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'reauthentication_required'])
      expect((await getMe(app, staff)).full_name).toBe('The staff')
      const renamed = await put(app, staff, { full_name: 'Ada', email: 'STAFF-1@example.com' })
      expect([renamed.statusCode, renamed.json().full_name]).toEqual([200, 'Ada'])
      await app.http.inject({
        method: 'POST',
        url: '/api/auth/reauthenticate',
        headers: staff,
        payload: { password: PASSWORD },
      })
      expect((await put(app, staff, { email: 'ada@example.com' })).statusCode).toBe(200)
    })

    it('T22 a password change cancels a pending change of email address, and the confirmation of that change cannot be requested again', async () => {
      const server = await aMailServer()
      const app = await withMail(server.url)
      const name = await app.anAccount('staff')
      const thief = { authorization: `Bearer ${await app.signIn(name)}` }
      await put(app, thief, { email: 'thief@example.org' })
      await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(2)
      const owner = { authorization: `Bearer ${await app.signIn(name)}` }
      const words = 'entirely new words'
      const change = { current_password: PASSWORD, new_password: words, confirm_password: words }
      const changed = await app.http.inject({
        method: 'POST',
        url: '/api/auth/change-password',
        headers: owner,
        payload: change,
      })
      expect(changed.statusCode).toBe(200)
      expect((await getMe(app, owner)).new_email).toBeNull()
      app.clock.advance(MINUTE_MS)
      const payload = { type: 'email_change', email: `${name}@example.com` }
      const resent = await app.http.inject({ method: 'POST', url: '/auth/v1/resend', payload })
      expect(resent.statusCode).toBe(200)
      const [tokens] = await app.database.sql<[{ n: number }]>`select count(*)::int as n from one_time_tokens`
      expect(tokens.n).toBe(0)
      const link = new URL(linkIn(server.received.find(({ to }) => to.includes('thief@example.org'))))
      const followed = await app.http.inject(`${link.pathname}${link.search}`)
      expect(String(followed.headers.location)).toContain('otp_expired')
    })

    it('T22 an account change that waits for a lock has no effect if its session ends in the meantime', async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('staff')
      const thief = { authorization: `Bearer ${await app.signIn(name)}` }
      const waiting = async (sql: TestApp['database']['sql']) => {
        const [row] = await sql<[{ n: number }]>`
          select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return row.n
      }
      const { answers } = await app.database.transaction(async (tx) => {
        await tx`select id from accounts where username = ${name} for update`
        const changes = [
          put(app, thief, { full_name: 'Thief', email: 'thief@example.org' }),
          app.http.inject({
            method: 'PUT',
            url: '/auth/v1/user',
            headers: thief,
            payload: { email: 'thief@example.com', data: { planted: true } },
          }),
        ]
        const sent = Promise.all(changes)
        await expect.poll(() => waiting(app.database.sql)).toBe(2)
        await tx`delete from sessions`
        return { answers: sent }
      })
      expect((await answers).map(({ statusCode }) => statusCode)).toEqual([401, 403])
      const [row] = await app.database.sql`
        select email, full_name, new_email, metadata from people where username = ${name}`
      expect(row).toEqual({
        email: `${name}@example.com`,
        full_name: 'The staff',
        new_email: null,
        metadata: {},
      })
    })

    it('T37 a recovery link that went to the former email address is refused', async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('staff')
      const email = `${name}@example.com`
      await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email } })
      const { url } = await lastLinkTo(app, email)
      const staff = { authorization: `Bearer ${await app.signIn(name)}` }
      expect((await put(app, staff, { email: 'ada@example.com' })).statusCode).toBe(200)
      const followed = await app.http.inject(url)
      expect(fragmentOf(followed.headers.location)).toMatchObject({ error_code: 'otp_expired' })
    })

    it('an owner who changes the email keeps the role, and a viewer can change their own profile', async () => {
      const app = await buildTestApp()
      const owner = { authorization: `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}` }
      expect((await put(app, owner, { email: 'boss@example.com' })).json()).toMatchObject({ role: 'owner' })
      expect((await put(app, await app.as('viewer'), { full_name: 'Vi' })).statusCode).toBe(200)
      expect((await put(app, {}, { full_name: 'Nobody' })).statusCode).toBe(401)
    })
  })
})
