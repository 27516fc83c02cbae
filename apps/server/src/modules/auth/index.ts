import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints, Guard } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { MailTransport } from '../../platform/mail/mail.ts'
import type { SmsTransport } from '../../platform/sms/sms.ts'
import { type CallFor, type OwnCallOptions, createOwnCall } from '../../platform/outbound/safe-call.ts'
import type { RootSecret } from '../../platform/root-secret.ts'
import type { ServiceLog } from '../../platform/log/service-log.ts'
import {
  type AttemptKind,
  type AttemptLimitOptions,
  LONGEST_WINDOW_MS,
  createAttemptLimits,
} from './rate-limit/attempt-limits.ts'
import { addAuthRoutes } from './auth.routes.ts'
import { addHostedAuthRoutes } from './hosted/hosted-auth.routes.ts'
import { addHostedCodeRoutes } from './hosted/hosted-codes.routes.ts'
import { addHostedFactorRoutes } from './hosted/hosted-factors.routes.ts'
import { addHostedMailRoutes } from './hosted/hosted-mail.routes.ts'
import { addHostedOAuthRoutes } from './hosted/hosted-oauth.routes.ts'
import { addHostedPasskeyRoutes } from './hosted/hosted-passkeys.routes.ts'
import { withoutAccounts } from './hosted-project/closed-endpoints.ts'
import { createProjectSessions } from './hosted-project/project-sessions.ts'
import type { HostedProject } from './hosted-project/project-settings.ts'
import { createSignedInUsers, describeAccount } from './hosted/hosted-user.service.ts'
import { createHostedAdmin } from './hosted-admin/hosted-admin.ts'
import { addHostedSsoRoutes } from './hosted-admin/hosted-sso.routes.ts'
import { addSsoProviderRoutes } from './saml/sso-providers.routes.ts'
import { addHostedSamlRoutes } from './hosted/hosted-saml.routes.ts'
import type { SamlSettings } from './saml/saml-settings.ts'
import { createExternalSignIn } from './external-sign-in.ts'
import { type DisableKeysOf, createTakeOver } from './take-over/take-over.ts'
import { createMailLinks } from './mail-links/mail-links.ts'
import { createOneTimeTokens } from './mail-links/one-time-tokens.ts'
import { createOwnAccount } from './own-account/own-account.service.ts'
import { createOwnPassword } from './own-account/own-password.service.ts'
import { createProfile } from './own-account/profile.service.ts'
import { type HashingCost, createPasswordHashing } from './passwords/password-hashing.ts'
import { createPasskeyParts } from './passkeys/create-passkey-parts.ts'
import { createPhoneSignIn } from './phone-sign-in/phone-sign-in.ts'
import { createMessageLimits } from './phone/message-limits.ts'
import { createPhoneMessages } from './phone/phone-messages.ts'
import { createPhoneReauthentication } from './phone/phone-reauthentication.ts'
import type { PhoneSettings } from './phone/phone-settings.ts'
import { createPasswordProof } from './passwords/password-proof.ts'
import type { FirstOwner } from './admin/first-owner.ts'
import { createAccountsAdmin } from './admin/create-accounts-admin.ts'
import { createPurge } from './cleanup.service.ts'
import { createSecondFactor } from './second-factor/second-factor.ts'
import { createAccessTokens } from './sessions/access-token.ts'
import { type KeyGuard, type ServiceKeyGuard, createGuard } from './sessions/guard.ts'
import { addKeyRotationRoutes } from './sessions/key-rotation.routes.ts'
import { createKeyRotation } from './sessions/key-rotation.service.ts'
import { createOwnSessions } from './sessions/own-sessions.service.ts'
import { createRefreshTokens } from './sessions/refresh-token.ts'
import { createSessions } from './sessions/sessions.service.ts'
import { type FindLinkIssuer, createFindLinkIssuer } from './sessions/link-issuer.ts'
import { type SignServiceToken, createServiceTokens } from './sessions/service-token.ts'
import { loadSigningKeys } from './sessions/signing-keys.ts'
import { createMagicLinks } from './sign-in/magic-links.service.ts'
import { createSignIn } from './sign-in/sign-in.service.ts'
import { addSignInRuleRoutes } from './sign-in-rules/sign-in-rules.routes.ts'
import { createSignInRules } from './sign-in-rules/sign-in-rules.service.ts'
import { type SignUpMode, createSignUp } from './sign-in/sign-up.service.ts'
import { type Refusals, createRefusals } from './audit/refused-sign-ins.service.ts'

