import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** The time to verify an enrolled factor: five minutes, as in the protocol. */
export const UNVERIFIED_MS = 5 * MINUTE_MS

export interface FactorRow
  extends Row<
    'factors',
    | 'id'
    | 'account_id'
    | 'factor_type'
    | 'status'
    | 'friendly_name'
    | 'last_step'
    | 'last_challenged_at'
    | 'created_at'
    | 'updated_at'
  > {
  /** Null for recovery codes. */
  secret_sealed: Row<'factors'>['secret_sealed']
}

/** An authenticator app. */
export type TotpFactorRow = FactorRow & { secret_sealed: string }

/** Factors that are verified or can still be verified. */
const inForce = (sql: Queryable, now: Date) =>
  sql`(status = 'verified' or created_at > ${addMs(now, -UNVERIFIED_MS)})`

export const listFactors = (sql: Queryable, accountId: string, now: Date): Promise<FactorRow[]> =>
  sql<FactorRow[]>`
    select * from factors where account_id = ${accountId} and ${inForce(sql, now)} order by created_at, id`

export const findTotpFactor = (
  sql: Queryable,
  { accountId, factorId }: { accountId: string; factorId: string },
  now: Date,
) =>
  firstRow(sql<TotpFactorRow[]>`
    select * from factors
    where id = ${factorId} and account_id = ${accountId} and factor_type = 'totp' and ${inForce(sql, now)}`)

export const listVerifiedTotpFactors = (sql: Queryable, accountId: string): Promise<TotpFactorRow[]> =>
  sql<TotpFactorRow[]>`
    select * from factors where account_id = ${accountId} and factor_type = 'totp' and status = 'verified'
    order by created_at, id`

export async function hasSecondFactor(sql: Queryable, accountId: string): Promise<boolean> {
  return (await listVerifiedTotpFactors(sql, accountId)).length > 0
}

export const findRecoveryFactor = (sql: Queryable, accountId: string) =>
  firstRow(sql<FactorRow[]>`
    select * from factors where account_id = ${accountId} and factor_type = 'recovery_code'`)

export interface NewFactor {
  id: string
  accountId: string
  name: string
  now: Date
  /** Null creates recovery codes, which need no verification. */
  secretSealed: string | null
}

export async function insertFactor(tx: Queryable, { id, accountId, name, now, ...factor }: NewFactor) {
  const [type, status] = factor.secretSealed === null ? ['recovery_code', 'verified'] : ['totp', 'unverified']
  await tx`
    insert into factors (id, account_id, factor_type, status, friendly_name, secret_sealed, created_at, updated_at)
    values (${id}, ${accountId}, ${type}, ${status}, ${name}, ${factor.secretSealed}, ${now}, ${now})`
}

/** Deletes factors that were not verified in time, which frees their names. */
export async function deleteExpiredFactors(tx: Queryable, accountId: string, now: Date): Promise<void> {
  await tx`delete from factors where account_id = ${accountId} and not ${inForce(tx, now)}`
}

export async function deleteUnverifiedFactors(tx: Queryable, accountId: string): Promise<void> {
  await tx`delete from factors where account_id = ${accountId} and status = 'unverified'`
}

export async function deleteFactor(tx: Queryable, id: string): Promise<void> {
  await tx`delete from factors where id = ${id}`
}

/** Stores an accepted code. The first one verifies the factor. */
export async function acceptStep(tx: Queryable, factor: FactorRow, step: number, now: Date): Promise<void> {
  await tx`
    update factors
    set last_step = ${step}, status = 'verified',
        updated_at = case when status = 'verified' then updated_at else ${now}::timestamptz end
    where id = ${factor.id}`
}

export async function noteChallenged(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx`update factors set last_challenged_at = ${now} where id = ${id}`
}
