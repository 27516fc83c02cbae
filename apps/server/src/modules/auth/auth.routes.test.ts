import { describe, expect, it } from 'vitest'
import { OWNER_PASSWORD, PASSWORD, type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { isLongRun } from '../../../test/process/product-process.ts'
import { MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'

const login = (app: TestApp, username: string, password: string, remoteAddress = '127.0.0.1') =>
  app.http.inject({ method: 'POST', url: '/auth/login', payload: { username, password }, remoteAddress })

const getMe = (app: TestApp, token: string) =>
  app.http.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })

const changePassword = (app: TestApp, token: string, payload: Record<string, unknown>) =>
  app.http.inject({
    method: 'POST',
    url: '/api/auth/change-password',
    headers: { authorization: `Bearer ${token}` },
    payload,
  })

describe('POST /auth/login', () => {
  describe('valid sign-ins', () => {
    it('the owner can sign in by username or email, in upper or lower case, at both login paths', async () => {
      const app = await buildTestApp()
      for (const username of ['owner', 'OWNER', 'owner@pegasus.local', ' Owner@Pegasus.Local '])
        for (const url of ['/auth/login', '/api/auth/login']) {
          const response = await app.http.inject({
            method: 'POST',
            url,
            payload: { username, password: OWNER_PASSWORD },
          })
          expect(response.statusCode).toBe(200)
          expect(response.json()).toMatchObject({
            token_type: 'bearer',
            expires_in: 3600,
            user: {
              username: 'owner',
              email: 'owner@pegasus.local',
              role: 'owner',
              isActive: true,
              metadata: {},
            },
          })
        }
    })

    it('GET /api/auth/me with a token of POST /auth/login returns the account and its permissions', async () => {
      const app = await buildTestApp()
      const token = await app.signIn(await app.anAccount('viewer'))
      const response = await getMe(app, token)
      expect(response.json()).toMatchObject({ role: 'viewer', permissions: { can_view_orders: true } })
      expect(Object.keys(response.json().permissions)).toEqual(['can_view_orders'])
      expect(response.body).not.toContain('password_hash')
    })
  })

  describe('invalid sign-in requests', () => {
    it.each([
      [{}, 'username'],
      [{ username: '', password: 'x' }, 'username'],
      [{ username: 'owner', password: '' }, 'password'],
      [{ username: ['owner'], password: 'x' }, 'username'],
      [{ username: { $ne: null }, password: 'x' }, 'username'],
    ])('POST /auth/login with %j returns 422 and names the field', async (payload, path) => {
      const app = await buildTestApp()
      const response = await app.http.inject({ method: 'POST', url: '/auth/login', payload })
      expect(response.statusCode).toBe(422)
      expect(response.json().errors[0].path).toBe(path)
    })

    it('POST /auth/login returns 400 for invalid JSON, a wrong encoding, and a body that sets the prototype', async () => {
      const app = await buildTestApp()
      const bodies = [
        '{"username": ',
        Buffer.from([0x22, 0xff, 0xfe, 0x22]),
        '{"__proto__": {"polluted": true}, "username": "a", "password": "b"}',
      ]
      for (const payload of bodies) {
        const response = await app.http.inject({
          method: 'POST',
          url: '/auth/login',
          headers: { 'content-type': 'application/json' },
          payload,
        })
        expect(response.statusCode).toBe(400)
        expect(response.json().detail).toMatch(/^The body is not valid/)
      }
      expect('polluted' in {}).toBe(false)
    })

    it('POST /auth/login names the field that is missing, empty or not a string', async () => {
      const app = await buildTestApp()
      const refusal = async (payload: object) => {
        const response = await app.http.inject({ method: 'POST', url: '/auth/login', payload })
        return [response.statusCode, response.json().detail]
      }
      for (const nothing of [undefined, null, '', 7, {}]) {
        expect(await refusal({ username: nothing, password: PASSWORD })).toEqual([
          422,
          'Username is required',
        ])
        expect(await refusal({ username: 'owner', password: nothing })).toEqual([422, 'Password is required'])
      }
      expect(await refusal({})).toEqual([422, 'Username is required'])
      expect(await refusal([])).toEqual([422, 'Username and password are required'])
    })
  })

  describe('refused sign-ins', () => {
    it('T30 an unknown name, a wrong password and a disabled account get the same response to a sign-in', async () => {
      const app = await buildTestApp()
      const disabled = await app.anAccount('staff', { isActive: false })
      const waiting = await app.anAccount('staff', { approved: false })
      const cases = [
        ['nobody', 'whatever'],
        ['nobody@example.com', 'whatever'],
        ['owner', 'wrong'],
        ['owner@pegasus.local', 'wrong'],
        [disabled, PASSWORD],
        [waiting, 'wrong'],
      ] as const
      const volatile = new Set(['x-request-id', 'date', 'content-security-policy'])
      const answers = await Promise.all(
        cases.map(async ([username, password]) => {
          const { statusCode, body, headers } = await login(app, username, password)
          const stable = Object.entries(headers).filter(([name]) => !volatile.has(name))
          return JSON.stringify([statusCode, body, stable])
        }),
      )
      const differences = answers.filter((answer) => answer !== answers[0]).length
      console.info(`T30 differences ${differences} of ${answers.length}`)
      expect(differences).toBe(0)
      expect(JSON.parse(answers[0] ?? '')[0]).toBe(401)
    })

    it('at most 20 wrong passwords for one account and IP address are checked, however the name is written, and even in parallel', async () => {
      const app = await buildTestApp()
      const names = ['owner', 'OWNER ', 'ｏｗｎｅｒ', ' Owner']
      const attempts = await Promise.all(
        Array.from({ length: 40 }, (_, i) => login(app, names[i % names.length] ?? '', `guess ${i}`)),
      )
      const evaluated = attempts.filter((response) => response.statusCode === 401).length
      expect(evaluated).toBe(20)
      const refused = attempts.find((response) => response.statusCode === 429)
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(15 * 60)
    })

    it("T34 guesses of the owner's password block only the address that sends them, for 15 minutes", async () => {
      const app = await buildTestApp()
      await Promise.all(
        Array.from({ length: 30 }, (_, i) => login(app, 'owner', `guess ${i}`, '203.0.113.7')),
      )
      expect((await login(app, 'owner', OWNER_PASSWORD, '203.0.113.7')).statusCode).toBe(429)
      expect((await login(app, 'owner', OWNER_PASSWORD, '198.51.100.1')).statusCode).toBe(200)
      app.clock.advance(15 * MINUTE_MS + SECOND_MS)
      expect((await login(app, 'owner', OWNER_PASSWORD, '203.0.113.7')).statusCode).toBe(200)
    })

    it('failed sign-ins to all accounts are counted per address or IPv6 network, and successful sign-ins are not counted', async () => {
      const app = await buildTestApp()
      for (let i = 0; i < 30; i += 1)
        expect((await login(app, 'owner', OWNER_PASSWORD, '2001:db8::1')).statusCode).toBe(200)
      const guesses = Array.from({ length: 110 }, (_, i) =>
        login(app, `name-${i}`, 'guess', `2001:db8::${i + 1}`),
      )
      const evaluated = (await Promise.all(guesses)).filter((response) => response.statusCode === 401).length
      expect(evaluated).toBe(100)
      expect((await login(app, 'owner', OWNER_PASSWORD, '2001:db8:0:1::1')).statusCode).toBe(200)
    })

    it('T33 the limit of failed sign-ins uses the address of the connection, and ignores forged headers', async () => {
      const app = await buildTestApp()
      const headers = (i: number) => ({
        'x-forwarded-for': `192.0.2.${i}`,
        'x-real-ip': `192.0.2.${i}`,
        forwarded: `for=192.0.2.${i}`,
      })
      const attempts = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          app.http.inject({
            method: 'POST',
            url: '/auth/login',
            headers: headers(i),
            payload: { username: 'owner', password: `guess ${i}` },
          }),
        ),
      )
      expect(attempts.filter((response) => response.statusCode === 401).length).toBe(20)
    })
  })
})

