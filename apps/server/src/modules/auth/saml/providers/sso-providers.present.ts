import type { AttributeMapping, HostedSsoProvider } from '@pegasus/contracts/auth/hosted-sso'
import type { SsoProvider } from '@pegasus/contracts/auth/sso-providers'
import { readIdpMetadata } from './idp-metadata.ts'
import type { SsoProviderRow } from './sso-providers.queries.ts'

/** Converts a provider to the format of the hosted protocol. Lists omit the metadata, because it is long. */
export const presentHostedProvider = (
  row: SsoProviderRow,
  { withMetadata = true } = {},
): HostedSsoProvider => ({
  id: row.id,
  ...(row.resource_id !== null && { resource_id: row.resource_id }),
  disabled: row.is_disabled,
  saml: {
    entity_id: row.entity_id,
    ...(withMetadata && { metadata_xml: row.metadata_xml }),
    ...(row.metadata_url !== null && { metadata_url: row.metadata_url }),
    attribute_mapping: row.attribute_mapping,
    ...(row.name_id_format !== null && { name_id_format: row.name_id_format }),
  },
  domains: row.domains,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

const attributeOf = ({ keys }: AttributeMapping, field: string): string | null => {
  const { name, names } = keys?.[field] ?? {}
  return name || (names?.[0] ?? null)
}

/** The field of an attribute mapping that contains a person's name. An administrator chooses the attribute for it. */
export const NAME_FIELD = 'full_name'

/** Converts a provider to the format of our own API for administrators. */
export function presentSsoProvider(row: SsoProviderRow): SsoProvider {
  const metadata = readIdpMetadata(row.metadata_xml)
  return {
    id: row.id,
    entity_id: row.entity_id,
    sign_in_url: metadata.signInUrl,
    metadata_url: row.metadata_url,
    metadata_read_at: row.metadata_read_at,
    metadata_valid_until: metadata.validUntil?.toISOString() ?? null,
    certificate_ends_at: metadata.certificateEndsAt.toISOString(),
    domains: row.domains.map(({ domain }) => domain),
    email_attribute: attributeOf(row.attribute_mapping, 'email'),
    name_attribute: attributeOf(row.attribute_mapping, NAME_FIELD),
    is_disabled: row.is_disabled,
    accounts: row.accounts,
    last_test: row.last_test,
    revision: row.revision,
    created_at: row.created_at,
  }
}
