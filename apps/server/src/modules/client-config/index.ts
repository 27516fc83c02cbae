import { type ClientConfig, PRODUCT_NAME, getConfig } from '@pegasus/contracts/client-config'
import type { Config } from '../../config.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { RootSecret } from '../../platform/root-secret.ts'
import { ordersAddressOf } from '../products/index.ts'

const KEY_LENGTH = 22

const signInOf = (config: Config) => ({
  mail_delivery: config.smtpUrl === null ? ('outbox' as const) : ('smtp' as const),
  sign_in_providers: config.providers.map(({ name, label }) => ({ name, label })),
  links_identities: config.allowsLinking,
  sso: config.saml !== null,
  passkeys: config.allowsPasskeys,
  phone_sign_in: config.phone.isEnabled,
  phone_factors: config.phone.factor.canEnroll && config.phone.factor.canVerify,
})

/**
 * The sign-in settings with a hosted project, which sends its own emails. People sign in to it with an email address
 * and a password.
 */
const PROJECT_SIGN_IN = {
  mail_delivery: 'smtp' as const,
  sign_in_providers: [],
  links_identities: false,
  sso: false,
  passkeys: false,
  phone_sign_in: false,
  phone_factors: false,
}

/**
 * Adds the endpoint for the values that the browser needs before a sign-in. The public key among them grants no access
 * and only identifies the project.
 */
export function addClientConfig(endpoints: Endpoints, deps: { config: Config; secret: RootSecret }): void {
  const { config } = deps
  const publicKey = deps.secret.deriveKey('public-key').toString('base64url').slice(0, KEY_LENGTH)
  endpoints.add(
    getConfig,
    async (): Promise<ClientConfig> => ({
      product_name: PRODUCT_NAME,
      currency: config.currency,
      locale: config.locale,
      signups: config.signups,
      ...(config.hostedProject ? PROJECT_SIGN_IN : signInOf(config)),
      webauthn_rp_id: config.relyingParty?.id ?? null,
      main_site_url: config.mainSite?.url ?? null,
      main_site_orders_url: config.mainSite && ordersAddressOf(config.mainSite),
      supabase_url: config.hostedProject?.url ?? null,
      supabase_anon_key: config.hostedProject?.anonKey ?? `sb_publishable_${publicKey}`,
      upload_limit_bytes: config.uploadLimitBytes,
    }),
  )
}
