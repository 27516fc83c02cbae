import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Received, aReceiver, causeLowStock } from '../../../test/support/channels.ts'
import {
  aMovement,
  aPrintJob,
  aPrinter,
  aSpool,
  advance,
  anItem,
} from '../../../test/support/stock-factories.ts'
import type { Channel } from '@pegasus/contracts/channels/channels'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'

/** Checks a signature in the same way as the libraries of Standard Webhooks. */
function isSigned({ headers, text: body }: Received, key: string): boolean {
  const bytes = Buffer.from(key.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', bytes).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}

describe('webhooks', () => {
  it('an event is sent once, in the format of Standard Webhooks, with a valid signature', async () => {
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

  it('a failed delivery is retried with the same id and growing pauses for three days, and can be replayed', async () => {
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

  it('one call sends all failed deliveries of a channel again', async () => {
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

  it('the receiver of a channel can set the pause before the next attempt, or switch the channel off with status 410', async () => {
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
      disabled_reason: 'The receiver no longer exists (410 Gone).',
      failed: 1,
    })
    await causeLowStock(app, 'Another')
    expect(await log(channel)).toHaveLength(1)
  })

  it('for a day after a key rotation, a webhook message is also signed with the old key', async () => {
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

  it('two processes send each delivery once, even if one of them dies before it has finished a delivery', async () => {
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
    // Simulate a process that died after it had claimed a delivery.
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

describe('the events of channels', () => {
  it('finished jobs, printer errors, filament that runs out, shipped orders and refused orders cause events', async () => {
    const { app, admin, add, received } = await aReceiver()
    await add({
      events: ['job_finished', 'printer_error', 'filament_short', 'order_shipped', 'order_refused'],
    })
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
    await app.database.sql`
      insert into refused_orders (order_number, detail, refused_at) values ('A-2', 'Orders come in EUR', now())`
    await app.alerts.run()
    await app.channels.run()
    const events = received.map(({ text: body }) => JSON.parse(body) as { type: string; data: object })
    expect(Object.fromEntries(events.map(({ type, data }) => [type, data]))).toMatchObject({
      'filament.running_out': { title: 'PLA', needed_grams: 500, remaining_grams: 100 },
      'print_job.finished': { entity_id: job, title: 'Dragon', quantity: 1 },
      'printer.error': { entity_id: printer, title: 'Left', reason: 'Heater broken' },
      'order.shipped': { entity_id: orderId, title: 'A-1', pieces: 2, carrier: 'DHL', tracking_number: '42' },
      'order.refused': { title: 'A-2', entity_id: null, orders: 1, reason: 'Orders come in EUR' },
    })
    expect(events).toHaveLength(5)
  })
})

describe('chats and push services', () => {
  const HOSTILE = '<!channel> **@everyone** & [x](https://evil.example)'

  it('a Slack message escapes markup that other people entered', async () => {
    const { app, add, received } = await aReceiver()
    await add({ kind: 'slack' })
    await causeLowStock(app, HOSTILE)
    const { text: message } = JSON.parse(received[0]?.text ?? '') as { text: string }
    expect(message).toMatch(/^\*Low stock: &lt;!channel&gt; \*\*@everyone\*\* &amp; \[x\]/)
    expect(message).toMatch(/<https:\/\/ops\.example\/\?tab=inventory&item=[\w-]+\|Show it>$/)
    expect(received[0]?.headers).not.toHaveProperty('webhook-signature')
  })

  it('a Discord message mentions nobody and escapes markup that other people entered', async () => {
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
  it('deliveries wait until the quiet hours of the channel end, in its time zone and even across midnight', async () => {
    const { app, add, received } = await aReceiver()
    const now = app.clock.now()
    const hourIn = (offset: number) => `${String((now.getUTCHours() + offset + 24) % 24).padStart(2, '0')}:00`
    await add({ name: 'Quiet', quiet_hours: { from: hourIn(-1), until: hourIn(2), time_zone: 'UTC' } })
    // In this time zone, which is three hours ahead of UTC, the quiet hours are over.
    await add({ name: 'Awake', quiet_hours: { from: hourIn(-1), until: hourIn(2), time_zone: 'Etc/GMT-3' } })
    await causeLowStock(app)
    expect(received).toHaveLength(1)
    app.clock.advance(2 * HOUR_MS)
    await app.channels.run()
    expect(received).toHaveLength(2)
  })

  it('a test message is sent even during quiet hours', async () => {
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

describe('failed test messages', () => {
  it('a failed test message gives the reason without details of the network, and is not repeated', async () => {
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
