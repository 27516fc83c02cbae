import type { Channel, ChannelDelivery } from '@pegasus/contracts/channels'
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../test/support/audit-entries.ts'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { type Calls, callsOf } from '../../../test/support/api-calls.ts'
import {
  aMovement,
  aPrintJob,
  aPrinter,
  aSpool,
  advance,
  anItem,
} from '../../../test/support/stock-factories.ts'
import { aRemote } from '../../../test/servers/remote-server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
}

/** Starts a receiver that answers with `next`, and an app that may reach it. */
async function aReceiver(variables: Record<string, string> = {}) {
  const received: Received[] = []
  const next: { status: number; headers?: Record<string, string>; body?: string } = { status: 200 }
  const remote = await aRemote((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers, text: body })
      response.writeHead(next.status, next.headers)
      response.end(next.body)
    })
  })
  const app = await buildTestApp({
    variables: {
      URL_IMPORT_ALLOW: `127.0.0.1:${remote.port}`,
      PUBLIC_URL: 'https://ops.example',
      ...variables,
    },
  })
  // Use a new session for each call, because the tests advance the clock by days.
  const admin: Calls = async (...call) => callsOf(app, await app.as('admin'))(...call)
  const add = async (channel: object = {}): Promise<Channel> => {
    const answer = await admin('POST /api/channels', {
      kind: 'webhook',
      name: 'Our script',
      address: `${remote.url}/hook?x=1`,
      events: ['low_stock'],
      ...channel,
    })
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
    return answer.json<Channel>()
  }
  const log = async ({ id }: Channel): Promise<ChannelDelivery[]> =>
    (await admin(`GET /api/channels/${id}/deliveries`)).json<ChannelDelivery[]>()
  const keyOf = async ({ id }: Channel): Promise<string> =>
    (await admin(`GET /api/channels/${id}/key`)).json<{ signing_key: string }>().signing_key
  return { app, admin, add, log, keyOf, received, next, url: remote.url }
}

/** Makes an item fall to its reorder point, and sends everything that is due. */
async function causeLowStock(app: TestApp, name = 'Wall hook'): Promise<string> {
  const itemId = await anItem(app, { name, quantity: 6, reorder_point: 5 })
  await aMovement(app, { itemId, kind: 'adjust', delta: -1 })
  await app.alerts.run()
  await app.channels.run()
  return itemId
}

