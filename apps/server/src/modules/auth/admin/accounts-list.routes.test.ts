import type { User } from '@pegasus/contracts/users/users'
import { describe, expect, it } from 'vitest'
import {
  OWNER_PASSWORD,
  PASSWORD,
  type TestApp,
  buildTestApp,
} from '../../../../test/support/build-test-app.ts'
import { fragmentOf, lastLinkTo, mailsTo } from '../../../../test/support/accounts/mails.ts'
import { DAY_MS, MINUTE_MS } from '../../../platform/clock.ts'

type Headers = Record<string, string>

const list = async (app: TestApp, headers: Headers, query = ''): Promise<User[]> =>
  (await app.http.inject({ url: `/api/auth/users${query}`, headers })).json()

const create = (app: TestApp, headers: Headers, payload: Record<string, unknown>) =>
  app.http.inject({ method: 'POST', url: '/api/auth/users', headers, payload })

const change = (app: TestApp, headers: Headers, id: string, payload: Record<string, unknown>) =>
  app.http.inject({
    method: 'PATCH',
    url: `/api/auth/users/${id}`,
    headers: { ...headers, 'if-match': '*' },
    payload,
  })

const invite = (app: TestApp, headers: Headers, id: string) =>
  app.http.inject({ method: 'POST', url: `/api/auth/users/${id}/invitation`, headers })

const idOf = async (app: TestApp, username: string): Promise<string> => {
  const [row] = await app.database.sql<[{ id: string }]>`select id from accounts where username = ${username}`
  return row.id
}

const follow = async (app: TestApp, url: string) => fragmentOf((await app.http.inject(url)).headers.location)

const ada = { email: 'ada@example.com', username: 'ada', full_name: 'Ada Lovelace', role: 'staff' }

describe('the list of accounts', () => {
  it('the list of accounts can be filtered by role and status together with all other filters', async () => {
    const app = await buildTestApp()
    const admin = await app.as('admin')
    await create(app, admin, ada)
    await app.anAccount('viewer', { approved: false })
    await app.anAccount('staff', { isActive: false })
    await app.anAccount('viewer', { isActive: false, approved: false })
    await app.anAccount('staff')
    const named = async (query: string) =>
      (await list(app, admin, query)).map(({ username, status }) => `${username} ${status}`)
    expect(await named('?status=invited')).toEqual(['ada invited'])
    expect(await named('?status=waiting')).toEqual(['viewer-2 waiting'])
    expect(await named('?status=deactivated')).toEqual(['viewer-4 deactivated', 'staff-3 deactivated'])
    expect(await named('?status=active')).toEqual(['staff-5 active', 'admin-1 active', 'owner active'])
    expect(await named('?role=staff')).toEqual(['staff-5 active', 'staff-3 deactivated', 'ada invited'])
    expect(await named('?role=staff&status=active&search=5')).toEqual(['staff-5 active'])
    expect(await named('?role=employee')).toEqual([])
    const page = await app.http.inject({ url: '/api/auth/users?role=staff&limit=1', headers: admin })
    expect(page.headers['x-total-count']).toBe('3')
    const next = /<([^>]+)>/.exec(String(page.headers.link))?.[1] ?? ''
    expect((await app.http.inject({ url: next, headers: admin })).json()[0]).toMatchObject({
      username: 'staff-3',
    })
  })

  it('the list of accounts finds a name by any part of it, whatever the case, width or ligatures', async () => {
    const app = await buildTestApp()
    const admin = await app.as('admin')
    await create(app, admin, { ...ada, full_name: 'Ａda  Løvelace ﬁrst' })
    const count = async (search: string) =>
      (await list(app, admin, `?search=${encodeURIComponent(search)}`)).length
    for (const search of ['ada', 'ＡＤＡ', 'ADA løvelace', 'lace first', 'ada@EXAMPLE.com', '  ada  ', ''])
      expect([search, (await count(search)) >= 1]).toEqual([search, true])
    for (const search of ['ada nobody', '%', '_', '\\', "' or 1=1 --"])
      expect([search, await count(search)]).toEqual([search, 0])
  })

  it('T9 T10 T11 the list of accounts returns the same fields for every query, and never a secret', async () => {
    const app = await buildTestApp()
    const admin = await app.as('admin')
    await create(app, admin, { ...ada, password: PASSWORD })
    const plain = JSON.stringify(await list(app, admin))
    const odd = [
      'sort=password_hash',
      'order=password_hash',
      'order_by=password_hash.desc',
      'filter[password_hash][_starts_with]=$argon2',
      'password_hash=$argon2',
      'password_hash_like=%25',
      'fields=*,password_hash',
      'select=*',
      'include=sessions,one_time_tokens',
      'alias[hash]=password_hash',
      'group_by=password_hash',
      'export=password_hash',
      'where={"password_hash":{"contains":"$"}}',
      '_in=',
      'ids[]=',
      'role[]=staff',
      'role=',
      'status=',
      'approved=',
      'limit=',
    ]
    const different: string[] = []
    for (const query of odd)
      if (JSON.stringify(await list(app, admin, `?${query}`)) !== plain) different.push(query)
    const refused = ['role=god', 'role=staff&role=viewer', 'status=null', 'limit=0']
    for (const query of refused) {
      const { statusCode } = await app.http.inject({ url: `/api/auth/users?${query}`, headers: admin })
      if (statusCode !== 422) different.push(`${query}: ${statusCode}`)
    }
    console.info(`T9 T11 distinguishable answers ${different.length} of ${odd.length + refused.length}`)
    expect(different).toEqual([])
    for (const secret of ['$argon2', 'password_hash', 'token']) expect(plain).not.toContain(secret)
  })
})

