import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type AuditContext, auditContextOf } from '../actor.ts'
import { type Clock, DAY_MS, addMs } from '../clock.ts'
import type { Database, Queryable, TransactionSql } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { AccountPrincipal } from './principal.ts'

/** Maximum length of an `Idempotency-Key`. */
export const MAX_KEY_LENGTH = 255
const KEPT_MS = DAY_MS

export interface HttpResult<T> {
  status: number
  body: T
}

/**
 * Returns the `Idempotency-Key` header; null if it is missing. Throws MALFORMED_REQUEST if the key is empty or too
 * long.
 */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || key.length === 0 || key.length > MAX_KEY_LENGTH)
    throw new AppError('MALFORMED_REQUEST', {
      text: `An Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters.`,
    })
  return key
}

/** The account and key of a write that must happen only once, however often its request is sent. */
export interface IdempotentCaller {
  accountId: string
  /** Null if the request has no key. */
  idempotencyKey: string | null
  audit: AuditContext
}

/** Returns the caller of a request. Throws MALFORMED_REQUEST for a bad `Idempotency-Key`. */
export const idempotentCallerOf = (
  request: FastifyRequest,
  user: AccountPrincipal,
  clock: Clock,
): IdempotentCaller => ({
  accountId: user.accountId,
  idempotencyKey: idempotencyKeyOf(request),
  audit: auditContextOf(request, user, clock),
})

export const fingerprintOf = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/**
 * Deletes expired keys. Requests with a key call this, and so does the hourly cleanup, in case no such request comes.
 */
export async function deleteExpiredIdempotencyKeys(sql: Queryable, clock: Clock): Promise<void> {
  await sql`delete from idempotency_keys where created_at <= ${addMs(clock.now(), -KEPT_MS)}`
}

/**
 * Returns the response to an earlier request with this key, or null if there was none. Throws
 * IDEMPOTENCY_KEY_REUSED if the earlier request was a different one.
 */
export async function findEarlierAnswer<T>(
  sql: Queryable,
  { key, accountId, fingerprint }: { key: string | null; accountId: string; fingerprint: string },
): Promise<HttpResult<T> | null> {
  if (key === null) return null
  const [earlier] = await sql<{ fingerprint: string; response_status: number; response_body: T }[]>`
    select fingerprint, response_status, response_body from idempotency_keys
    where account_id = ${accountId} and key = ${key}`
  if (!earlier) return null
  if (earlier.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  return { status: earlier.response_status, body: earlier.response_body }
}

/**
 * Runs the work once per key and account, within the caller's transaction. A repeated request with the same
 * key gets the first response again. Throws IDEMPOTENCY_KEY_REUSED if a different request uses the key.
 * Concurrent calls with the same key wait for each other. Without a key, the work simply runs.
 */
export async function withIdempotency<T>(
  tx: Queryable,
  options: { key: string | null; accountId: string; fingerprint: string; clock: Clock },
  work: () => Promise<HttpResult<T>>,
): Promise<HttpResult<T>> {
  const { key, accountId, fingerprint, clock } = options
  if (key === null) return work()
  await tx`select pg_advisory_xact_lock(hashtextextended(${`idempotency:${accountId}:${key}`}, 0))`
  await deleteExpiredIdempotencyKeys(tx, clock)
  const earlier = await findEarlierAnswer<T>(tx, options)
  if (earlier) return earlier
  const answer = await work()
  await tx`
    insert into idempotency_keys (account_id, key, fingerprint, response_status, response_body, created_at)
    values (${accountId}, ${key}, ${fingerprint}, ${answer.status}, ${tx.json(answer.body)}, ${clock.now()})
    on conflict (account_id, key) do update
    set fingerprint = excluded.fingerprint, response_status = excluded.response_status,
        response_body = excluded.response_body, created_at = excluded.created_at`
  return answer
}

/**
 * Runs a write in one transaction, once per `Idempotency-Key` of the caller. `request` contains everything that
 * identifies the request. Throws IDEMPOTENCY_KEY_REUSED if it differs from the request of the first call.
 */
export const writeOnce = <T, Caller extends Pick<IdempotentCaller, 'accountId' | 'idempotencyKey'>>(
  { database, clock }: { database: Database; clock: Clock },
  caller: Caller,
  request: readonly unknown[],
  work: (tx: TransactionSql, caller: Caller) => Promise<HttpResult<T>>,
): Promise<HttpResult<T>> =>
  database.transaction((tx) =>
    withIdempotency(
      tx,
      {
        key: caller.idempotencyKey,
        accountId: caller.accountId,
        fingerprint: fingerprintOf(...request),
        clock,
      },
      () => work(tx, caller),
    ),
  )

/**
 * Like `writeBodyOnce`, for a write that begins with slow work outside of the transaction, such as a call to another
 * server. `prepare` does not run for a repeated request, but may run once for each of several concurrent requests.
 */
export async function writePreparedOnce<
  T,
  P,
  Caller extends Pick<IdempotentCaller, 'accountId' | 'idempotencyKey'>,
>(
  deps: { database: Database; clock: Clock },
  caller: Caller,
  request: readonly unknown[],
  { prepare, write }: { prepare: () => Promise<P>; write: (tx: TransactionSql, prepared: P) => Promise<T> },
): Promise<T> {
  const { accountId, idempotencyKey: key } = caller
  const fingerprint = fingerprintOf(...request)
  const earlier = await findEarlierAnswer<T>(deps.database.sql, { key, accountId, fingerprint })
  if (earlier) return earlier.body
  const prepared = await prepare()
  return writeBodyOnce(deps, caller, request, (tx) => write(tx, prepared))
}

/** Like `writeOnce`, for work whose response always has status 200. Returns the body. */
export async function writeBodyOnce<T, Caller extends Pick<IdempotentCaller, 'accountId' | 'idempotencyKey'>>(
  deps: { database: Database; clock: Clock },
  caller: Caller,
  request: readonly unknown[],
  work: (tx: TransactionSql, caller: Caller) => Promise<T>,
): Promise<T> {
  const { body } = await writeOnce(deps, caller, request, async (tx) => ({
    status: 200,
    body: await work(tx, caller),
  }))
  return body
}
