import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { listen } from '../../../test/support/accounts/providers/listen.ts'
import { type SentEvent, countWaiting, refuse } from '../../../test/support/security-events.ts'
import { SYSTEM_ACTOR } from '../../platform/actor.ts'
import { MINUTE_MS } from '../../platform/clock.ts'
import { writeAudit, writeAudits } from '../audit/index.ts'
import { readSecurityLogTarget } from './security-log-target.ts'
import { createSecurityLogSender } from './security-log.service.ts'

interface Receiver {
  url: string
  /** All accepted events, in the order of their arrival. */
  events: SentEvent[]
  authorizations: (string | undefined)[]
  /** Sets the HTTP status of the next responses. */
  respondWith(status: number): void
  /** From now on, refuses each request that contains an event with one of these names. */
  refuseNames(names: readonly string[]): void
}

const eventsOf = (lines: string): SentEvent[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SentEvent)

/** Starts a receiver, which stands for the other system, and takes events over HTTP. */
async function aReceiver(): Promise<Receiver> {
  let status = 204
  let refused: readonly string[] = []
  const events: SentEvent[] = []
  const authorizations: (string | undefined)[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    authorizations.push(request.headers.authorization)
    const given = eventsOf(body)
    const isRefused = given.some(({ entity_name: name }) => refused.includes(name ?? ''))
    if (status < 300 && !isRefused) events.push(...given)
    response.writeHead(isRefused ? 422 : status).end()
  }
  const url = await listen((request, response) => void handle(request, response))
  return {
    url: `${url}/events`,
    events,
    authorizations,
    respondWith: (next) => void (status = next),
    refuseNames: (names) => void (refused = names),
  }
}

const fails = (app: TestApp, name: string) =>
  app.http.inject({
    method: 'POST',
    url: '/auth/login',
    payload: { username: name, password: 'wrong words' },
  })

const namesOf = (events: readonly SentEvent[]) => events.map(({ entity_name: name }) => name)