import type { ProviderSettings } from './oauth/providers/provider-settings.ts'
import { createTokenSeal } from './oauth/token-seal.ts'
import { createProviders } from './oauth/providers/providers.ts'
import type { Web3Chain } from './web3/sign-in-message.ts'
import { createCeremonies } from './webauthn/ceremonies.ts'
import type { RelyingParty } from './webauthn/relying-party.ts'

export { findEndedLinks } from './mail-links/revoke-links.ts'
export { type HostedProject, readHostedProject } from './hosted-project/project-settings.ts'
export { isCommonPassword } from './passwords/common-passwords.ts'
export { findUnknownSettings } from './unknown-settings.ts'
export { type ProviderSettings, readProviderSettings } from './oauth/providers/provider-settings.ts'
export { type PhoneSettings, readPhoneSettings } from './phone/phone-settings.ts'
export { readSamlSettings } from './saml/saml-settings.ts'
export { relyingPartyOf } from './webauthn/relying-party.ts'
export type { HashingCost } from './passwords/password-hashing.ts'
export type { KeyGuard, ServiceKeyGuard } from './sessions/guard.ts'
export { liveSessions } from './sessions/own-sessions.queries.ts'
export { nameDevice } from './sessions/user-agent.ts'
export type { SignServiceToken } from './sessions/service-token.ts'
export type { FindLinkIssuer } from './sessions/link-issuer.ts'
export type { OwnerSettings, OwnerSignIn } from './admin/first-owner.ts'
export type { Refusals } from './audit/refused-sign-ins.service.ts'

/**
 * Limits the wrong codes of one account to 100 per day. Three of a million codes are valid at any time, so 100 guesses
 * succeed with a probability of 3 in 10,000.
 */
const ANYWHERE_LIMITS: AttemptLimitOptions = {
  perAccountAndAddress: 100,
  perAddress: 100,
  windowMs: LONGEST_WINDOW_MS,
}

export interface Auth {
  guard: Guard
  /** Finds the account whose session signed a link. Returns null if that session could not sign it any more. */
  findSigner: FindLinkIssuer
  owner: FirstOwner
  /** Records refusals in the audit. Other modules use it for refusals that only their own work can detect. */
  refusals: Refusals
  /** Signs the JWT of a service key. */
  signServiceToken: SignServiceToken
  addRoutes(endpoints: Endpoints): void
  /**
   * Deletes ended sessions, links and counters, and reads the roles in a hosted project again. Call this about once an
   * hour.
   */
  purge(): Promise<void>
  /** Writes the last uses of sessions that are still buffered. Call this when no more requests arrive. */
  close(): Promise<void>
}

/**
 * Creates the module for accounts, sessions and sign-in. Throws StartupError if the root secret does not match the
 * database.
 */
