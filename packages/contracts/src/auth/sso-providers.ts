import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { clearableText, nullable, timestamp } from '../fields.ts'
import { SAML_METADATA_MAX_LENGTH } from './hosted-sso.ts'

/** Single sign-on, as administrators manage it in the app. */
const { get, post, put, del } = declareEndpoints('sso-providers', { notFound: 'SSO_PROVIDER_NOT_FOUND' })

/** The result of a test sign-in, which opens no session. */
const ssoTest = z.object({
  at: timestamp,
  works: z.boolean(),
  /** Why the sign-in failed: `saml_wrong_audience`, `saml_expired` and so on. */
  reason: nullable.text,
  /** The person who signed in, as named by the provider. */
  subject: nullable.text,
  email: nullable.text,
  full_name: nullable.text,
  /** The names of the attributes that the provider sent. */
  attributes: z.array(z.string()),
})
export type SsoTest = z.output<typeof ssoTest>

const ssoProvider = z.object({
  id: z.uuid(),
  entity_id: z.string(),
  sign_in_url: z.string(),
  metadata_url: nullable.text,
  metadata_read_at: timestamp,
  metadata_valid_until: nullable.timestamp,
  certificate_ends_at: timestamp,
  domains: z.array(z.string()),
  /**
   * The attributes that contain the email address and the name. Null means that the usual attribute names are
   * tried.
   */
  email_attribute: nullable.text,
  name_attribute: nullable.text,
  is_disabled: z.boolean(),
  /** Number of accounts that sign in through this provider. */
  accounts: z.number(),
  last_test: z.nullable(ssoTest),
  revision: z.number(),
  created_at: timestamp,
})
export type SsoProvider = z.output<typeof ssoProvider>

export const listSsoProviders = get('/api/sso-providers', 'admin', {
  summary: 'The SAML providers by entity id, and the addresses of this instance that a provider needs',
  returns: z.object({
    metadata_url: z.string(),
    acs_url: z.string(),
    providers: z.array(ssoProvider),
  }),
  errors: ['SAML_DISABLED'],
})

const providerFields = {
  /** Either the metadata, or the address from which the server reads the metadata every day. */
  metadata_xml: clearableText(SAML_METADATA_MAX_LENGTH, 'The metadata'),
  metadata_url: clearableText(2048, 'The address of the metadata'),
  domains: z.optional(
    z
      .array(z.string().check(z.maxLength(253, 'A domain can have at most 253 characters')))
      .check(z.maxLength(100, 'A provider can have at most 100 domains')),
  ),
  email_attribute: clearableText(300, 'The attribute of the email'),
  name_attribute: clearableText(300, 'The attribute of the name'),
  is_disabled: z.optional(z.boolean()),
}
export const ssoProviderBody = z.object(providerFields)
export type SsoProviderBody = z.output<typeof ssoProviderBody>

const CHANGE_ERRORS = [
  'SAML_DISABLED',
  'SAML_METADATA_MISSING',
  'SAML_METADATA_FAILED',
  'SSO_DOMAIN_TAKEN',
  'SSO_DOMAIN_INVALID',
] as const

export const createSsoProvider = post('/api/sso-providers', 'admin', {
  summary: 'Add a SAML provider',
  needsRecentSignIn: true,
  body: ssoProviderBody,
  creates: ssoProvider,
  errors: [...CHANGE_ERRORS, 'SAML_PROVIDER_EXISTS', 'MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

export const updateSsoProvider = put('/api/sso-providers/:id', 'admin', {
  summary: 'Change a SAML provider; only an owner may change its metadata if an admin signs in through it',
  needsRecentSignIn: true,
  body: ssoProviderBody,
  returns: ssoProvider,
  errors: [
    ...CHANGE_ERRORS,
    'SAML_ENTITY_MISMATCH',
    'OWNERS_ONLY',
    'PRECONDITION_FAILED',
    'PRECONDITION_REQUIRED',
    'MALFORMED_REQUEST',
  ],
})

export const deleteSsoProvider = del('/api/sso-providers/:id', 'admin', {
  summary: 'Remove a SAML provider; the sessions and API keys of its accounts end',
  needsRecentSignIn: true,
  errors: ['SAML_DISABLED', 'OWNERS_ONLY'],
})

export const testSsoProvider = post('/api/sso-providers/:id/test', 'admin', {
  summary: 'Begin a test sign-in, which opens no session: the response contains the address of the provider',
  returns: z.object({ url: z.string() }),
  errors: ['SAML_DISABLED'],
})
