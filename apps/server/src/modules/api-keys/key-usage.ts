import { RECENT_CALLS_SHOWN } from '@pegasus/contracts/api-keys'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { createBatchedWrites } from '../../platform/batching/batched-writes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import { type KeyUse, addUses } from './key-usage.queries.ts'

/** Time between two writes. The stored list of a key's latest calls lags behind by up to this time. */
const WRITTEN_AFTER_MS = 500
const PATH_MAX_LENGTH = 300

/** Records the uses of keys while requests run, and writes them to the database in the background. */
export interface KeyUsage {
  /** Counts a request that carries a key. */
  begin(request: FastifyRequest, keyId: string): void
  /** Records the response to a request with a key. Does nothing for other requests. */
  end(request: FastifyRequest, reply: FastifyReply): void
  /** Writes the remaining records. Call this after the last request. */
  close(): Promise<void>
}

/** Returns the client's address, or null if the socket is already closed. */
const addressOf = (request: FastifyRequest): string | null => (request.ip as string | undefined) ?? null

const merge = (earlier: KeyUse, later: KeyUse): KeyUse => ({
  count: earlier.count + later.count,
  lastUsed: later.lastUsed ?? earlier.lastUsed,
  lastIp: later.lastUsed ? later.lastIp : earlier.lastIp,
  calls: [...earlier.calls, ...later.calls].slice(-RECENT_CALLS_SHOWN),
})

export function createKeyUsage(deps: { database: Database; clock: Clock; log: ServiceLog }): KeyUsage {
  const { database, clock, log } = deps
  /** The key of each request, and the time when the request started. */
  const begun = new WeakMap<FastifyRequest, { keyId: string; at: Date }>()
  const uses = createBatchedWrites<KeyUse>({
    name: 'use of API keys',
    intervalMs: WRITTEN_AFTER_MS,
    merge,
    write: (values) => database.transaction((tx) => addUses(tx, values)),
    log,
  })

  return {
    begin(request, keyId) {
      const at = clock.now()
      begun.set(request, { keyId, at })
      // Count the request here, because an aborted response has no end event.
      uses.add(keyId, { count: 1, lastUsed: at, lastIp: addressOf(request), calls: [] })
    },

    end(request, reply) {
      const call = begun.get(request)
      if (!call) return
      const { method, url, id: requestId } = request
      const path = (url.split('?', 1)[0] ?? '').slice(0, PATH_MAX_LENGTH)
      const { keyId, at } = call
      const answered = { status: reply.statusCode, ip: addressOf(request) }
      const ended = { id: uuidv7(), at, method, path, requestId, ...answered }
      uses.add(keyId, { count: 0, lastUsed: null, lastIp: null, calls: [ended] })
    },

    close: () => uses.close(),
  }
}
