import type { ApiKey, ApiKeyUsage, CreateApiKeyBody, IssuedApiKey } from '@pegasus/contracts/api-keys'
import type { Endpoint } from '@pegasus/contracts/endpoint'
import { hasRole } from '@pegasus/contracts/roles'
import { v7 as uuidv7 } from 'uuid'
import { type Clock, DAY_MS, addMs } from '../../platform/clock.ts'
import type { Database, TransactionSql } from '../../platform/database/database.ts'
import { orThrow } from '../../platform/errors/app-error.ts'
import { type HttpResult, type IdempotentCaller, fingerprintOf } from '../../platform/http/idempotency.ts'
import { type Page, toPage, type PageRequest } from '../../platform/http/paging.ts'
import type { RootSecret } from '../../platform/root-secret.ts'
import { type AuditEvent, writeAudit } from '../audit/index.ts'
import { publish } from '../events/index.ts'
import { type AccountSummaryRow, findAccountSummary } from '../users/index.ts'
import {
  type ApiKeyRow,
  countKeys,
  deleteKey,
  findKey,
  insertKey,
  listKeys,
  lockKey,
  replaceSecret,
  setActive,
} from './api-keys.queries.ts'
import { assertMayIssue, assertMayOwn } from './api-keys.policy.ts'
import { issueOnce } from './created-key.ts'
import { makeKey } from './key-format.ts'
import { listCalls } from './key-usage.queries.ts'

/** The admin or owner who changes a key, and the audit context. */
export type KeyAdmin = Pick<IdempotentCaller, 'accountId' | 'audit'>

/** API keys, as admins and owners manage them. A change takes effect with the next request, on every replica. */
export interface ApiKeys {
  /** Lists the keys, newest first. */
  list(page: PageRequest): Promise<Page<ApiKey>>
  /** Returns the usage of a key. Throws API_KEY_NOT_FOUND. */
  getUsage(id: string): Promise<ApiKeyUsage>
  /**
   * Creates a key. Throws KEY_OWNERS_ONLY, one of the KEY_OWNER_ errors for an owner who may not have keys, or
   * IDEMPOTENCY_KEY_REUSED.
   */
  create(body: CreateApiKeyBody, by: IdempotentCaller): Promise<HttpResult<IssuedApiKey>>
  /** Replaces a key. Throws KEY_OWNERS_ONLY, API_KEY_NOT_FOUND or IDEMPOTENCY_KEY_REUSED. */
  rotate(id: string, by: IdempotentCaller): Promise<HttpResult<IssuedApiKey>>
  /** Enables or disables a key. Throws API_KEY_NOT_FOUND, or KEY_OWNERS_ONLY (only when enabling). */
  setActive(id: string, isActive: boolean, by: KeyAdmin): Promise<ApiKey>
  /** Deletes a key permanently. Throws API_KEY_NOT_FOUND. */
  remove(id: string, by: KeyAdmin): Promise<void>
}

/** Picks the fields of a key that the audit shows. */
const auditedKey = (key: ApiKeyRow) => ({
  label: key.label,
  owner: key.username,
  scope: key.scope,
  key_prefix: key.key_prefix,
  is_active: key.is_active,
  expires_at: key.expires_at,
  allowed_addresses: key.allowed_addresses,
})

