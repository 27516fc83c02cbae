import type { ChannelDelivery } from '@pegasus/contracts/channels/channels'
import type { PushDevice } from '@pegasus/contracts/channels/push-devices'
import { createPublicKey } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../test/support/audit-entries.ts'
import { causeLowStock } from '../../../../test/support/channels.ts'
import {
  type ReceivedPush,
  aPushService,
  choosePush,
  countDeviceRows,
} from '../../../../test/support/push-devices.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'

/** Converts the public key of the server to the form that `jose` reads. */
function keyOf(encoded: string) {
  const bytes = Buffer.from(encoded, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: bytes.subarray(1, 33).toString('base64url'),
    y: bytes.subarray(33).toString('base64url'),
  }
  return createPublicKey({ key: jwk, format: 'jwk' })
}

describe('notifications on devices', () => {
  it("a person's device gets the alerts that the person wants, encrypted for the device and signed for its push service", async () => {
    const { app, signIn, received, url } = await aPushService()
    const person = await signIn(await app.anAccount('employee'))
    const other = await signIn(await app.anAccount('employee'))
    const viewer = await signIn(await app.anAccount('viewer'))
    const device = await person.subscribe()
    await other.subscribe()
    await viewer.subscribe()
    await choosePush(other, 'low_stock', false)
    const itemId = await causeLowStock(app, 'Häkchen')
    expect(received).toHaveLength(1)
    const [push] = received as [ReceivedPush]
    expect(person.browser.decrypt(push.bytes)).toEqual({
      title: 'Low stock: Häkchen',
      body: expect.stringMatching(/^5 left, reorder at 5/),
      path: `/?tab=inventory&item=${itemId}`,
      tag: expect.stringMatching(/^[\w-]{32}$/),
    })
    expect(() => other.browser.decrypt(push.bytes)).toThrow()
    expect(push.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      urgency: 'normal',
      topic: person.browser.decrypt(push.bytes).tag,
    })
    const [, token, key] = /^vapid t=(.+), k=(.+)$/.exec(push.headers.authorization ?? '') ?? []
    const { public_key: publicKey } = (await person.calls('GET /api/push/key')).json<{ public_key: string }>()
    expect(key).toBe(publicKey)
    expect(decodeProtectedHeader(token ?? '')).toMatchObject({ alg: 'ES256' })
    const { payload } = await jwtVerify(token ?? '', keyOf(publicKey), { audience: url })
    expect(payload.sub).toBe('https://ops.example')
    expect(await person.devices()).toMatchObject([
      {
        id: device.id,
        is_current: true,
        quiet_hours: null,
        last_delivery: { state: 'delivered' },
        failed: 0,
      },
    ])
    expect(await person.log(device)).toMatchObject([
      { type: 'item.low_stock', state: 'delivered', attempts: [{ number: 1, status: 201, note: null }] },
    ])
    expect((await entriesOf(app)).map(({ action }) => action)).toContain('push_device.added')
  })

  it('a notification on a device is in the language of the person', async () => {
    const { app, signIn, received } = await aPushService()
    const person = await signIn(await app.anAccount('employee'))
    expect((await person.calls('PUT /auth/v1/user', { data: { language: 'he' } })).status).toBe(200)
    const device = await person.subscribe()
    await causeLowStock(app, 'Key')
    await person.calls(`POST /api/push/devices/${device.id}/test`)
    const shown = received.map(({ bytes }) => person.browser.decrypt(bytes))
    expect(shown[0]?.title).toMatch(/^מלאי נמוך: Key$/)
    expect(shown[1]).toMatchObject({
      title: expect.stringMatching(/^בדיקה: /),
      body: 'ההתראות פועלות במכשיר הזה.',
    })
  })

  it('a device gets the same kinds of alerts as the inbox until a person chooses other kinds for devices', async () => {
    const { app, signIn } = await aPushService()
    const username = await app.anAccount('admin')
    const person = await signIn(username)
    // An earlier version stored no choices for devices.
    await app.database.sql`
      insert into alert_preferences (account_id, choices, updated_at)
      select id, '{"job_failed": {"in_app": false, "by_mail": true}, "new_order": {"in_app": true, "by_mail": false}}', now()
      from accounts where username = ${username}`
    const choices = async () =>
      (await person.calls('GET /api/alerts/preferences')).json<{ choices: Record<string, object> }>().choices
    expect(await choices()).toMatchObject({
      job_failed: { by_mail: true, by_push: false },
      new_order: { by_push: true },
      low_stock: { in_app: true, by_push: true },
      job_finished: { in_app: false, by_push: false },
    })
    await choosePush(person, 'job_failed', true)
    expect(await choices()).toMatchObject({
      job_failed: { in_app: false, by_mail: true, by_push: true },
      new_order: { by_push: true },
    })
  })

  it('a device gets events only after its quiet hours, but a test message at once', async () => {
    const { app, signIn, received } = await aPushService()
    const username = await app.anAccount('employee')
    const person = await signIn(username)
    const device = await person.subscribe()
    const quiet = {
      from: new Date(app.clock.now().getTime() - HOUR_MS).toISOString().slice(11, 16),
      until: new Date(app.clock.now().getTime() + 2 * HOUR_MS).toISOString().slice(11, 16),
      time_zone: 'UTC',
    }
    const address = `PUT /api/push/devices/${device.id}` as const
    expect((await person.calls(address, { quiet_hours: quiet })).status).toBe(428)
    const changed = await person.calls(address, { quiet_hours: quiet }, { 'if-match': '"1"' })
    expect(changed.json()).toMatchObject({ quiet_hours: quiet, revision: 2 })
    expect((await person.calls(address, { quiet_hours: null }, { 'if-match': '"1"' })).status).toBe(412)
    await causeLowStock(app)
    expect(received).toHaveLength(0)
    const test = await person.calls(`POST /api/push/devices/${device.id}/test`)
    expect(test.json()).toMatchObject({ type: 'channel.test', state: 'delivered' })
    expect(received[0]?.headers).toMatchObject({ ttl: '60', urgency: 'high' })
    app.clock.advance(2 * HOUR_MS + MINUTE_MS)
    await app.channels.run()
    expect(received).toHaveLength(2)
  })

  it('a message to a busy push service is sent again after growing pauses, and a person can replay a finished message', async () => {
    const { app, signIn, received, next } = await aPushService()
    const person = await signIn(await app.anAccount('employee'))
    const device = await person.subscribe()
    next.status = 429
    next.headers = { 'retry-after': '120' }
    await causeLowStock(app)
    const pauseOf = ([delivery]: ChannelDelivery[]) =>
      Date.parse(delivery?.next_attempt_at ?? '') - app.clock.now().getTime()
    expect(pauseOf(await person.log(device))).toBeGreaterThanOrEqual(2 * MINUTE_MS)
    app.clock.advance(3 * MINUTE_MS)
    next.status = 503
    next.headers = {}
    await app.channels.run()
    expect(pauseOf(await person.log(device))).toBeGreaterThanOrEqual(5 * MINUTE_MS)
    app.clock.advance(7 * MINUTE_MS)
    next.status = 201
    await app.channels.run()
    const [delivered] = await person.log(device)
    expect(delivered).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 201 }, { status: 503 }, { status: 429 }],
    })
    const replayed = await person.calls(
      `POST /api/push/devices/${device.id}/deliveries/${delivered?.id}/replay`,
    )
    expect(replayed.json()).toMatchObject({ state: 'waiting' })
    await app.channels.run()
    expect(received).toHaveLength(4)
    expect(new Set(received.map(({ bytes }) => person.browser.decrypt(bytes).tag)).size).toBe(1)
  })

  it('a browser that has unsubscribed is removed with its log', async () => {
    const { app, signIn, next } = await aPushService()
    const person = await signIn(await app.anAccount('employee'))
    await person.subscribe()
    next.status = 410
    await causeLowStock(app)
    expect(await person.devices()).toEqual([])
    expect(await countDeviceRows(app)).toBe(0)
    const removed = (await entriesOf(app)).find(({ action }) => action === 'push_device.removed')
    expect(removed).toMatchObject({ actor_id: null, after: { reason: 'The browser has unsubscribed.' } })
    const again = await person.subscribe()
    next.status = 404
    const test = await person.calls(`POST /api/push/devices/${again.id}/test`)
    expect([test.status, test.detail()]).toEqual([
      404,
      'This device no longer gets notifications. Turn them on again on the device.',
    ])
    expect(await countDeviceRows(app)).toBe(0)
  })

  it('all replicas use the same key pair for push services, and its private key is stored encrypted', async () => {
    const { app, signIn } = await aPushService()
    const person = await signIn(await app.anAccount('viewer'))
    const replica = await app.replica()
    const keys = await Promise.all(
      [app, replica].map(({ http }) =>
        http.inject({ url: '/api/push/key', headers: { authorization: person.authorization } }),
      ),
    )
    expect(new Set(keys.map(({ body }) => body)).size).toBe(1)
    const [row] = await app.database.sql<
      [{ private_key_sealed: string }]
    >`select private_key_sealed from push_keys`
    expect(row.private_key_sealed).toMatch(/^v1\./)
  })
})

