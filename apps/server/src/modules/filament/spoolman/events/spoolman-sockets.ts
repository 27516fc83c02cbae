import type { WebSocket } from '@fastify/websocket'
import { listSpoolmanSpools } from '@pegasus/contracts/filament/spoolman'
import type { FastifyRequest } from 'fastify'
import { type Clock, SECOND_MS } from '../../../../platform/clock.ts'
import type { Database, Listener } from '../../../../platform/database/database.ts'
import type { Guard, OnSocket } from '../../../../platform/http/endpoints.ts'
import type { ServiceLog } from '../../../../platform/log/service-log.ts'
import { EVENT_CHANNEL } from '../../../events/index.ts'
import {
  type ChangedObject,
  SPOOLMAN_CHANNEL,
  type SpoolmanChange,
  type SpoolmanResource,
  readChange,
  readSpoolChange,
} from './spoolman-events.ts'

const BEAT_MS = 30 * SECOND_MS
/**
 * Maximum number of open sockets. Each printer needs only one, so more sockets mean that a program does not close its
 * sockets.
 */
const MAX_SOCKETS = 500
/**
 * Maximum number of sockets for one API key, and for all keys of one account. No key or account can use up all sockets.
 */
const MAX_SOCKETS_PER_KEY = 50
const MAX_SOCKETS_PER_ACCOUNT = 200
/** Number of unread bytes above which the client is assumed not to read at all. An event has about 1 KB. */
const MAX_UNREAD_BYTES = 1024 * 1024
/** WebSocket close codes (RFC 6455) for "a rule was broken" and "try again later". */
const REFUSED = 1008
const TRY_LATER = 1013

/** The changes that a socket receives: all changes, those of one kind of object, or those of one object. */
interface Wanted {
  resource?: SpoolmanResource
  key?: string
}

/**
 * Sockets that send events about spools, filaments, vendors and settings. Moonraker, the web server of a printer,
 * reports no use of filament until its socket is open.
 */
export interface SpoolmanSockets {
  /**
   * Returns the handler for sockets of an endpoint, which receive only changes of that kind of object. If the
   * endpoint's address contains an id or a key, they receive only changes of that object.
   */
  onSocketFor(resource?: SpoolmanResource): OnSocket
  /** Stops listening to the database. The server closes the sockets themselves. */
  close(): Promise<void>
}

/** Sends a text. Disconnects the client if it does not read. */
function send(socket: WebSocket, text: string): void {
  if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate()
  else socket.send(text)
}

/** Returns the id or the key in the address of a request. */
function keyIn({ params }: FastifyRequest): Pick<Wanted, 'key'> {
  const { id, key } = params as { id?: number | string; key?: string }
  const found = id ?? key
  return found === undefined ? {} : { key: String(found) }
}

/** The key and the account that opened a socket. */
interface SocketOwner {
  keyId: string
  accountId: string
}

/**
 * Returns the owner of a socket: the API key with its account, or a person's account. The guard has already admitted
 * the request.
 */
function ownerOf({ principal }: FastifyRequest): SocketOwner {
  const accountId = principal && 'accountId' in principal ? principal.accountId : ''
  return { accountId, keyId: principal && 'keyId' in principal ? principal.keyId : accountId }
}

export function createSpoolmanSockets(deps: {
  database: Database
  clock: Clock
  findChanged(change: SpoolmanChange): Promise<ChangedObject | null>
  guard: Guard
  log: ServiceLog
}): SpoolmanSockets {
  const { database, clock, findChanged, guard, log } = deps
  const sockets = new Map<WebSocket, SocketOwner & Wanted>()
  let listening: Promise<Listener[]> | undefined
  /** Resolves when all earlier changes have been sent, so that programs receive the changes in order. */
  let sent = Promise.resolve()

  const socketsFor = (resource: SpoolmanResource): [WebSocket, Wanted][] =>
    [...sockets].filter(([, wanted]) => wanted.resource === undefined || wanted.resource === resource)

  const notify = async (change: SpoolmanChange): Promise<void> => {
    const { type, resource } = change
    if (socketsFor(resource).length === 0) return
    const changed = await findChanged(change)
    if (!changed) return
    const { key, payload } = changed
    const text = JSON.stringify({ type, resource, date: clock.now().toISOString(), payload })
    for (const [socket, wanted] of socketsFor(resource))
      if (wanted.key === undefined || wanted.key === key) send(socket, text)
  }

  const onChange =
    (read: (text: string) => SpoolmanChange | null) =>
    (text: string): void => {
      const change = sockets.size === 0 ? null : read(text)
      if (!change) return
      sent = sent
        .then(() => notify(change))
        .catch((error: unknown) => log.warn({ err: error }, 'could not notify programs of a change'))
    }

  const isFull = ({ keyId, accountId }: SocketOwner): boolean => {
    const owners = [...sockets.values()]
    const ofAccount = owners.filter((each) => each.accountId === accountId)
    const ofKey = ofAccount.filter((each) => each.keyId === keyId)
    return (
      owners.length >= MAX_SOCKETS ||
      ofAccount.length >= MAX_SOCKETS_PER_ACCOUNT ||
      ofKey.length >= MAX_SOCKETS_PER_KEY
    )
  }

  /** Opens the database connection that all sockets share. Called when the first socket is opened. */
  const listen = async (): Promise<void> => {
    listening ??= Promise.all([
      database.listen(EVENT_CHANNEL, onChange(readSpoolChange)),
      database.listen(SPOOLMAN_CHANNEL, onChange(readChange)),
    ])
    try {
      await listening
    } catch (error) {
      listening = undefined
      throw error
    }
  }

  /**
   * Returns a function to call at regular intervals. It closes the socket if the client has not responded since the
   * last call, or if its API key is no longer accepted.
   */
  const beat = (socket: WebSocket, request: FastifyRequest): (() => void) => {
    let isAlive = true
    socket.on('pong', () => {
      isAlive = true
    })
    return () => {
      if (!isAlive) return socket.terminate()
      isAlive = false
      socket.ping()
      guard(request, listSpoolmanSpools).catch(() =>
        socket.close(REFUSED, 'The API key is no longer accepted.'),
      )
    }
  }

  return {
    onSocketFor: (resource) => (socket, request) => {
      const owner = ownerOf(request)
      if (isFull(owner)) return socket.close(TRY_LATER, 'Too many sockets are open.')
      sockets.set(socket, { ...owner, ...(resource && { resource, ...keyIn(request) }) })
      const timer = setInterval(beat(socket, request), BEAT_MS)
      socket.on('close', () => {
        clearInterval(timer)
        sockets.delete(socket)
      })
      const isListening = listen().then(
        () => true,
        (error: unknown) => {
          log.warn({ err: error }, 'could not listen to changes for programs')
          socket.close(TRY_LATER, 'The database is not available.')
          return false
        },
      )
      // The reply tells the client that it receives all changes from now on.
      socket.on('message', () => {
        void isListening.then((is) => is && send(socket, JSON.stringify({ status: 'healthy' })))
      })
    },

    async close() {
      const listeners = await listening?.catch(() => undefined)
      await Promise.all((listeners ?? []).map((listener) => listener.close()))
    },
  }
}
