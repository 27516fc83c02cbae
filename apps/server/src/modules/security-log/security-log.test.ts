import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, type Server, createServer } from 'node:net'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { listen } from '../../../test/support/accounts/providers/listen.ts'
import { anAuthority } from '../../../test/servers/certificates.ts'
import { SYSTEM_ACTOR } from '../../platform/actor.ts'
import { MINUTE_MS } from '../../platform/clock.ts'
import { writeAudit, writeAudits } from '../audit/index.ts'
import { readSecurityLogTarget } from './security-log-target.ts'
import { createSecurityLogSender } from './security-log.service.ts'

interface SentEvent {
  id?: string
  at: string
  action: string
  entity_name?: string | null
  actor?: { kind: string; name: string }
  ip?: string | null
  dropped?: number
}

interface Receiver {
  url: string
  /** Every accepted event, in the order of its arrival. */
  events: SentEvent[]
  authorizations: (string | undefined)[]
  /** The status of the next responses. */
  respondWith(status: number): void
}

const eventsOf = (lines: string): SentEvent[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SentEvent)

/** Starts another system that takes events over HTTP. */
async function aReceiver(): Promise<Receiver> {
  let status = 204
  const events: SentEvent[] = []
  const authorizations: (string | undefined)[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    authorizations.push(request.headers.authorization)
    if (status < 300) events.push(...eventsOf(body))
    response.writeHead(status).end()
  }
  const url = await listen((request, response) => void handle(request, response))
  return { url: `${url}/events`, events, authorizations, respondWith: (next) => void (status = next) }
}

const fails = (app: TestApp, name: string) =>
  app.http.inject({
    method: 'POST',
    url: '/auth/login',
    payload: { username: name, password: 'wrong words' },
  })

const countWaiting = async (app: TestApp): Promise<number> => {
  const [row] = await app.database.sql<[{ n: number }]>`select count(*)::int as n from security_log_queue`
  return row.n
}

/** Writes audit entries of refusals with these names. */
const refuse = (app: TestApp, names: readonly string[]) =>
  app.database.transaction((tx) =>
    writeAudits(
      tx,
      names.map((entityName) => ({
        action: 'access.refused',
        entity: 'endpoint',
        entityId: null,
        entityName,
      })),
      { actor: SYSTEM_ACTOR, now: app.clock.now() },
    ),
  )

const namesOf = (events: readonly SentEvent[]) => events.map(({ entity_name: name }) => name)

