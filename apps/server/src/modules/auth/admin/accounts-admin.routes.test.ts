import type { Role } from '@pegasus/contracts/roles'
import type { User } from '@pegasus/contracts/users/users'
import { describe, expect, it } from 'vitest'
import {
  OWNER_PASSWORD,
  PASSWORD,
  type TestApp,
  buildTestApp,
} from '../../../../test/support/build-test-app.ts'
import { fragmentOf, lastLinkTo, mailsTo } from '../../../../test/support/accounts/mails.ts'
import { isLongRun } from '../../../../test/process/product-process.ts'
import { DAY_MS, MINUTE_MS } from '../../../platform/clock.ts'

type Headers = Record<string, string>

const asOwner = async (app: TestApp): Promise<{ authorization: string }> => ({
  authorization: `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}`,
})

const list = (app: TestApp, headers: Headers, query = '') =>
  app.http.inject({ url: `/api/auth/users${query}`, headers })

const create = (app: TestApp, headers: Headers, payload: Record<string, unknown>) =>
  app.http.inject({ method: 'POST', url: '/api/auth/users', headers, payload })

const patch = (app: TestApp, headers: Headers, id: string, payload: Record<string, unknown>) =>
  app.http.inject({ method: 'PATCH', url: `/api/auth/users/${id}`, headers, payload })

/** Updates an account regardless of its revision, for tests that are not about revisions. */
const change = (app: TestApp, headers: Headers, id: string, payload: Record<string, unknown>) =>
  patch(app, { ...headers, 'if-match': '*' }, id, payload)

const idOf = async (app: TestApp, username: string): Promise<string> => {
  const [row] = await app.database.sql<[{ id: string }]>`select id from accounts where username = ${username}`
  return row.id
}

const anId = async (app: TestApp, role: Role) => idOf(app, await app.anAccount(role))

const ada = { email: 'Ada@Example.com', username: 'Ada', full_name: ' Ada Lovelace ', role: 'staff' }

const meStatus = async (app: TestApp, token: string) =>
  (await app.http.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })).statusCode

