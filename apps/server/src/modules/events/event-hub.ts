import { EVENT_HEARTBEAT_SECONDS, type LiveEvent, liveEvent } from '@pegasus/contracts/events'
import { type Role, hasRole } from '@pegasus/contracts/roles'
import { SECOND_MS } from '../../platform/clock.ts'
import type { Database, Listener } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type SseStream, openSseStream } from '../../platform/http/sse.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { EVENT_CHANNEL, SESSION_CHANNEL } from './publish.ts'

/**
 * Maximum number of streams in a session. It suffices for the tabs of one browser. A client with more streams has not
 * closed its earlier ones.
 */
const MAX_STREAMS_PER_SESSION = 12
const RETRY_SECONDS = 15

/** The lowest role that receives the events of an entity. Events of all other entities go to everybody. */
const AUDIENCE: Readonly<Partial<Record<LiveEvent['entity'], Role>>> = {
  audit_entry: 'admin',
  api_key: 'admin',
}

/** The account that reads a stream, and a function that checks whether it may still read the stream. */
export interface EventReader {
  sessionId: string
  /** The role of the account at the latest check. */
  role: string
  /** Checks whether the account may still read the stream, and updates `role`. */
  stillHolds(): Promise<boolean>
}

/** Passes the notifications of the database on to the browsers that are connected to this process. */
export interface EventHub {
  /** Opens a stream of events. Throws TOO_MANY_STREAMS, or UNAVAILABLE while the server is stopping. */
  open(reader: EventReader): Promise<SseStream>
  /** Returns how many streams are open. */
  countStreams(): number
  /** Ends all streams, so that the shutdown of the server does not wait for them. */
  close(): Promise<void>
}

const MISSED: LiveEvent = { type: 'missed', entity: 'all', id: null }

export function createEventHub(deps: {
  database: Database
  log: ServiceLog
  heartbeatMs?: number
}): EventHub {
  const { database, log, heartbeatMs = EVENT_HEARTBEAT_SECONDS * SECOND_MS } = deps
  const streams = new Map<SseStream, EventReader>()
  let listening: Promise<Listener[]> | undefined
  let isClosed = false

  const broadcast = (event: LiveEvent): void => {
    const text = JSON.stringify(event)
    const least = AUDIENCE[event.entity]
    for (const [stream, { role }] of streams) if (!least || hasRole(role, least)) stream.send(text)
  }

  const onNotification = (payload: string): void => {
    const event = liveEvent.safeParse(parseJson(payload))
    if (event.success) broadcast(event.data)
    else log.warn({ payload: payload.slice(0, 200) }, 'an event that this version does not know')
  }

  const onSessionEnded = (sessionId: string): void => {
    for (const [stream, reader] of streams) if (reader.sessionId === sessionId) stream.end()
  }

  const check = async (stream: SseStream, reader: EventReader): Promise<void> => {
    try {
      if (!(await reader.stillHolds())) stream.end()
    } catch (error) {
      // The session may still be valid although the database does not respond. The next heartbeat checks it again.
      log.warn({ err: error }, 'could not check the session of an event stream')
    }
  }

  const checkAll = (): void => {
    for (const [stream, reader] of streams) void check(stream, reader)
  }

  /**
   * Listens to the notifications about events and about ended sessions, over one connection. The connection is opened
   * when the first reader connects.
   */
  const listen = async (): Promise<Listener[]> => {
    let isFirst = true
    const events = await database.listen(EVENT_CHANNEL, onNotification, () => {
      // Events may have been missed during the outage, and sessions may have ended.
      if (!isFirst) broadcast(MISSED)
      if (!isFirst) checkAll()
      isFirst = false
    })
    return [events, await database.listen(SESSION_CHANNEL, onSessionEnded)]
  }

  const ensureListening = async (): Promise<void> => {
    listening ??= listen()
    try {
      await listening
    } catch (error) {
      listening = undefined
      throw error
    }
  }

  const refuseTooMany = (sessionId: string): void => {
    const own = [...streams.values()].filter((reader) => reader.sessionId === sessionId)
    if (own.length >= MAX_STREAMS_PER_SESSION)
      throw new AppError('TOO_MANY_STREAMS', { retryAfterSeconds: RETRY_SECONDS })
  }

  return {
    async open(reader) {
      refuseTooMany(reader.sessionId)
      await ensureListening()
      refuseTooMany(reader.sessionId)
      if (isClosed) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 })
      const stream = openSseStream()
      streams.set(stream, reader)
      const timer = setInterval(() => {
        stream.beat()
        void check(stream, reader)
      }, heartbeatMs)
      stream.onClose(() => {
        clearInterval(timer)
        streams.delete(stream)
      })
      return stream
    },

    countStreams: () => streams.size,

    async close() {
      isClosed = true
      for (const stream of streams.keys()) stream.end()
      const listeners = (await listening?.catch(() => undefined)) ?? []
      await Promise.all(listeners.map((listener) => listener.close()))
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