/** Checks a signature as libraries of Standard Webhooks do. */
function isSigned({ headers, text: body }: Received, key: string): boolean {
  const bytes = Buffer.from(key.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', bytes).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}

describe('webhooks', () => {
  it('an event is sent once, in the form of Standard Webhooks, and its signature is right', async () => {
    const { app, add, log, keyOf, received } = await aReceiver()
    const channel = await add()
    const other = await add({ name: 'Orders only', events: ['new_order'] })
    const itemId = await causeLowStock(app)
    await app.channels.run()
    expect(received).toHaveLength(1)
    const [request] = received as [Received]
    expect(request.path).toBe('/hook?x=1')
    const delivery = (await log(channel))[0]
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': delivery?.id,
      'webhook-timestamp': String(Math.floor(app.clock.now().getTime() / 1000)),
    })
    expect(JSON.parse(request.text)).toMatchObject({
      type: 'item.low_stock',
      timestamp: app.clock.now().toISOString(),
      data: {
        entity_id: itemId,
        title: 'Wall hook',
        quantity: 5,
        reorder_point: 5,
        url: `https://ops.example/?tab=inventory&item=${itemId}`,
      },
    })
    expect(isSigned(request, await keyOf(channel))).toBe(true)
    expect(isSigned(request, await keyOf(other))).toBe(false)
    expect(delivery).toMatchObject({
      type: 'item.low_stock',
      state: 'delivered',
      next_attempt_at: null,
      attempts: [{ number: 1, status: 200, note: null }],
    })
    expect(await log(other)).toEqual([])
  })

  it('a failed delivery is repeated under its id with growing pauses for three days, and can be replayed', async () => {
    const { app, admin, add, log, received, next } = await aReceiver()
    const channel = await add()
    next.status = 500
    next.body = 'out of \u0007 order'
    await causeLowStock(app)
    const pauses: number[] = []
    for (let [delivery] = await log(channel); delivery?.next_attempt_at; [delivery] = await log(channel)) {
      const pauseMs = Date.parse(delivery.next_attempt_at) - app.clock.now().getTime()
      pauses.push(pauseMs / SECOND_MS)
      app.clock.advance(pauseMs - SECOND_MS)
      await app.channels.run()
      app.clock.advance(SECOND_MS)
      await app.channels.run()
    }
    const expected = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    expect(pauses).toHaveLength(expected.length)
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(expected[index] as number)
      expect(pause).toBeLessThanOrEqual((expected[index] as number) * 1.2)
    }
    expect(received).toHaveLength(10)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const [failed] = await log(channel)
    expect(failed?.state).toBe('failed')
    expect(failed?.attempts[0]).toMatchObject({ number: 10, status: 500, note: '500: out of order' })
    expect(failed?.attempts).toHaveLength(10)
    next.status = 204
    const replayed = await admin(`POST /api/channels/${channel.id}/deliveries/${failed?.id}/replay`)
    expect(replayed.json()).toMatchObject({ state: 'waiting' })
    await app.channels.run()
    expect(await log(channel)).toMatchObject([{ id: failed?.id, state: 'delivered' }])
    expect(received.at(-1)?.headers['webhook-id']).toBe(failed?.id)
  })

  it('all failed deliveries of a channel are sent again with one call', async () => {
    const { app, admin, add, log, received, next } = await aReceiver()
    const channel = await add()
    next.status = 404
    await causeLowStock(app, 'One')
    await causeLowStock(app, 'Two')
    await app.database.sql`update channel_deliveries set state = 'failed', next_attempt_at = null`
    next.status = 200
    const answer = await admin(`POST /api/channels/${channel.id}/replay-failed`)
    expect(answer.json()).toEqual({ replayed: 2 })
    await app.channels.run()
    expect((await log(channel)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
    expect(received).toHaveLength(4)
  })

  it('a receiver decides how long to wait, and 410 switches the channel off', async () => {
    const { app, admin, add, log, next } = await aReceiver()
    const channel = await add()
    next.status = 429
    next.headers = { 'retry-after': '3600' }
    await causeLowStock(app)
    const [delivery] = await log(channel)
    expect(Date.parse(delivery?.next_attempt_at ?? '') - app.clock.now().getTime()).toBeGreaterThanOrEqual(
      HOUR_MS,
    )
    app.clock.advance(2 * HOUR_MS)
    next.status = 410
    await app.channels.run()
    const [listed] = (await admin('GET /api/channels')).json<Channel[]>()
    expect(listed).toMatchObject({
      is_enabled: false,
      disabled_reason: 'The receiver does not exist any more (410 Gone).',
      failed: 1,
    })
    await causeLowStock(app, 'Another')
    expect(await log(channel)).toHaveLength(1)
  })

  it('after a rotation the old key signs too for a day', async () => {
    const { app, admin, add, keyOf, received } = await aReceiver()
    const channel = await add()
    const old = await keyOf(channel)
    const { signing_key: key } = (await admin(`POST /api/channels/${channel.id}/rotate-key`)).json<{
      signing_key: string
    }>()
    expect(key).not.toBe(old)
    await causeLowStock(app, 'One')
    app.clock.advance(DAY_MS + SECOND_MS)
    await causeLowStock(app, 'Two')
    expect(received.map((request) => [isSigned(request, old), isSigned(request, key)])).toEqual([
      [true, true],
      [false, true],
    ])
  })

  it('two processes send each delivery once, and one sends what another could not finish', async () => {
    const { app, add, received } = await aReceiver()
    await add()
    const replica = await app.replica()
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']) {
      const itemId = await anItem(app, { name, quantity: 6, reorder_point: 5 })
      await aMovement(app, { itemId, kind: 'adjust', delta: -1 })
    }
    await app.alerts.run()
    await Promise.all([app.channels.run(), replica.channels.run()])
    expect(received).toHaveLength(7)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(7)
    // A process that dies leaves a claimed delivery behind.
    await app.database.sql`
      update channel_deliveries set state = 'waiting', next_attempt_at = ${new Date(app.clock.now().getTime() + MINUTE_MS)}
      where content ->> 'title' = 'One'`
    await replica.channels.run()
    expect(received).toHaveLength(7)
    app.clock.advance(MINUTE_MS)
    await replica.channels.run()
    expect(received).toHaveLength(8)
  })
})

