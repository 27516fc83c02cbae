import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { timestamp } from '../fields.ts'
import { grantText } from './hosted-auth.ts'

/** Single sign-on through SAML 2.0, in the protocol of the hosted auth service. */
const { get, post, put, del } = declareEndpoints('hosted auth', { dialect: 'hosted-auth' })

export const ssoBody = z.object({
  provider_id: grantText,
  domain: grantText,
  redirect_to: grantText,
  skip_http_redirect: z.optional(z.nullable(z.boolean('skip_http_redirect is true or false'))),
  code_challenge: grantText,
  code_challenge_method: grantText,
})
export type SsoBody = z.output<typeof ssoBody>

export const SSO_BODY_MAX_BYTES = 32 * 1024

export const hostedSso = post('/auth/v1/sso', 'public', {
  summary:
    'Begin a sign-in through the SAML provider of a domain: the response contains the address of the provider',
  // The handler reads the body itself, because SAML_DISABLED takes precedence over errors in the body.
  isRawBody: true,
  body: ssoBody,
  returns: z.object({ url: z.string() }),
  alternative: 303,
  errors: [
    'SAML_DISABLED',
    'MALFORMED_REQUEST',
    'PAYLOAD_TOO_LARGE',
    'REQUEST_INCOMPLETE',
    'SSO_PROVIDER_NOT_FOUND',
    'SSO_PROVIDER_DISABLED',
  ],
})

export const hostedSamlMetadata = get('/auth/v1/sso/saml/metadata', 'public', {
  summary: 'The metadata of this instance for SAML providers; download=true returns it as a file to save',
  query: z.object({ download: z.optional(z.string().check(z.maxLength(10))) }),
  sends: 'application/xml',
  errors: ['SAML_DISABLED'],
})

/** Maximum size of the form that a provider posts. It is high, because a form can contain a long list of groups. */
export const SAML_FORM_MAX_BYTES = 256 * 1024

export const hostedSamlAcs = post('/auth/v1/sso/saml/acs', 'public', {
  summary: 'Callback of a SAML provider: redirects to the client with tokens, a code or an error',
  isRawBody: true,
  success: { status: 303, body: null },
  errors: ['SAML_DISABLED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INVALID_INPUT'],
})

/** Maximum length of a provider's metadata. */
export const SAML_METADATA_MAX_LENGTH = 500_000

export const NAME_ID_FORMATS = [
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
] as const

const attributeName = z.string().check(z.maxLength(300))

/** Maps the attributes of a provider to the fields of a person. */
export const attributeMapping = z.object({
  keys: z.optional(
    z
      .record(
        z.string().check(z.minLength(1), z.maxLength(100)),
        z.object({
          name: z.optional(attributeName),
          names: z.optional(z.array(attributeName).check(z.maxLength(20))),
          default: z.optional(z.unknown()),
          array: z.optional(z.boolean()),
        }),
      )
      .check(
        z.refine(
          (keys: object) => Object.keys(keys).length <= 50,
          'attribute_mapping can have at most 50 keys',
        ),
        z.refine((keys: object) => JSON.stringify(keys).length <= 20_000, 'attribute_mapping is too large'),
        z.refine(
          (keys: object) => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(keys)),
          'attribute_mapping contains characters that cannot be stored',
        ),
      ),
  ),
})
export type AttributeMapping = z.output<typeof attributeMapping>

export const hostedSsoProvider = z.object({
  id: z.uuid(),
  resource_id: z.optional(z.string()),
  disabled: z.boolean(),
  saml: z.object({
    entity_id: z.string(),
    /** Omitted in lists, because it is long. */
    metadata_xml: z.optional(z.string()),
    metadata_url: z.optional(z.string()),
    attribute_mapping: attributeMapping,
    name_id_format: z.optional(z.string()),
  }),
  domains: z.array(
    z.object({ id: z.uuid(), domain: z.string(), created_at: timestamp, updated_at: timestamp }),
  ),
  created_at: timestamp,
  updated_at: timestamp,
})
export type HostedSsoProvider = z.output<typeof hostedSsoProvider>

const providerFields = {
  metadata_xml: z.optional(
    z.nullable(z.string().check(z.maxLength(SAML_METADATA_MAX_LENGTH, 'metadata_xml is too long'))),
  ),
  metadata_url: grantText,
  domains: z.optional(z.nullable(z.array(z.string()).check(z.maxLength(100, 'too many domains')))),
  attribute_mapping: z.optional(z.nullable(attributeMapping)),
  name_id_format: grantText,
  resource_id: z.optional(z.nullable(z.string().check(z.maxLength(255, 'resource_id is too long')))),
  disabled: z.optional(z.nullable(z.boolean('disabled is true or false'))),
}
const hostedProviderBody = z.object({ ...providerFields, type: grantText })
export type HostedProviderBody = z.output<typeof hostedProviderBody>

const CHANGE_ERRORS = [
  'SAML_DISABLED',
  'REQUEST_INCOMPLETE',
  'SAML_METADATA_FAILED',
  'SSO_DOMAIN_INVALID',
  'SSO_DOMAIN_TAKEN',
  'SSO_RESOURCE_TAKEN',
] as const

/** The id of a provider, or `resource_` followed by the provider's resource id. */
const params = z.object({ id: z.string().check(z.maxLength(300)) })

export const hostedListSsoProviders = get('/auth/v1/admin/sso/providers', 'service-role', {
  summary: 'The SAML providers, without their metadata',
  query: z.object({ resource_id: z.optional(z.string()), resource_id_prefix: z.optional(z.string()) }),
  returns: z.object({ items: z.array(hostedSsoProvider) }),
  errors: ['SAML_DISABLED'],
})

export const hostedCreateSsoProvider = post('/auth/v1/admin/sso/providers', 'service-role', {
  summary: 'Add a SAML provider by its metadata, or by the address of its metadata',
  body: z.optional(hostedProviderBody),
  creates: hostedSsoProvider,
  errors: [...CHANGE_ERRORS, 'SAML_PROVIDER_EXISTS'],
})

export const hostedGetSsoProvider = get('/auth/v1/admin/sso/providers/:id', 'service-role', {
  summary: 'One SAML provider with its metadata',
  params,
  returns: hostedSsoProvider,
  errors: ['SAML_DISABLED', 'SSO_PROVIDER_NOT_FOUND'],
})

export const hostedUpdateSsoProvider = put('/auth/v1/admin/sso/providers/:id', 'service-role', {
  summary: 'Change a SAML provider; its entity id cannot change',
  params,
  body: z.optional(hostedProviderBody),
  returns: hostedSsoProvider,
  errors: [...CHANGE_ERRORS, 'SSO_PROVIDER_NOT_FOUND', 'SAML_ENTITY_MISMATCH', 'OWNERS_ONLY'],
})

export const hostedDeleteSsoProvider = del('/auth/v1/admin/sso/providers/:id', 'service-role', {
  summary: 'Remove a SAML provider; the sessions of its accounts end',
  params,
  success: { status: 200, body: hostedSsoProvider },
  errors: ['SAML_DISABLED', 'SSO_PROVIDER_NOT_FOUND', 'OWNERS_ONLY'],
})
