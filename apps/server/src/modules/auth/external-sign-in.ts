import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { RootSecret } from '../../platform/root-secret.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import type { UpgradeAnonymous } from './accounts/anonymous-upgrade.ts'
import { createExternalAccounts } from './identities/external-accounts.ts'
import { type IdentityLinks, createIdentityLinks } from './identities/identity-links.service.ts'
import { createIdentitySignIn } from './identities/identity-sign-in.ts'
import type { DisableKeysOf, TakeOver } from './take-over/take-over.ts'
import type { AccountMails } from './mail-links/account-mails.ts'
import type { Redirects } from './mail-links/redirects.ts'
import { type IdTokenSignIn, createIdTokenSignIn } from './oauth/id-token-sign-in.service.ts'
import { type OAuthSignIn, createOAuthSignIn } from './oauth/oauth-sign-in.service.ts'
import { type PendingLinks, createPendingLinks } from './oauth/pending-links.ts'
import type { Provider } from './oauth/providers/provider.ts'
import { createRefusedIdentities } from './oauth/refused-identities.ts'
import type { AttemptKind, AttemptLimits } from './rate-limit/attempt-limits.ts'
import type { Sessions } from './sessions/sessions.service.ts'
import type { SignUpMode } from './sign-in/sign-up.service.ts'
import type { Web3Chain } from './web3/sign-in-message.ts'
import { type Web3SignIn, createWeb3SignIn } from './web3/web3-sign-in.service.ts'
import { type SsoProviders, createSsoProviders } from './saml/providers/sso-providers.service.ts'
import type { SamlSettings } from './saml/saml-settings.ts'
import { type SamlSignIn, createSamlSignIn } from './saml/saml-sign-in.service.ts'
import type { CallFor } from '../../platform/outbound/safe-call.ts'

/** The names of sign-in methods that use no provider, as emails and the audit show them. */
const LABELS: Readonly<Record<string, string>> = {
  email: 'your email address',
  phone: 'your phone number',
  web3: 'a wallet',
}

/** The ways to sign in with an identity that a wallet or a provider has verified. */
export interface ExternalSignIn {
  web3: Web3SignIn
  oauth: OAuthSignIn
  idTokens: IdTokenSignIn
  identityLinks: IdentityLinks
  pendingLinks: PendingLinks
  providers: readonly Provider[]
  /** Null if sign-in through SAML providers is off. */
  saml: SamlSignIn | null
  ssoProviders: SsoProviders | null
}

export function createExternalSignIn(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  log: ServiceLog
  publicUrl: string
  mode: SignUpMode
  sessions: Sessions
  mails: AccountMails
  redirects: Redirects
  upgradeAnonymous: UpgradeAnonymous
  takeOver: TakeOver
  /** Whether people may link and unlink identities themselves. */
  allowsLinking: boolean
  web3Chains: readonly Web3Chain[]
  providers: readonly Provider[]
  /** If null, sign-in through SAML providers is off. */
  samlSettings: SamlSettings | null
  callFor: CallFor
  disableKeysOf: DisableKeysOf
  limitsOf(kind: AttemptKind): AttemptLimits
}): ExternalSignIn {
  const { providers, limitsOf } = deps
  const accounts = createExternalAccounts(deps)
  const signUpLimits = limitsOf({ name: 'sign-up', refusal: 'TOO_MANY_REQUESTS' })
  const identitySignIn = createIdentitySignIn({ ...deps, accounts, signUpLimits })
  const identityLinks = createIdentityLinks({
    ...deps,
    isAllowed: deps.allowsLinking,
    labelOf: (name) => providers.find((each) => each.name === name)?.label ?? LABELS[name] ?? name,
  })
  const oauthLimits = limitsOf({ name: 'oauth', refusal: 'TOO_MANY_SIGN_INS' })
  const refusals = createRefusedIdentities({ ...deps, limits: oauthLimits })
  const pendingLinks = createPendingLinks({ ...deps, identityLinks, refusals })
  const parts = { ...deps, identitySignIn, identityLinks, refusals, pendingLinks }
  const ssoProviders = deps.samlSettings && createSsoProviders(deps)
  const ssoLimits = limitsOf({ name: 'sso', refusal: 'TOO_MANY_SIGN_INS' })
  const ssoRefusals = createRefusedIdentities({ ...deps, limits: ssoLimits })
  return {
    ssoProviders,
    saml:
      deps.samlSettings &&
      ssoProviders &&
      createSamlSignIn({
        ...parts,
        settings: deps.samlSettings,
        ssoProviders,
        refusals: ssoRefusals,
        beginLimits: limitsOf({ name: 'sso-begin', refusal: 'TOO_MANY_REQUESTS' }),
      }),
    providers,
    identityLinks,
    pendingLinks,
    web3: createWeb3SignIn({
      ...parts,
      chains: deps.web3Chains,
      limits: limitsOf({ name: 'web3', refusal: 'TOO_MANY_SIGN_INS' }),
    }),
    oauth: createOAuthSignIn({ ...parts, limits: oauthLimits }),
    idTokens: createIdTokenSignIn({
      ...parts,
      limits: limitsOf({ name: 'id-token', refusal: 'TOO_MANY_SIGN_INS' }),
    }),
  }
}