describe('account management by admins and owners', () => {
  describe('valid account management requests', () => {
    it('accounts are listed newest first and page by page, and can be searched and filtered by approval', async () => {
      const app = await buildTestApp()
      const admin = await app.as('admin')
      await app.anAccount('viewer', { approved: false })
      const users = (await list(app, admin)).json<User[]>()
      expect(users.map((user) => user.role)).toEqual(['viewer', 'admin', 'owner'])
      expect(users[2]).toMatchObject({
        username: 'owner',
        full_name: 'Owner',
        email: 'owner@pegasus.local',
        system_access: true,
        is_active: true,
        approved: true,
        email_confirmed: true,
        revision: 1,
      })
      expect(JSON.stringify(users)).not.toContain('password')
      expect((await list(app, admin, '?approved=false')).json<User[]>().map((user) => user.role)).toEqual([
        'viewer',
      ])
      expect((await list(app, admin, '?search=PEGASUS')).json<User[]>()).toHaveLength(1)
      expect((await list(app, admin, '?search=%25')).json<User[]>()).toHaveLength(0)
      const first = await list(app, admin, '?limit=2')
      expect(first.headers['x-total-count']).toBe('3')
      const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
      expect((await app.http.inject({ url: next, headers: admin })).json<User[]>()).toEqual([users[2]])
      const one = await app.http.inject({ url: `/api/auth/users/${users[0]?.id}`, headers: admin })
      expect([one.json(), one.headers.etag]).toEqual([users[0], '"1"'])
    })

    it('an account that an admin creates with a password is confirmed and approved', async () => {
      const app = await buildTestApp()
      const answer = await create(app, await app.as('admin'), { ...ada, password: PASSWORD })
      expect([answer.statusCode, answer.headers.etag]).toEqual([201, '"1"'])
      expect(answer.json()).toMatchObject({
        email: 'ada@example.com',
        username: 'ada',
        full_name: 'Ada Lovelace',
        role: 'staff',
        system_access: true,
        approved: true,
        email_confirmed: true,
      })
      expect(await meStatus(app, await app.signIn('ada'))).toBe(200)
      expect(await mailsTo(app, 'ada@example.com')).toEqual([])
    })

    it('an admin can create an account by sending an invitation with a link through which the person sets the password', async () => {
      const app = await buildTestApp()
      const answer = await create(app, await app.as('admin'), { ...ada, role: 'viewer' })
      expect(answer.json()).toMatchObject({ email_confirmed: false, approved: true, system_access: false })
      const { url, mail } = await lastLinkTo(app, 'ada@example.com')
      expect(mail.subject).toBe('You have been invited to Pegasus Ops')
      app.clock.advance(6 * DAY_MS)
      const fields = fragmentOf((await app.http.inject(url)).headers.location)
      expect(fields.type).toBe('invite')
      const put = await app.http.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { authorization: `Bearer ${fields.access_token}` },
        payload: { password: PASSWORD },
      })
      expect(put.json().invited_at).toBeTruthy()
      expect(await meStatus(app, await app.signIn('ada'))).toBe(200)
      expect(fragmentOf((await app.http.inject(url)).headers.location).error_code).toBe('otp_expired')
    })

    it('a repeated request with the same idempotency key creates one account', async () => {
      const app = await buildTestApp()
      const headers = { ...(await app.as('admin')), 'idempotency-key': 'one' }
      const answers = [await create(app, headers, ada), await create(app, headers, ada)]
      expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201])
      expect(answers[1]?.json()).toEqual(answers[0]?.json())
      expect(await mailsTo(app, 'ada@example.com')).toHaveLength(1)
      expect((await create(app, headers, { ...ada, password: PASSWORD })).statusCode).toBe(409)
    })

    it('a role change keeps the old role as history, and grants or removes system access', async () => {
      const app = await buildTestApp()
      const admin = await app.as('admin')
      const { id } = (await create(app, admin, { ...ada, role: 'viewer' })).json<User>()
      expect((await change(app, admin, id, { role: 'employee' })).json()).toMatchObject({
        role: 'employee',
        system_access: true,
        revision: 2,
      })
      const rows = await app.database.sql`
        select role_name, is_active, permissions from user_roles where user_id = ${id} order by created_at`
      expect(rows.map((row) => [row.role_name, row.is_active])).toEqual([
        ['viewer', false],
        ['employee', true],
      ])
      expect(rows[1]?.permissions).toMatchObject({ can_manage_products: true })
      const kept = await change(app, admin, id, { role: 'viewer', system_access: true })
      expect(kept.json()).toMatchObject({ role: 'viewer', system_access: true })
    })

    it('T21 an account loses its sessions and links when it is deactivated or its approval is withdrawn', async () => {
      const app = await buildTestApp()
      const admin = await app.as('admin')
      for (const field of ['is_active', 'approved']) {
        const name = await app.anAccount('staff')
        const id = await idOf(app, name)
        const token = await app.signIn(name)
        await app.http.inject({
          method: 'POST',
          url: '/auth/v1/recover',
          payload: { email: `${name}@example.com` },
        })
        expect((await change(app, admin, id, { [field]: false })).json()[field]).toBe(false)
        expect(await meStatus(app, token)).toBe(401)
        const [left] = await app.database.sql`
          select (select count(*) from sessions where account_id = ${id})
               + (select count(*) from one_time_tokens where account_id = ${id}) as n`
        expect(left?.n).toBe(0)
        expect((await change(app, admin, id, { [field]: true })).json()[field]).toBe(true)
        expect(await meStatus(app, token)).toBe(401)
        expect(await meStatus(app, await app.signIn(name))).toBe(200)
      }
    })

    it('an account update with an outdated revision is refused, and the response contains the current state', async () => {
      const app = await buildTestApp()
      const admin = await app.as('admin')
      const id = await anId(app, 'viewer')
      const without = await patch(app, admin, id, { role: 'staff' })
      expect([without.statusCode, without.json().code]).toEqual([428, 'precondition_required'])
      const first = await patch(app, { ...admin, 'if-match': '"1"' }, id, { role: 'staff' })
      expect([first.statusCode, first.headers.etag]).toEqual([200, '"2"'])
      for (const stale of ['"1"', '"x"', 'nonsense']) {
        const answer = await patch(app, { ...admin, 'if-match': stale }, id, { role: 'viewer' })
        expect([answer.statusCode, answer.json().code]).toEqual([412, 'precondition_failed'])
        expect(answer.json().current).toEqual(first.json())
      }
    })
  })

  describe('invalid account management requests', () => {
    it.each([
      [{}, 422],
      [{ ...ada, email: 'nonsense' }, 422],
      [{ ...ada, email: 'аda@example.com' }, 422],
      [{ ...ada, username: 'with space' }, 422],
      [{ ...ada, username: 'аda' }, 422],
      [{ ...ada, username: 'a@b' }, 422],
      [{ ...ada, username: 'a\u200bb' }, 422],
      [{ ...ada, username: 'x'.repeat(65) }, 422],
      [{ ...ada, full_name: 'a\u0000b' }, 422],
      [{ ...ada, full_name: 'x'.repeat(201) }, 422],
      [{ ...ada, role: 'god' }, 422],
      [{ ...ada, system_access: 'yes' }, 422],
      [{ ...ada, password: 'five5' }, 422],
      [{ ...ada, password: 'Password1' }, 422],
      [{ ...ada, password: '' }, 422],
      [{ ...ada, email: 'OWNER@pegasus.local' }, 409],
      [{ ...ada, username: 'ＯＷＮＥＲ' }, 409],
    ])('POST /api/auth/users with %j returns %i', async (payload, status) => {
      const app = await buildTestApp()
      const answer = await create(app, await asOwner(app), payload)
      expect([answer.statusCode, typeof answer.json().detail]).toEqual([status, 'string'])
    })

    it('account endpoints return 404 for an unknown account, and 422 for invalid values', async () => {
      const app = await buildTestApp()
      const admin = await app.as('admin')
      const nobody = '01890000-0000-7000-8000-000000000000'
      expect((await change(app, admin, nobody, { approved: true })).statusCode).toBe(404)
      expect((await change(app, admin, 'nonsense', { approved: true })).statusCode).toBe(404)
      expect((await app.http.inject({ url: `/api/auth/users/${nobody}`, headers: admin })).statusCode).toBe(
        404,
      )
      const id = await anId(app, 'viewer')
      for (const payload of [{ role: 'god' }, { is_active: 'no' }, { approved: null }, { system_access: 1 }])
        expect((await change(app, admin, id, payload)).statusCode).toBe(422)
    })

    it('T4 an account update ignores fields that an admin may not set', async () => {
      const app = await buildTestApp()
      const id = await anId(app, 'viewer')
      const [before] = await app.database.sql`select * from accounts where id = ${id}`
      await change(app, await asOwner(app), id, {
        id: '01890000-0000-7000-8000-000000000000',
        email: 'evil@example.com',
        username: 'evil',
        password_hash: 'x',
        must_change_password: true,
        revision: 99,
        permissions: { can_manage_users: true },
      })
      const [after] = await app.database.sql`select * from accounts where id = ${id}`
      expect({ ...after, revision: 1, updated_at: before?.updated_at }).toEqual(before)
    })
  })

  describe('account management requests without permission', () => {
    it('only an owner can create, change or promote owners and admins', async () => {
      const app = await buildTestApp()
      const [admin, owner] = [await app.as('admin'), await asOwner(app)]
      const refusals: number[] = []
      for (const role of ['admin', 'owner'] as const) {
        const attempt = { ...ada, username: `new-${role}`, email: `${role}@example.org`, role }
        refusals.push((await create(app, admin, attempt)).statusCode)
        const id = await anId(app, role)
        for (const payload of [
          { role: 'viewer' },
          { is_active: false },
          { approved: false },
          { system_access: false },
        ])
          refusals.push((await change(app, admin, id, payload)).statusCode)
        refusals.push((await change(app, admin, await anId(app, 'staff'), { role })).statusCode)
        expect((await create(app, owner, attempt)).statusCode).toBe(201)
        expect((await change(app, owner, id, { role: 'viewer' })).statusCode).toBe(200)
        expect((await change(app, owner, id, { role })).statusCode).toBe(200)
      }
      console.info(
        `T12 T13 admins' grants above themselves ${refusals.filter((s) => s !== 403).length} of ${refusals.length}`,
      )
      expect(refusals).toEqual(Array(12).fill(403))
    })

    it('T13 an owner can neither remove the last owner nor change their own role', async () => {
      const app = await buildTestApp()
      const owner = await asOwner(app)
      const id = await idOf(app, 'owner')
      for (const payload of [{ role: 'admin' }, { is_active: false }, { approved: false }]) {
        const answer = await change(app, owner, id, payload)
        expect([answer.statusCode, answer.json().code]).toEqual([409, 'last_owner'])
      }
      await app.anAccount('owner')
      expect((await change(app, owner, id, { role: 'admin' })).statusCode).toBe(403)
      expect((await change(app, owner, id, { role: 'owner', system_access: false })).statusCode).toBe(200)
      expect(await meStatus(app, owner.authorization.slice(7))).toBe(200)
    })

    it('T13 no other owner can demote or shut out the first owner, even in a database that never marked the first owner', async () => {
      const app = await buildTestApp()
      const id = await idOf(app, 'owner')
      const second = { authorization: `Bearer ${await app.signIn(await app.anAccount('owner'))}` }
      for (const payload of [{ role: 'admin' }, { is_active: false }, { approved: false }]) {
        const answer = await change(app, second, id, payload)
        expect([answer.statusCode, answer.json().code]).toEqual([409, 'first_owner'])
      }
      const after = await change(app, second, id, { role: 'owner', is_active: true, system_access: false })
      expect([after.statusCode, after.json().is_first_owner]).toEqual([200, true])
      await app.database.sql`update accounts set is_first_owner = false`
      await app.auth.owner.ensure(app.config.owner)
      const marked = await app.database.sql<{ id: string }[]>`select id from accounts where is_first_owner`
      expect(marked.map((row) => row.id)).toEqual([id])
    })

    it('T13 at least one owner remains when two owners remove each other in parallel', async () => {
      const app = await buildTestApp()
      const rounds = isLongRun ? 200 : 20
      let ownersLeft = 0
      for (let round = 0; round < rounds; round += 1) {
        const names = [await app.anAccount('owner'), await app.anAccount('owner')] as const
        await app.database.sql`update accounts set is_active = username = any(${[...names]})`
        const [first, second] = await Promise.all(names.map(async (name) => app.signIn(name)))
        const [firstId, secondId] = await Promise.all(names.map((name) => idOf(app, name)))
        const payload = round % 2 === 0 ? { role: 'viewer' } : { is_active: false }
        await Promise.all([
          change(app, { authorization: `Bearer ${first}` }, secondId ?? '', payload),
          change(app, { authorization: `Bearer ${second}` }, firstId ?? '', payload),
        ])
        const [left] = await app.database.sql<[{ n: number }]>`
          select count(*)::int as n from people where role = 'owner' and is_active`
        if (left.n >= 1) ownersLeft += 1
      }
      console.info(`T13 owners left in ${ownersLeft} of ${rounds} runs`)
      expect(ownersLeft).toBe(rounds)
    })

    it('T13 at least one owner remains when many owners remove each other and themselves in parallel', async () => {
      const app = await buildTestApp()
      const runs = isLongRun ? 200 : 5
      const [size, kept] = [4, new Set<number>()]
      for (let run = 0; run < runs; run += 1) {
        const names = await Promise.all(Array.from({ length: size }, () => app.anAccount('owner')))
        await app.database.sql`update accounts set is_active = username = any(${names})`
        const tokens = await Promise.all(names.map((name) => app.signIn(name)))
        const ids = await Promise.all(names.map((name) => idOf(app, name)))
        const payloads = [{ role: 'admin' }, { is_active: false }, { approved: false }]
        await Promise.all(
          tokens.flatMap((token, by) =>
            ids.map((id, of) =>
              change(app, { authorization: `Bearer ${token}` }, id, payloads[(by + of) % 3] ?? {}),
            ),
          ),
        )
        const [left] = await app.database.sql<[{ n: number }]>`
          select count(*)::int as n from people where role = 'owner' and is_active`
        if (left.n >= 1) kept.add(run)
      }
      console.info(`T13 owners left in ${kept.size} of ${runs} runs of ${size * size} parallel removals`)
      expect(kept.size).toBe(runs)
    })

    it('T12 the links of a staff account stop working when it becomes an admin, because admins may have read them', async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('staff')
      await app.http.inject({
        method: 'POST',
        url: '/auth/v1/recover',
        payload: { email: `${name}@example.com` },
      })
      const { url } = await lastLinkTo(app, `${name}@example.com`)
      await change(app, await asOwner(app), await idOf(app, name), { role: 'admin' })
      expect(fragmentOf((await app.http.inject(url)).headers.location).error_code).toBe('otp_expired')
    })

    it('T23 account changes require a sign-in or password confirmation within the last 15 minutes', async () => {
      const app = await buildTestApp()
      const admin = await app.as('admin')
      const id = await anId(app, 'viewer')
      const reauthenticate = (password: string) =>
        app.http.inject({
          method: 'POST',
          url: '/api/auth/reauthenticate',
          headers: admin,
          payload: { password },
        })
      app.clock.advance(15 * MINUTE_MS)
      for (const answer of [await create(app, admin, ada), await change(app, admin, id, { role: 'staff' })])
        expect([answer.statusCode, answer.json().code]).toEqual([403, 'reauthentication_required'])
      expect((await list(app, admin)).statusCode).toBe(200)
      const wrong = await reauthenticate('wrong')
      expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'current_password_wrong'])
      const right = await reauthenticate(PASSWORD)
      expect(right.statusCode).toBe(200)
      expect(Date.parse(right.json().valid_until) - app.clock.now().getTime()).toBe(15 * MINUTE_MS)
      expect((await change(app, admin, id, { role: 'staff' })).statusCode).toBe(200)
      app.clock.advance(15 * MINUTE_MS)
      expect((await change(app, admin, id, { role: 'viewer' })).statusCode).toBe(403)
    })

    it('wrong passwords in a reauthentication count as failed sign-ins', async () => {
      const app = await buildTestApp()
      const viewer = await app.as('viewer')
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          app.http.inject({
            method: 'POST',
            url: '/api/auth/reauthenticate',
            headers: viewer,
            payload: { password: `guess ${i}` },
          }),
        ),
      )
      expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(20)
      expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(10)
    })
  })
})
