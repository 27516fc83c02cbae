import type { AlertKind } from '@pegasus/contracts/alerts/alerts'
import type { ChannelDelivery } from '@pegasus/contracts/channels/channels'
import type { PushDevice, PushMessage } from '@pegasus/contracts/channels/push-devices'
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { anAuthority } from '../servers/certificates.ts'
import { aRemote } from '../servers/remote-server.ts'
import { type Calls, callsOf } from './api-calls.ts'
import { type TestApp, buildTestApp } from './build-test-app.ts'

const AUTHORITY = anAuthority()

/** A browser that has subscribed to notifications. */
export interface TestBrowser {
  endpoint: string
  keys: { p256dh: string; auth: string }
  /** Decrypts a message as the browser does (RFC 8291). Throws if it was encrypted for another browser. */
  decrypt(bytes: Buffer): PushMessage
}

function aBrowser(endpoint: string): TestBrowser {
  const curve = createECDH('prime256v1')
  const publicKey = curve.generateKeys()
  const auth = randomBytes(16)
  return {
    endpoint,
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    decrypt(bytes) {
      const salt = bytes.subarray(0, 16)
      const idLength = bytes[20] ?? 0
      const serverKey = bytes.subarray(21, 21 + idLength)
      const secret = curve.computeSecret(serverKey)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, serverKey])
      const ikm = Buffer.from(hkdfSync('sha256', secret, auth, info, 32))
      const derive = (purpose: string, length: number) =>
        Buffer.from(hkdfSync('sha256', ikm, salt, `Content-Encoding: ${purpose}\0`, length))
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
      const sealed = bytes.subarray(21 + idLength)
      decipher.setAuthTag(sealed.subarray(-16))
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      // The message ends with the byte 2, which padding with zeros may follow.
      const end = padded.lastIndexOf(2)
      return JSON.parse(padded.subarray(0, end).toString('utf8')) as PushMessage
    },
  }
}

export interface ReceivedPush {
  path: string
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** A person who is signed in with one browser. */
export interface PushPerson {
  authorization: string
  calls: Calls
  browser: TestBrowser
  /** Turns on notifications in the browser. */
  subscribe(): Promise<PushDevice>
  devices(): Promise<PushDevice[]>
  log(device: PushDevice): Promise<ChannelDelivery[]>
}

/** Starts a push service with HTTPS, and an app that may reach it. The service responds with `next`. */
export async function aPushService() {
  const received: ReceivedPush[] = []
  const next: { status: number; headers?: Record<string, string> } = { status: 201 }
  const remote = await aRemote(
    (request, response) => {
      void buffer(request).then((bytes) => {
        received.push({ path: request.url ?? '', headers: request.headers, bytes })
        response.writeHead(next.status, next.headers)
        response.end()
      })
    },
    { tls: AUTHORITY.issue('127.0.0.1') },
  )
  const app = await buildTestApp({
    variables: { URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}`, PUBLIC_URL: 'https://ops.example' },
    outbound: { authorities: [AUTHORITY.cert] },
  })

  /** Signs a person in. Each call creates a session with its own browser. */
  const signIn = async (username: string): Promise<PushPerson> => {
    const authorization = `Bearer ${await app.signIn(username)}`
    const calls = callsOf(app, { authorization })
    const browser = aBrowser(`${remote.url}/send/${randomBytes(8).toString('hex')}`)
    return {
      authorization,
      calls,
      browser,
      async subscribe() {
        const { endpoint, keys } = browser
        const answer = await calls('POST /api/push/devices', { endpoint, keys })
        if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
        return answer.json<PushDevice>()
      },
      devices: async () => (await calls('GET /api/push/devices')).json<PushDevice[]>(),
      log: async ({ id }) =>
        (await calls(`GET /api/push/devices/${id}/deliveries`)).json<ChannelDelivery[]>(),
    }
  }
  return { app, signIn, received, next, url: remote.url }
}

/** Sets whether a person gets alerts of a kind on devices. */
export async function choosePush({ calls }: PushPerson, kind: AlertKind, isWanted: boolean): Promise<void> {
  const { revision } = (await calls('GET /api/alerts/preferences')).json<{ revision: number }>()
  const answer = await calls(
    'PUT /api/alerts/preferences',
    { [kind]: { by_push: isWanted } },
    { 'if-match': `"${revision}"` },
  )
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
}

/** Returns the number of rows about devices and their deliveries. */
export async function countDeviceRows(app: TestApp): Promise<number> {
  const [row] = await app.database.sql<[{ rows: number }]>`
    select (select count(*) from push_devices)::int
      + (select count(*) from channel_deliveries where device_id is not null)::int as rows`
  return row.rows
}
