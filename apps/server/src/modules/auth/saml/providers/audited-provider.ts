import type { AttributeMapping } from '@pegasus/contracts/auth/hosted-sso'
import type { IdpMetadata } from './idp-metadata.ts'
import type { SsoProviderRow } from './sso-providers.queries.ts'

/**
 * Returns an attribute mapping as texts such as `field = attribute`. Programs choose the field names, and the audit
 * refuses fields whose names look like secrets.
 */
const mappingTexts = ({ keys }: AttributeMapping): string[] =>
  Object.entries(keys ?? {}).map(
    ([field, { name, names = [] }]) => `${field} = ${[name, ...names].filter(Boolean).join(', ')}`,
  )

/** Picks the fields that the audit shows. It omits the metadata, which is long. */
export const audited = (row: SsoProviderRow) => ({
  entity_id: row.entity_id,
  metadata_url: row.metadata_url,
  domains: row.domains.map(({ domain }) => domain),
  attributes: mappingTexts(row.attribute_mapping),
  name_id_format: row.name_id_format,
  disabled: row.is_disabled,
})

/** Picks the parts of the metadata on which trust depends. Fingerprints stand for the certificates. */
export const trusted = ({ signInUrl, fingerprints }: IdpMetadata) => ({
  sign_in_url: signInUrl,
  certificates: [...fingerprints].sort(),
})
