import * as z from 'zod/mini'
import { nullable } from './fields.ts'
import { declareEndpoints } from './endpoint.ts'

const { get } = declareEndpoints('platform')

export const PRODUCT_NAME = 'Pegasus Ops'
export const PRODUCT_SUBTITLE = 'Operations Management System'

export const SIGNUP_MODES = ['approval', 'open', 'closed'] as const

const MAIL_DELIVERIES = ['smtp', 'outbox'] as const

/** Configuration that the client needs before sign-in. It contains no secret. */
const clientConfig = z.object({
  product_name: z.string(),
  currency: z.string(),
  locale: nullable.text,
  signups: z.enum(SIGNUP_MODES),
  /**
   * `smtp` means that a mail server sends the emails. `outbox` means that the emails stay in the outbox until
   * an administrator delivers them.
   */
  mail_delivery: z.enum(MAIL_DELIVERIES),
  /** Providers through which people can sign in. `name` is used in addresses, `label` is shown to people. */
  sign_in_providers: z.array(z.object({ name: z.string(), label: z.string() })),
  /**
   * Whether people can link accounts of these providers to their own account, and unlink them, without an
   * administrator.
   */
  links_identities: z.boolean(),
  /** Whether people may sign in through the SAML provider of their company. */
  sso: z.boolean(),
  /** Whether people may sign in with a passkey. */
  passkeys: z.boolean(),
  /** Whether people may sign in with a code that is sent to their phone. */
  phone_sign_in: z.boolean(),
  /** Whether people may use their phone as a second factor. */
  phone_factors: z.boolean(),
  /** The domain for which security keys and passkeys are requested. Null if they cannot be used. */
  webauthn_rp_id: nullable.text,
  main_site_url: nullable.text,
  /** The address at which the shop's own administration lists orders. */
  main_site_orders_url: nullable.text,
  supabase_url: nullable.text,
  supabase_anon_key: z.string(),
  upload_limit_bytes: z.number(),
})
export type ClientConfig = z.output<typeof clientConfig>

export const getConfig = get('/api/config', 'public', {
  summary: 'Configuration that a client needs before sign-in',
  returns: clientConfig,
})
