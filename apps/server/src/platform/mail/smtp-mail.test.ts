import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OutboxMail } from '@pegasus/contracts/mail'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PASSWORD, type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { type Received, aMailServer, linkIn } from '../../../test/servers/mail-server.ts'
import { readOutbox } from '../../../test/support/accounts/mails.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createTestDatabase } from '../../../test/support/database/test-database.ts'
import { systemClock } from '../clock.ts'
import { loadRootSecret } from '../root-secret.ts'
import { createTasks } from '../tasks/tasks.ts'
import type { Undelivered } from './mail.ts'
import { createSmtpMail } from './smtp-mail.ts'

const withMail = (url: string) =>
  buildTestApp({ variables: { SMTP_URL: url, MAIL_FROM: 'Pegasus Ops <ops@example.com>' } })

const post = (app: TestApp, url: string, payload: Record<string, unknown>) =>
  app.http.inject({ method: 'POST', url, payload })

const arrived = (received: Received[], count: number) =>
  expect.poll(() => received.length, { timeout: 20_000, interval: 50 }).toBe(count)

describe('emails sent by SMTP', () => {
  it('an email sent by SMTP reaches its recipient, and neither the outbox nor the queue shows its content', async () => {
    const server = await aMailServer()
    const app = await withMail(server.url)
    await post(app, '/auth/v1/signup', { email: 'ada@example.com', password: PASSWORD })
    await arrived(server.received, 1)
    const [mail] = server.received
    expect([mail?.to, mail?.from]).toEqual([['ada@example.com'], 'ops@example.com'])
    expect(mail?.source).toMatch(/^Subject: Confirm your email address for Pegasus Ops\r?$/m)
    expect(mail?.source).toMatch(/^Message-ID: <[0-9a-f-]{36}@example.com>\r?$/m)
    expect(mail?.source).toContain('text/plain')
    const url = new URL(linkIn(mail))
    const jobs = JSON.stringify(await app.database.sql`select data, output from pgboss.job`)
    expect(jobs).toContain('sealed')
    for (const secret of ['ada@example.com', url.searchParams.get('token') ?? ''])
      expect(jobs).not.toContain(secret)
    const [outbox] = await app.database.sql`select count(*)::int as n from outbox_mails`
    expect(outbox?.n).toBe(0)
  })

  it('an email sent by SMTP is retried after a failure, and arrives once', async () => {
    const server = await aMailServer({ refuses: 2 })
    const app = await withMail(server.url)
    const name = await app.anAccount('viewer')
    expect((await post(app, '/auth/v1/recover', { email: `${name}@example.com` })).statusCode).toBe(200)
    await arrived(server.received, 1)
    // The mail server accepts the email shortly before our server records that it was sent.
    const countSent = async () =>
      (await app.database.sql`select count(*)::int as n from sent_mails`).map(({ n }) => n)
    await expect.poll(countSent, { timeout: 20_000 }).toEqual([1])
    expect(await readOutbox(app)).toEqual([])
  })

  it('if the last attempt to send an email by SMTP fails, administrators see the email with the reason', async () => {
    const server = await aMailServer({ refuses: Number.POSITIVE_INFINITY, words: 'Mailbox\tis full' })
    const app = await withMail(server.url)
    // Set the limit so that this attempt is the last one. Normally attempts continue for an hour.
    await app.database.sql`update pgboss.queue set retry_limit = 1 where name = 'mail.send'`
    const postedAt = app.clock.now().toISOString()
    const [viewer, admin] = [await app.anAccount('viewer'), await app.anAccount('admin')]
    for (const name of [viewer, admin]) await post(app, '/auth/v1/recover', { email: `${name}@example.com` })
    await expect.poll(async () => (await readOutbox(app)).length, { timeout: 20_000 }).toBe(2)
    expect([server.received.length, server.countAttempts()]).toEqual([0, 4])
    const seen = await app.http.inject({ url: '/api/outbox-mails', headers: await app.as('admin') })
    const [mail, ...others] = seen.json<OutboxMail[]>()
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to: `${viewer}@example.com`,
      created_at: postedAt,
      failed_at: postedAt,
      failure: 'Message failed: 451 Mailbox is full',
    })
    const link = new URL(mail?.links[0] ?? '')
    expect(mail?.text).toContain(link.href)
    const rows = JSON.stringify(await app.database.sql`select * from outbox_mails`)
    expect(rows).not.toContain(link.searchParams.get('token') ?? '')
    // An administrator can pass on the link, which then works as usual.
    expect((await app.http.inject(`${link.pathname}${link.search}`)).headers.location).toContain(
      'access_token',
    )
  })

  it.each(['recipient', 'content'] as const)(
    'if the SMTP server permanently refuses the %s of an email, the email is kept at once and not retried',
    async (at) => {
      const server = await aMailServer({ refuses: 1, code: 550, words: 'No such user here', at })
      const app = await withMail(server.url)
      const name = await app.anAccount('viewer')
      await post(app, '/auth/v1/recover', { email: `${name}@example.com` })
      await expect.poll(async () => (await readOutbox(app)).length, { timeout: 20_000 }).toBe(1)
      const [mail] = await readOutbox(app)
      expect(mail?.failure).toMatch(/550 No such user here$/)
      const states = async () =>
        (await app.database.sql`select state from pgboss.job where name = 'mail.send'`).map(
          ({ state }) => state,
        )
      await expect.poll(states, { timeout: 20_000 }).toEqual(['completed'])
      expect([server.received.length, server.countAttempts()]).toEqual([0, 1])
    },
  )

  it('an email is retried if the SMTP server refuses the sender, because the operator can fix this', async () => {
    const server = await aMailServer({ refuses: 1, code: 550, words: 'Not from you', at: 'sender' })
    const app = await withMail(server.url)
    await post(app, '/auth/v1/signup', { email: 'ada@example.com', password: PASSWORD })
    await arrived(server.received, 1)
    expect(await readOutbox(app)).toEqual([])
  })

  it('an email that an earlier version queued without a time is sent, or kept if the SMTP server refuses it', async () => {
    const server = await aMailServer({ refuses: 1, code: 550, words: 'No such user here' })
    const dataDir = await mkdtemp(join(tmpdir(), 'pegasus-mail-'))
    const { database, drop } = await createTestDatabase()
    const tasks = createTasks({ database, log: silentLog })
    const kept: Undelivered[] = []
    const transport = createSmtpMail({
      url: server.url,
      from: 'ops@example.com',
      database,
      tasks,
      secret: await loadRootSecret({ dataDir }),
      clock: systemClock,
      keep: async (_sql, _mail, failed) => void kept.push(failed),
      takeBack: async () => false,
    })
    const startedAt = systemClock.now()
    await tasks.start()
    onTestFinished(async () => {
      await tasks.stop()
      await drop()
      await rm(dataDir, { recursive: true })
    })
    const mail = { accountId: null, to: 'ada@example.com', subject: 'Hello', text: 'x', html: 'x', links: [] }
    const post = () =>
      database.transaction(async (tx) => {
        await transport.post(tx, { ...mail, id: uuidv7() })
        await tx`update pgboss.job set data = data - 'postedAt' where name = 'mail.send'`
      })
    await post()
    await expect.poll(() => kept.length, { timeout: 20_000 }).toBe(1)
    expect(kept[0]?.postedAt.getTime()).toBeGreaterThanOrEqual(startedAt.getTime())
    await post()
    await arrived(server.received, 1)
    expect(kept).toHaveLength(1)
  })

  it('an email that is queued several times with the same id is sent once by SMTP', async () => {
    const server = await aMailServer()
    const dataDir = await mkdtemp(join(tmpdir(), 'pegasus-mail-'))
    const { database, drop } = await createTestDatabase()
    const tasks = createTasks({ database, log: silentLog })
    const secret = await loadRootSecret({ dataDir })
    const transport = createSmtpMail({
      url: server.url,
      from: 'ops@example.com',
      database,
      tasks,
      secret,
      clock: systemClock,
      keep: () => Promise.reject(new Error('nothing failed')),
      takeBack: async () => false,
    })
    await tasks.start()
    onTestFinished(async () => {
      await tasks.stop()
      await drop()
      await rm(dataDir, { recursive: true })
    })
    const mail = { accountId: null, to: 'ada@example.com', subject: 'Hello', text: 'x', html: 'x', links: [] }
    const post = (id: string) => database.transaction((tx) => transport.post(tx, { ...mail, id }))
    const [first, second] = [uuidv7(), uuidv7()]
    await post(first)
    await arrived(server.received, 1)
    await post(first)
    await post(second)
    await arrived(server.received, 2)
    const open = () =>
      database.sql`select 1 from pgboss.job where name = 'mail.send' and state in ('created', 'active', 'retry')`
    await expect.poll(async () => (await open()).length, { timeout: 20_000 }).toBe(0)
    expect(server.received).toHaveLength(2)
  })

  it("an administrator's approval does not confirm an email address, and a changed address needs its own mailed link", async () => {
    const server = await aMailServer()
    const app = await withMail(server.url)
    const signUp = await post(app, '/auth/v1/signup', { email: 'ada@example.com', password: PASSWORD })
    await arrived(server.received, 1)
    const approved = await app.http.inject({
      method: 'PATCH',
      url: `/api/auth/users/${signUp.json().id}`,
      headers: { ...(await app.as('admin')), 'if-match': '"1"' },
      payload: { approved: true },
    })
    expect(approved.json()).toMatchObject({ approved: true, email_confirmed: false })
    const early = await post(app, '/auth/login', { username: 'ada', password: PASSWORD })
    expect(early.json().code).toBe('email_not_confirmed')
    const link = new URL(linkIn(server.received[0]))
    const { headers } = await app.http.inject(`${link.pathname}${link.search}`)
    expect(headers.location).toContain('access_token')

    const authorization = `Bearer ${await app.signIn('ada')}`
    const change = () =>
      app.http.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { authorization },
        payload: { email: 'lovelace@example.com' },
      })
    expect((await change()).json()).toMatchObject({
      email: 'ada@example.com',
      new_email: 'lovelace@example.com',
    })
    expect((await change()).statusCode).toBe(429)
    const mailTo = (address: string) => server.received.findLast((mail) => mail.to[0] === address)
    await expect.poll(() => mailTo('lovelace@example.com'), { timeout: 20_000 }).toBeDefined()
    const notice = () => mailTo('ada@example.com')?.source
    await expect.poll(notice, { timeout: 20_000 }).toContain('is being changed')
    expect(notice()).not.toContain('verify')
    const confirmation = new URL(linkIn(mailTo('lovelace@example.com')))
    expect(confirmation.searchParams.get('type')).toBe('email_change')
    expect((await app.http.inject(`${confirmation.pathname}${confirmation.search}`)).statusCode).toBe(303)
    const me = await app.http.inject({ url: '/api/auth/me', headers: { authorization } })
    expect(me.json().email).toBe('lovelace@example.com')
  })
})
