import { describe, expect, it } from 'vitest'
import { createKey, readsWith } from '../../../../test/support/accounts/api-keys.ts'
import { aHostedProject } from '../../../../test/support/accounts/hosted-projects.ts'
import { type TestApp, buildTestApp } from '../../../../test/support/build-test-app.ts'

const MINUTE_MS = 60_000

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const me = (app: TestApp, token: string) =>
  app.http.inject({ method: 'GET', url: '/api/auth/me', headers: bearer(token) })

/** Starts a hosted project, and an app that uses it. */
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
  it('people sign in with tokens of the hosted project, and have the role and name that they have there', async () => {
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

  it('a new role in the hosted project applies within a minute, and people without one of our roles are viewers', async () => {
    const { app, project } = await both()
    const name = await project.anAccount('admin')
    const token = await project.signIn(name)
    expect((await me(app, token)).json()).toMatchObject({ role: 'admin' })
    await setRole(project, name, 'employee')
    app.clock.advance(MINUTE_MS)
    expect((await me(app, token)).json()).toMatchObject({ role: 'employee', system_access: true })
    const viewer = { role: 'viewer', permissions: { can_view_orders: true }, system_access: false }
    await setRole(project, name, 'customer')
    app.clock.advance(MINUTE_MS)
    expect((await me(app, token)).json()).toMatchObject(viewer)
    await setRole(project, name, 'staff')
    app.clock.advance(MINUTE_MS)
    expect((await me(app, token)).json()).toMatchObject({ role: 'staff' })
    await project.database.sql`update user_roles set is_active = false`
    app.clock.advance(MINUTE_MS)
    expect((await me(app, token)).json()).toMatchObject(viewer)
    const changes = await app.database.sql`
      select after ->> 'role' as role from audit_entries where action = 'account.updated' order by id`
    expect(changes.map(({ role }) => role)).toEqual(['admin', 'employee', 'viewer', 'staff', 'viewer'])
  })

  it('a person who loses the role in the hosted project loses access and API keys, even without another sign-in', async () => {
    const { app, project } = await both()
    const name = await project.anAccount('admin')
    const token = await project.signIn(name)
    const { id } = (await me(app, token)).json()
    const { key } = (await createKey(app, bearer(token), { user_id: id })).json<{ key: string }>()
    expect(await readsWith(app, key)).toBe(200)
    await project.database.sql`update user_roles set is_active = false`
    await app.auth.purge()
    expect(await readsWith(app, key)).not.toBe(200)
    expect((await me(app, token)).json()).toMatchObject({ role: 'viewer' })
  })

  it('the language that a person has chosen in the hosted project is the language of the account here', async () => {
    const { app, project } = await both()
    const token = await project.signIn(await project.anAccount('staff'))
    const choose = (language: string) =>
      project.http.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: bearer(token),
        payload: { data: { language } },
      })
    const languageNow = async () => {
      app.clock.advance(MINUTE_MS)
      return (await me(app, token)).json().metadata.language
    }
    expect((await choose('he')).statusCode).toBe(200)
    expect(await languageNow()).toBe('he')
    await choose('de')
    expect(await languageNow()).toBe('de')
    await choose('xx')
    expect(await languageNow()).toBe('de')
  })

  it('a sign-out at the hosted project ends the session here within a minute', async () => {
    const { app, project } = await both()
    const token = await project.signIn(await project.anAccount('staff'))
    expect((await me(app, token)).statusCode).toBe(200)
    await project.http.inject({ method: 'POST', url: '/auth/v1/logout', headers: bearer(token) })
    app.clock.advance(MINUTE_MS)
    expect((await me(app, token)).statusCode).toBe(401)
    expect(await app.database.sql`select id from sessions`).toEqual([])
  })

  it('a person of the hosted project gets the account that already has the confirmed address', async () => {
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

  it('a person of the hosted project gets a new account if nobody has verified the address of the existing one', async () => {
    const { app, project } = await both()
    const name = await project.anAccount('staff')
    await app.anAccount('viewer')
    await app.database.sql`
      update accounts set email = ${`${name}@example.com`}, username = 'former', email_proved_at = null`
    const person = (await me(app, await project.signIn(name))).json()
    expect(person).toMatchObject({ username: name, email: '', role: 'staff' })
  })

  it('each person of the hosted project has an account of their own, even if an address moves to another person', async () => {
    const { app, project } = await both()
    const [first, second] = [await project.anAccount('admin'), await project.anAccount('viewer')]
    const former = (await me(app, await project.signIn(first))).json()
    await project.database.sql`update accounts set email = 'moved@example.com' where username = ${first}`
    await project.database.sql`update accounts set email = ${former.email} where username = ${second}`
    const person = (await me(app, await project.signIn(second))).json()
    expect(person).toMatchObject({ role: 'viewer', email: '' })
    expect(person.id).not.toBe(former.id)
    // A constraint also prevents two people of the project from sharing an account, even while two servers run.
    const merge = app.database.sql`update identities set account_id = ${former.id}`
    await expect(merge).rejects.toThrow('identities_hosted_project')
  })
})
