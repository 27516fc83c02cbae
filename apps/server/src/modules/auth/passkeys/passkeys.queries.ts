import { firstRow } from '../../../platform/database/first-row.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { CredentialRow } from '../webauthn/credentials.queries.ts'

export const listPasskeys = (sql: Queryable, accountId: string): Promise<CredentialRow[]> =>
  sql<CredentialRow[]>`
    select * from webauthn_credentials where account_id = ${accountId} and factor_id is null
    order by created_at, id`

/** Finds a passkey by the id that the device gave it. */
export const findPasskey = (sql: Queryable, credentialId: string) =>
  firstRow(sql<CredentialRow[]>`
    select * from webauthn_credentials where credential_id = ${credentialId} and factor_id is null`)

export const renamePasskey = (
  tx: Queryable,
  { id, accountId, name }: { id: string; accountId: string; name: string },
) =>
  firstRow(tx<CredentialRow[]>`
    update webauthn_credentials set friendly_name = ${name}
    where id = ${id} and account_id = ${accountId} and factor_id is null returning *`)

export const deletePasskey = (tx: Queryable, { id, accountId }: { id: string; accountId: string }) =>
  firstRow(tx<CredentialRow[]>`
    delete from webauthn_credentials
    where id = ${id} and account_id = ${accountId} and factor_id is null returning *`)
