import { describe, expect, it, onTestFinished } from 'vitest'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createTestDatabase } from '../../../test/support/database/test-database.ts'
import { openSseStream } from '../../platform/http/sse.ts'
import { createEventHub } from './event-hub.ts'
import { publish } from './publish.ts'

async function aHub(heartbeatMs: number) {
  const { database, drop } = await createTestDatabase()
  const hub = createEventHub({ database, log: silentLog, heartbeatMs })
  onTestFinished(async () => {
    await hub.close()
    await drop()
  })
  return { hub, database }
}

const READER = { sessionId: 'one', role: 'viewer', stillHolds: () => Promise.resolve(true) }

describe('the event hub', () => {
  it('the event hub sends heartbeats, and ends a stream at the first heartbeat after its session has ended', async () => {
    const { hub } = await aHub(20)
    let holds = true
    const stream = await hub.open({
      sessionId: 'one',
      role: 'viewer',
      stillHolds: () => Promise.resolve(holds),
    })
    let text = ''
    stream.body.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    await expect.poll(() => text).toMatch(/^: connected\n\n(:\n\n){3,}/)
    holds = false
    await new Promise((resolve) => stream.body.once('end', resolve))
  })

  it('T10 the event hub sends admin events only to admins and owners, by their role at the latest heartbeat', async () => {
    const { hub, database } = await aHub(20)
    const reader = { sessionId: 'one', role: 'admin', stillHolds: () => Promise.resolve(true) }
    let asked = 0
    const demoted = { ...reader, sessionId: 'two' }
    demoted.stillHolds = () => {
      asked += 1
      demoted.role = 'viewer'
      return Promise.resolve(true)
    }
    const texts = ['', '', '']
    for (const [index, each] of [reader, READER, demoted].entries())
      (await hub.open(each)).body.on('data', (chunk: Buffer) => {
        texts[index] += chunk.toString()
      })
    await expect.poll(() => asked).toBeGreaterThan(0)
    const id = crypto.randomUUID()
    await publish(database.sql, { type: 'created', entity: 'audit_entry', id })
    const last = crypto.randomUUID()
    await publish(database.sql, { type: 'updated', entity: 'order', id: last })
    await expect.poll(() => texts.map((text) => text.includes(last))).toEqual([true, true, true])
    expect(texts.map((text) => text.includes(id))).toEqual([true, false, false])
  })

  it('the event hub keeps a stream open while its session cannot be looked up', async () => {
    const { hub, database } = await aHub(10)
    let asked = 0
    const stream = await hub.open({
      sessionId: 'one',
      role: 'viewer',
      stillHolds() {
        asked += 1
        return Promise.reject(new Error('the database is away'))
      },
    })
    await expect.poll(() => asked).toBeGreaterThan(2)
    let text = ''
    stream.body.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    const id = crypto.randomUUID()
    await publish(database.sql, { type: 'updated', entity: 'order', id })
    await expect.poll(() => text).toContain(id)
  })

  it('the event hub sends `missed` after its database connection was lost', async () => {
    const { hub, database } = await aHub(60_000)
    const stream = await hub.open(READER)
    let text = ''
    stream.body.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    await database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    await expect
      .poll(() => text, { timeout: 20_000 })
      .toContain('data: {"type":"missed","entity":"all","id":null}\n\n')
    const id = crypto.randomUUID()
    await publish(database.sql, { type: 'created', entity: 'order', id })
    await expect.poll(() => text).toContain(id)
  })

  it('the event hub ignores notifications that are not events', async () => {
    const { hub, database } = await aHub(60_000)
    const stream = await hub.open(READER)
    let text = ''
    stream.body.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    for (const payload of ['{', '{"type":"created","entity":"secret","id":"1"}', 'x\n\ndata: forged'])
      await database.sql`select pg_notify('pegasus_events', ${payload})`
    const id = crypto.randomUUID()
    await publish(database.sql, { type: 'created', entity: 'order', id })
    await expect.poll(() => text).toContain(id)
    expect(text).toBe(`: connected\n\ndata: {"type":"created","entity":"order","id":"${id}"}\n\n`)
  })

  it('a closed event hub accepts no streams', async () => {
    const { hub } = await aHub(60_000)
    await hub.close()
    await expect(hub.open(READER)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('event streams with slow readers', () => {
  it('an event stream ends if its reader is too slow, and stays open if its reader keeps up', async () => {
    const [slow, quick] = [
      openSseStream({ maxUnreadBytes: 10_000 }),
      openSseStream({ maxUnreadBytes: 10_000 }),
    ]
    let isSlowClosed = false
    slow.onClose(() => {
      isSlowClosed = true
    })
    let read = 0
    quick.body.on('data', (chunk: Buffer) => {
      read += chunk.length
    })
    for (let sent = 0; sent < 300; sent += 1) {
      slow.send('x'.repeat(100))
      quick.send('x'.repeat(100))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect([slow.body.destroyed, isSlowClosed, quick.body.destroyed]).toEqual([true, true, false])
    expect(read).toBe(300 * 108 + ': connected\n\n'.length)
  })
})