describe('POST /api/auth/change-password', () => {
  const good = {
    current_password: PASSWORD,
    new_password: 'entirely new words',
    confirm_password: 'entirely new words',
  }

  describe('valid password changes', () => {
    it('a password change ends other sessions at once and the current session after a minute, and invalidates the old password', async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('staff')
      const [here, elsewhere] = [await app.signIn(name), await app.signIn(name)]
      expect((await changePassword(app, here, good)).statusCode).toBe(200)
      expect((await getMe(app, elsewhere)).statusCode).toBe(401)
      app.clock.advance(59 * SECOND_MS)
      expect((await getMe(app, here)).statusCode).toBe(200)
      app.clock.advance(2 * SECOND_MS)
      expect((await getMe(app, here)).statusCode).toBe(401)
      expect((await login(app, name, PASSWORD)).statusCode).toBe(401)
      expect((await login(app, name, good.new_password)).statusCode).toBe(200)
    })
  })

  describe('invalid password changes', () => {
    it.each([
      [{}, 400, 'Current password is required'],
      [{ ...good, current_password: '' }, 400, 'Current password is required'],
      [{ ...good, current_password: null }, 400, 'Current password is required'],
      [{ ...good, new_password: null }, 400, 'New password is required'],
      [{ current_password: PASSWORD }, 400, 'New password is required'],
      [{ ...good, new_password: 'five5' }, 400, 'New password must be at least 6 characters long'],
      [{ ...good, new_password: 'x'.repeat(129) }, 400, 'New password must be at most 128 characters long'],
      [{ ...good, confirm_password: 'other' }, 400, 'New password and confirmation do not match'],
      [
        { ...good, new_password: PASSWORD, confirm_password: PASSWORD },
        400,
        'New password must be different from current password',
      ],
      [
        // The same letters, with accents as separate characters or not.
        {
          current_password: 'älteres Wort',
          new_password: 'a\u0308lteres Wort',
          confirm_password: 'älteres Wort',
        },
        400,
        'New password must be different from current password',
      ],
      [
        { ...good, new_password: 'Password1', confirm_password: 'Password1' },
        400,
        'This password is too common. Please choose another.',
      ],
      [
        { ...good, current_password: 'wrong' },
        401,
        'Current password is incorrect. Please check your current password and try again.',
      ],
    ])('a password change with %j returns %i with a specific message', async (payload, status, detail) => {
      const app = await buildTestApp()
      const token = await app.signIn(await app.anAccount('viewer'))
      const response = await changePassword(app, token, payload)
      expect([response.statusCode, response.json().detail]).toEqual([status, detail])
      expect((await getMe(app, token)).statusCode).toBe(200)
    })
  })

  describe('password changes without permission', () => {
    it('wrong current passwords in a password change count as failed sign-ins', async () => {
      const app = await buildTestApp()
      const token = await app.signIn(await app.anAccount('viewer'))
      const guesses = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          changePassword(app, token, { ...good, current_password: `guess ${i}` }),
        ),
      )
      expect(guesses.filter((response) => response.statusCode === 401).length).toBe(20)
      expect(guesses.filter((response) => response.statusCode === 429).length).toBe(10)
    })
  })
})