describe('security events in another system, over HTTP', () => {
  it('each sign-in, failure, change of rights and refusal is sent once as a security event, with the configured token', async () => {
    const receiver = await aReceiver()
    const app = await buildTestApp({
      variables: { SECURITY_LOG_URL: receiver.url, SECURITY_LOG_TOKEN: 'a-token' },
    })
    const viewer = await app.anAccount('viewer')
    const headers = { authorization: `Bearer ${await app.signIn(viewer)}` }
    await fails(app, viewer)
    await app.http.inject({ url: '/api/auth/users', headers })
    await app.database.transaction((tx) =>
      writeAudits(
        tx,
        [
          { action: 'spool.added', entity: 'spool', entityId: null },
          { action: 'channel.created', entity: 'channel', entityId: null },
        ],
        { actor: SYSTEM_ACTOR, now: app.clock.now() },
      ),
    )
    await app.securityLog.run()
    await app.securityLog.run()
    expect(receiver.events.map(({ action }) => action)).toEqual([
      'account.created',
      'session.opened',
      'session.refused',
      'access.refused',
      'channel.created',
    ])
    expect(receiver.events[1]).toMatchObject({ actor: { kind: 'user', name: 'The viewer' }, ip: '127.0.0.1' })
    expect(new Set(receiver.authorizations)).toEqual(new Set(['Bearer a-token']))
    expect(await countWaiting(app)).toBe(0)
  })

  it('an event of a change that was rolled back is not sent', async () => {
    const receiver = await aReceiver()
    const app = await buildTestApp({ variables: { SECURITY_LOG_URL: receiver.url } })
    await app.securityLog.run()
    const before = receiver.events.length
    const undone = app.database.transaction(async (tx) => {
      await writeAudit(
        tx,
        { action: 'account.updated', entity: 'account', entityId: null },
        { actor: SYSTEM_ACTOR, now: app.clock.now() },
      )
      throw new Error('rolled back')
    })
    await expect(undone).rejects.toThrow('rolled back')
    await app.securityLog.run()
    expect(receiver.events.length).toBe(before)
  })

  it('while the other system fails, requests work and security events wait; later all events arrive in order', async () => {
    const receiver = await aReceiver()
    const app = await buildTestApp({ variables: { SECURITY_LOG_URL: receiver.url } })
    await app.securityLog.run()
    receiver.events.length = 0
    for (const status of [503, 401, 302, 500]) {
      receiver.respondWith(status)
      app.clock.advance(MINUTE_MS)
      expect((await fails(app, 'owner')).statusCode).toBe(401)
      await refuse(app, [`while ${status}`])
      await app.securityLog.run()
    }
    expect(receiver.events).toEqual([])
    receiver.respondWith(200)
    // The pause after the last failure is not over yet.
    await app.securityLog.run()
    expect(receiver.events).toEqual([])
    app.clock.advance(MINUTE_MS)
    await app.securityLog.run()
    const refusals = receiver.events.filter(({ action }) => action === 'access.refused')
    expect(namesOf(refusals)).toEqual(['while 503', 'while 401', 'while 302', 'while 500'])
    expect(await countWaiting(app)).toBe(0)
  })

  it('two replicas send each security event once, and the events of a process that died are sent by the other process', async () => {
    const receiver = await aReceiver()
    const app = await buildTestApp({ variables: { SECURITY_LOG_URL: receiver.url } })
    const replica = await app.replica()
    await app.securityLog.run()
    receiver.events.length = 0
    const names = Array.from({ length: 1000 }, (_, index) => `refusal ${index}`)
    await refuse(app, names)
    await Promise.all([app.securityLog.run(), replica.securityLog.run()])
    expect(receiver.events.length).toBe(1000)
    expect(new Set(namesOf(receiver.events))).toEqual(new Set(names))

    await refuse(app, ['of a dead process'])
    await app.database
      .sql`update security_log_queue set claimed_until = ${new Date(app.clock.now().getTime() + 30_000)}`
    await replica.securityLog.run()
    expect(await countWaiting(app)).toBe(1)
    app.clock.advance(MINUTE_MS)
    await replica.securityLog.run()
    expect(namesOf(receiver.events.slice(1000))).toEqual(['of a dead process'])
  })

  it('if too many security events wait, the oldest are dropped, and the other system learns how many', async () => {
    const receiver = await aReceiver()
    const lines: string[] = []
    const app = await buildTestApp({
      variables: { SECURITY_LOG_URL: receiver.url },
      logTo: { write: (line) => void lines.push(line) },
    })
    await app.securityLog.run()
    receiver.events.length = 0
    const target = readSecurityLogTarget(receiver.url)
    if (target === null) throw new Error('the address of the receiver is valid')
    const send = createSecurityLogSender({ ...app, log: app.http.log, target, maxQueued: 10 })
    receiver.respondWith(500)
    await refuse(
      app,
      Array.from({ length: 25 }, (_, index) => `refusal ${index}`),
    )
    await send(new AbortController().signal)
    expect(await countWaiting(app)).toBe(10)
    receiver.respondWith(200)
    app.clock.advance(MINUTE_MS)
    await send(new AbortController().signal)
    const [note, ...others] = receiver.events
    expect(note).toEqual({ action: 'security_log.dropped', at: app.clock.now().toISOString(), dropped: 15 })
    expect(namesOf(others)).toEqual(Array.from({ length: 10 }, (_, index) => `refusal ${index + 15}`))
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(messages.filter((message) => message.startsWith('security events'))).toEqual([
      'security events were dropped, because too many wait',
      'security events could not be sent; they wait',
      'security events are sent again',
    ])
    // The note about dropped events must not be sent a second time.
    await refuse(app, ['later'])
    await send(new AbortController().signal)
    expect(receiver.events.slice(11).map(({ action }) => action)).toEqual(['access.refused'])
  })

  it('the limit for waiting security events applies even during the pause after a failure, and two replicas report dropped events only once', async () => {
    const receiver = await aReceiver()
    const app = await buildTestApp({ variables: { SECURITY_LOG_URL: receiver.url } })
    await app.securityLog.run()
    receiver.events.length = 0
    const target = readSecurityLogTarget(receiver.url)
    if (target === null) throw new Error('the address of the receiver is valid')
    const senders = [1, 2].map(() =>
      createSecurityLogSender({ ...app, log: app.http.log, target, maxQueued: 300 }),
    )
    const { signal } = new AbortController()
    receiver.respondWith(500)
    await refuse(app, ['first'])
    await senders[0]?.(signal)
    await refuse(
      app,
      Array.from({ length: 400 }, (_, index) => `refusal ${index}`),
    )
    // The pause after the failure is not over yet.
    await senders[0]?.(signal)
    expect(await countWaiting(app)).toBe(300)
    receiver.respondWith(200)
    app.clock.advance(MINUTE_MS)
    await Promise.all(senders.map((send) => send(signal)))
    const notes = receiver.events.filter(({ action }) => action === 'security_log.dropped')
    expect(notes.map(({ dropped }) => dropped)).toEqual([101])
    expect(receiver.events.length).toBe(301)

    // Events that a process is sending are not dropped.
    await refuse(app, ['claimed'])
    await app.database
      .sql`update security_log_queue set claimed_until = ${new Date(app.clock.now().getTime() + 30_000)}`
    await refuse(
      app,
      Array.from({ length: 300 }, (_, index) => `later ${index}`),
    )
    await senders[0]?.(signal)
    expect(await countWaiting(app)).toBe(1)
  })

  it('a security event that the other system permanently refuses is dropped and reported, and all others arrive', async () => {
    const receiver = await aReceiver()
    const lines: string[] = []
    const app = await buildTestApp({
      variables: { SECURITY_LOG_URL: receiver.url },
      logTo: { write: (line) => void lines.push(line) },
    })
    await app.securityLog.run()
    receiver.events.length = 0
    const names = Array.from({ length: 20 }, (_, index) => `refusal ${index}`)
    receiver.refuseNames(['refusal 7', 'refusal 19'])
    await refuse(app, names)
    await app.securityLog.run()
    expect(new Set(namesOf(receiver.events))).toEqual(
      new Set(names.filter((name) => !['refusal 7', 'refusal 19'].includes(name))),
    )
    expect([receiver.events.length, await countWaiting(app)]).toEqual([18, 0])
    const ids = await app.database.sql<{ id: string }[]>`
      select id from audit_entries where entity_name in ('refusal 7', 'refusal 19') order by id`
    const entries = lines.map((line) => JSON.parse(line) as { msg: string; events?: string[] })
    const drop = entries.find(({ msg }) => msg.endsWith('because the other system refuses them'))
    expect(drop?.events?.toSorted()).toEqual(ids.map(({ id }) => id))
    await refuse(app, ['later'])
    await app.securityLog.run()
    expect(receiver.events.slice(18)).toMatchObject([
      { action: 'security_log.dropped', dropped: 2 },
      { entity_name: 'later' },
    ])

    // A receiver that accepts no event is misconfigured, so the events wait instead of being dropped.
    receiver.respondWith(400)
    await refuse(app, names)
    await app.securityLog.run()
    expect(await countWaiting(app)).toBe(20)
  })

  it('while security events cannot be sent, the log reports every hour how many are waiting', async () => {
    const receiver = await aReceiver()
    const lines: string[] = []
    const app = await buildTestApp({
      variables: { SECURITY_LOG_URL: receiver.url },
      logTo: { write: (line) => void lines.push(line) },
    })
    await app.securityLog.run()
    receiver.respondWith(503)
    await refuse(app, ['one', 'two', 'three'])
    for (let minute = 0; minute <= 125; minute += 5) {
      await app.securityLog.run()
      app.clock.advance(5 * MINUTE_MS)
    }
    const entries = lines.map((line) => JSON.parse(line) as { msg: string; waiting?: number })
    expect(entries.filter(({ msg }) => msg.endsWith('they wait')).map(({ waiting }) => waiting)).toEqual([
      3, 3, 3,
    ])
  })

  it('a receiver that never responds delays neither a request nor the shutdown of the server', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const url = await listen(() => resolve())
    const app = await buildTestApp({ variables: { SECURITY_LOG_URL: url } })
    app.securityLog.start()
    await asked
    await app.signIn(await app.anAccount('viewer'))
    const began = performance.now()
    await app.securityLog.stop()
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(await countWaiting(app)).toBeGreaterThan(0)
  })

  it('a server without an address for security events queues no events, and deletes those that are waiting', async () => {
    const receiver = await aReceiver()
    const app = await buildTestApp({ variables: { SECURITY_LOG_URL: receiver.url } })
    expect(await countWaiting(app)).toBeGreaterThan(0)
    app.config.securityLog = null
    const replica = await app.replica()
    expect(await countWaiting(app)).toBe(0)
    await fails(replica, 'owner')
    await replica.securityLog.run()
    expect([await countWaiting(app), receiver.events]).toEqual([0, []])
  })

  it('a server that starts without the address logs this, and a replica with the address queues security events again', async () => {
    const receiver = await aReceiver()
    const lines: string[] = []
    const app = await buildTestApp({
      variables: { SECURITY_LOG_URL: receiver.url },
      logTo: { write: (line) => void lines.push(line) },
    })
    await app.securityLog.run()
    receiver.events.length = 0
    await refuse(app, ['waits', 'waits too'])
    const { securityLog } = app.config
    app.config.securityLog = null
    await app.replica()
    await app.replica()
    const entries = lines.map((line) => JSON.parse(line) as { msg: string; deleted?: number })
    expect(
      entries.filter(({ msg }) => msg.startsWith('no security event is kept')).map(({ deleted }) => deleted),
    ).toEqual([2])
    app.config.securityLog = securityLog
    await app.securityLog.run()
    await refuse(app, ['after the repair'])
    await app.securityLog.run()
    expect(namesOf(receiver.events)).toEqual(['after the repair'])
    // Simulate a replica of another version, which has other actions.
    await app.database.sql`update security_log set actions = '{other.action}'`
    await app.securityLog.run()
    await refuse(app, ['after the other version'])
    await app.securityLog.run()
    expect(namesOf(receiver.events)).toEqual(['after the repair', 'after the other version'])
    const [row] = await app.database.sql<{ actions: string[] }[]>`select actions from security_log`
    expect(row?.actions).toContain('other.action')
  })
})
