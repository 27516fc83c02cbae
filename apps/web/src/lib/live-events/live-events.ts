import { EVENT_HEARTBEAT_SECONDS, liveEvent, streamEvents } from '@pegasus/contracts/events'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { buildPath } from '../http/api.ts'
import { createEventParser } from './live-events-parser.ts'
import { createRefetcher, queryKeysOf, type Refetcher } from './live-events-keys.ts'
import { mayRefetch } from './left-entities.ts'
import { getAccessToken, renewAccessToken } from '../session/session.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** After a stream that lasted at least this long, in ms, the waiting times start over. */
const STEADY_MS = 10_000
/**
 * A stream is considered dead after this many ms without a heartbeat. A laptop that was asleep is not notified that the
 * stream has ended.
 */
const SILENCE_MS = 3 * EVENT_HEARTBEAT_SECONDS * 1000
/**
 * A tab that is hidden for this long, in ms, closes its stream, because browsers limit the connections to one
 * server.
 */
const HIDDEN_MS = 60_000
/**
 * If the first stream takes longer than this to open, in ms, data that was loaded before may be outdated and
 * is reloaded.
 */
const QUICK_START_MS = 1000

/** The time between the starts of the requests of two keys, in ms. */
const TASK_PAUSE_MS = 20

interface LiveEventsOptions {
  queryClient: Pick<QueryClient, 'invalidateQueries' | 'isMutating'>
  /** Returns whether the page shows data of a query whose key begins with this key. */
  isShown: (queryKey: QueryKey) => boolean
  getAccessToken: () => Promise<string | null>
  renewAccessToken: (refused: string) => Promise<string | null>
}

/** The end of a stream, with the minimum wait before the next one. */
interface Ending {
  wasOpen: boolean
  minWaitMs: number
}

/**
 * Keeps one stream of events open, and reloads the queries that the events make stale. Returns a function that stops
 * it.
 */
export function followLiveEvents(options: LiveEventsOptions): () => void {
  const stopped = new AbortController()
  const refetcher = createRefetcher({
    refetch: async (keys) => {
      const { queryClient } = options
      if (keys === 'everything') {
        await queryClient.invalidateQueries({ predicate: mayRefetch })
        return
      }
      // The requests of each key start in a task of their own, so that taps and scrolling on a slow phone do not wait
      // for all of them. Keys without a shown query only mark their data as stale, which takes no time.
      let pauseMs = 0
      await Promise.all(
        keys.map(async (queryKey) => {
          if (options.isShown(queryKey)) {
            const ms = pauseMs
            pauseMs += TASK_PAUSE_MS
            await new Promise((resolve) => setTimeout(resolve, ms))
          }
          // A pending mutation with this key already shows its result, and reloads the query when it ends.
          if (stopped.signal.aborted || queryClient.isMutating({ mutationKey: queryKey }) > 0) return
          await queryClient.invalidateQueries({ queryKey, predicate: mayRefetch })
        }),
      )
    },
    // With these times, a change is shown within a second, including the response, even right after another
    // change.
    gatherMs: 50,
    restMs: 500,
    patienceMs: 10_000,
  })
  void keepOpen(options, refetcher, stopped.signal)
  return () => {
    stopped.abort()
    refetcher.stop()
  }
}

async function keepOpen(
  options: LiveEventsOptions,
  refetcher: Refetcher,
  stopped: AbortSignal,
): Promise<void> {
  let failures = 0
  const begunAt = performance.now()
  let mayHaveMissed = false
  while (!stopped.aborted) {
    if (document.hidden) {
      await untilVisible(stopped)
      failures = 0
      mayHaveMissed = true
      continue
    }
    const startedAt = performance.now()
    const handleOpen = () => {
      if (mayHaveMissed || performance.now() - begunAt > QUICK_START_MS) refetcher.addAll()
      mayHaveMissed = true
    }
    const { wasOpen, minWaitMs } = await readOnce(options, refetcher, handleOpen, stopped)
    failures = wasOpen && performance.now() - startedAt > STEADY_MS ? 0 : failures + 1
    await sleep(Math.max(minWaitMs, waitAfter(failures)), stopped)
  }
}

/**
 * Returns the waiting time in ms. It doubles with each failure. The random part keeps browsers from reconnecting all at
 * the same moment.
 */
const waitAfter = (failures: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures) * (0.75 + Math.random() / 2)

async function readOnce(
  options: LiveEventsOptions,
  refetcher: Refetcher,
  onOpen: () => void,
  stopped: AbortSignal,
): Promise<Ending> {
  const leave = new AbortController()
  const cancel = () => leave.abort()
  stopped.addEventListener('abort', cancel)
  const stopWatching = whenHiddenFor(HIDDEN_MS, cancel)
  let silence = setTimeout(cancel, SILENCE_MS)
  let wasOpen = false
  try {
    const response = await openStream(options, leave.signal)
    if (!response?.ok || !response.body) return { wasOpen, minWaitMs: retryAfterMs(response) }
    wasOpen = true
    onOpen()
    const parse = createEventParser((data) => takeEvent(data, refetcher))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(silence)
      silence = setTimeout(cancel, SILENCE_MS)
      parse(part.value)
    }
  } catch {
    // The network or this code ended the stream. The next stream loads the missed changes when it opens.
  } finally {
    clearTimeout(silence)
    stopWatching()
    stopped.removeEventListener('abort', cancel)
    leave.abort()
  }
  return { wasOpen, minWaitMs: 0 }
}

/** Opens the stream. Returns null without a token, after a sign-out or without a network. */
async function openStream(options: LiveEventsOptions, signal: AbortSignal): Promise<Response | null> {
  const token = await options.getAccessToken()
  if (!token || signal.aborted) return null
  const response = await fetchStream(token, signal)
  if (response.status !== 401) return response
  const renewed = await options.renewAccessToken(token)
  return renewed && !signal.aborted ? fetchStream(renewed, signal) : null
}

const fetchStream = (token: string, signal: AbortSignal): Promise<Response> =>
  fetch(buildPath(streamEvents), {
    headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}` },
    cache: 'no-store',
    signal,
  })

const retryAfterMs = (response: Response | null): number =>
  Number(response?.headers.get('Retry-After') ?? 0) * 1000 || 0

function takeEvent(data: string, refetcher: Refetcher): void {
  const event = liveEvent.safeParse(parseJson(data))
  // A newer server may send events that this page does not support.
  if (!event.success) return
  if (event.data.type === 'missed') refetcher.addAll()
  else refetcher.add(queryKeysOf(event.data))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const sleep = (ms: number, stopped: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stopped.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      stopped.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    // The wait ends early when the network is back.
    addEventListener('online', done)
    stopped.addEventListener('abort', done)
  })

const untilVisible = (stopped: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      if (document.hidden && !stopped.aborted) return
      document.removeEventListener('visibilitychange', done)
      stopped.removeEventListener('abort', done)
      resolve()
    }
    document.addEventListener('visibilitychange', done)
    stopped.addEventListener('abort', done)
    done()
  })

function whenHiddenFor(ms: number, leave: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const follow = () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(leave, ms)
  }
  document.addEventListener('visibilitychange', follow)
  follow()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', follow)
  }
}

/** Keeps all pages behind the sign-in up to date while the component is mounted. */
export function useLiveEvents(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const isShown = (queryKey: QueryKey) =>
      queryClient.getQueryCache().findAll({ queryKey, type: 'active' }).length > 0
    return followLiveEvents({ queryClient, isShown, getAccessToken, renewAccessToken })
  }, [queryClient])
}
