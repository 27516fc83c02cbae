import type { OutboxMail } from '@pegasus/contracts/mail'
import { describe, expect, it } from 'vitest'
import { OWNER_PASSWORD, type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { readOutbox } from '../../../test/support/accounts/mails.ts'
import { DAY_MS, MINUTE_MS } from '../../platform/clock.ts'

type Headers = Record<string, string>

const recover = async (app: TestApp, email: string): Promise<void> => {
  await app.http.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email } })
}

const read = (app: TestApp, headers: Headers, query = '') =>
  app.http.inject({ url: `/api/outbox-mails${query}`, headers })

describe('GET /api/outbox-mails', () => {
  it('GET /api/outbox-mails shows admins the emails to accounts with lower roles, and owners all emails', async () => {
    const app = await buildTestApp()
    for (const role of ['viewer', 'staff', 'admin', 'owner'] as const)
      await recover(app, `${await app.anAccount(role)}@example.com`)
    const admin = await app.as('admin')
    const seen = (await read(app, admin)).json<OutboxMail[]>()
    expect(seen.map((mail) => mail.to.split('-')[0])).toEqual(['staff', 'viewer'])
    expect(Object.keys(seen[0] ?? {}).sort()).toEqual([
      'created_at',
      'failed_at',
      'failure',
      'id',
      'link_ended',
      'links',
      'subject',
      'text',
      'to',
    ])
    expect(seen[0]?.text).toContain(seen[0]?.links[0] ?? 'no link')
    expect(seen[0]).toMatchObject({ failed_at: null, failure: null })
    expect((await readOutbox(app)).map((mail) => mail.to.split('-')[0])).toEqual([
      'owner',
      'admin',
      'staff',
      'viewer',
    ])
  })

  it('GET /api/outbox-mails marks emails whose link is replaced, expired or used', async () => {
    const app = await buildTestApp()
    const email = `${await app.anAccount('viewer')}@example.com`
    const admin = await app.as('admin')
    const ended = async (headers = admin) =>
      (await read(app, headers)).json<OutboxMail[]>().map((mail) => mail.link_ended)
    await recover(app, email)
    expect(await ended()).toEqual([false])
    app.clock.advance(5 * MINUTE_MS)
    await recover(app, email)
    expect(await ended()).toEqual([false, true])
    const [mail] = (await read(app, admin)).json<OutboxMail[]>()
    await app.http.inject({ url: mail?.links[0]?.replace(/^https?:\/\/[^/]+/, '') ?? '' })
    expect(await ended()).toEqual([true, true])
    app.clock.advance(5 * MINUTE_MS)
    await recover(app, email)
    expect(await ended()).toEqual([false, true, true])
    app.clock.advance(61 * MINUTE_MS)
    expect(await ended(await app.as('admin'))).toEqual([true, true, true])
  })

  it('GET /api/outbox-mails checks the current role of the recipient', async () => {
    const app = await buildTestApp()
    const name = await app.anAccount('staff')
    await recover(app, `${name}@example.com`)
    const admin = await app.as('admin')
    expect((await read(app, admin)).json()).toHaveLength(1)
    await app.database.sql`
      update user_roles set role_name = 'admin' where user_id = (select id from accounts where username = ${name})`
    const after = await read(app, admin)
    expect([after.json(), after.headers['x-total-count']]).toEqual([[], '0'])
  })

  it('GET /api/outbox-mails returns the emails of the last 30 days page by page', async () => {
    const app = await buildTestApp()
    for (let i = 0; i < 3; i += 1) await recover(app, `${await app.anAccount('viewer')}@example.com`)
    const admin = await app.as('admin')
    const first = await read(app, admin, '?limit=2')
    expect([first.json<OutboxMail[]>().length, first.headers['x-total-count']]).toEqual([2, '3'])
    const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
    expect((await app.http.inject({ url: next, headers: admin })).json()).toHaveLength(1)
    app.clock.advance(31 * DAY_MS)
    await recover(app, 'owner@pegasus.local')
    const authorization = `Bearer ${await app.signIn('owner', OWNER_PASSWORD)}`
    expect((await read(app, { authorization })).json()).toHaveLength(1)
  })

  it('GET /api/outbox-mails is refused for roles below admin, and the database contains the emails only encrypted', async () => {
    const app = await buildTestApp()
    await recover(app, `${await app.anAccount('viewer')}@example.com`)
    for (const role of ['viewer', 'employee', 'staff'] as const)
      expect((await read(app, await app.as(role))).statusCode).toBe(403)
    const [row] = await app.database.sql`select body_sealed from outbox_mails`
    expect(String(row?.body_sealed)).not.toContain('verify')
  })
})