export async function createAuth(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  signer: PathSigner
  publicUrl: string
  signups: SignUpMode
  mail: MailTransport
  sms: SmsTransport
  /** The settings for phone numbers and for the codes that are sent to them. */
  phone: PhoneSettings
  /** Checks the requests of callers that send an API key. */
  keys: KeyGuard
  /** Checks the requests of callers that send a key of the hosted service's protocol. */
  serviceKeys: ServiceKeyGuard
  disableKeysOf: DisableKeysOf
  version: string
  log: ServiceLog
  limits: AttemptLimitOptions
  /**
   * How many sign-ups, email requests and wrong codes one IP address may make within 15 minutes. The limit must suffice
   * for an office that shares an IP address.
   */
  signUpsPerAddress: number
  /** The minimum time between two emails of the same kind to one address. */
  mailIntervalMs: number
  /** The age in days at which the signing key is replaced. If null, it is replaced only on request. */
  signingKeyDays: number | null
  /** Whether people may sign in without a name or an address. */
  allowsAnonymous: boolean
  /** Patterns for addresses at other origins. Links and sign-ins may redirect to matching addresses. */
  allowedRedirects: readonly string[]
  /** The blockchains whose wallets can sign in. */
  web3Chains: readonly Web3Chain[]
  /**
   * The site at which security keys and passkeys work (the WebAuthn relying party). Null if they cannot work at our
   * address.
   */
  relyingParty: RelyingParty | null
  /** Whether people may sign in with a passkey. */
  allowsPasskeys: boolean
  /** Whether people may link and unlink sign-in methods themselves. */
  allowsLinking: boolean
  /** The settings of the providers through which people may sign in. */
  providers: readonly ProviderSettings[]
  /** The settings for SAML. If null, SAML is off. */
  saml: SamlSettings | null
  callFor: CallFor
  /** The hosted project that holds the accounts. If null, this server holds them. */
  hostedProject: HostedProject | null
  /** How calls to the hosted project are made. Tests replace the defaults. */
  outbound?: OwnCallOptions | undefined
  /** The cost of hashing a password. The default is the minimum that OWASP recommends. */
  hashingCost?: HashingCost | undefined
}): Promise<Auth> {
  const { database, clock, secret, version, publicUrl, signups, mailIntervalMs } = deps
  const [keys, hashing] = await Promise.all([
    loadSigningKeys(database, secret, clock),
    createPasswordHashing(deps.hashingCost),
  ])
  const accessTokens = createAccessTokens({ keys, publicUrl, clock })
  const refreshTokens = createRefreshTokens(secret.deriveKey('refresh-tokens'))
  const ownSessionsOnly = createSessions({ database, clock, accessTokens, refreshTokens })
  const { hostedProject: project } = deps
  const projectSessions =
    project &&
    createProjectSessions({
      ...deps,
      project,
      sessions: ownSessionsOnly,
      call: createOwnCall(project.url, deps.outbound),
    })
  const sessions = projectSessions ?? ownSessionsOnly
  const ownSessions = createOwnSessions({ database, clock, log: deps.log })
  const refusals = createRefusals({ database, clock })

  const { signUpsPerAddress: most } = deps
  const openDoor = { perAccountAndAddress: most, perAddress: most }
  const openDoorLimitsOf = (kind: AttemptKind, options: AttemptLimitOptions = openDoor) =>
    createAttemptLimits({ database, clock }, options, kind)
  const signInLimits = createAttemptLimits({ database, clock }, deps.limits)
  const passwords = createPasswordProof({ clock, hashing, limits: signInLimits })
  const takeOver = createTakeOver(deps)
  const tokens = createOneTimeTokens(secret.deriveKey('mail-codes'))
  const messages = createPhoneMessages({
    clock,
    settings: deps.phone,
    transport: deps.sms,
    tokens,
    describe: (tx, account) => describeAccount(tx, account, clock.now()),
    limits: createMessageLimits({
      database,
      clock,
      settings: deps.phone,
      hasOpenSignUps: signups === 'open',
      log: deps.log,
      limitsOf: (options, kind) => createAttemptLimits({ database, clock }, options, kind),
    }),
  })
  const mailLinks = createMailLinks({
    database,
    clock,
    tokens,
    phones: createPhoneReauthentication({ clock, messages, tokens }),
    publicUrl,
    allowedRedirects: deps.allowedRedirects,
    transport: deps.mail,
    intervalMs: mailIntervalMs,
    sessions,
    approvesSignUps: signups === 'open',
    takeOver,
    openProviderTokens: createTokenSeal(secret).open,
    limitsOf: openDoorLimitsOf,
  })
  const { mails, redirects, verification, changeEmail, mailedCodes } = mailLinks
  const party = deps.relyingParty
  const keySite = party && {
    party,
    ceremonies: createCeremonies({ party, key: secret.deriveKey('webauthn'), log: deps.log }),
  }
  const secondFactor = createSecondFactor({
    database,
    clock,
    secret,
    sessions,
    mails,
    publicUrl,
    keySite,
    limitsOf: (kind) => createAttemptLimits({ database, clock }, deps.limits, kind),
    anywhereLimitsOf: (kind) => createAttemptLimits({ database, clock }, ANYWHERE_LIMITS, kind),
    phoneSettings: deps.phone.factor,
    messages,
  })
  const passkeyParts = createPasskeyParts({
    database,
    clock,
    secret,
    site: deps.allowsPasskeys ? keySite : null,
    sessions,
    mails,
    limitsOf: openDoorLimitsOf,
  })
  const verifyFactorCode = secondFactor.factorCodes.isCodeOf
  const signIn = createSignIn({ database, clock, hashing, passwords, sessions, verifyFactorCode })
  const signUp = createSignUp({
    mode: signups,
    database,
    clock,
    hashing,
    sessions,
    mails,
    allowsAnonymous: deps.allowsAnonymous,
    limits: openDoorLimitsOf({ name: 'sign-up', refusal: 'TOO_MANY_REQUESTS' }),
  })
  const external = createExternalSignIn({
    database,
    clock,
    secret,
    log: deps.log,
    publicUrl,
    mode: signups,
    sessions,
    mails,
    redirects,
    upgradeAnonymous: mailLinks.upgradeAnonymous,
    takeOver,
    allowsLinking: deps.allowsLinking,
    web3Chains: deps.web3Chains,
    providers: createProviders(deps.providers, { clock, callFor: deps.callFor }),
    samlSettings: deps.saml,
    callFor: deps.callFor,
    disableKeysOf: deps.disableKeysOf,
    limitsOf: openDoorLimitsOf,
  })
  const magicLinks = createMagicLinks({
    mode: signups,
    clock,
    mails,
    limits: openDoorLimitsOf({ name: 'mail', refusal: 'TOO_MANY_REQUESTS' }),
  })
  const { phoneRequests, phoneVerification, phoneChanges } = createPhoneSignIn({
    settings: deps.phone,
    mode: signups,
    database,
    clock,
    hashing,
    messages,
    sessions,
    tokens,
    mails,
    takeOver,
    limitsOf: openDoorLimitsOf,
  })
  const own = { database, clock, hashing, passwords }
  const ownAccount = createOwnAccount({ ...own, changeEmail, phoneChanges, mailedCodes })
  const ownPassword = createOwnPassword(own)
  const profile = createProfile({ database, clock, changeEmail })
  const people = createAccountsAdmin({ database, clock, secret, hashing, mails, messages, refusals })
  const person = createSignedInUsers({ database, clock })
  const hostedAdmin = createHostedAdmin({ database, clock, hashing, mailLinks, person })
  const rotation = createKeyRotation({ database, clock, secret, rotationDays: deps.signingKeyDays })
  const { code, factor } = deps.phone
  const longestIntervalMs = Math.max(mailIntervalMs, code.intervalMs, factor.intervalMs)
  const purgeEnded = createPurge({ database, clock, longestIntervalMs })

  return {
    close: () => ownSessions.close(),
    async purge() {
      await purgeEnded()
      await hostedAdmin.liftBans()
      await rotation.tidy()
      await external.ssoProviders?.readAgain()
      await projectSessions?.recheckRoles()
    },
    guard: createGuard({
      sessions,
      ownSessions,
      keys: deps.keys,
      serviceKeys: deps.serviceKeys,
      refusals,
      signer: deps.signer,
      clock,
    }),
    signServiceToken: createServiceTokens({ keys, publicUrl }),
    findSigner: createFindLinkIssuer({ sessions }),
    refusals,
    owner: people.owner,
    addRoutes(all) {
      const endpoints = project ? withoutAccounts(all, project) : all
      addAuthRoutes(endpoints, { signIn, ownPassword, profile, ownSessions, person })
      people.addRoutes(endpoints)
      addSignInRuleRoutes(endpoints, { rules: createSignInRules({ database }) })
      addHostedAuthRoutes(endpoints, {
        signIn,
        sessions,
        verification,
        ...external,
        keys,
        person,
        signups,
        allowsAnonymous: deps.allowsAnonymous,
        allowsPasskeys: deps.allowsPasskeys,
        phone: deps.phone,
        version,
      })
      addHostedFactorRoutes(endpoints, { ...secondFactor, person })
      addHostedPasskeyRoutes(endpoints, { ...passkeyParts, person })
      addHostedCodeRoutes(endpoints, { magicLinks, phoneRequests, mailedCodes, redirects })
      addHostedOAuthRoutes(endpoints, { ...external, redirects, publicUrl })
      addHostedSamlRoutes(endpoints, { ...external, redirects, publicUrl, clock })
      addHostedSsoRoutes(endpoints, external)
      addSsoProviderRoutes(endpoints, external)
      hostedAdmin.addRoutes(endpoints)
      addKeyRotationRoutes(endpoints, { rotation })
      const mailRequests = mailLinks.requests
      addHostedMailRoutes(endpoints, {
        signUp,
        phoneRequests,
        phoneVerification,
        mailRequests,
        verification,
        ownAccount,
        redirects,
        person,
        clock,
      })
    },
  }
}
