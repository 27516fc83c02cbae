import type { AttributeMapping } from '@pegasus/contracts/auth/hosted-sso'
import type { SsoTest } from '@pegasus/contracts/auth/sso-providers'
import { v7 as uuidv7 } from 'uuid'
import type { Row } from '../../../../platform/database/column-types.ts'
import type { Queryable } from '../../../../platform/database/database.ts'
import { firstRow } from '../../../../platform/database/first-row.ts'

export type SsoDomainRow = Row<'sso_domains', 'id' | 'domain' | 'created_at' | 'updated_at'>

export interface SsoProviderRow extends Row<'sso_providers'> {
  domains: SsoDomainRow[]
  /** Number of accounts that sign in through this provider. */
  accounts: number
}

const selected = (sql: Queryable) => sql`
  select p.*,
    (select count(*)::int from accounts a where a.sso_provider_id = p.id and a.deleted_at is null) as accounts,
    (select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'domain', d.domain,
       'created_at', to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
       'updated_at', to_char(d.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by d.domain), '[]')
     from sso_domains d where d.provider_id = p.id) as domains
  from sso_providers p`

export const listProviders = (sql: Queryable): Promise<SsoProviderRow[]> =>
  sql<SsoProviderRow[]>`${selected(sql)} order by p.entity_id, p.id`

export const findProvider = (sql: Queryable, id: string) =>
  firstRow(sql<SsoProviderRow[]>`${selected(sql)} where p.id = ${id}`)

export const findProviderByResource = (sql: Queryable, resourceId: string) =>
  firstRow(sql<SsoProviderRow[]>`${selected(sql)} where p.resource_id = ${resourceId}`)

export const findProviderByDomain = (sql: Queryable, domain: string) =>
  firstRow(
    sql<SsoProviderRow[]>`
      ${selected(sql)} where p.id = (select provider_id from sso_domains where domain = ${domain})`,
  )

