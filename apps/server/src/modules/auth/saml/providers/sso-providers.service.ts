import { type AttributeMapping, SAML_METADATA_MAX_LENGTH } from '@pegasus/contracts/auth/hosted-sso'
import type { SsoProvider } from '@pegasus/contracts/auth/sso-providers'
import { domainToASCII } from 'node:url'
import { v7 as uuidv7, validate as isUuid } from 'uuid'
import { hasUserInfo, isWebAddress } from '@pegasus/contracts/web-address'
import { type AuditContext, SYSTEM_ACTOR } from '../../../../platform/actor.ts'
import { type Clock, DAY_MS, addMs } from '../../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../../platform/errors/app-error.ts'
import { assertRevision } from '../../../../platform/errors/assert-revision.ts'
import { type IdempotentCaller, writePreparedOnce } from '../../../../platform/http/idempotency.ts'
import type { CallFor } from '../../../../platform/outbound/safe-call.ts'
import type { ServiceLog } from '../../../../platform/log/service-log.ts'
import { type AuditEvent, writeAudit } from '../../../audit/index.ts'
import { publish } from '../../../events/index.ts'
import type { DisableKeysOf } from '../../take-over/take-over.ts'
import { audited, trusted } from './audited-provider.ts'
import { type IdpMetadata, MetadataError, readIdpMetadata } from './idp-metadata.ts'
import {
  type ProviderValues,
  type SsoProviderRow,
  deleteProvider,
  endSessions,
  findProvider,
  findProviderByDomain,
  findProviderByResource,
  findTakenDomain,
  hasAdmins,
  insertProvider,
  isTaken,
  listAccountIds,
  listOutdated,
  listProviders,
  lockProviders,
  releaseAccounts,
  replaceDomains,
  saveReadMetadata,
  updateProvider,
} from './sso-providers.queries.ts'
import { presentSsoProvider } from './sso-providers.present.ts'

interface ReadMetadata {
  xml: string
  entityId: string
  metadata: IdpMetadata
}

/** The source of a provider's metadata: a text or an address. */
export type MetadataSource = { xml: string } | { url: string }

/** The fields to change. A missing field keeps its value. */
export interface ProviderChange {
  source?: MetadataSource
  domains?: readonly string[]
  attributeMapping?: AttributeMapping
  nameIdFormat?: string | null
  resourceId?: string | null
  isDisabled?: boolean
}

export interface ProviderChanger {
  audit: AuditContext
  /**
   * Whether the caller is an owner. Other callers may not change a provider through which an admin or owner signs in.
   */
  isOwner: boolean
}

/** Manages the SAML providers through which people sign in. */
export interface SsoProviders {
  /** Lists all providers. */
  list(): Promise<SsoProviderRow[]>
  /**
   * Finds a provider by its id, or by `resource_` followed by its resource id. Throws SSO_PROVIDER_NOT_FOUND.
   */
  get(id: string): Promise<SsoProviderRow>
  /** Finds the provider for an email domain. Throws SSO_PROVIDER_NOT_FOUND. */
  getByDomain(domain: string): Promise<SsoProviderRow>
  /**
   * Adds a provider. Throws SAML_METADATA_FAILED, SAML_METADATA_MISSING, SAML_PROVIDER_EXISTS,
   * SSO_DOMAIN_INVALID, SSO_DOMAIN_TAKEN or SSO_RESOURCE_TAKEN.
   */
  create(change: ProviderChange, by: ProviderChanger): Promise<SsoProviderRow>
  /** Like `create`, once per `Idempotency-Key`. Throws the errors of `create`, and IDEMPOTENCY_KEY_REUSED. */
  createOnce(change: ProviderChange, by: ProviderChanger & IdempotentCaller): Promise<SsoProvider>
  /**
   * Changes a provider. Throws the errors of `create`, and SSO_PROVIDER_NOT_FOUND, SAML_ENTITY_MISMATCH,
   * PRECONDITION_FAILED or OWNERS_ONLY.
   */
  update(
    id: string,
    change: ProviderChange,
    by: ProviderChanger & { revision: number | null },
  ): Promise<SsoProviderRow>
  /**
   * Removes a provider, and ends the sessions and API keys of its accounts. The accounts themselves stay. Throws
   * SSO_PROVIDER_NOT_FOUND or OWNERS_ONLY.
   */
  remove(id: string, by: ProviderChanger): Promise<SsoProviderRow>
  /**
   * Reads the metadata of all providers again whose metadata was last read a day ago or earlier. Call this about once
   * an hour.
   */
  readAgain(): Promise<void>
}

