import {
  type CreateServiceKeyBody,
  type IssuedServiceKey,
  type ServiceKey,
  type ServiceKeyKind,
  roleOfServiceKey,
} from '@pegasus/contracts/service-keys'
import { v7 as uuidv7 } from 'uuid'
import { type Clock, DAY_MS, addMs } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, fingerprintOf } from '../../../platform/http/idempotency.ts'
import type { RootSecret } from '../../../platform/root-secret.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import type { SignServiceToken } from '../../auth/index.ts'
import { publish } from '../../events/index.ts'
import { issueOnce } from '../created-key.ts'
import { type ServiceKeyIdentity, identifyJwt, makeOpaqueKey } from './service-key-format.ts'
import {
  type ServiceKeyRow,
  countKeysLocked,
  deleteKey,
  insertKey,
  listKeys,
  lockKey,
  replaceSecret,
} from './service-keys.queries.ts'

const MAX_KEYS = 50
/**
 * Lifetime of a key that is a JWT: ten years. Programs keep the key in their settings, and the owner can revoke it at
 * any time.
 */
const JWT_LIFETIME_MS = 10 * 365 * DAY_MS

/**
 * Keys of the hosted service's protocol, as the owner manages them. Every change takes effect with the next request.
 */
export interface ServiceKeys {
  /** Lists the keys, newest first. */
  list(): Promise<ServiceKey[]>
  /** Creates a key. Throws TOO_MANY_SERVICE_KEYS or IDEMPOTENCY_KEY_REUSED. */
  create(body: CreateServiceKeyBody, by: IdempotentCaller): Promise<HttpResult<IssuedServiceKey>>
  /** Replaces a key. Throws SERVICE_KEY_NOT_FOUND or IDEMPOTENCY_KEY_REUSED. */
  rotate(id: string, by: IdempotentCaller): Promise<HttpResult<IssuedServiceKey>>
  /** Revokes a key. Throws SERVICE_KEY_NOT_FOUND. */
  revoke(id: string, by: Pick<IdempotentCaller, 'audit'>): Promise<void>
}

/** Picks the fields of a key that the audit shows. */
const auditedKey = ({ kind, label, key_hint: hint, expires_at: expiresAt }: ServiceKeyRow) => ({
  kind,
  label,
  shown_as: hint,
  expires_at: expiresAt,
})

export function createServiceKeys(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  sign: SignServiceToken
}): ServiceKeys {
  const { database, clock, secret, sign } = deps

  const generate = async (
    id: string,
    kind: ServiceKeyKind,
    now: Date,
  ): Promise<ServiceKeyIdentity & { expiresAt: Date | null }> => {
    if (kind === 'publishable' || kind === 'secret') return { ...makeOpaqueKey(kind), expiresAt: null }
    const expiresAt = addMs(now, JWT_LIFETIME_MS)
    const token = await sign({ id, role: roleOfServiceKey(kind), issuedAt: now, expiresAt })
    return { ...identifyJwt(token), expiresAt }
  }

  const writeDown = (
    tx: TransactionSql,
    action: AuditEvent['action'],
    { before, after }: { before?: ServiceKeyRow; after?: ServiceKeyRow },
    { audit }: Pick<IdempotentCaller, 'audit'>,
  ) => {
    const key = (after ?? before) as ServiceKeyRow
    const sides = {
      ...(before && { before: auditedKey(before) }),
      ...(after && { after: auditedKey(after) }),
    }
    const subject = { entity: 'service_key', entityId: key.id, entityName: key.label } as const
    return writeAudit(tx, { action, ...subject, ...sides }, audit)
  }

  const lock = async (tx: TransactionSql, id: string) =>
    orThrow(await lockKey(tx, id), 'SERVICE_KEY_NOT_FOUND')

  const insert = async (tx: TransactionSql, { kind, label }: CreateServiceKeyBody, by: IdempotentCaller) => {
    if ((await countKeysLocked(tx)) >= MAX_KEYS) throw new AppError('TOO_MANY_SERVICE_KEYS')
    const { now } = by.audit
    const id = uuidv7()
    const { key, ...identity } = await generate(id, kind, now)
    const after = await insertKey(tx, { id, kind, label, ...identity, now })
    await writeDown(tx, 'service_key.created', { after }, by)
    await publish(tx, { type: 'created', entity: 'service_key', id })
    return { status: 201, body: { ...after, key } }
  }

  const replace = async (tx: TransactionSql, id: string, by: IdempotentCaller) => {
    const before = await lock(tx, id)
    const { now } = by.audit
    const { key, ...identity } = await generate(id, before.kind, now)
    const after = await replaceSecret(tx, { id, ...identity, now })
    await writeDown(tx, 'service_key.rotated', { before, after }, by)
    await publish(tx, { type: 'updated', entity: 'service_key', id })
    return { status: 200, body: { ...after, key } }
  }

  const once = (
    by: IdempotentCaller,
    fingerprint: string,
    issue: (tx: TransactionSql) => Promise<HttpResult<IssuedServiceKey>>,
  ) =>
    database.transaction((tx) => {
      const { accountId, idempotencyKey } = by
      return issueOnce(tx, { secret, clock }, { accountId, idempotencyKey, fingerprint }, () => issue(tx))
    })

  return {
    list: () => listKeys(database.sql),
    create: (body, by) => once(by, fingerprintOf('service-keys', body), (tx) => insert(tx, body, by)),
    rotate: (id, by) => once(by, fingerprintOf('service-keys/rotate', id), (tx) => replace(tx, id, by)),

    revoke: (id, by) =>
      database.transaction(async (tx) => {
        const before = await lock(tx, id)
        await deleteKey(tx, id)
        await writeDown(tx, 'service_key.revoked', { before }, by)
        await publish(tx, { type: 'deleted', entity: 'service_key', id })
      }),
  }
}
