import type { Endpoint } from '@pegasus/contracts/endpoint'
import { roleOfServiceKey } from '@pegasus/contracts/service-keys'
import type { FastifyRequest } from 'fastify'
import { auditContextOf } from '../../../platform/actor.ts'
import { createBatchedWrites } from '../../../platform/batching/batched-writes.ts'
import { type Clock, SECOND_MS } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { ServiceKeyPrincipal } from '../../../platform/http/principal.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import { writeAudit } from '../../audit/index.ts'
import type { ServiceKeyGuard } from '../../auth/index.ts'
import { looksLikeServiceKey, readServiceKey } from './service-key-format.ts'
import {
  type ServiceKeyRow,
  type ServiceKeyUse,
  addUses,
  findKey,
  findKeyByHash,
  takeUseTurn,
} from './service-keys.queries.ts'

const WRITTEN_AFTER_MS = SECOND_MS

const isCurrent = ({ expires_at: end }: ServiceKeyRow, now: Date): boolean =>
  end === null || new Date(end) > now

const merge = (earlier: ServiceKeyUse, later: ServiceKeyUse): ServiceKeyUse => ({
  ...later,
  count: earlier.count + later.count,
})

/** Finds the key with this id if it is valid and has the role `service_role`. Returns null otherwise. */
export type FindServiceKey = (id: string) => Promise<ServiceKeyPrincipal | null>

/**
 * Creates the guard for requests with a key of the hosted service's protocol. `close` writes the uses that are not
 * stored yet.
 */
export function createServiceKeyGuard(deps: {
  database: Database
  clock: Clock
  log: ServiceLog
}): ServiceKeyGuard & { close(): Promise<void>; findSecret: FindServiceKey } {
  const { database, clock, log } = deps
  const uses = createBatchedWrites<ServiceKeyUse>({
    name: 'use of service keys',
    intervalMs: WRITTEN_AFTER_MS,
    merge,
    write: (values) => database.transaction((tx) => addUses(tx, values)),
    log,
  })

  /** Returns the key if it is currently valid. Throws UNAUTHENTICATED otherwise. */
  const getKey = async (text: string, request: FastifyRequest): Promise<ServiceKeyRow> => {
    const hash = readServiceKey(text)
    const row = hash && (await findKeyByHash(database.sql, hash))
    const now = clock.now()
    if (!row || !isCurrent(row, now))
      throw new AppError('UNAUTHENTICATED', { detail: 'unknown service key', text: 'Invalid API key' })
    uses.add(row.id, { count: 1, lastUsed: now, lastIp: (request.ip as string | undefined) ?? null })
    return row
  }

  /** Writes an audit entry about a use or a refusal, at most one per minute for each key and endpoint. */
  const note = (
    principal: ServiceKeyPrincipal,
    action: 'service_key.used' | 'access.refused',
    { endpoint: { method, path }, request }: { endpoint: Endpoint; request: FastifyRequest },
  ): Promise<void> =>
    database.transaction(async (tx) => {
      const audit = auditContextOf(request, principal, clock)
      const name = `${method} ${path}`
      if (!(await takeUseTurn(tx, { keyId: principal.keyId, endpoint: name, now: audit.now }))) return
      const subject =
        action === 'service_key.used'
          ? { entity: 'service_key' as const, entityId: principal.keyId, entityName: principal.label }
          : { entity: 'endpoint' as const, entityId: name }
      await writeAudit(tx, { action, ...subject, after: { endpoint: name } }, audit)
    })

  return {
    isKey: looksLikeServiceKey,

    async assertKnown(text, request) {
      // Ignore text in any other form. It is not a key of this instance, and programs that need no key may send
      // anything.
      if (readServiceKey(text) !== null) await getKey(text, request)
    },

    async authenticate(text, endpoint, request) {
      const { id, kind, label } = await getKey(text, request)
      const principal: ServiceKeyPrincipal = { kind: 'service_key', keyId: id, label }
      const call = { endpoint, request }
      const isSecret = roleOfServiceKey(kind) === 'service_role'
      const isForKeys = endpoint.access === 'service-role' || endpoint.isForServiceRoleToo === true
      // In the hosted database service, a key that is not secret has the role `anon`, which has no permissions.
      const isAnonymousRole = !isSecret && endpoint.dialect === 'hosted-rest'
      if (!isForKeys && !isAnonymousRole) throw new AppError('SERVICE_KEY_WITHOUT_ACCOUNT')
      if (!isSecret) {
        await note(principal, 'access.refused', call)
        throw new AppError(isAnonymousRole ? 'UNAUTHENTICATED' : 'FORBIDDEN')
      }
      await note(principal, 'service_key.used', call)
      return principal
    },

    async findSecret(id) {
      const row = await findKey(database.sql, id)
      if (!row || !isCurrent(row, clock.now()) || roleOfServiceKey(row.kind) !== 'service_role') return null
      return { kind: 'service_key', keyId: row.id, label: row.label }
    },

    close: () => uses.close(),
  }
}