describe('the events', () => {
  it('finished jobs, errors of printers, filament that runs out and shipped orders are events too', async () => {
    const { app, admin, add, received } = await aReceiver()
    await add({ events: ['job_finished', 'printer_error', 'filament_short', 'order_shipped'] })
    const item = await anItem(app, { name: 'Dragon', quantity: 5, sku: 'DRG' })
    await aSpool(app, { remainingGrams: 100 })
    const job = await aPrintJob(app, { itemId: item, quantity: 1, material: 'PLA', estimatedGrams: 500 })
    const printer = await aPrinter(app, 'Left')
    await app.alerts.run()
    await app.channels.run()
    await advance(app, job, { to: 'in_progress' })
    await advance(app, job, { to: 'completed' })
    await app.database.sql`
      update printers set state = 'error', state_reason = 'Heater broken', updated_at = now() where id = ${printer}`
    const order = await admin('POST /api/orders', {
      order_number: 'A-1',
      customer_name: 'Ada',
      total_amount: 10,
      items: [{ sku: 'DRG', name: 'Dragon', quantity: 2, unit_price: 5 }],
    })
    const { id: orderId } = order.json<{ id: string }>()
    const shipped = await admin(`POST /api/orders/${orderId}/ship`, { carrier: 'DHL', tracking_number: '42' })
    expect(shipped.status).toBe(201)
    await app.alerts.run()
    await app.channels.run()
    const events = received.map(({ text: body }) => JSON.parse(body) as { type: string; data: object })
    expect(Object.fromEntries(events.map(({ type, data }) => [type, data]))).toMatchObject({
      'filament.running_out': { title: 'PLA', needed_grams: 500, remaining_grams: 100 },
      'print_job.finished': { entity_id: job, title: 'Dragon', quantity: 1 },
      'printer.error': { entity_id: printer, title: 'Left', reason: 'Heater broken' },
      'order.shipped': { entity_id: orderId, title: 'A-1', pieces: 2, carrier: 'DHL', tracking_number: '42' },
    })
    expect(events).toHaveLength(4)
  })
})

describe('chats and push services', () => {
  const HOSTILE = '<!channel> **@everyone** & [x](https://evil.example)'

  it('a Slack message is text without markup of others', async () => {
    const { app, add, received } = await aReceiver()
    await add({ kind: 'slack' })
    await causeLowStock(app, HOSTILE)
    const { text: message } = JSON.parse(received[0]?.text ?? '') as { text: string }
    expect(message).toMatch(/^\*Low stock: &lt;!channel&gt; \*\*@everyone\*\* &amp; \[x\]/)
    expect(message).toMatch(/<https:\/\/ops\.example\/\?tab=inventory&item=[\w-]+\|Show it>$/)
    expect(received[0]?.headers).not.toHaveProperty('webhook-signature')
  })

  it('a Discord message mentions nobody and has no markup of others', async () => {
    const { app, add, received } = await aReceiver()
    await add({ kind: 'discord' })
    await causeLowStock(app, HOSTILE)
    expect(JSON.parse(received[0]?.text ?? '')).toEqual({
      content: expect.stringContaining(
        String.raw`\<!channel\> \*\*\@everyone\*\* & \[x\]\(https\://evil.example\)`,
      ),
      allowed_mentions: { parse: [] },
    })
  })

  it('ntfy gets JSON with the topic, and the access token as a header', async () => {
    const { app, admin, add, received, url } = await aReceiver()
    const channel = await add({ kind: 'ntfy', address: `${url}/push/our-shop`, access_token: 'tk_secret' })
    expect(channel).toMatchObject({ has_access_token: true, shown_address: `${url}/…` })
    const itemId = await causeLowStock(app, 'Häkchen')
    expect(received[0]).toMatchObject({ path: '/push/', headers: { authorization: 'Bearer tk_secret' } })
    expect(JSON.parse(received[0]?.text ?? '')).toMatchObject({
      topic: 'our-shop',
      title: 'Low stock: Häkchen',
      click: `https://ops.example/?tab=inventory&item=${itemId}`,
      priority: 3,
    })
    const changed = await admin(
      `PUT /api/channels/${channel.id}`,
      { access_token: '' },
      { 'if-match': `"${channel.revision}"` },
    )
    expect(changed.json()).toMatchObject({ has_access_token: false })
    await causeLowStock(app, 'Other')
    expect(received[1]?.headers).not.toHaveProperty('authorization')
  })
})

