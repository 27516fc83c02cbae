import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../test/support/audit-entries.ts'
import { aReceiver, causeLowStock } from '../../../test/support/channels.ts'
import { DAY_MS, HOUR_MS } from '../../platform/clock.ts'

describe('failing channels', () => {
  it('a channel drops its waiting deliveries when a person switches it off, and the audit shows when the server switches it off', async () => {
    const { app, admin, add, log, next, received } = await aReceiver()
    const channel = await add()
    next.status = 500
    await causeLowStock(app)
    const off = await admin(
      `PUT /api/channels/${channel.id}`,
      { is_enabled: false },
      { 'if-match': `"${channel.revision}"` },
    )
    expect(await log(channel)).toMatchObject([{ state: 'failed', next_attempt_at: null }])
    next.status = 410
    const on = await admin(
      `PUT /api/channels/${channel.id}`,
      { is_enabled: true },
      { 'if-match': String(off.headers['etag']) },
    )
    expect(on.status).toBe(200)
    app.clock.advance(DAY_MS)
    await app.channels.run()
    expect(received).toHaveLength(1)
    await causeLowStock(app, 'Another')
    const updates = (await entriesOf(app)).filter(({ action }) => action === 'channel.updated')
    expect(updates.at(-1)).toMatchObject({
      actor_id: null,
      entity_id: channel.id,
      before: { is_enabled: true },
      after: { is_enabled: false },
    })
    // The cleanup deletes old deliveries, whether they were sent, failed or are still waiting.
    next.status = 500
    const other = await add({ name: 'Another' })
    await causeLowStock(app, 'Third')
    app.clock.advance(31 * DAY_MS)
    await app.cleanup.run()
    expect(await log(other)).toEqual([])
  })

  it('a delivery whose request cannot be made fails once with a reason, without stopping other deliveries', async () => {
    const { app, admin, add, log, received, url } = await aReceiver()
    for (const path of ['/%ff', '/', '']) {
      const answer = await admin('POST /api/channels', {
        kind: 'ntfy',
        name: 'x',
        address: `${url}${path}`,
        events: ['low_stock'],
      })
      expect(answer.detail()).toBe('An ntfy address ends with a topic, such as https://ntfy.sh/my-topic.')
    }
    const broken = await add({ kind: 'ntfy', name: 'Restored' })
    await add()
    // Simulate an address that was encrypted with another root secret.
    await app.database.sql`update channels set address_sealed = 'x' where id = ${broken.id}`
    await causeLowStock(app)
    expect(received).toHaveLength(1)
    const [failed] = await log(broken)
    expect(failed).toMatchObject({
      state: 'failed',
      attempts: [{ number: 1, note: 'The address or the key cannot be read. Enter both again.' }],
    })
    app.clock.advance(HOUR_MS)
    await app.channels.run()
    expect((await log(broken))[0]?.attempts).toHaveLength(1)
    expect((await admin(`POST /api/channels/${broken.id}/test`)).json()).toMatchObject({ state: 'failed' })
  })

  it('a receiver that does not respond delays only its own deliveries', async () => {
    const { app, add, received, url } = await aReceiver()
    const [good, silent] = [await add(), await add({ events: ['new_order'], address: `${url}/silent` })]
    await causeLowStock(app)
    for (const [{ id }, count] of [
      [good, 12],
      [silent, 7],
    ] as const)
      await app.database.sql`
        insert into channel_deliveries (id, channel_id, event, content, state, next_attempt_at, created_at)
        select gen_random_uuid(), ${id}, event, content, 'waiting', created_at, created_at
        from channel_deliveries, generate_series(1, ${count})`
    const [{ all }] = await app.database.sql<[{ all: number }]>`
      select count(*)::int as all from channel_deliveries where channel_id = ${good.id}`
    const before = received.length
    const sent = app.channels.run()
    const pathsOf = (path: string) =>
      received.slice(before).filter((each) => each.path.startsWith(path)).length
    // The call to the receiver that does not respond takes ten seconds, which is longer than this timeout.
    await expect.poll(() => pathsOf('/hook'), { timeout: 8000 }).toBe(all - 1)
    await sent
    expect(pathsOf('/silent')).toBe(5)
  })

  it('a replay of a waiting delivery changes nothing', async () => {
    const { app, admin, add, log, received, next } = await aReceiver()
    const channel = await add()
    next.status = 500
    await causeLowStock(app)
    const [waiting] = await log(channel)
    const replayed = await admin(`POST /api/channels/${channel.id}/deliveries/${waiting?.id}/replay`)
    expect(replayed.json()).toMatchObject({ next_attempt_at: waiting?.next_attempt_at })
    await app.channels.run()
    expect(received).toHaveLength(1)
  })

  it('a channel with a time zone that the database does not support does not stop the other channels', async () => {
    const { app, admin, add, received } = await aReceiver()
    const quiet = { from: '00:00', until: '00:01' }
    for (const zone of ['VST', '+05:30', '-08', 'ACT']) {
      const answer = await admin('POST /api/channels', {
        kind: 'webhook',
        name: 'x',
        address: 'https://example.com/',
        events: ['low_stock'],
        quiet_hours: { ...quiet, time_zone: zone },
      })
      expect([zone, answer.status]).toEqual([zone, 422])
    }
    const channel = await add({ quiet_hours: { ...quiet, time_zone: 'Asia/Saigon' } })
    await add()
    // An earlier version accepted abbreviations as time zones.
    await app.database.sql`update channels set time_zone = 'VST' where id = ${channel.id}`
    expect((await admin('GET /api/channels')).status).toBe(200)
    await causeLowStock(app)
    expect(received).toHaveLength(2)
  })
})
