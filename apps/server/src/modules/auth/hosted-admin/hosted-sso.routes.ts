import {
  type HostedProviderBody,
  NAME_ID_FORMATS,
  hostedCreateSsoProvider,
  hostedDeleteSsoProvider,
  hostedGetSsoProvider,
  hostedListSsoProviders,
  hostedUpdateSsoProvider,
} from '@pegasus/contracts/auth/hosted-sso'
import type { AuditContext } from '../../../platform/actor.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { presentHostedProvider } from '../saml/providers/sso-providers.present.ts'
import type { MetadataSource, ProviderChange, SsoProviders } from '../saml/providers/sso-providers.service.ts'

const incomplete = (message: string): AppError => new AppError('REQUEST_INCOMPLETE', { text: message })

function sourceIn({ metadata_xml: xml, metadata_url: url }: HostedProviderBody): MetadataSource | null {
  if (xml && url) throw incomplete('Only one of metadata_xml or metadata_url needs to be set')
  if (xml) return { xml }
  if (!url) return null
  if (!URL.canParse(url)) throw incomplete('metadata_url is not a valid URL')
  if (new URL(url).protocol !== 'https:') throw incomplete('metadata_url is not a HTTPS URL')
  return { url }
}

const isFormat = (text: string): boolean => NAME_ID_FORMATS.some((format) => format === text)

function changeIn(body: HostedProviderBody): ProviderChange {
  const { name_id_format: format, attribute_mapping: mapping, resource_id: resourceId } = body
  const source = sourceIn(body)
  if (format && !isFormat(format))
    throw incomplete(`name_id_format must be unspecified or one of ${NAME_ID_FORMATS.join(', ')}`)
  return {
    ...(source && { source }),
    ...(body.domains && { domains: body.domains }),
    ...(mapping?.keys && { attributeMapping: mapping }),
    ...(format !== undefined && { nameIdFormat: format || null }),
    ...(resourceId != null && { resourceId: resourceId || null }),
    ...(body.disabled != null && { isDisabled: body.disabled }),
  }
}

/** Adds the endpoints with which programs with a secret key manage SAML providers. */
export function addHostedSsoRoutes(endpoints: Endpoints, deps: { ssoProviders: SsoProviders | null }): void {
  const enabled = (): SsoProviders => orThrow(deps.ssoProviders, 'SAML_DISABLED')
  const byKey = (audit: AuditContext) => ({ audit, isOwner: false })

  endpoints.add(hostedListSsoProviders, async ({ query }) => {
    const { resource_id: exact, resource_id_prefix: prefix } = query
    const rows = await enabled().list()
    const items = rows
      .filter(({ resource_id: id }) => exact === undefined || id === exact)
      .filter(({ resource_id: id }) => prefix === undefined || id?.startsWith(prefix))
      .map((row) => presentHostedProvider(row, { withMetadata: false }))
    return { items }
  })

  endpoints.add(hostedGetSsoProvider, async ({ params }) =>
    presentHostedProvider(await enabled().get(params.id)),
  )

  endpoints.add(hostedCreateSsoProvider, async ({ body, audit }) => {
    const providers = enabled()
    if (body?.type !== 'saml') throw incomplete("Only 'saml' supported for SSO provider type")
    const change = changeIn(body)
    if (!change.source) throw incomplete('Either metadata_xml or metadata_url must be set')
    return presentHostedProvider(await providers.create(change, byKey(audit)))
  })

  endpoints.add(hostedUpdateSsoProvider, async ({ params, body, audit }) => {
    const by = { ...byKey(audit), revision: null }
    return presentHostedProvider(await enabled().update(params.id, changeIn(body ?? {}), by))
  })

  endpoints.add(hostedDeleteSsoProvider, async ({ params, audit }) =>
    presentHostedProvider(await enabled().remove(params.id, byKey(audit))),
  )
}
