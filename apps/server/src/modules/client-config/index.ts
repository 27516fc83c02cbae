import { type ClientConfig, PRODUCT_NAME, getConfig } from '@pegasus/contracts/client-config'
import type { Config } from '../../config.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import type { RootSecret } from '../../platform/root-secret.ts'
import { ordersAddressOf } from '../products/index.ts'

const KEY_LENGTH = 22

/**
 * Adds the values that the browser needs before sign-in. The public key grants no access; it only identifies
 * the project.
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
      mail_delivery: config.smtpUrl === null ? 'outbox' : 'smtp',
      sign_in_providers: config.providers.map(({ name, label }) => ({ name, label })),
      links_identities: config.allowsLinking,
      sso: config.saml !== null,
      passkeys: config.allowsPasskeys,
      phone_sign_in: config.phone.isEnabled,
      phone_factors: config.phone.factor.canEnroll && config.phone.factor.canVerify,
      webauthn_rp_id: config.relyingParty?.id ?? null,
      main_site_url: config.mainSite?.url ?? null,
      main_site_orders_url: config.mainSite && ordersAddressOf(config.mainSite),
      supabase_url: null,
      supabase_anon_key: `sb_publishable_${publicKey}`,
      upload_limit_bytes: config.uploadLimitBytes,
    }),
  )
}
