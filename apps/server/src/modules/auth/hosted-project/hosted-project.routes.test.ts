import { describe, expect, it } from 'vitest'
import { aHostedProject } from '../../../../test/support/accounts/hosted-projects.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'

const MINUTE_MS = 60_000

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const me = (app: TestApp, token: string) =>
  app.http.inject({ method: 'GET', url: '/api/auth/me', headers: bearer(token) })

/** Starts a product and its hosted project. */
async function both(variables: Record<string, string> = {}) {
  const hosted = await aHostedProject()
  const app = await buildTestApp({ variables: { ...hosted.variables, ...variables } })
  return { ...hosted, app }
}

async function setRole(project: TestApp, username: string, role: string): Promise<void> {
  await project.database.sql`
    update user_roles set role_name = ${role} where is_active and user_id = (select id from accounts where username = ${username})`
}

describe('accounts of a hosted project', () => {
  it('signs people in with tokens of the project, with the role and the name that they have there', async () => {
    const { app, project } = await both()
    const name = await project.anAccount('staff')
    const token = await project.signIn(name)
    const person = (await me(app, token)).json()
    expect(person).toMatchObject({
      email: `${name}@example.com`,
      role: 'staff',
      system_access: true,
      isActive: true,
      password_change_required: false,
    })
    const made = await app.http.inject({
      method: 'POST',
      url: '/api/inventory',
      headers: bearer(token),
      payload: { name: 'Vase', quantity: 1 },
    })
    expect(made.statusCode).toBe(201)
    const [account] = await app.database.sql`select id, password_hash from accounts`
    expect(account).toEqual({ id: person.id, password_hash: null })
  })

  it('takes a new role over within a minute, and closes the account without a role', async () => {
    const { app, project } = await both()
    const name = await project.anAccount('admin')
    const token = await project.signIn(name)
    expect((await me(app, token)).json()).toMatchObject({ role: 'admin' })
    await setRole(project, name, 'employee')
    app.clock.advance(MINUTE_MS)
    expect((await me(app, token)).json()).toMatchObject({ role: 'employee', system_access: true })
    await setRole(project, name, 'customer')
    app.clock.advance(MINUTE_MS)
    expect((await me(app, token)).json()).toMatchObject({ code: 'hosted_role_unknown' })
    await project.database.sql`update user_roles set is_active = false`
    const refused = await me(app, token)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'hosted_role_missing'])
    const [account] = await app.database
      .sql`select is_active, (select count(*)::int from sessions) as sessions from accounts`
    expect(account).toEqual({ is_active: false, sessions: 0 })
  })

  it('treats people without a row in user_roles as viewers only with SIGNUPS=open', async () => {
    const { app, project, variables } = await both()
    const name = await project.anAccount('viewer')
    await project.database.sql`delete from user_roles`
    const token = await project.signIn(name)
    expect((await me(app, token)).statusCode).toBe(403)
    const open = await buildTestApp({ variables: { ...variables, SIGNUPS: 'open' } })
    expect((await me(open, token)).json()).toMatchObject({ role: 'viewer' })
  })

  it('ends a session within a minute after its sign-out at the project', async () => {
    const { app, project } = await both()
    const token = await project.signIn(await project.anAccount('staff'))
    expect((await me(app, token)).statusCode).toBe(200)
    await project.http.inject({ method: 'POST', url: '/auth/v1/logout', headers: bearer(token) })
    app.clock.advance(MINUTE_MS)
    expect((await me(app, token)).statusCode).toBe(401)
    expect(await app.database.sql`select id from sessions`).toEqual([])
  })

  it('gives a person the account that had the confirmed address before', async () => {
    const { app, project } = await both()
    const name = await project.anAccount('staff')
    await app.anAccount('viewer')
    await app.database.sql`update accounts set email = ${`${name}@example.com`}, username = 'former'`
    expect((await me(app, await project.signIn(name))).json()).toMatchObject({
      username: 'former',
      role: 'staff',
    })
    const other = await buildTestApp({ variables: (await aHostedProject()).variables })
    expect((await me(other, await project.signIn(name))).statusCode).toBe(401)
  })

  it('creates another account if nobody has proved the former account’s address', async () => {
    const { app, project } = await both()
    const name = await project.anAccount('staff')
    await app.anAccount('viewer')
    await app.database.sql`
      update accounts set email = ${`${name}@example.com`}, username = 'former', email_proved_at = null`
    const person = (await me(app, await project.signIn(name))).json()
    expect(person).toMatchObject({ username: name, email: '', role: 'staff' })
  })
})
