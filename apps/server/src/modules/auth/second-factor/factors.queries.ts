import { MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { needsSecondStep } from '../../users/index.ts'

/** How long an enrolled factor can be verified: five minutes, as in the protocol. */
export const UNVERIFIED_MS = 5 * MINUTE_MS

export interface FactorRow extends Row<'factors'> {
  /** The encrypted secret of an authenticator app. Null for other factors. */
  secret_sealed: Row<'factors'>['secret_sealed']
  /** The session that enrolled the factor. Null for recovery codes. */
  enrolled_in: Row<'factors'>['enrolled_in']
  /** The phone number of a factor that is a phone. Null for other factors. */
  phone: Row<'factors'>['phone']
}

/** A factor that is an authenticator app. */
export type TotpFactorRow = FactorRow & { secret_sealed: string }

/** Returns the SQL condition for factors that are verified, or can still be verified. */
const inForce = (sql: Queryable, now: Date) =>
  sql`(status = 'verified' or created_at > ${addMs(now, -UNVERIFIED_MS)})`

export const listFactors = (sql: Queryable, accountId: string, now: Date): Promise<FactorRow[]> =>
  sql<FactorRow[]>`
    select * from factors where account_id = ${accountId} and ${inForce(sql, now)} order by created_at, id`

/** Finds a factor that can have challenges. Recovery codes have none. */
export const findFactor = (
  sql: Queryable,
  { accountId, factorId }: { accountId: string; factorId: string },
  now: Date,
) =>
  firstRow(sql<FactorRow[]>`
    select * from factors
    where id = ${factorId} and account_id = ${accountId} and factor_type <> 'recovery_code' and ${inForce(sql, now)}`)

export const isTotpFactor = (factor: FactorRow): factor is TotpFactorRow => factor.secret_sealed !== null

export const listVerifiedTotpFactors = (sql: Queryable, accountId: string): Promise<TotpFactorRow[]> =>
  sql<TotpFactorRow[]>`
    select * from factors where account_id = ${accountId} and factor_type = 'totp' and status = 'verified'
    order by created_at, id`

export async function hasSecondFactor(sql: Queryable, accountId: string): Promise<boolean> {
  const [row] = await sql<[{ has: boolean }]>`select ${needsSecondStep(sql, sql`${accountId}::uuid`)} as has`
  return row.has
}

export const findRecoveryFactor = (sql: Queryable, accountId: string) =>
  firstRow(sql<FactorRow[]>`
    select * from factors where account_id = ${accountId} and factor_type = 'recovery_code'`)

export interface NewFactor {
  id: string
  accountId: string
  name: string
  now: Date
  type: FactorRow['factor_type']
  /** The encrypted secret of an authenticator app. Null for other factors. */
  secretSealed: string | null
  /** The phone number of a factor that is a phone. Null for other factors. */
  phone?: string | null
  /** The session that enrolls the factor. Null for recovery codes. */
  sessionId: string | null
}

export async function insertFactor(
  tx: Queryable,
  { id, accountId, name, now, type, secretSealed, phone = null, sessionId }: NewFactor,
) {
  // Recovery codes need no verification.
  const status = type === 'recovery_code' ? 'verified' : 'unverified'
  await tx`
    insert into factors (id, account_id, factor_type, status, friendly_name, secret_sealed, phone, enrolled_in,
                         created_at, updated_at)
    values (${id}, ${accountId}, ${type}, ${status}, ${name}, ${secretSealed}, ${phone}, ${sessionId}, ${now},
            ${now})`
}

/** Deletes factors that were not verified in time, so that their names can be used again. */
export async function deleteExpiredFactors(tx: Queryable, accountId: string, now: Date): Promise<void> {
  await tx`delete from factors where account_id = ${accountId} and not ${inForce(tx, now)}`
}

export async function deleteUnverifiedFactors(tx: Queryable, accountId: string): Promise<void> {
  await tx`delete from factors where account_id = ${accountId} and status = 'unverified'`
}

export async function deleteFactor(tx: Queryable, id: string): Promise<void> {
  await tx`delete from factors where id = ${id}`
}

/** Stores the time step of an accepted code, so that the code is not accepted again. */
export async function noteStep(tx: Queryable, id: string, step: number): Promise<void> {
  await tx`update factors set last_step = ${step} where id = ${id}`
}

export async function markVerified(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx`update factors set status = 'verified', updated_at = ${now} where id = ${id} and status = 'unverified'`
}

export async function noteChallenged(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx`update factors set last_challenged_at = ${now} where id = ${id}`
}
