import type { AttributeMapping } from '@pegasus/contracts/auth/hosted-sso'
import type { IdpMetadata } from './idp-metadata.ts'
import type { SsoProviderRow } from './sso-providers.queries.ts'

/**
 * Returns a mapping as texts, because programs choose the field names in it, and the audit refuses fields whose names
 * look like secrets.
 */
const mappingTexts = ({ keys }: AttributeMapping): string[] =>
  Object.entries(keys ?? {}).map(
    ([field, { name, names = [] }]) => `${field} = ${[name, ...names].filter(Boolean).join(', ')}`,
  )

/** Picks the fields that the audit shows. The keys themselves are public, but too long to show. */
export const audited = (row: SsoProviderRow) => ({
  entity_id: row.entity_id,
  metadata_url: row.metadata_url,
  domains: row.domains.map(({ domain }) => domain),
  attributes: mappingTexts(row.attribute_mapping),
  name_id_format: row.name_id_format,
  disabled: row.is_disabled,
})

/** Picks the trusted parts of the metadata, in a short form. */
export const trusted = ({ signInUrl, fingerprints }: IdpMetadata) => ({
  sign_in_url: signInUrl,
  certificates: [...fingerprints].sort(),
})
