import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { LiveEvent } from '@pegasus/contracts/events'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { createCube } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type TestApp, buildTestApp } from '../../../test/support/build-test-app.ts'
import { analyzed, upload } from '../../../test/support/library/model-upload.ts'
import { aPrintJob, aSpool, anItem, anOrder, refusalOf } from '../../../test/support/stock-factories.ts'
import { SYSTEM_ACTOR } from '../../platform/actor.ts'
import { createTestItem } from '../../../test/support/create-test-item.ts'

const MAX_STREAMS = 12

interface Reader {
  response: Response
  events: LiveEvent[]
  /** Returns the text received so far, including comments of the protocol. */
  text(): string
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  stop(): void
}

const listening = new WeakMap<TestApp, Promise<string>>()

/** Starts the server and returns its address. The tests read streams over a real connection, like a browser. */
const addressOf = (app: TestApp): Promise<string> => {
  const known = listening.get(app)
  if (known) return known
  const started = app.http
    .listen({ port: 0, host: '127.0.0.1' })
    .then(() => `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`)
  listening.set(app, started)
  return started
}

async function open(app: TestApp, headers: Record<string, string>): Promise<Reader> {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const response = await fetch(`${await addressOf(app)}/api/events`, { headers, signal: abort.signal })
  const events: LiveEvent[] = []
  let text = ''
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      const complete = text.split('\n\n').slice(0, -1)
      events.splice(
        0,
        events.length,
        ...complete
          .filter((part) => part.startsWith('data: '))
          .map((part) => JSON.parse(part.slice(6)) as LiveEvent),
      )
    }
  }
  const ended = read().catch(() => undefined)
  return { response, events, text: () => text, ended, stop: () => abort.abort() }
}

const seen = async (reader: Reader, entity: string, type = 'created'): Promise<string> => {
  let id = ''
  await expect
    .poll(
      () => {
        id = String(reader.events.find((event) => event.entity === entity && event.type === type)?.id ?? '')
        return id
      },
      { timeout: 10_000, interval: 10 },
    )
    .not.toBe('')
  return id
}

describe('GET /api/events', () => {
  describe('valid requests for events', () => {
    it('GET /api/events tells every signed-in account what changed, but not the new data', async () => {
      const app = await buildTestApp()
      const reader = await open(app, await app.as('viewer'))
      expect(reader.response.status).toBe(200)
      expect(reader.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(reader.response.headers.get('cache-control')).toBe('no-store, no-transform')
      expect(reader.response.headers.get('x-content-type-options')).toBe('nosniff')
      const item = await anItem(app)
      const made = {
        inventory_item: item,
        filament: await aSpool(app),
        order: await anOrder(app),
        print_job: await aPrintJob(app, { itemId: item }),
      }
      for (const [entity, id] of Object.entries(made)) expect(await seen(reader, entity)).toBe(id)
      expect(reader.text()).toContain(`data: {"type":"created","entity":"order","id":"${made.order}"}\n\n`)
    })

    it('GET /api/events reports a model when it is added, and again when it has been measured', async () => {
      const app = await buildTestApp()
      const staff = await app.as('staff')
      const reader = await open(app, staff)
      const bytes = writeBinaryStl(createCube(20))
      const { id } = (await upload(app, staff, { name: 'c.stl', bytes })).json<Model>()
      await analyzed(app, staff, id)
      expect(await seen(reader, 'stl_file')).toBe(id)
      expect(await seen(reader, 'stl_file', 'updated')).toBe(id)
    })

    it('GET /api/events reports changes made by another process on the same database', async () => {
      const app = await buildTestApp()
      const replica = await app.replica()
      const headers = await app.as('viewer')
      const [here, there] = await Promise.all([open(app, headers), open(replica, headers)])
      const id = await anOrder(app)
      expect(await seen(here, 'order')).toBe(id)
      expect(await seen(there, 'order')).toBe(id)
    })

    it('GET /api/events reports nothing that was not committed', async () => {
      const app = await buildTestApp()
      const reader = await open(app, await app.as('viewer'))
      const failing = app.database.transaction(async (tx) => {
        await createTestItem(tx, { name: 'Never' }, { actor: SYSTEM_ACTOR, now: app.clock.now() })
        throw new Error('rolled back')
      })
      expect(await refusalOf(failing)).toBe('INTERNAL')
      const order = await anOrder(app)
      expect(await seen(reader, 'order')).toBe(order)
      expect(reader.events).toHaveLength(1)
    })

    it('an event stream ends with its session on every replica, without ending other streams', async () => {
      const app = await buildTestApp()
      const replica = await app.replica()
      const [leaver, stayer] = [await app.as('viewer'), await app.as('viewer')]
      const [mine, mineThere, other] = await Promise.all([
        open(app, leaver),
        open(replica, leaver),
        open(replica, stayer),
      ])
      const logout = await app.http.inject({ method: 'POST', url: '/auth/v1/logout', headers: leaver })
      expect(logout.statusCode).toBe(204)
      await Promise.all([mine.ended, mineThere.ended])
      const order = await anOrder(app)
      expect(await seen(other, 'order')).toBe(order)
    })

    it('an open event stream does not delay the shutdown of the server', async () => {
      const app = await buildTestApp()
      const reader = await open(app, await app.as('viewer'))
      const before = Date.now()
      await app.http.close()
      await reader.ended
      expect(Date.now() - before).toBeLessThan(2000)
    })

    it('the server shuts down promptly even while a connection has sent no request', async () => {
      const app = await buildTestApp()
      const { port } = new URL(await addressOf(app))
      const socket = connect(Number(port), '127.0.0.1')
      await once(socket, 'connect')
      // The response to this request shows that the server has also accepted the silent connection, which was opened
      // before.
      expect((await open(app, await app.as('viewer'))).response.status).toBe(200)
      const gone = once(socket, 'close')
      const before = Date.now()
      await app.http.close()
      await gone
      expect(Date.now() - before).toBeLessThan(2000)
    })

    it('HEAD /api/events returns the headers without a stream', async () => {
      const app = await buildTestApp()
      const answer = await app.http.inject({
        method: 'HEAD',
        url: '/api/events',
        headers: await app.as('viewer'),
      })
      expect([answer.statusCode, answer.body]).toEqual([200, ''])
    })
  })

  it('GET /api/events refuses more streams than a session needs, until one of them is closed', async () => {
    const app = await buildTestApp()
    const headers = await app.as('viewer')
    const readers = await Promise.all(Array.from({ length: MAX_STREAMS }, () => open(app, headers)))
    const refused = await open(app, headers)
    expect(refused.response.status).toBe(429)
    expect(refused.response.headers.get('retry-after')).toBe('15')
    expect((await open(app, await app.as('viewer'))).response.status).toBe(200)
    readers[0]?.stop()
    await expect
      .poll(async () => {
        const next = await open(app, headers)
        return next.response.status
      })
      .toBe(200)
  })

  it('GET /api/events returns 401 for a call without a token or with a token in the address', async () => {
    const app = await buildTestApp()
    const token = (await app.as('viewer')).authorization.slice('Bearer '.length)
    for (const url of ['/api/events', `/api/events?access_token=${token}`])
      expect((await app.http.inject(url)).statusCode).toBe(401)
  })
})
