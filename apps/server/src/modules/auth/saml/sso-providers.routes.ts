import {
  type SsoProviderBody,
  createSsoProvider,
  deleteSsoProvider,
  listSsoProviders,
  testSsoProvider,
  updateSsoProvider,
} from '@pegasus/contracts/auth/sso-providers'
import type { AttributeMapping } from '@pegasus/contracts/auth/hosted-sso'
import { hasRole } from '@pegasus/contracts/roles'
import { orThrow } from '../../../platform/errors/app-error.ts'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { requiredRevisionIn } from '../../../platform/http/etag.ts'
import { NAME_FIELD, presentSsoProvider } from './providers/sso-providers.present.ts'
import type { ProviderChange, SsoProviders } from './providers/sso-providers.service.ts'
import type { SamlSignIn } from './saml-sign-in.service.ts'

/** Returns a mapping with one field changed. Undefined keeps the field, and null removes it. */
function withField(
  mapping: AttributeMapping,
  field: string,
  attribute: string | null | undefined,
): AttributeMapping {
  if (attribute === undefined) return mapping
  const { [field]: _, ...rest } = mapping.keys ?? {}
  return { keys: attribute === null ? rest : { ...rest, [field]: { name: attribute } } }
}

const mappingOf = (known: AttributeMapping, body: SsoProviderBody): AttributeMapping =>
  withField(withField(known, 'email', body.email_attribute), NAME_FIELD, body.name_attribute)

function changeOf(body: SsoProviderBody, known: AttributeMapping): ProviderChange {
  const { metadata_xml: xml, metadata_url: url } = body
  const source = xml ? { xml } : url ? { url } : null
  return {
    ...(source && { source }),
    ...(body.domains && { domains: body.domains }),
    ...(body.is_disabled !== undefined && { isDisabled: body.is_disabled }),
    attributeMapping: mappingOf(known, body),
  }
}

/** Adds the endpoints with which administrators manage SAML providers. */
export function addSsoProviderRoutes(
  endpoints: Endpoints,
  deps: { ssoProviders: SsoProviders | null; saml: SamlSignIn | null },
): void {
  const providers = (): SsoProviders => orThrow(deps.ssoProviders, 'SAML_DISABLED')
  const saml = (): SamlSignIn => orThrow(deps.saml, 'SAML_DISABLED')

  endpoints.add(listSsoProviders, async () => {
    const { metadataUrl, acsUrl } = saml().addresses
    const rows = await providers().list()
    return { metadata_url: metadataUrl, acs_url: acsUrl, providers: rows.map(presentSsoProvider) }
  })

  endpoints.add(createSsoProvider, ({ body, user, caller }) => {
    const by = { ...caller, isOwner: hasRole(user.user.role, 'owner') }
    return providers().createOnce(changeOf(body, {}), by)
  })

  endpoints.add(updateSsoProvider, async ({ params, body, user, request, audit }) => {
    const revision = requiredRevisionIn(request)
    const known = await providers().get(params.id)
    const by = { audit, isOwner: hasRole(user.user.role, 'owner'), revision }
    return presentSsoProvider(
      await providers().update(params.id, changeOf(body, known.attribute_mapping), by),
    )
  })

  endpoints.add(deleteSsoProvider, async ({ params, user, audit }) => {
    await providers().remove(params.id, { audit, isOwner: hasRole(user.user.role, 'owner') })
  })

  endpoints.add(testSsoProvider, async ({ params }) => ({ url: await saml().beginTest(params.id) }))
}