describe('the session of a device', () => {
  it('a device gets no notifications after its session has ended, no matter how it ended', async () => {
    const { app, signIn, received } = await aPushService()
    const username = await app.anAccount('employee')
    const [leaving, ended, idle] = [await signIn(username), await signIn(username), await signIn(username)]
    for (const person of [leaving, ended, idle]) await person.subscribe()
    expect((await leaving.calls('POST /auth/v1/logout?scope=local')).status).toBe(204)
    const sessions = (await idle.calls('GET /api/auth/sessions')).json<
      { id: string; is_current: boolean }[]
    >()
    const others = sessions.filter(({ is_current: isCurrent }) => !isCurrent)
    for (const { id } of others) await idle.calls(`DELETE /api/auth/sessions/${id}`)
    expect(await idle.devices()).toMatchObject([{ is_current: true }])
    await causeLowStock(app)
    expect(received.map(({ path }) => path)).toEqual([new URL(idle.browser.endpoint).pathname])
    app.clock.advance(15 * DAY_MS)
    await causeLowStock(app, 'Other')
    expect(received).toHaveLength(1)
    await app.cleanup.run()
    expect(await countDeviceRows(app)).toBe(0)
  })

  it('an account that may no longer sign in does not get its waiting notifications', async () => {
    const { app, signIn, received, next } = await aPushService()
    const username = await app.anAccount('employee')
    const person = await signIn(username)
    await person.subscribe()
    next.status = 500
    await causeLowStock(app)
    await app.database.sql`update accounts set is_active = false where username = ${username}`
    app.clock.advance(HOUR_MS)
    next.status = 201
    await app.channels.run()
    expect(received).toHaveLength(1)
  })

  it('a browser gets the notifications of only one session, that of the account that subscribed last', async () => {
    const { app, signIn, received } = await aPushService()
    const username = await app.anAccount('employee')
    const first = await signIn(username)
    const device = await first.subscribe()
    expect((await first.subscribe()).id).toBe(device.id)
    // The same person keeps the device in a new session.
    const again = await signIn(username)
    again.browser.endpoint = first.browser.endpoint
    expect(await again.subscribe()).toMatchObject({ id: device.id, is_current: true })
    expect(await first.devices()).toMatchObject([{ id: device.id, is_current: false }])
    const next = await signIn(await app.anAccount('employee'))
    next.browser.endpoint = first.browser.endpoint
    await next.subscribe()
    expect(await first.devices()).toEqual([])
    await causeLowStock(app)
    expect(received).toHaveLength(1)
    expect(next.browser.decrypt(received[0]?.bytes ?? Buffer.alloc(0)).title).toBe('Low stock: Wall hook')
    // The new address of a browser replaces the old one.
    next.browser.endpoint += '-new'
    await next.subscribe()
    expect(await next.devices()).toHaveLength(1)
  })

  it('T6 the device of another person can be neither read, changed, tested nor removed', async () => {
    const { app, signIn, received } = await aPushService()
    const person = await signIn(await app.anAccount('employee'))
    const device = await person.subscribe()
    const admin = await signIn(await app.anAccount('admin'))
    const path = `/api/push/devices/${device.id}` as const
    const answers = [
      await admin.calls(`GET ${path}`),
      await admin.calls(`PUT ${path}`, { quiet_hours: null }, { 'if-match': '"1"' }),
      await admin.calls(`DELETE ${path}`),
      await admin.calls(`GET ${path}/deliveries`),
      await admin.calls(`POST ${path}/test`),
      await admin.calls(`POST ${path}/deliveries/${device.id}/replay`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect(await admin.devices()).toEqual([])
    expect(received).toEqual([])
    expect((await person.calls(`DELETE ${path}`)).status).toBe(204)
    expect((await person.calls(`POST ${path}/test`)).status).toBe(404)
  })
})

describe('refused devices', () => {
  it('T50 a device is refused if its address is not one of a push service on the internet', async () => {
    const { app, signIn, url } = await aPushService()
    const { calls, browser } = await signIn(await app.anAccount('viewer'))
    const endpoints = [
      url.replace('https:', 'http:'),
      'https://127.0.0.1/send',
      'https://10.0.0.1/send',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/send',
      'https://[::ffff:127.0.0.1]/send',
      'https://localhost/send',
      'https://printer.local/send',
      'https://0x7f000001/send',
      'https://user:pass@push.example/send',
      'ftp://push.example/send',
      `https://push.example/${'x'.repeat(10_000)}`,
      'not an address',
      '',
    ]
    const answers = await Promise.all(
      endpoints.map((endpoint) => calls('POST /api/push/devices', { endpoint, keys: browser.keys })),
    )
    expect(answers.map(({ status }) => status)).toEqual(endpoints.map(() => 422))
    const wrongKeys = [
      { ...browser.keys, p256dh: `B${'A'.repeat(86)}` },
      { ...browser.keys, p256dh: 'short' },
      { ...browser.keys, auth: 'short' },
    ]
    for (const keys of wrongKeys)
      expect((await calls('POST /api/push/devices', { endpoint: browser.endpoint, keys })).status).toBe(422)
    expect(await countDeviceRows(app)).toBe(0)
    console.info(`T50 devices with forbidden addresses accepted 0 of ${endpoints.length}`)
  })

  it('an account can have at most ten devices', async () => {
    const { app, signIn } = await aPushService()
    const username = await app.anAccount('viewer')
    for (let count = 0; count < 10; count++) await (await signIn(username)).subscribe()
    const { calls, browser } = await signIn(username)
    const { endpoint, keys } = browser
    const refused = await calls('POST /api/push/devices', { endpoint, keys })
    expect([refused.status, refused.detail()]).toEqual([
      409,
      'There are 10 devices, which is the maximum. Please remove one first.',
    ])
  })

  it('T26 neither the address nor the keys of a device appear in a response, a row or the audit', async () => {
    const { app, signIn } = await aPushService()
    const person = await signIn(await app.anAccount('employee'))
    const device = await person.subscribe()
    await causeLowStock(app)
    const rows = await app.database.sql`
      select row_to_json(p)::text as row from push_devices p
      union all select row_to_json(d)::text from channel_deliveries d`
    const places = [
      JSON.stringify(await person.devices()),
      JSON.stringify(await person.log(device)),
      JSON.stringify(rows),
      JSON.stringify(await entriesOf(app)),
    ]
    const { pathname } = new URL(person.browser.endpoint)
    const found = places.filter((place) =>
      [pathname, person.browser.keys.auth, person.browser.keys.p256dh].some((secret) =>
        place.includes(secret),
      ),
    )
    expect(found).toEqual([])
  })

  it('a device whose address was encrypted with another root secret fails once and does not stop other devices', async () => {
    const { app, signIn, received } = await aPushService()
    const username = await app.anAccount('employee')
    const person = await signIn(username)
    const broken: PushDevice = await person.subscribe()
    await (await signIn(username)).subscribe()
    await app.database.sql`update push_devices set subscription_sealed = 'x' where id = ${broken.id}`
    await causeLowStock(app)
    expect(received).toHaveLength(1)
    expect(await person.log(broken)).toMatchObject([
      {
        state: 'failed',
        attempts: [
          {
            note: 'The address or the key cannot be read. Turn notifications off and on again on the device.',
          },
        ],
      },
    ])
  })

  it('a notification with the longest names fits into the 4 KB that push services accept', async () => {
    const { app, signIn, received } = await aPushService()
    const person = await signIn(await app.anAccount('employee'))
    await person.subscribe()
    await causeLowStock(app, '🧵'.repeat(100))
    await app.database.sql`
      update channel_deliveries set state = 'waiting', next_attempt_at = ${app.clock.now()}, finished_at = null,
        content = content || jsonb_build_object('title', repeat('😀', 3000), 'sentence', repeat(chr(1), 5000),
          'url', 'https://ops.example/?tab=filament&material=' || repeat('x', 5000))`
    await app.channels.run()
    const [, push] = received
    expect(push?.bytes.length).toBeLessThanOrEqual(4096)
    const message = person.browser.decrypt(push?.bytes ?? Buffer.alloc(0))
    expect(message.path).toBe('/')
    expect(message.title).toMatch(/^Low stock: 😀+…$/u)
  })
})
