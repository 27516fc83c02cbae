import { v7 as uuidv7 } from 'uuid'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** A credential that a key or device has just created. */
export interface NewCredential {
  credentialId: string
  publicKey: Buffer
  signCount: number
  transports: string[]
}

export interface CredentialRow extends Row<'webauthn_credentials'> {
  /** The factor to which the credential belongs. Null for a passkey. */
  factor_id: Row<'webauthn_credentials'>['factor_id']
}

/** Stores a credential. Returns null if an account has already registered it. */
export const insertCredential = (
  tx: Queryable,
  credential: NewCredential & { accountId: string; factorId: string | null; name: string; now: Date },
) =>
  firstRow(tx<CredentialRow[]>`
    insert into webauthn_credentials
      (id, account_id, factor_id, credential_id, public_key, sign_count, transports, friendly_name, created_at)
    values (${uuidv7()}, ${credential.accountId}, ${credential.factorId}, ${credential.credentialId},
            ${credential.publicKey}, ${credential.signCount}, ${credential.transports}, ${credential.name},
            ${credential.now})
    on conflict (credential_id) do nothing
    returning *`)

export const findCredentialOfFactor = (sql: Queryable, factorId: string) =>
  firstRow(sql<CredentialRow[]>`select * from webauthn_credentials where factor_id = ${factorId}`)

/** Lists all credentials of an account, both passkeys and security keys, so that no key is registered twice. */
export const listCredentials = (sql: Queryable, accountId: string): Promise<CredentialRow[]> =>
  sql<CredentialRow[]>`
    select * from webauthn_credentials where account_id = ${accountId} order by created_at, id`

export async function noteCredentialUse(
  tx: Queryable,
  { id, signCount, now }: { id: string; signCount: number; now: Date },
): Promise<void> {
  await tx`update webauthn_credentials set sign_count = ${signCount}, last_used_at = ${now} where id = ${id}`
}

/** Deletes all passkeys and security keys of an account. */
export async function deleteCredentials(tx: Queryable, accountId: string): Promise<void> {
  await tx`delete from webauthn_credentials where account_id = ${accountId}`
}

/** Deletes all passkeys of an account and returns them. Keeps the credentials of factors. */
export const deletePasskeys = (tx: Queryable, accountId: string): Promise<CredentialRow[]> =>
  tx<CredentialRow[]>`
    delete from webauthn_credentials where account_id = ${accountId} and factor_id is null returning *`
