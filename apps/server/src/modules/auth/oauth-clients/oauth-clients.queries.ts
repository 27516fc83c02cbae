import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

export type OAuthClientRow = Omit<Row<'oauth_clients'>, 'secret_hash'>

/** The fields of a client that a program can set. */
export interface OAuthClientValues {
  name: string
  clientType: OAuthClientRow['client_type']
  authMethod: OAuthClientRow['auth_method']
  redirectUris: readonly string[]
  grantTypes: readonly string[]
  clientUri: string | null
  logoUri: string | null
  scope: string | null
}

/** The columns without the hash of the secret, so that no response can contain it. */
const columns = (sql: Queryable) => sql`
  id, name, client_type, auth_method, redirect_uris, grant_types, client_uri, logo_uri, scope, created_at, updated_at`

export const listClients = (sql: Queryable, { page, perPage }: { page: number; perPage: number }) =>
  sql<OAuthClientRow[]>`
    select ${columns(sql)} from oauth_clients
    order by created_at desc, id desc limit ${perPage} offset ${(page - 1) * perPage}`

export async function countClients(sql: Queryable): Promise<number> {
  const [row] = await sql<[{ clients: number }]>`select count(*)::int as clients from oauth_clients`
  return row.clients
}

/**
 * Makes registrations run one at a time until the transaction ends. Otherwise parallel registrations could exceed the
 * limit.
 */
export async function lockRegistrations(tx: Queryable): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('oauth-clients', 0))`
}

export const findClient = (sql: Queryable, id: string) =>
  firstRow(sql<OAuthClientRow[]>`select ${columns(sql)} from oauth_clients where id = ${id}`)

export const lockClient = (tx: Queryable, id: string) =>
  firstRow(tx<OAuthClientRow[]>`select ${columns(tx)} from oauth_clients where id = ${id} for update`)

export async function insertClient(
  tx: Queryable,
  client: { id: string; values: OAuthClientValues; secretHash: Buffer | null; now: Date },
): Promise<OAuthClientRow> {
  const { id, values, secretHash, now } = client
  const [row] = await tx<[OAuthClientRow]>`
    insert into oauth_clients (id, name, client_type, auth_method, secret_hash, redirect_uris, grant_types, client_uri,
                               logo_uri, scope, created_at, updated_at)
    values (${id}, ${values.name}, ${values.clientType}, ${values.authMethod}, ${secretHash},
            ${[...values.redirectUris]}, ${[...values.grantTypes]}, ${values.clientUri}, ${values.logoUri},
            ${values.scope}, ${now}, ${now})
    returning ${columns(tx)}`
  return row
}

export async function updateClient(
  tx: Queryable,
  id: string,
  values: OAuthClientValues,
  now: Date,
): Promise<OAuthClientRow> {
  const [row] = await tx<[OAuthClientRow]>`
    update oauth_clients
    set name = ${values.name}, auth_method = ${values.authMethod}, redirect_uris = ${[...values.redirectUris]},
        grant_types = ${[...values.grantTypes]}, client_uri = ${values.clientUri}, logo_uri = ${values.logoUri},
        scope = ${values.scope}, updated_at = ${now}
    where id = ${id} returning ${columns(tx)}`
  return row
}

export async function replaceSecret(
  tx: Queryable,
  id: string,
  secretHash: Buffer,
  now: Date,
): Promise<OAuthClientRow> {
  const [row] = await tx<[OAuthClientRow]>`
    update oauth_clients set secret_hash = ${secretHash}, updated_at = ${now}
    where id = ${id} returning ${columns(tx)}`
  return row
}

export async function deleteClient(tx: Queryable, id: string): Promise<void> {
  await tx`delete from oauth_clients where id = ${id}`
}