describe('quiet hours', () => {
  it('deliveries wait until the quiet hours of the channel end, in its time zone, also across midnight', async () => {
    const { app, add, received } = await aReceiver()
    const now = app.clock.now()
    const hourIn = (offset: number) => `${String((now.getUTCHours() + offset + 24) % 24).padStart(2, '0')}:00`
    await add({ name: 'Quiet', quiet_hours: { from: hourIn(-1), until: hourIn(2), time_zone: 'UTC' } })
    // Two hours east of UTC these hours are over.
    await add({ name: 'Awake', quiet_hours: { from: hourIn(-1), until: hourIn(2), time_zone: 'Etc/GMT-3' } })
    await causeLowStock(app)
    expect(received).toHaveLength(1)
    app.clock.advance(2 * HOUR_MS)
    await app.channels.run()
    expect(received).toHaveLength(2)
  })

  it('a test message is sent in quiet hours too', async () => {
    const { admin, add, received } = await aReceiver()
    const channel = await add({ quiet_hours: { from: '00:00', until: '23:59', time_zone: 'Europe/Berlin' } })
    const answer = await admin(`POST /api/channels/${channel.id}/test`)
    expect(answer.json()).toMatchObject({
      type: 'channel.test',
      state: 'delivered',
      attempts: [{ status: 200 }],
    })
    expect(received).toHaveLength(1)
  })
})

describe('a test message', () => {
  it('says what went wrong, without details of the network, and is not repeated', async () => {
    const { app, admin, add, received, next } = await aReceiver()
    const channel = await add()
    next.status = 302
    next.headers = { location: 'http://127.0.0.1:1/' }
    const refused = await admin(`POST /api/channels/${channel.id}/test`)
    expect(refused.json()).toMatchObject({
      state: 'failed',
      attempts: [{ status: 302, note: '302: redirects are not followed.' }],
    })
    app.clock.advance(HOUR_MS)
    await app.channels.run()
    expect(received).toHaveLength(1)
  })
})