describe('security events in another system, over HTTP', () => {
  it('only sign-ins, failures, changes of rights and refusals are sent as security events, each once and with the token', async () => {
    const receiver = await aReceiver()
    const app = await buildTestApp({
      variables: { SECURITY_LOG_URL: receiver.url, SECURITY_LOG_TOKEN: 'a-token' },
    })
    const viewer = await app.anAccount('viewer')
    const headers = { authorization: `Bearer ${await app.signIn(viewer)}` }
    await fails(app, viewer)
    await app.http.inject({ url: '/api/auth/users', headers })
    await app.database.transaction((tx) =>
      writeAudit(
        tx,
        { action: 'spool.added', entity: 'spool', entityId: null },
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
    // The pause after the last failure is not over.
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

  it('above the limit the oldest security events are dropped, and the other system gets their number', async () => {
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
    const told = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(told.filter((message) => message.startsWith('security events'))).toEqual([
      'security events could not be sent; they wait',
      'security events were dropped, because too many wait',
      'security events are sent again',
    ])
    // The note is sent once.
    await refuse(app, ['later'])
    await send(new AbortController().signal)
    expect(receiver.events.slice(11).map(({ action }) => action)).toEqual(['access.refused'])
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

  it('without an address no security event is queued, and waiting events are deleted', async () => {
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
})

/** Listens on a free port until the test ends, and returns the port. */
async function portOf(server: Server): Promise<number> {
  server.on('connection', (socket) => socket.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Splits a stream into the messages whose lengths it names. */
function framesIn(stream: Buffer): string[] {
  const frames: string[] = []
  for (let rest = stream; rest.length > 0; ) {
    const space = rest.indexOf(' ')
    const end = space + 1 + Number(rest.subarray(0, space))
    frames.push(rest.toString('utf8', space + 1, end))
    rest = rest.subarray(end)
  }
  return frames
}

/** The parts of an RFC 5424 message: priority, time, host, product, process, message id, JSON. */
const MESSAGE =
  /^<(8[345])>1 (\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z) ([\x21-\x7e]+) pegasus-ops (\d+) ([a-z_.]{1,32}) - (\{.*\})$/

const HOSTILE = ['two\nlines <84>1 - - - - - - forged', 'quotes " ] \\ and \u0000', 'ü'.repeat(9000)]

async function expectHostileEvents(app: TestApp, messages: readonly string[]): Promise<void> {
  const parts = messages.map((message) => MESSAGE.exec(message))
  expect(parts.map((part) => part?.[5])).toEqual(['account.created', ...HOSTILE.map(() => 'access.refused')])
  expect(parts.map((part) => part?.[1])).toEqual(['85', ...HOSTILE.map(() => '84')])
  const events = parts.map((part) => JSON.parse(part?.[6] ?? '') as SentEvent)
  const [, ...entries] = await app.database.sql<{ id: string; entity_name: string }[]>`
    select id, entity_name from audit_entries order by id`
  expect(events.slice(1).map(({ id, entity_name: name }) => [id, name])).toEqual(
    entries.map(({ id, entity_name: name }) => [id, name]),
  )
}

describe('security events in another system, over syslog', () => {
  it('RFC 5424 messages are sent over TCP, each with its length, and no name can forge a message', async () => {
    const received: Buffer[] = []
    const server = createServer((socket) => socket.on('data', (bytes) => received.push(bytes)))
    const port = await portOf(server)
    const app = await buildTestApp({ variables: { SECURITY_LOG_URL: `syslog+tcp://127.0.0.1:${port}` } })
    await refuse(app, HOSTILE)
    await app.securityLog.run()
    await expectHostileEvents(app, framesIn(Buffer.concat(received)))
    expect(await countWaiting(app)).toBe(0)
  })

  it('security events are sent over TLS only to a server whose certificate is trusted', async () => {
    const authority = anAuthority()
    const received: Buffer[] = []
    const options = authority.issue('127.0.0.1')
    const server = createTlsServer(options, (socket) => socket.on('data', (bytes) => received.push(bytes)))
    server.on('tlsClientError', () => {})
    const port = await portOf(server)
    const app = await buildTestApp({ variables: { SECURITY_LOG_URL: `syslog+tls://127.0.0.1:${port}` } })
    await refuse(app, HOSTILE)
    await app.securityLog.run()
    expect([Buffer.concat(received).length, await countWaiting(app)]).toEqual([0, 4])

    const usual = getCACertificates('default')
    onTestFinished(() => setDefaultCACertificates(usual))
    setDefaultCACertificates([...usual, authority.cert])
    app.clock.advance(MINUTE_MS)
    await app.securityLog.run()
    await expectHostileEvents(app, framesIn(Buffer.concat(received)))
  })

  it('each security event is sent as one packet over UDP', async () => {
    const socket = createSocket('udp4')
    const messages: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.on('message', (bytes) => {
      messages.push(bytes.toString('utf8'))
      if (messages.length === HOSTILE.length + 1) resolve()
    })
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    onTestFinished(() => void socket.close())
    const url = `syslog+udp://127.0.0.1:${socket.address().port}`
    const app = await buildTestApp({ variables: { SECURITY_LOG_URL: url } })
    await refuse(app, HOSTILE)
    await app.securityLog.run()
    await promise
    await expectHostileEvents(app, messages)
  })

  it('security events are kept if no server listens at the address', async () => {
    const server = createServer()
    const port = await portOf(server)
    server.close()
    await once(server, 'close')
    const app = await buildTestApp({ variables: { SECURITY_LOG_URL: `syslog+tcp://127.0.0.1:${port}` } })
    await app.securityLog.run()
    expect(await countWaiting(app)).toBe(1)
  })
})

describe('addresses of other systems for security events', () => {
  it.each([
    ['syslog+tls://logs.example.com', { kind: 'tls', host: 'logs.example.com', port: 6514 }],
    ['syslog+tcp://10.0.0.7:1514/', { kind: 'tcp', host: '10.0.0.7', port: 1514 }],
    ['syslog+udp://[::1]', { kind: 'udp', host: '::1', port: 514 }],
    ['https://logs.example.com/x?y=1', { kind: 'http', url: 'https://logs.example.com/x?y=1', token: 't' }],
    ['syslog://logs.example.com', null],
    ['syslog+tls://', null],
    ['syslog+tls://logs.example.com/path', null],
    ['syslog+tls://user:password@logs.example.com', null],
    ['https://user:password@logs.example.com', null],
    ['file:///etc/passwd', null],
    ['logs.example.com', null],
  ])('%s', (address, target) => {
    expect(readSecurityLogTarget(address, 't')).toEqual(target)
  })
})