export function createApiKeys(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  /** Returns all endpoints of the server. The details of a key list those that the key may call. */
  endpoints: () => readonly Endpoint[]
}): ApiKeys {
  const { database, clock, secret } = deps

  const getKey = async (tx: TransactionSql, id: string) => orThrow(await findKey(tx, id), 'API_KEY_NOT_FOUND')

  const lock = async (tx: TransactionSql, id: string) => orThrow(await lockKey(tx, id), 'API_KEY_NOT_FOUND')

  /** Finds the owner of a key. Every key has an owner, because accounts are never deleted. */
  const getOwner = async (tx: TransactionSql, accountId: string) =>
    orThrow(await findAccountSummary(tx, accountId), 'KEY_OWNER_UNKNOWN')

  const auditKey = (
    tx: TransactionSql,
    action: AuditEvent['action'],
    { before, after }: { before?: ApiKeyRow; after?: ApiKeyRow },
    { audit }: KeyAdmin,
  ) => {
    const key = (after ?? before) as ApiKeyRow
    const sides = {
      ...(before && { before: auditedKey(before) }),
      ...(after && { after: auditedKey(after) }),
    }
    return writeAudit(
      tx,
      { action, entity: 'api_key', entityId: key.id, entityName: key.label, ...sides },
      audit,
    )
  }

  const insert = async (tx: TransactionSql, body: CreateApiKeyBody, by: KeyAdmin) => {
    const { key, prefix, hash } = makeKey()
    const { now } = by.audit
    const id = uuidv7()
    await insertKey(tx, {
      id,
      accountId: body.user_id,
      label: body.label,
      scopes: [...new Set(body.scope)],
      prefix,
      hash,
      expiresAt: body.expires_days === null ? null : addMs(now, body.expires_days * DAY_MS),
      allowedAddresses: body.allowed_addresses,
      now,
    })
    const after = await getKey(tx, id)
    await auditKey(tx, 'api_key.created', { after }, by)
    await publish(tx, { type: 'created', entity: 'api_key', id })
    return { status: 201, body: { ...after, key } }
  }

  const replace = async (tx: TransactionSql, id: string, by: KeyAdmin): Promise<HttpResult<IssuedApiKey>> => {
    const before = await lock(tx, id)
    const { key, prefix, hash } = makeKey()
    await replaceSecret(tx, id, { prefix, hash }, by.audit.now)
    const after = { ...before, key_prefix: prefix }
    await auditKey(tx, 'api_key.rotated', { before, after }, by)
    await publish(tx, { type: 'updated', entity: 'api_key', id })
    return { status: 200, body: { ...after, key } }
  }

  const opensTo = ({ scope }: ApiKeyRow, owner: AccountSummaryRow) =>
    deps.endpoints().flatMap(({ access, method, path, summary }) => {
      const isOpen =
        typeof access === 'object' && scope.includes(access.scope) && hasRole(owner.role, access.owner)
      return isOpen ? [{ method, path, summary }] : []
    })

  return {
    async list(page) {
      const [rows, total] = await Promise.all([listKeys(database.sql, page), countKeys(database.sql)])
      return toPage(rows, page.limit, total)
    },

    getUsage: (id) =>
      database.transaction(async (tx) => {
        const key = await getKey(tx, id)
        const owner = await getOwner(tx, key.user_id)
        return { ...key, endpoints: opensTo(key, owner), calls: await listCalls(tx, id) }
      }),

    create: (body, by) =>
      database.transaction(async (tx) => {
        const owner = await getOwner(tx, body.user_id)
        assertMayIssue(await findAccountSummary(tx, by.accountId), owner)
        assertMayOwn(owner)
        const request = {
          accountId: by.accountId,
          idempotencyKey: by.idempotencyKey,
          fingerprint: fingerprintOf('api-keys', body),
        }
        return issueOnce(tx, { secret, clock }, request, () => insert(tx, body, by))
      }),

    rotate: (id, by) =>
      database.transaction(async (tx) => {
        const key = await lock(tx, id)
        assertMayIssue(await findAccountSummary(tx, by.accountId), await getOwner(tx, key.user_id))
        const fingerprint = fingerprintOf('api-keys/rotate', id)
        const request = { accountId: by.accountId, idempotencyKey: by.idempotencyKey, fingerprint }
        return issueOnce(tx, { secret, clock }, request, () => replace(tx, id, by))
      }),

    setActive: (id, isActive, by) =>
      database.transaction(async (tx) => {
        const before = await lock(tx, id)
        if (isActive)
          assertMayIssue(await findAccountSummary(tx, by.accountId), await getOwner(tx, before.user_id))
        if (before.is_active === isActive) return before
        await setActive(tx, id, isActive, by.audit.now)
        const after = { ...before, is_active: isActive }
        await auditKey(tx, isActive ? 'api_key.enabled' : 'api_key.disabled', { before, after }, by)
        await publish(tx, { type: 'updated', entity: 'api_key', id })
        return after
      }),

    remove: (id, by) =>
      database.transaction(async (tx) => {
        const before = await lock(tx, id)
        await deleteKey(tx, id)
        await auditKey(tx, 'api_key.deleted', { before }, by)
        await publish(tx, { type: 'deleted', entity: 'api_key', id })
      }),
  }
}
