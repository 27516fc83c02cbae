import type { Role } from '@pegasus/contracts/roles'
import { dictionary } from '@zxcvbn-ts/language-common'
import { describe, expect, it } from 'vitest'
import {
  OWNER_PASSWORD,
  PASSWORD,
  type TestApp,
  buildTestApp,
} from '../../../../test/support/build-test-app.ts'
import { fragmentOf, lastLinkTo } from '../../../../test/support/accounts/mails.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'

const NEW_PASSWORD = 'entirely new words'

const asOwner = async (app: TestApp) => ({
  authorization: `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}`,
})

const reset = (app: TestApp, headers: Record<string, string>, payload: Record<string, unknown>) =>
  app.http.inject({ method: 'POST', url: '/api/auth/admin/reset-password', headers, payload })

const idOf = async (app: TestApp, username: string): Promise<string> => {
  const [row] = await app.database.sql<[{ id: string }]>`select id from accounts where username = ${username}`
  return row.id
}

const forUser = (id: string, password = NEW_PASSWORD) => ({
  user_id: id,
  new_password: password,
  confirm_password: password,
})

const meStatus = async (app: TestApp, token: string) =>
  (await app.http.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })).statusCode

describe('POST /api/auth/admin/reset-password', () => {
  describe('valid password resets', () => {
    it('T22 a password reset by an admin sets the password and ends all sessions and links of the account', async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('staff')
      const email = `${name}@example.com`
      const tokens = await Promise.all(Array.from({ length: 10 }, () => app.signIn(name)))
      await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email } })
      const { url } = await lastLinkTo(app, email)
      const answer = await reset(app, await app.as('admin'), forUser(await idOf(app, name)))
      expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Password reset successfully' }])
      const alive = await Promise.all(tokens.map((token) => meStatus(app, token)))
      console.info(
        `T22 sessions alive after a reset by an admin ${alive.filter((s) => s === 200).length} of 10`,
      )
      expect(alive).toEqual(Array(10).fill(401))
      expect(fragmentOf((await app.http.inject(url)).headers.location).error_code).toBe('otp_expired')
      await expect(app.signIn(name)).rejects.toThrow('401')
      expect(await meStatus(app, await app.signIn(name, NEW_PASSWORD))).toBe(200)
    })

    it('an invited person whose email was lost can sign in after an admin resets the password', async () => {
      const app = await buildTestApp()
      const admin = await app.as('admin')
      const invited = await app.http.inject({
        method: 'POST',
        url: '/api/auth/users',
        headers: admin,
        payload: { email: 'ada@example.com', username: 'ada' },
      })
      expect((await reset(app, admin, forUser(invited.json().id))).statusCode).toBe(200)
      expect(await meStatus(app, await app.signIn('ada', NEW_PASSWORD))).toBe(200)
    })

    it('an account that is waiting for approval still cannot sign in after an admin resets its password', async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('viewer', { approved: false })
      expect((await reset(app, await app.as('admin'), forUser(await idOf(app, name)))).statusCode).toBe(200)
      await expect(app.signIn(name, NEW_PASSWORD)).rejects.toThrow('403')
    })
  })

  describe('invalid password resets', () => {
    it.each([
      [{}, 'Please select a user'],
      [{ user_id: '' }, 'Please select a user'],
      [{ user_id: null, new_password: NEW_PASSWORD }, 'Please select a user'],
      [{ user_id: 'them' }, 'New password is required'],
      [{ user_id: 'them', new_password: '' }, 'New password is required'],
      [{ user_id: 'them', new_password: 'five5' }, 'Password must be at least 6 characters long'],
      [{ user_id: 'them', new_password: NEW_PASSWORD, confirm_password: 'other' }, 'Passwords do not match'],
      [{ user_id: 'them', new_password: NEW_PASSWORD }, 'Passwords do not match'],
      [forUser('them', 'x'.repeat(129)), 'Password must be at most 128 characters long'],
      [forUser('them', 'Password1'), 'This password is too common. Please choose another.'],
    ])('a password reset with %j returns 400 with a specific message', async (payload, detail) => {
      const app = await buildTestApp()
      const name = await app.anAccount('viewer')
      const id = await idOf(app, name)
      const named = 'user_id' in payload && payload.user_id === 'them' ? { ...payload, user_id: id } : payload
      const answer = await reset(app, await app.as('admin'), named)
      expect([answer.statusCode, answer.json().detail]).toEqual([400, detail])
      expect(await app.signIn(name)).toBeTruthy()
    })

    it('a password reset returns 404 for an unknown account, and 422 for a value that is not a string', async () => {
      const app = await buildTestApp()
      const admin = await app.as('admin')
      for (const id of ['01890000-0000-7000-8000-000000000000', 'nonsense', '\u0000', "' or true --"]) {
        const answer = await reset(app, admin, forUser(id))
        expect([answer.statusCode, answer.json().detail]).toEqual([404, 'User not found'])
      }
      for (const payload of [{ user_id: 7 }, { user_id: 'x', new_password: ['six', 'words'] }])
        expect((await reset(app, admin, payload)).statusCode).toBe(422)
    })

    it('T35 a password reset refuses the most common passwords, in lower and upper case', async () => {
      const app = await buildTestApp()
      const admin = await app.as('admin')
      const id = await idOf(app, await app.anAccount('viewer'))
      const common = dictionary['passwords-common'].filter((word) => word.length >= 6).slice(0, 3000)
      const picked = common.filter((_, index) => index % 100 === 0 || index === 2999)
      let taken = 0
      for (const word of picked)
        for (const password of [word, word.toUpperCase()])
          if ((await reset(app, admin, forUser(id, password))).statusCode !== 400) taken += 1
      console.info(
        `T35 common passwords taken by a reset ${taken} of ${picked.length * 2}, picked from ${common.length}`,
      )
      expect([taken, common.length]).toEqual([0, 3000])
    })
  })

  describe('password resets without permission', () => {
    it('every role below admin gets the specified 403 message from a password reset, before the body is read', async () => {
      const app = await buildTestApp()
      for (const role of ['viewer', 'employee', 'staff'] as const) {
        const headers = { ...(await app.as(role)), 'content-type': 'application/json' }
        for (const payload of ['{}', 'no json at all', JSON.stringify(forUser(await idOf(app, 'owner')))]) {
          const answer = await app.http.inject({
            method: 'POST',
            url: '/api/auth/admin/reset-password',
            headers,
            payload,
          })
          expect([answer.statusCode, answer.json().detail]).toEqual([
            403,
            'Access denied. Admin privileges required.',
          ])
        }
      }
      expect((await reset(app, {}, {})).statusCode).toBe(401)
    })

    it('T13 only an owner can reset the passwords of owners and admins, and nobody can reset their own', async () => {
      const app = await buildTestApp()
      const actors = { admin: await app.anAccount('admin'), owner: await app.anAccount('owner') }
      const wrong: string[] = []
      let cells = 0
      for (const [actor, name] of Object.entries(actors)) {
        const headers = { authorization: `Bearer ${await app.signIn(name)}` }
        for (const role of ['viewer', 'employee', 'staff', 'admin', 'owner'] as Role[]) {
          const target = await app.anAccount(role)
          const { statusCode } = await reset(app, headers, forUser(await idOf(app, target)))
          const mayReset = actor === 'owner' || (role !== 'admin' && role !== 'owner')
          cells += 1
          if (statusCode !== (mayReset ? 200 : 403)) wrong.push(`${actor} resets ${role}: ${statusCode}`)
          const survives = await app.signIn(target).then(
            () => true,
            () => false,
          )
          if (survives === mayReset) wrong.push(`${actor} and the password of ${role}`)
        }
        const own = await reset(app, headers, forUser(await idOf(app, name)))
        cells += 1
        if (own.statusCode !== 400) wrong.push(`${actor} resets themselves: ${own.statusCode}`)
        expect(own.json().detail).toBe('Change your own password on the Password tab, with your current one.')
      }
      console.info(`T13 resets above one's rank, or of oneself ${wrong.length} of ${cells}`)
      expect(wrong).toEqual([])
    })

    it('T23 a password reset by an admin requires a recent sign-in', async () => {
      const app = await buildTestApp()
      const owner = await asOwner(app)
      const id = await idOf(app, await app.anAccount('viewer'))
      app.clock.advance(15 * MINUTE_MS)
      const refused = await reset(app, owner, forUser(id))
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'reauthentication_required'])
      const again = await app.http.inject({
        method: 'POST',
        url: '/api/auth/reauthenticate',
        headers: owner,
        payload: { password: OWNER_PASSWORD },
      })
      expect(again.statusCode).toBe(200)
      expect((await reset(app, owner, forUser(id))).statusCode).toBe(200)
    })

    it('after parallel password resets of the same account, only one of the new passwords works', async () => {
      const app = await buildTestApp()
      const name = await app.anAccount('staff')
      const id = await idOf(app, name)
      const admins = await Promise.all(Array.from({ length: 6 }, () => app.as('admin')))
      const answers = await Promise.all(
        admins.map((admin, index) => reset(app, admin, forUser(id, `${NEW_PASSWORD} ${index}`))),
      )
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200))
      const works = await Promise.all(
        admins.map((_, index) =>
          app.signIn(name, `${NEW_PASSWORD} ${index}`).then(
            () => 1,
            () => 0,
          ),
        ),
      )
      expect(works.reduce<number>((sum, one) => sum + one, 0)).toBe(1)
      await expect(app.signIn(name, PASSWORD)).rejects.toThrow('401')
    })
  })
})
