import type { JWK } from 'jose'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

export interface SigningKeyRow
  extends Row<'signing_keys', 'kid' | 'private_jwk_sealed' | 'created_at' | 'signs_from' | 'signs_until'> {
  public_jwk: JWK
}

/** Makes transactions that change the signing keys run one at a time. */
export async function lockSigningKeys(tx: Queryable): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('signing-keys', 0))`
}

/** Lists the signing keys, newest first. */
export const listSigningKeys = (sql: Queryable): Promise<SigningKeyRow[]> =>
  sql<SigningKeyRow[]>`select * from signing_keys order by signs_from desc`

export interface NewSigningKey {
  kid: string
  algorithm: string
  publicJwk: JWK
  sealed: string
  signsFrom: Date
  now: Date
}

/** Adds a key that signs from `signsFrom` on. The previous key signs until then. */
export async function insertSigningKey(tx: Queryable, key: NewSigningKey): Promise<void> {
  await tx`update signing_keys set signs_until = ${key.signsFrom} where signs_until is null`
  await tx`
    insert into signing_keys (kid, algorithm, public_jwk, private_jwk_sealed, created_at, signs_from)
    values (${key.kid}, ${key.algorithm}, ${tx.json(key.publicJwk)}, ${key.sealed}, ${key.now}, ${key.signsFrom})`
}

/** Deletes the keys that stopped signing at `signedUntil` or earlier. */
export async function deleteSigningKeys(tx: Queryable, signedUntil: Date): Promise<void> {
  await tx`delete from signing_keys where signs_until <= ${signedUntil}`
}
