import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followLiveEvents } from './live-events.ts'

// A simulated `document` with the parts that the module uses.
class FakeDocument extends EventTarget {
  hidden = false
  setHidden(hidden: boolean) {
    this.hidden = hidden
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

const ID = '0198c0de-0000-7000-8000-000000000001'
const ORDER_EVENT = `data: {"type":"created","entity":"order","id":"${ID}"}\n\n`

interface Stream {
  send(text: string): void
  end(): void
  token: string
  isCancelled(): boolean
}

let page: FakeDocument
let streams: Stream[]
let statuses: number[]
let stop: () => void
const invalidated: unknown[] = []
let changing: string | null

const follow = () =>
  followLiveEvents({
    queryClient: {
      isMutating: (filters) => (filters?.mutationKey?.[0] === changing ? 1 : 0),
      invalidateQueries: async (filters) => void invalidated.push(filters?.queryKey ?? 'everything'),
    },
    isShown: ([name]) => name !== 'stl-files' && name !== 'slices',
    getAccessToken: async () => 'good',
    renewAccessToken: async () => 'renewed',
  })

beforeEach(() => {
  vi.useFakeTimers()
  page = new FakeDocument()
  streams = []
  statuses = []
  invalidated.length = 0
  changing = null
  vi.stubGlobal('document', page)
  const target = new EventTarget()
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target))
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    const status = statuses.shift() ?? 200
    if (status !== 200) return new Response(null, { status })
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        init.signal?.addEventListener('abort', () => {
          isCancelled = true
          controller.error(new DOMException('aborted', 'AbortError'))
        })
        streams.push({
          send: (text) => controller.enqueue(new TextEncoder().encode(text)),
          end: () => controller.close(),
          token: new Headers(init.headers).get('Authorization') ?? '',
          isCancelled: () => isCancelled,
        })
      },
    })
    return new Response(body)
  })
})

afterEach(async () => {
  stop()
  // Work that still runs ends before the fake page is removed.
  await vi.advanceTimersByTimeAsync(100)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const after = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const stream = (index: number): Stream => {
  const found = streams[index]
  if (!found) throw new Error(`there is no stream ${index}`)
  return found
}

describe('live events', () => {
  test('the event stream reloads the queries that an event makes stale, but nothing on its first connection', async () => {
    stop = follow()
    await after(100)
    expect(invalidated).toEqual([])
    stream(0).send(ORDER_EVENT.slice(0, 20))
    stream(0).send(`${ORDER_EVENT.slice(20)}: beat\n\ndata: {"type":"created","entity":"unknown"}\n\n`)
    await after(1000)
    expect(invalidated).toEqual([['orders'], ['stats'], ['products'], ['scan']])
  })

  test('queries are reloaded immediately after an event, and within half a second after another one', async () => {
    stop = follow()
    await after(100)
    for (const [ms, reloads] of [
      [121, 1],
      [500, 2],
    ] as const) {
      stream(0).send(ORDER_EVENT)
      await after(ms)
      expect(invalidated).toEqual(
        Array.from({ length: reloads }, () => [['orders'], ['stats'], ['products'], ['scan']]).flat(),
      )
    }
  })

  test('hundreds of models that the page does not show do not delay the reload of those that it shows', async () => {
    stop = follow()
    await after(100)
    for (let n = 100; n < 400; n += 1)
      stream(0).send(`data: {"type":"updated","entity":"stl_file","id":"${ID.slice(0, -3)}${n}"}\n\n`)
    stream(0).send(ORDER_EVENT)
    await after(200)
    expect(invalidated).toEqual(expect.arrayContaining([['orders'], ['stats'], ['products']]))
  })

  test('no list is reloaded after the stream is stopped, even if the reload of some lists has begun', async () => {
    stop = follow()
    await after(100)
    stream(0).send(ORDER_EVENT)
    await after(55)
    stop()
    await after(1000)
    expect(invalidated).toEqual([['orders']])
  })

  test('the event stream does not reload a list while a mutation of the list is pending', async () => {
    stop = follow()
    await after(100)
    changing = 'orders'
    stream(0).send(ORDER_EVENT)
    await after(1000)
    expect(invalidated).toEqual([['stats'], ['products'], ['scan']])
  })

  test('the event stream reconnects after its end, and reloads everything after a reconnection or the event `missed`', async () => {
    stop = follow()
    await after(100)
    stream(0).end()
    await after(5000)
    expect(streams).toHaveLength(2)
    expect(invalidated).toEqual(['everything'])
    stream(1).send('data: {"type":"missed","entity":"all","id":null}\n\n')
    await after(1000)
    expect(invalidated).toEqual(['everything', 'everything'])
  })

  test('the event stream renews a refused token immediately, and waits longer after each failed connection', async () => {
    statuses = [401]
    stop = follow()
    await after(100)
    expect(stream(0).token).toBe('Bearer renewed')
    stop()
    statuses = Array.from({ length: 100 }, () => 503)
    stop = follow()
    await after(120_000)
    expect(100 - statuses.length).toBeLessThan(14)
  })

  test('the event stream closes when the page has been hidden for a minute, and reopens when it is visible', async () => {
    stop = follow()
    await after(100)
    page.setHidden(true)
    await after(14_000)
    stream(0).send(':\n\n')
    page.setHidden(false)
    await after(20_000)
    expect(stream(0).isCancelled()).toBe(false)
    page.setHidden(true)
    for (let beat = 0; beat < 5; beat += 1) {
      if (!stream(0).isCancelled()) stream(0).send(':\n\n')
      await after(15_000)
    }
    expect(stream(0).isCancelled()).toBe(true)
    await after(600_000)
    expect(streams).toHaveLength(1)
    page.setHidden(false)
    await after(1000)
    expect(streams).toHaveLength(2)
    expect(invalidated).toEqual(['everything'])
  })

  test('the event stream is replaced when its heartbeats stop', async () => {
    stop = follow()
    await after(100)
    await after(50_000)
    expect(stream(0).isCancelled()).toBe(true)
    expect(streams.length).toBeGreaterThan(1)
  })

  test('the event stream ends with the session', async () => {
    stop = follow()
    await after(100)
    stop()
    await after(60_000)
    expect(stream(0).isCancelled()).toBe(true)
    expect(streams).toHaveLength(1)
  })
})