describe('refuses', () => {
  it('T50 a channel of an address that URL import may not reach either', async () => {
    const { app, admin, add, received } = await aReceiver()
    const addresses = [
      'http://127.0.0.1/hook',
      'http://127.0.0.2:8080/hook',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://169.254.169.254/latest/meta-data',
      'http://10.0.0.1/',
      'http://192.168.1.1:8080/',
      'http://localhost/',
      'http://printer.local/',
      'http://0x7f000001/',
      'http://2130706433/',
      'https://hooks.example.com:22/',
    ]
    const answers = await Promise.all(
      addresses.map((address) =>
        admin('POST /api/channels', { kind: 'webhook', name: 'x', address, events: ['low_stock'] }),
      ),
    )
    const accepted = answers.filter(({ status }) => status !== 422)
    expect(accepted).toEqual([])
    expect(new Set(answers.map((answer) => answer.detail()))).toEqual(
      new Set(['The server must not connect to this address, or it does not exist.']),
    )
    const channel = await add()
    const changed = await admin(
      `PUT /api/channels/${channel.id}`,
      { address: 'http://127.0.0.1/' },
      { 'if-match': `"${channel.revision}"` },
    )
    expect(changed.status).toBe(422)
    await causeLowStock(app)
    expect(received).toHaveLength(1)
    console.info(`T50 channels of forbidden addresses accepted ${accepted.length} of ${addresses.length}`)
  })

  it('T52 a delivery to a name that stands for a private address by now', async () => {
    let address = '93.184.216.34'
    const lines: string[] = []
    const app = await buildTestApp({
      outbound: { resolve: async () => [address] },
      logTo: { write: (line) => void lines.push(line) },
    })
    const admin = callsOf(app, await app.as('admin'))
    const added = await admin('POST /api/channels', {
      kind: 'webhook',
      name: 'x',
      address: 'http://hooks.example.com:8080/',
      events: ['low_stock'],
    })
    const { id } = added.json<Channel>()
    address = '127.0.0.1'
    await causeLowStock(app)
    const [delivery] = (await admin(`GET /api/channels/${id}/deliveries`)).json<ChannelDelivery[]>()
    expect(delivery?.attempts).toMatchObject([
      { status: null, duration_ms: null, note: 'There was no response.' },
    ])
    expect(lines.filter((line) => line.includes('ADDRESS_REFUSED'))).toHaveLength(1)
  })

  it('invalid channels', async () => {
    const { admin, add } = await aReceiver()
    const channel = await add()
    const good = { kind: 'webhook', name: 'x', address: 'https://example.com/', events: ['low_stock'] }
    const bad = [
      { ...good, kind: 'pager' },
      { ...good, name: ' ' },
      { ...good, address: 'ftp://example.com/' },
      { ...good, address: 'https://user:pass@example.com/' },
      { ...good, events: [] },
      { ...good, events: ['sold_out'] },
      { ...good, quiet_hours: { from: '25:00', until: '06:00', time_zone: 'UTC' } },
      { ...good, quiet_hours: { from: '22:00', until: '06:00', time_zone: 'Mars/Phobos' } },
      { ...good, access_token: 'a\nb' },
    ]
    for (const body of bad) expect((await admin('POST /api/channels', body)).status).toBe(422)
    expect((await admin(`PUT /api/channels/${channel.id}`, { name: 'y' })).status).toBe(428)
    expect(
      (await admin(`PUT /api/channels/${channel.id}`, { name: 'y' }, { 'if-match': '"9"' })).status,
    ).toBe(412)
    expect((await admin(`POST /api/channels/${channel.id}/deliveries/${channel.id}/replay`)).status).toBe(404)
    const slack = await add({ kind: 'slack' })
    expect((await admin(`GET /api/channels/${slack.id}/key`)).status).toBe(409)
  })

  it('T26 nobody sees the address or the key of a channel, also not in the database or the audit', async () => {
    const { app, admin, add, keyOf, url } = await aReceiver()
    const channel = await add({ address: `${url}/services/T00/B00/s3cr3t` })
    const key = await keyOf(channel)
    await admin(`POST /api/channels/${channel.id}/rotate-key`)
    const rows = await app.database.sql`select row_to_json(c)::text as row from channels c`
    const entries = await entriesOf(app)
    const places = [
      JSON.stringify(channel),
      (await admin('GET /api/channels')).text,
      JSON.stringify(rows),
      JSON.stringify(entries),
    ]
    expect(places.filter((place) => place.includes('s3cr3t') || place.includes(key.slice(6)))).toEqual([])
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['channel.created', 'channel.key_rotated']),
    )
  })

  it('a deleted channel takes its log with it', async () => {
    const { app, admin, add } = await aReceiver()
    const channel = await add()
    await causeLowStock(app)
    expect((await admin(`DELETE /api/channels/${channel.id}`)).status).toBe(204)
    expect((await admin(`GET /api/channels/${channel.id}/deliveries`)).status).toBe(404)
    const [left] = await app.database.sql`select count(*)::int as rows from channel_attempts`
    expect(left).toEqual({ rows: 0 })
  })
})