describe('POST /api/auth/users/:id/invitation', () => {
  it('an admin can send an invitation again after one minute, and the old link then no longer works', async () => {
    const app = await buildTestApp()
    const admin = await app.as('admin')
    const { id } = (await create(app, admin, ada)).json<User>()
    const { url: first } = await lastLinkTo(app, ada.email)
    const early = await invite(app, admin, id)
    expect([early.statusCode, early.headers['retry-after']]).toEqual([429, '60'])
    app.clock.advance(6 * DAY_MS)
    const again = { authorization: `Bearer ${await app.signIn('admin-1')}` }
    const answer = await invite(app, again, id)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { status: 'invited', revision: 2, invited_at: app.clock.now().toISOString() },
    ])
    const { url: second } = await lastLinkTo(app, ada.email)
    expect((await follow(app, first)).error_code).toBe('otp_expired')
    app.clock.advance(6 * DAY_MS)
    const { access_token: token } = await follow(app, second)
    // The person opened the invitation and left before choosing a password.
    const third = await invite(app, { authorization: `Bearer ${await app.signIn('admin-1')}` }, id)
    expect(third.statusCode).toBe(200)
    const chosen = await app.http.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: { authorization: `Bearer ${token}` },
      payload: { password: PASSWORD },
    })
    expect(chosen.statusCode).toBe(200)
    app.clock.advance(MINUTE_MS)
    const late = await invite(app, { authorization: `Bearer ${await app.signIn('admin-1')}` }, id)
    expect([late.statusCode, late.json().code]).toEqual([409, 'invitation_closed'])
    expect(await mailsTo(app, ada.email)).toHaveLength(3)
    expect(await app.signIn('ada')).toBeTruthy()
  })

  it('parallel requests to resend an invitation send only one email', async () => {
    const app = await buildTestApp()
    const admin = await app.as('admin')
    const { id } = (await create(app, admin, ada)).json<User>()
    app.clock.advance(MINUTE_MS)
    const answers = await Promise.all(Array.from({ length: 8 }, () => invite(app, admin, id)))
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([
      200,
      ...Array(7).fill(429),
    ])
    expect(await mailsTo(app, ada.email)).toHaveLength(2)
  })

  it('an invitation is refused for an account that is unknown or deactivated, has a password, or outranks the sender', async () => {
    const app = await buildTestApp()
    const admin = await app.as('admin')
    const owner = { authorization: `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}` }
    const staff = await idOf(app, await app.anAccount('staff'))
    expect((await invite(app, admin, staff)).statusCode).toBe(409)
    const { id: chief } = (await create(app, owner, { ...ada, role: 'admin' })).json<User>()
    const { id: gone } = (
      await create(app, owner, { ...ada, email: 'bob@example.com', username: 'bob' })
    ).json<User>()
    await change(app, owner, gone, { is_active: false })
    app.clock.advance(MINUTE_MS)
    expect((await invite(app, admin, chief)).statusCode).toBe(403)
    expect((await invite(app, owner, chief)).statusCode).toBe(200)
    const refused = await invite(app, owner, gone)
    expect([refused.statusCode, refused.json().detail]).toEqual([
      409,
      'Reactivate this person before you invite them.',
    ])
    for (const id of ['01890000-0000-7000-8000-000000000000', 'nonsense'])
      expect((await invite(app, admin, id)).statusCode).toBe(404)
    for (const role of ['viewer', 'employee', 'staff'] as const)
      expect((await invite(app, await app.as(role), chief)).statusCode).toBe(403)
    app.clock.advance(15 * MINUTE_MS)
    expect((await invite(app, owner, chief)).json().code).toBe('reauthentication_required')
  })
})

