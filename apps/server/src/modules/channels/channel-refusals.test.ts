import type { Channel, ChannelDelivery } from '@pegasus/contracts/channels/channels'
import { describe, expect, it } from 'vitest'
import { callsOf } from '../../../test/support/api-calls.ts'
import { entriesOf } from '../../../test/support/audit-entries.ts'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { aReceiver, causeLowStock } from '../../../test/support/channels.ts'

describe('refused channels and deliveries', () => {
  it('T50 a channel is refused if its address is one that uploads by URL must not reach', async () => {
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
      new Set(['This address does not exist, or the server may not connect to it.']),
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

  it('T52 a delivery fails if the host name of its channel now resolves to a private address', async () => {
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

  it('invalid channels and outdated changes of channels are refused', async () => {
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

  it('T26 neither the address nor the key of a channel appears in a response, the database or the audit', async () => {
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

  it('a channel loses its access token when its address changes to another server, and the audit shows the change', async () => {
    const { app, admin, add, received, url } = await aReceiver()
    const channel = await add({ kind: 'ntfy', address: `${url}/ours`, access_token: 'tk_s3cr3t' })
    const change = async (body: object): Promise<Channel> => {
      const { revision } = (await admin(`GET /api/channels/${channel.id}`)).json<Channel>()
      return (
        await admin(`PUT /api/channels/${channel.id}`, body, { 'if-match': `"${revision}"` })
      ).json<Channel>()
    }
    expect(await change({ address: `${url}/theirs` })).toMatchObject({ has_access_token: true })
    expect(await change({ name: 'Renamed' })).toMatchObject({ has_access_token: true })
    await app.database.sql`update channels set shown_address = 'https://ntfy.sh/…' where id = ${channel.id}`
    expect(await change({ address: `${url}/theirs` })).toMatchObject({ has_access_token: false })
    await admin(`POST /api/channels/${channel.id}/test`)
    expect(received[0]?.headers).not.toHaveProperty('authorization')
    expect(await change({ access_token: 'tk_new' })).toMatchObject({ has_access_token: true })
    const updates = (await entriesOf(app)).filter(({ action }) => action === 'channel.updated')
    const marks = updates.map(({ after }) => [after?.['address_replaced'], after?.['access_replaced']])
    expect(marks).toEqual([
      [true, undefined],
      [undefined, undefined],
      [undefined, true],
      [undefined, true],
    ])
  })

  it('deleting a channel also deletes its log', async () => {
    const { app, admin, add } = await aReceiver()
    const channel = await add()
    await causeLowStock(app)
    expect((await admin(`DELETE /api/channels/${channel.id}`)).status).toBe(204)
    expect((await admin(`GET /api/channels/${channel.id}/deliveries`)).status).toBe(404)
    const [left] = await app.database.sql`select count(*)::int as rows from channel_attempts`
    expect(left).toEqual({ rows: 0 })
  })
})
