import type { WebSocket } from '@fastify/websocket'
import { type ChangeEvent, liveEvent } from '@pegasus/contracts/events'
import { listSpoolmanSpools } from '@pegasus/contracts/filament/spoolman'
import type { FastifyRequest } from 'fastify'
import { type Clock, SECOND_MS } from '../../../platform/clock.ts'
import type { Database, Listener } from '../../../platform/database/database.ts'
import type { Guard, OnSocket } from '../../../platform/http/endpoints.ts'
import type { ServiceLog } from '../../../platform/service-log.ts'
import { EVENT_CHANNEL } from '../../events/index.ts'
import { presentSpoolmanSpool } from './spoolman.present.ts'
import { findSpoolRow } from './spoolman.queries.ts'

const BEAT_MS = 30 * SECOND_MS
/**
 * Maximum number of sockets. Each printer has one socket, so a higher number means that a program opens
 * sockets and forgets them.
 */
const MAX_SOCKETS = 500
/**
 * Maximum numbers of sockets for one API key, and for all keys of one account, so that no key or account can
 * use up all sockets.
 */
const MAX_SOCKETS_PER_KEY = 50
const MAX_SOCKETS_PER_ACCOUNT = 200
/** Number of unread bytes above which the client is assumed not to read at all. An event has about 1 KB. */
const MAX_UNREAD_BYTES = 1024 * 1024
/** WebSocket close codes (RFC 6455) for "a rule was broken" and "try again later". */
const REFUSED = 1008
const TRY_LATER = 1013

const TYPES = { created: 'added', updated: 'updated', deleted: 'deleted' } as const

/**
 * Sockets that receive events about spools. Moonraker reports no use of filament until its socket is open.
 */
export interface SpoolSockets {
  onSocket: OnSocket
  /** Stops listening to the database. The server closes the sockets themselves. */
  close(): Promise<void>
}

/** Sends a text. Disconnects the client if it does not read. */
function send(socket: WebSocket, text: string): void {
  if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate()
  else socket.send(text)
}

/** The key and the account that opened a socket. */
interface SocketOwner {
  keyId: string
  accountId: string
}

/**
 * Returns the owner of a socket. The guard has admitted the request, so it has a caller, which is a key or a
 * person.
 */
function ownerOf({ principal }: FastifyRequest): SocketOwner {
  const accountId = principal && 'accountId' in principal ? principal.accountId : ''
  return { accountId, keyId: principal && 'keyId' in principal ? principal.keyId : accountId }
}

export function createSpoolSockets(deps: {
  database: Database
  clock: Clock
  currency: string
  guard: Guard
  log: ServiceLog
}): SpoolSockets {
  const { database, clock, currency, guard, log } = deps
  const sockets = new Map<WebSocket, SocketOwner>()
  let listening: Promise<Listener> | undefined

  const notify = async ({ type, id }: ChangeEvent): Promise<void> => {
    const row = await findSpoolRow(database.sql, { id })
    if (!row) return
    const payload = presentSpoolmanSpool(row, currency)
    const event = { type: TYPES[type], resource: 'spool', date: clock.now().toISOString(), payload }
    const text = JSON.stringify(event)
    for (const socket of sockets.keys()) send(socket, text)
  }

  const onNotification = (text: string): void => {
    if (sockets.size === 0) return
    const { data } = liveEvent.safeParse(JSON.parse(text))
    if (data?.entity !== 'filament') return
    notify(data).catch((error: unknown) => log.warn({ err: error }, 'could not notify printers of a spool'))
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
    listening ??= database.listen(EVENT_CHANNEL, onNotification)
    try {
      await listening
    } catch (error) {
      listening = undefined
      throw error
    }
  }

  /**
   * Returns a function that checks a socket each time it is called. It closes the socket if the client has not
   * responded since the last call, or if its key is no longer accepted.
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
    onSocket(socket, request) {
      const owner = ownerOf(request)
      if (isFull(owner)) return socket.close(TRY_LATER, 'Too many sockets are open.')
      sockets.set(socket, owner)
      const timer = setInterval(beat(socket, request), BEAT_MS)
      socket.on('close', () => {
        clearInterval(timer)
        sockets.delete(socket)
      })
      socket.on('message', () => send(socket, JSON.stringify({ status: 'healthy' })))
      listen().catch((error: unknown) => {
        log.warn({ err: error }, 'could not listen to what changes of spools')
        socket.close(TRY_LATER, 'The database is not available.')
      })
    },

    async close() {
      const listener = await listening?.catch(() => undefined)
      await listener?.close()
    },
  }
}
