import type { HostedUser } from '@pegasus/contracts/auth/hosted-auth'
import { describe, expect, it } from 'vitest'
import { PASSWORD, buildTestApp } from '../../../../test/support/build-test-app.ts'
import { callHosted, errorCodeOf } from '../../../../test/support/accounts/second-factor.ts'
import { aServiceKey } from '../../../../test/support/accounts/service-keys.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'
const EMAIL = 'ada@example.com'

describe('the admin API of the hosted auth protocol', () => {
  it('the admin API refuses bad input with the error codes of the protocol', async () => {
    const app = await buildTestApp()
    const { key } = await aServiceKey(app)
    const known = `${await app.anAccount('staff')}@example.com`
    const { id } = await callHosted(app, 'POST /admin/users', key, { payload: { email: EMAIL } }).then(
      (answer) => answer.json<HostedUser>(),
    )
    const user = `/admin/users/${id}`
    const link = 'POST /admin/generate_link'
    const long = 'x'.repeat(5000)
    const cases: [route: string, payload: Record<string, unknown> | undefined, expectedCode: string][] = [
      ['GET /admin/users?page=0', undefined, '400 validation_failed'],
      ['GET /admin/users?page=-1', undefined, '400 validation_failed'],
      ['GET /admin/users?per_page=1001', undefined, '400 validation_failed'],
      ['GET /admin/users/me', undefined, '404 validation_failed'],
      [`GET /admin/users/${NOBODY}`, undefined, '404 user_not_found'],
      [`PUT /admin/users/${NOBODY}`, {}, '404 user_not_found'],
      [`DELETE /admin/users/${NOBODY}`, {}, '404 user_not_found'],
      [`GET /admin/users/${NOBODY}/factors`, undefined, '404 user_not_found'],
      [`DELETE /admin/users/${NOBODY}/factors/${NOBODY}`, undefined, '404 user_not_found'],
      [`DELETE ${user}/factors/${NOBODY}`, undefined, '404 mfa_factor_not_found'],
      [`GET /admin/users/${NOBODY}/passkeys`, undefined, '404 user_not_found'],
      [`DELETE /admin/users/${NOBODY}/passkeys/${NOBODY}`, undefined, '404 user_not_found'],
      [`DELETE ${user}/passkeys/${NOBODY}`, undefined, '404 webauthn_credential_not_found'],
      ['POST /admin/users', {}, '400 validation_failed'],
      ['POST /admin/users', { phone: '0555 550100' }, '400 validation_failed'],
      ['POST /admin/users', { phone_confirm: true }, '400 validation_failed'],
      ['POST /admin/users', { email: 'xx:;x@x.x' }, '400 validation_failed'],
      ['POST /admin/users', { email: EMAIL.toUpperCase() }, '422 email_exists'],
      ['POST /admin/users', { email: 'a@b.example', id: 'x' }, '400 validation_failed'],
      ['POST /admin/users', { email: 'a@b.example', id }, '409 conflict'],
      ['POST /admin/users', { email: 'a@b.example', password: '12345' }, '422 weak_password'],
      [
        'POST /admin/users',
        { email: 'a@b.example', password: PASSWORD, password_hash: 'x' },
        '400 validation_failed',
      ],
      ['POST /admin/users', { email: 'a@b.example', password_hash: '$2y$10$abc' }, '400 validation_failed'],
      [
        'POST /admin/users',
        { email: 'a@b.example', password_hash: `$2b$15$${'a'.repeat(53)}` },
        '400 validation_failed',
      ],
      [
        'POST /admin/users',
        {
          email: 'a@b.example',
          password_hash: '$argon2id$v=19$m=999999,t=3,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaGhhc2g',
        },
        '400 validation_failed',
      ],
      ['POST /admin/users', { email: 'a@b.example', role: 'postgres' }, '400 validation_failed'],
      [
        'POST /admin/users',
        { email: 'a@b.example', app_metadata: { role: 'king' } },
        '400 validation_failed',
      ],
      [
        'POST /admin/users',
        { email: 'a@b.example', app_metadata: { x: long.slice(0, 600) } },
        '400 validation_failed',
      ],
      ['POST /admin/users', { email: 'a@b.example', user_metadata: { x: long } }, '400 validation_failed'],
      ['POST /admin/users', { email: 'a@b.example', user_metadata: { x: '\0' } }, '400 validation_failed'],
      ['POST /admin/users', { email: 'a@b.example', ban_duration: 'soon' }, '400 validation_failed'],
      ['POST /admin/users', { email: 'a@b.example', email_confirm: 'yes' }, '400 validation_failed'],
      [`PUT ${user}`, { email: known }, '422 email_exists'],
      [`PUT ${user}`, { email: 'x' }, '400 validation_failed'],
      [`PUT ${user}`, { password: 'password' }, '422 weak_password'],
      [`PUT ${user}`, { ban_duration: '-1h' }, '400 validation_failed'],
      [link, {}, '400 validation_failed'],
      [link, { type: 'sms', email: EMAIL }, '400 validation_failed'],
      [link, { type: 'signup', email: EMAIL }, '400 validation_failed'],
      [link, { type: 'signup', email: known, password: PASSWORD }, '422 email_exists'],
      [link, { type: 'signup', email: 'b@b.example', password: '12345' }, '422 weak_password'],
      [link, { type: 'invite', email: known }, '422 email_exists'],
      [link, { type: 'recovery', email: 'nobody@example.com' }, '404 user_not_found'],
      [link, { type: 'email_change_new', email: known }, '400 validation_failed'],
      [link, { type: 'email_change_new', email: known, new_email: EMAIL }, '422 email_exists'],
      ['POST /invite', {}, '400 validation_failed'],
      ['POST /invite', { email: 'xx:;x@x.x' }, '400 validation_failed'],
    ]
    const results: string[] = []
    for (const [route, payload] of cases)
      results.push(errorCodeOf(await callHosted(app, route, key, payload ? { payload } : {})))
    const shown = (codes: string[]) =>
      cases.map(([route, payload], at) => `${route} ${JSON.stringify(payload)} ${codes[at]}`)
    expect(shown(results)).toEqual(shown(cases.map(([, , code]) => code)))
    expect((await app.database.sql`select id from accounts`).length).toBe(3)
  })
})
