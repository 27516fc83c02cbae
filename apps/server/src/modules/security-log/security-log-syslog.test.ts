import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { type SentEvent, countWaiting, refuse } from '../../../test/support/security-events.ts'
import { anAuthority } from '../../../test/servers/certificates.ts'
import { MINUTE_MS } from '../../platform/clock.ts'
import { readSecurityLogTarget } from './security-log-target.ts'
import { sendEvents } from './send-events.ts'

/** Starts a server on a free port until the test ends. Returns the port. */
async function portOf(server: Server): Promise<number> {
  server.on('connection', (socket) => socket.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Splits the received bytes into messages. The length of each message precedes it. */
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

/** Matches an RFC 5424 message: priority, time, host, product, process, message id and JSON. */
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

/**
 * A script that opens files until the process cannot open another one, and then sends an event over UDP. It prints the
 * code of the error.
 */
const SEND_WITHOUT_FILES = `
  import { openSync } from 'node:fs'
  import { sendEvents } from ${JSON.stringify(new URL('./send-events.ts', import.meta.url).href)}
  const event = { action: 'security_log.dropped', at: new Date(0).toISOString(), dropped: 1 }
  try {
    for (;;) openSync('/dev/null')
  } catch {}
  await sendEvents({ kind: 'udp', host: '127.0.0.1', port: 9 }, [event], new AbortController().signal).catch(
    ({ code }) => console.log(code),
  )
`

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

  it.each(['tcp', 'tls', 'udp'] as const)(
    'the shutdown does not wait for a receiver over %s that accepts the connection and never responds',
    async (kind) => {
      const { promise: connected, resolve } = Promise.withResolvers<void>()
      const sockets: Socket[] = []
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy()
      })
      const server = createServer((socket) => {
        sockets.push(socket)
        resolve()
      })
      const target = { kind, host: '127.0.0.1', port: await portOf(server) }
      const event = { action: 'security_log.dropped' as const, at: new Date(0).toISOString(), dropped: 1 }
      // This signal is already aborted before the events are sent.
      await expect(sendEvents(target, [event], AbortSignal.abort())).rejects.toThrow('aborted')
      if (kind === 'udp') return
      const stop = new AbortController()
      const began = performance.now()
      const sent = sendEvents(target, [event], stop.signal).catch((error: unknown) => error)
      await connected
      stop.abort()
      await sent
      expect(performance.now() - began).toBeLessThan(5_000)
    },
  )

  it('a receiver that keeps the connection open after the last message does not delay later events', async () => {
    const sockets: Socket[] = []
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
    })
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.push(socket.resume())
    })
    const target = { kind: 'tcp' as const, host: '127.0.0.1', port: await portOf(server) }
    const event = { action: 'security_log.dropped' as const, at: new Date(0).toISOString(), dropped: 1 }
    const began = performance.now()
    await sendEvents(target, [event], new AbortController().signal)
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  it('sending security events fails with an error if the process cannot open a UDP socket', () => {
    const run = spawnSync(
      'sh',
      ['-c', 'ulimit -n 256 && exec "$0" --input-type=module -e "$1"', process.execPath, SEND_WITHOUT_FILES],
      { encoding: 'utf8', cwd: import.meta.dirname, timeout: 60_000 },
    )
    expect([run.status, run.stdout.trim()]).toEqual([0, 'EMFILE'])
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
  ])('the address %s of another system is parsed, or refused if it is invalid', (address, target) => {
    expect(readSecurityLogTarget(address, 't')).toEqual(target)
  })

  it.each([
    ['http://10.0.0.7/events', ['security events are sent without encryption']],
    ['http://127.0.0.1:9/events', []],
    ['https://logs.example.com/events', []],
  ])('at the start, the log warns if security events are sent to %s as clear text', async (url, warnings) => {
    const lines: string[] = []
    await buildTestApp({
      variables: { SECURITY_LOG_URL: url },
      logTo: { write: (line) => void lines.push(line) },
    })
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(
      messages
        .filter((message) => message.startsWith('security events'))
        .map((message) => message.split(';')[0]),
    ).toEqual(warnings)
  })
})