describe('POST /api/auth/reauthenticate', () => {
  const reauthenticate = (app: TestApp, token: string, payload: Record<string, unknown>) =>
    app.http.inject({
      method: 'POST',
      url: '/api/auth/reauthenticate',
      headers: { authorization: `Bearer ${token}` },
      payload,
    })

  it('a reauthentication accepts the password and returns the time until which sensitive changes are allowed', async () => {
    const app = await buildTestApp()
    const token = await app.signIn(await app.anAccount('viewer'))
    app.clock.advance(10 * MINUTE_MS)
    const answer = await reauthenticate(app, token, { password: PASSWORD })
    expect(answer.json()).toEqual({
      authenticated_at: app.clock.now().toISOString(),
      valid_until: new Date(app.clock.now().getTime() + 15 * MINUTE_MS).toISOString(),
    })
  })

  it.each([
    [{}, 422, 'password'],
    [{ password: '' }, 422, 'password'],
    [{ password: '', code: '' }, 422, 'password'],
    [{ password: PASSWORD, code: '123456' }, 422, 'code'],
    [{ password: 'x'.repeat(1025) }, 422, 'password'],
    [{ code: 'x'.repeat(65) }, 422, 'code'],
    [{ code: 123_456 }, 422, 'code'],
    [{ password: 'wrong' }, 401, undefined],
    // An account without a second factor has no valid codes.
    [{ code: '123456' }, 422, undefined],
  ])('POST /api/auth/reauthenticate with %j returns %i', async (payload, status, path) => {
    const app = await buildTestApp()
    const token = await app.signIn(await app.anAccount('viewer'))
    const answer = await reauthenticate(app, token, payload)
    expect([answer.statusCode, answer.json().errors?.[0].path]).toEqual([status, path])
    expect((await getMe(app, token)).statusCode).toBe(200)
  })
})