const RESOURCE_PREFIX = 'resource_'
const DOMAIN = /^(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/
const READ_AGAIN_AFTER_MS = DAY_MS

/** Returns a domain in the form in which it is stored. Returns null if the text is not a domain. */
function readDomain(text: string): string | null {
  const domain = domainToASCII(text.trim().replace(/^.*@/, '').replace(/\.$/, '')).toLowerCase()
  return DOMAIN.test(domain) ? domain : null
}

const readDomains = (texts: readonly string[]): string[] => [
  ...new Set(
    texts.filter((text) => text.trim() !== '').map((text) => orThrow(readDomain(text), 'SSO_DOMAIN_INVALID')),
  ),
]

const failed = (message: string, cause?: unknown): AppError =>
  new AppError('SAML_METADATA_FAILED', { text: message, cause })

function readMetadata(xml: string): IdpMetadata {
  try {
    return readIdpMetadata(xml)
  } catch (error) {
    if (error instanceof MetadataError) throw failed(error.message, error)
    throw error
  }
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export function createSsoProviders(deps: {
  database: Database
  clock: Clock
  log: ServiceLog
  callFor: CallFor
  disableKeysOf: DisableKeysOf
}): SsoProviders {
  const { database, clock, log, callFor } = deps

  /** Fetches metadata from an address. Addresses in the private network are refused unless the operator allows them. */
  const fetchXml = async (url: string): Promise<string> => {
    if (hasUserInfo(url))
      throw failed('The address of the metadata must not contain a user name or a password.')
    if (!isWebAddress(url)) throw failed('The address of the metadata must be a web address.')
    // The metadata determines whose signatures are trusted, so nobody must be able to change it in transit.
    if (!/^https:/i.test(url) && !isListed(url))
      throw failed('The address of the metadata must begin with https.')
    let answer: Awaited<ReturnType<ReturnType<CallFor>>>
    try {
      const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' }
      answer = await callFor(url)(url, { method: 'GET', headers })
    } catch (cause) {
      log.warn({ err: cause }, 'the metadata of a SAML provider could not be fetched')
      throw failed('The address of the metadata could not be reached.', cause)
    }
    if (answer.status !== 200) throw failed(`The metadata address responded with status ${answer.status}.`)
    if (answer.body.length > SAML_METADATA_MAX_LENGTH) throw failed('The metadata is too long.')
    return answer.body
  }

  const isListed = (url: string): boolean => {
    try {
      return callFor.isListed(url)
    } catch {
      return false
    }
  }

  const readSource = async (source: MetadataSource) => {
    const xml = 'xml' in source ? source.xml : await fetchXml(source.url)
    const metadata = readMetadata(xml)
    if (metadata.validUntil !== null && metadata.validUntil <= clock.now())
      throw failed('The metadata has expired.')
    return { xml, entityId: metadata.entityId, metadata, url: 'url' in source ? source.url : null }
  }

  const find = (id: string) => {
    if (id.startsWith(RESOURCE_PREFIX))
      return findProviderByResource(database.sql, id.slice(RESOURCE_PREFIX.length))
    return isUuid(id) ? findProvider(database.sql, id) : Promise.resolve(null)
  }
  const get = async (id: string) => orThrow(await find(id), 'SSO_PROVIDER_NOT_FOUND')

  const assertFree = async (
    tx: TransactionSql,
    values: ProviderValues,
    domains: readonly string[],
    id: string,
  ) => {
    if (await isTaken(tx, 'entity_id', values.entityId, id)) throw new AppError('SAML_PROVIDER_EXISTS')
    if (values.resourceId !== null && (await isTaken(tx, 'resource_id', values.resourceId, id)))
      throw new AppError('SSO_RESOURCE_TAKEN')
    const taken = await findTakenDomain(tx, domains, id)
    if (taken !== null)
      throw new AppError('SSO_DOMAIN_TAKEN', { text: `The domain ${taken} belongs to another provider.` })
  }

  const record = async (
    tx: TransactionSql,
    row: SsoProviderRow,
    change: Pick<AuditEvent, 'action' | 'before' | 'after'>,
    { audit }: Pick<ProviderChanger, 'audit'>,
  ): Promise<void> => {
    const subject = { entity: 'sso_provider', entityId: row.id, entityName: row.entity_id } as const
    await writeAudit(tx, { ...change, ...subject } as AuditEvent, audit)
    const type = change.action === 'sso_provider.removed' ? 'deleted' : 'updated'
    await publish(tx, { type, entity: 'sso_provider', id: row.id })
  }

  /** Reads the metadata of a new provider, and normalizes its domains. */
  const prepare = async ({ source, ...change }: ProviderChange) => {
    if (!source) throw new AppError('SAML_METADATA_MISSING')
    const domains = readDomains(change.domains ?? [])
    const read = await readSource(source)
    const values: ProviderValues = {
      entityId: read.entityId,
      metadataXml: read.xml,
      metadataUrl: read.url,
      attributeMapping: change.attributeMapping ?? {},
      nameIdFormat: change.nameIdFormat ?? null,
      resourceId: change.resourceId ?? null,
      isDisabled: change.isDisabled ?? false,
    }
    return { values, domains }
  }

  const insert = async (
    tx: TransactionSql,
    { values, domains }: Awaited<ReturnType<typeof prepare>>,
    by: ProviderChanger,
  ): Promise<SsoProviderRow> => {
    await lockProviders(tx)
    const id = uuidv7()
    await assertFree(tx, values, domains, id)
    await insertProvider(tx, id, values, by.audit.now)
    await replaceDomains(tx, id, domains, by.audit.now)
    const row = orThrow(await findProvider(tx, id), 'SSO_PROVIDER_NOT_FOUND')
    await record(tx, row, { action: 'sso_provider.added', after: audited(row) }, by)
    return row
  }

  /** Locks a provider and returns it. Throws SSO_PROVIDER_NOT_FOUND. */
  const lockOwn = async (tx: TransactionSql, id: string): Promise<SsoProviderRow> => {
    await lockProviders(tx)
    await tx`select 1 from sso_providers where id = ${id} for update`
    return orThrow(await findProvider(tx, id), 'SSO_PROVIDER_NOT_FOUND')
  }

  /**
   * Throws OWNERS_ONLY if an admin or owner signs in through the provider and the caller is not an owner. The keys of a
   * provider determine who can sign in as these people.
   */
  const assertMayReplace = async (tx: TransactionSql, id: string, { isOwner }: ProviderChanger) => {
    if (!isOwner && (await hasAdmins(tx, id))) throw new AppError('OWNERS_ONLY')
  }

  /**
   * Ends the API keys of all accounts that the provider manages, because they would still give the access of the ended
   * sessions.
   */
  const disableKeys = async (tx: TransactionSql, id: string, now: Date): Promise<number> => {
    let disabled = 0
    for (const accountId of await listAccountIds(tx, id))
      disabled += await deps.disableKeysOf(tx, accountId, now)
    return disabled
  }

  /** Stores metadata that was read again. Writes an audit entry if the trusted parts have changed. */
  const renew = async (
    id: string,
    revision: number,
    { xml, entityId, metadata }: ReadMetadata,
  ): Promise<void> =>
    database.transaction(async (tx) => {
      const now = clock.now()
      const row = await lockOwn(tx, id)
      // Somebody has changed the provider since its metadata was read.
      if (row.revision !== revision) return
      if (entityId !== row.entity_id) throw new AppError('SAML_ENTITY_MISMATCH')
      const [before, after] = [trusted(readIdpMetadata(row.metadata_xml)), trusted(metadata)]
      const isChanged = !isEqual(before, after)
      await saveReadMetadata(tx, id, { xml, isChanged, now })
      if (isChanged)
        await record(
          tx,
          row,
          { action: 'sso_provider.updated', before, after },
          { audit: { actor: SYSTEM_ACTOR, now } },
        )
    })

  return {
    list: () => listProviders(database.sql),
    get,
    async getByDomain(text) {
      const domain = readDomain(text)
      const row = domain === null ? null : await findProviderByDomain(database.sql, domain)
      return orThrow(row, 'SSO_PROVIDER_NOT_FOUND')
    },

    async create(change, by) {
      const provider = await prepare(change)
      return database.transaction((tx) => insert(tx, provider, by))
    },

    createOnce: (change, by) =>
      writePreparedOnce({ database, clock }, by, ['sso-providers', change], {
        prepare: () => prepare(change),
        write: async (tx, provider) => presentSsoProvider(await insert(tx, provider, by)),
      }),

    async update(given, { source, ...change }, by) {
      const { id } = await get(given)
      const domains = change.domains && readDomains(change.domains)
      const metadata = source ? await readSource(source) : null
      return database.transaction(async (tx) => {
        const before = await lockOwn(tx, id)
        assertRevision(by.revision, before, () => presentSsoProvider(before))
        if (metadata && metadata.entityId !== before.entity_id) throw new AppError('SAML_ENTITY_MISMATCH')
        const values: ProviderValues = {
          entityId: before.entity_id,
          metadataXml: metadata?.xml ?? before.metadata_xml,
          metadataUrl: metadata ? metadata.url : before.metadata_url,
          attributeMapping: change.attributeMapping ?? before.attribute_mapping,
          nameIdFormat: change.nameIdFormat === undefined ? before.name_id_format : change.nameIdFormat,
          resourceId: change.resourceId === undefined ? before.resource_id : change.resourceId,
          isDisabled: change.isDisabled ?? before.is_disabled,
        }
        const replacesPeople =
          metadata !== null || !isEqual(values.attributeMapping, before.attribute_mapping)
        if (replacesPeople || values.isDisabled !== before.is_disabled) await assertMayReplace(tx, id, by)
        const wanted = domains ?? before.domains.map(({ domain }) => domain)
        await assertFree(tx, values, wanted, id)
        await updateProvider(tx, id, values, { isRead: metadata !== null, now: by.audit.now })
        await replaceDomains(tx, id, wanted, by.audit.now)
        const row = orThrow(await findProvider(tx, id), 'SSO_PROVIDER_NOT_FOUND')
        const isSwitchedOff = values.isDisabled && !before.is_disabled
        const after = {
          ...audited(row),
          ...(metadata && { metadata: 'replaced' }),
          ...(isSwitchedOff && { ended_sessions: await endSessions(tx, id) }),
        }
        await record(tx, row, { action: 'sso_provider.updated', before: audited(before), after }, by)
        return row
      })
    },

    async remove(given, by) {
      const { id } = await get(given)
      return database.transaction(async (tx) => {
        const row = await lockOwn(tx, id)
        await assertMayReplace(tx, id, by)
        const disabledKeys = await disableKeys(tx, id, by.audit.now)
        const endedSessions = await releaseAccounts(tx, id)
        await deleteProvider(tx, id)
        const after = {
          accounts: row.accounts,
          ended_sessions: endedSessions,
          disabled_api_keys: disabledKeys,
        }
        await record(tx, row, { action: 'sso_provider.removed', before: audited(row), after }, by)
        return row
      })
    },

    async readAgain() {
      const now = clock.now()
      for (const row of await listOutdated(database.sql, addMs(now, -READ_AGAIN_AFTER_MS)))
        try {
          await renew(row.id, row.revision, await readSource({ url: row.metadata_url }))
        } catch (error) {
          // The server keeps using the stored metadata, and the next run tries again.
          log.warn(
            { err: error, provider: row.entity_id },
            'the metadata of a SAML provider could not be renewed',
          )
        }
    },
  }
}