/** Makes transactions that change providers run one at a time. They check that domains and ids are free. */
export async function lockProviders(tx: Queryable): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('sso-providers', 0))`
}

/**
 * Prevents a provider from being changed or removed until the transaction ends. Returns whether people may sign in
 * through it, or `gone` if it does not exist.
 */
export async function holdProvider(tx: Queryable, id: string): Promise<'enabled' | 'disabled' | 'gone'> {
  const [row] = await tx<{ is_disabled: boolean }[]>`
    select is_disabled from sso_providers where id = ${id} for share`
  if (!row) return 'gone'
  return row.is_disabled ? 'disabled' : 'enabled'
}

export interface ProviderValues {
  entityId: string
  metadataXml: string
  metadataUrl: string | null
  attributeMapping: AttributeMapping
  nameIdFormat: string | null
  resourceId: string | null
  isDisabled: boolean
}

export async function insertProvider(
  tx: Queryable,
  id: string,
  values: ProviderValues,
  now: Date,
): Promise<void> {
  await tx`
    insert into sso_providers (id, resource_id, is_disabled, entity_id, metadata_xml, metadata_url, metadata_read_at,
                               attribute_mapping, name_id_format, created_at, updated_at)
    values (${id}, ${values.resourceId}, ${values.isDisabled}, ${values.entityId}, ${values.metadataXml},
            ${values.metadataUrl}, ${now}, ${tx.json(values.attributeMapping)}, ${values.nameIdFormat}, ${now}, ${now})`
}

/** Saves a provider. `isRead` is true if the change has read the metadata again. */
export async function updateProvider(
  tx: Queryable,
  id: string,
  values: ProviderValues,
  { isRead, now }: { isRead: boolean; now: Date },
): Promise<void> {
  await tx`
    update sso_providers
    set resource_id = ${values.resourceId}, is_disabled = ${values.isDisabled}, metadata_xml = ${values.metadataXml},
        metadata_url = ${values.metadataUrl}, attribute_mapping = ${tx.json(values.attributeMapping)},
        name_id_format = ${values.nameIdFormat}, revision = revision + 1, updated_at = ${now},
        metadata_read_at = case when ${isRead}::boolean then ${now} else metadata_read_at end
    where id = ${id}`
}

/** Replaces the domains of a provider. Domains that stay keep their rows. */
export async function replaceDomains(
  tx: Queryable,
  providerId: string,
  domains: readonly string[],
  now: Date,
): Promise<void> {
  await tx`delete from sso_domains where provider_id = ${providerId} and domain <> all(${domains}::text[])`
  for (const domain of domains)
    await tx`
      insert into sso_domains (id, provider_id, domain, created_at, updated_at)
      values (${uuidv7()}, ${providerId}, ${domain}, ${now}, ${now}) on conflict (domain) do nothing`
}

export async function findTakenDomain(
  tx: Queryable,
  domains: readonly string[],
  exceptProvider: string | null,
): Promise<string | null> {
  const [row] = await tx<{ domain: string }[]>`
    select domain from sso_domains
    where domain = any(${domains}::text[]) and provider_id is distinct from ${exceptProvider} limit 1`
  return row?.domain ?? null
}

export async function isTaken(
  tx: Queryable,
  column: 'entity_id' | 'resource_id',
  value: string,
  exceptProvider: string | null,
): Promise<boolean> {
  const isEqual = column === 'entity_id' ? tx`entity_id = ${value}` : tx`resource_id = ${value}`
  const [row] = await tx`
    select 1 from sso_providers where ${isEqual} and id is distinct from ${exceptProvider}`
  return row !== undefined
}

/** Returns whether any admin or owner signs in through the provider. */
export async function hasAdmins(tx: Queryable, id: string): Promise<boolean> {
  const [row] = await tx`
    select 1 from accounts a join user_roles r on r.user_id = a.id and r.is_active
    where a.sso_provider_id = ${id} and a.deleted_at is null and r.role_name in ('admin', 'owner') limit 1`
  return row !== undefined
}

export async function listAccountIds(tx: Queryable, id: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`select id from accounts where sso_provider_id = ${id} order by id`
  return rows.map((row) => row.id)
}

/**
 * Ends the sessions of a provider's accounts, and sign-ins that are not completed. Returns the number of ended
 * sessions.
 */
export async function endSessions(tx: Queryable, id: string): Promise<number> {
  const ended = await tx`
    delete from sessions where account_id in (select id from accounts where sso_provider_id = ${id}) returning id`
  await tx`delete from flow_states where account_id in (select id from accounts where sso_provider_id = ${id})`
  return ended.length
}

/**
 * Detaches all accounts from a provider: ends their sign-ins, and removes their identities at the provider. Returns the
 * number of ended sessions.
 */
export async function releaseAccounts(tx: Queryable, id: string): Promise<number> {
  const ended = await endSessions(tx, id)
  await tx`
    delete from identities where provider = ${`sso:${id}`}`
  await tx`
    update accounts
    set sso_provider_id = null, sso_email = null, app_metadata = app_metadata - 'provider' - 'providers',
        revision = revision + 1
    where sso_provider_id = ${id}`
  return ended
}

export async function deleteProvider(tx: Queryable, id: string): Promise<void> {
  await tx`delete from sso_providers where id = ${id}`
}

export async function saveTest(sql: Queryable, id: string, test: SsoTest): Promise<void> {
  await sql`update sso_providers set last_test = ${sql.json(test)} where id = ${id}`
}

/** Stores metadata that was read again. `isChanged` is true if the trusted keys or the sign-in address have changed. */
export async function saveReadMetadata(
  tx: Queryable,
  id: string,
  { xml, isChanged, now }: { xml: string; isChanged: boolean; now: Date },
): Promise<void> {
  await tx`
    update sso_providers
    set metadata_xml = ${xml}, metadata_read_at = ${now}, revision = revision + ${isChanged ? 1 : 0}
    where id = ${id}`
}

export const listOutdated = (
  sql: Queryable,
  readUntil: Date,
): Promise<{ id: string; entity_id: string; metadata_url: string; revision: number }[]> =>
  sql`
    select id, entity_id, metadata_url, revision from sso_providers
    where metadata_url is not null and metadata_read_at <= ${readUntil}`
