import { timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { apiKeyStatus } from '@pegasus/contracts/api-keys'
import type { AuditEntity } from '@pegasus/contracts/audit'
import type { Endpoint } from '@pegasus/contracts/endpoint'
import { hasRole } from '@pegasus/contracts/roles'
import type { FastifyRequest } from 'fastify'
import { auditContextOf } from '../../platform/actor.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { ApiKeyPrincipal } from '../../platform/http/principal.ts'
import { writeAudit } from '../audit/index.ts'
import type { KeyGuard } from '../auth/index.ts'
import { presentCurrentUser } from '../users/index.ts'
import { keyInBasic, looksLikeKey, readKey } from './key-format.ts'
import { type PresentedKey, findAndCount, wasRefusedLately } from './key-guard.queries.ts'
import type { KeyUsage } from './key-usage.ts'

/** A hash that no key has. An unknown key is compared with it, so that known and unknown keys take the same steps. */
const NO_HASH = Buffer.alloc(32)

/**
 * Converts an IP address to the form that the database compares: an IPv4 address mapped to IPv6 becomes IPv4. Returns
 * null for an invalid address. A proxy may send anything, and a closed socket has no address.
 */
function comparableAddress(ip: string | undefined): string | null {
  const address = (ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  return isIP(address) === 0 ? null : address
}

/**
 * Returns why a key may not call an endpoint, as a message for people who read the program's log. Returns null if the
 * key may call it.
 */
function whyClosed({ scopes, user }: ApiKeyPrincipal, { access }: Endpoint): string | null {
  if (typeof access !== 'object') return 'API keys cannot call this endpoint.'
  if (!scopes.includes(access.scope)) return `This API key lacks the scope ${access.scope}.`
  return hasRole(user.role, access.owner)
    ? null
    : 'The owner of this API key does not have permission to do this.'
}

/** Creates the guard for requests with a key. It finds, checks and counts the key in one query. */
export function createKeyGuard(deps: {
  database: Database
  clock: Clock
  usage: KeyUsage
  requestsPerMinute: number
}): KeyGuard {
  const { database, clock, usage, requestsPerMinute } = deps

  const isHolder = (row: PresentedKey | null, hash: Buffer): row is PresentedKey =>
    timingSafeEqual(row?.key_hash ?? NO_HASH, hash)

  const isInForce = (row: PresentedKey): boolean => {
    const key = { is_active: row.key_is_active, expires_at: row.key_expires_at }
    return apiKeyStatus(key, clock.now()) === 'Active' && row.is_active && row.system_access
  }

  const principalOf = (row: PresentedKey): ApiKeyPrincipal => ({
    kind: 'api_key',
    accountId: row.id,
    user: presentCurrentUser(row),
    keyId: row.key_id,
    label: row.key_label,
    scopes: row.key_scopes,
  })

  const assertWithinLimit = (row: PresentedKey): void => {
    const { window_started_at: startedAt, window_calls: calls } = row
    if (startedAt === null || calls === null || calls <= requestsPerMinute) return
    const waitMs = new Date(startedAt).getTime() + MINUTE_MS - clock.now().getTime()
    throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / SECOND_MS)) })
  }

  /** Writes an audit entry for a refusal, unless the same refusal was recorded within the last minute. */
  const noteRefusal = (
    principal: ApiKeyPrincipal,
    refusal: { entity: AuditEntity; entityId: string; entityName: string; reason: string },
    request: FastifyRequest,
  ): Promise<void> =>
    database.transaction(async (tx) => {
      const { entity, entityId, entityName, reason } = refusal
      const { keyId } = principal
      const audit = auditContextOf(request, principal, clock)
      if (await wasRefusedLately(tx, { keyId, entity, entityId, now: audit.now })) return
      await writeAudit(
        tx,
        { action: 'access.refused', entity, entityId, entityName, after: { reason } },
        audit,
      )
    })

  return {
    isKey: looksLikeKey,
    inBasic: keyInBasic,

    async authenticate(text, request) {
      const presented = readKey(text)
      if (!presented) throw new AppError('UNAUTHENTICATED', { detail: 'not an API key' })
      const ip = comparableAddress(request.ip)
      const row = await findAndCount(database.sql, { ...presented, ip, now: clock.now() })
      if (!isHolder(row, presented.hash)) throw new AppError('UNAUTHENTICATED', { detail: 'unknown API key' })
      const principal = principalOf(row)
      if (!isInForce(row))
        throw new AppError('UNAUTHENTICATED', { detail: `API key ${row.key_id} has ended` })
      if (!row.is_allowed_here) {
        // Somebody at an IP address that is not allowed has the complete key, so record this in the audit.
        const key = { entity: 'api_key', entityId: row.key_id, entityName: row.key_label } as const
        await noteRefusal(principal, { ...key, reason: 'address' }, request)
        throw new AppError('UNAUTHENTICATED', { detail: `API key ${row.key_id} does not work from ${ip}` })
      }
      assertWithinLimit(row)
      usage.begin(request, row.key_id)
      return principal
    },

    async assertOpens(principal, endpoint, request) {
      const reason = whyClosed(principal, endpoint)
      if (reason === null) return
      const entityId = `${endpoint.method} ${endpoint.path}`
      await noteRefusal(principal, { entity: 'endpoint', entityId, entityName: entityId, reason }, request)
      throw new AppError('FORBIDDEN', { text: reason })
    },
  }
}