describe('deactivated accounts', () => {
  it('T115 a deactivated account loses its sessions, links, codes and invitations, and reactivation does not restore them', async () => {
    const app = await buildTestApp()
    const admin = await app.as('admin')
    const name = await app.anAccount('staff')
    const [id, email] = [await idOf(app, name), `${name}@example.com`]
    const made = await app.http.inject({
      method: 'POST',
      url: '/api/api-keys',
      headers: admin,
      payload: { user_id: id, scope: ['integration'] },
    })
    const { key } = made.json<{ key: string }>()
    const askWithKey = () => app.http.inject({ url: '/api/integration/stock', headers: { 'x-api-key': key } })
    expect((await askWithKey()).statusCode).toBe(200)
    const { id: invitedId } = (await create(app, admin, ada)).json<User>()
    const invitation = await lastLinkTo(app, ada.email)
    const sessions = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const payload = { username: name, password: PASSWORD }
        return (await app.http.inject({ method: 'POST', url: '/auth/login', payload })).json<{
          access_token: string
          refresh_token: string
        }>()
      }),
    )
    const verifier = 'v'.repeat(43)
    const challenge = { code_challenge: verifier, code_challenge_method: 'plain' }
    await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email, ...challenge } })
    const followed = new URL(
      String((await app.http.inject((await lastLinkTo(app, email)).url)).headers.location),
    )
    const authCode = followed.searchParams.get('code') ?? ''
    app.clock.advance(MINUTE_MS)
    await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email } })
    const { url: recovery, code } = await lastLinkTo(app, email)

    expect((await change(app, admin, id, { is_active: false })).statusCode).toBe(200)
    expect((await change(app, admin, invitedId, { is_active: false })).statusCode).toBe(200)

    const post = (url: string, payload: Record<string, unknown>) =>
      app.http.inject({ method: 'POST', url: `/auth/v1/${url}`, payload })
    const tryAll = async (): Promise<string[]> => {
      const survivors: string[] = []
      for (const { access_token: token, refresh_token: refreshToken } of sessions) {
        const headers = { authorization: `Bearer ${token}` }
        for (const url of ['/api/auth/me', '/auth/v1/user', '/api/stl-files', '/api/events'])
          if ((await app.http.inject({ url, headers })).statusCode < 400) survivors.push(url)
        const renewed = await post('token?grant_type=refresh_token', { refresh_token: refreshToken })
        if (renewed.statusCode === 200) survivors.push('refresh token')
      }
      for (const url of [recovery, invitation.url])
        if ('access_token' in (await follow(app, url))) survivors.push(url)
      const byCode = await post('verify', { type: 'recovery', email, token: code })
      if (byCode.statusCode === 200) survivors.push('code')
      const exchanged = await post('token?grant_type=pkce', { auth_code: authCode, code_verifier: verifier })
      if (exchanged.statusCode === 200) survivors.push('code of a followed link')
      return survivors
    }
    const tried = sessions.length * 5 + 4
    const survivors = await tryAll()
    if (
      await app.signIn(name).then(
        () => true,
        () => false,
      )
    )
      survivors.push('password')
    if ((await askWithKey()).statusCode < 400) survivors.push('API key')
    // Deactivation removes keys and sessions permanently, and reactivation does not restore them.
    await change(app, admin, id, { is_active: true })
    await change(app, admin, invitedId, { is_active: true })
    survivors.push(...(await tryAll()))
    console.info(`T115 survivors of a deactivation ${survivors.length} of ${2 * tried + 2}`)
    expect(survivors).toEqual([])
    expect(await app.signIn(name)).toBeTruthy()
  })
})