describe("the owner's generated password", () => {
  it('the generated password of the owner is shown until it was seen, and only lets the owner choose another one', async () => {
    const app = await buildTestApp({ generatedPassword: true })
    const first = await app.auth.owner.ensure(app.config.owner)
    expect(first.password).toMatch(/^([a-z0-9]{5}-){3}[a-z0-9]{5}$/)
    const other = await app.anAccount('viewer')
    await app.database.sql`update accounts set must_change_password = true where username = ${other}`
    await app.auth.owner.markPasswordShown()
    const shownTo = await app.database.sql`
      select username from accounts where generated_password_shown_at is not null`
    expect(shownTo.map(({ username }) => username)).toEqual(['owner'])
    expect((await app.auth.owner.ensure(app.config.owner)).password).toBeNull()

    const token = await app.signIn('owner', first.password ?? '')
    const authorization = `Bearer ${token}`
    const refused = await app.http.inject({ url: '/api/stl-files', headers: { authorization } })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'password_change_required'])
    expect((await getMe(app, token)).json().password_change_required).toBe(true)

    const change = {
      current_password: first.password,
      new_password: 'my own words',
      confirm_password: 'my own words',
    }
    expect((await changePassword(app, token, change)).statusCode).toBe(200)
    const fresh = await app.signIn('owner', 'my own words')
    const allowed = await app.http.inject({
      url: '/api/stl-files',
      headers: { authorization: `Bearer ${fresh}` },
    })
    expect(allowed.statusCode).toBe(200)
  })

  it('T5 only one first owner is created, even if many first starts run in parallel', async () => {
    const app = await buildTestApp()
    const other = await app.replica()
    const runs = isLongRun ? 20 : 3
    const counts: number[] = []
    for (let run = 0; run < runs; run += 1) {
      for (const table of ['user_roles', 'profiles', 'identities', 'accounts'])
        await app.database.sql`delete from ${app.database.sql(table)}`
      const starts = await Promise.all(
        Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? app : other).auth.owner.ensure(app.config.owner)),
      )
      expect(new Set(starts.map((owner) => owner.email)).size).toBe(1)
      const [count] = await app.database.sql<[{ n: number }]>`select count(*)::int as n from accounts`
      counts.push(count.n)
    }
    console.info(`T5 owners made ${counts.join(', ')} by 50 first starts at once, in ${runs} runs`)
    expect(counts).toEqual(Array(runs).fill(1))
  })
})
