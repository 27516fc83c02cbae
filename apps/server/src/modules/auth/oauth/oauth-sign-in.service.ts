import { createHmac, hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { ErrorCode } from '@pegasus/contracts/errors'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { RootSecret } from '../../../platform/root-secret.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { assertAdmitted, isAdmitted } from '../accounts/admission.ts'
import { auditRefusedSignIn } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { AdmittedIdentity, ProvenIdentity } from '../identities/external-accounts.ts'
import type { IdentityLinks } from '../identities/identity-links.service.ts'
import type { IdentitySignIn } from '../identities/identity-sign-in.ts'
import { type CodeChallenge, challengeIn, insertFlowState, issueAuthCode } from '../mail-links/flow-states.ts'
import { type Attempt, type AttemptLimits, judged } from '../rate-limit/attempt-limits.ts'
import type { IssuedSession, ProviderTokens, Sessions } from '../sessions/sessions.service.ts'
import type { Provider, RoundTrip } from './providers/provider.ts'
import type { PendingLinks } from './pending-links.ts'
import type { ProviderProfile } from './providers/provider-profile.ts'
import type { RefusedIdentities } from './refused-identities.ts'
import { createTokenSeal } from './token-seal.ts'
import {
  type Beginner,
  type OAuthStateRow,
  insertOAuthState,
  isStateUsed,
  takeOAuthState,
} from './oauth-states.queries.ts'

/** The stored state of a visit to a provider that links an identity to an account. */
type LinkStateRow = OAuthStateRow & { account_id: string; session_id: string }

export interface OAuthBeginning {
  provider: string
  redirectTo: string | null
  challenge: CodeChallenge | null
  scopes: readonly string[]
  /** Parameters to pass on to the provider. Parameters that the protocol itself uses are ignored. */
  passed: Readonly<Record<string, string>>
}

/** The parameters that a provider adds to the callback address. */
export interface OAuthReturn {
  state: string
  code: string | null
  error: string | null
  errorDescription: string | null
  /** The issuer that the provider states, if it states one (RFC 9207). */
  issuer: string | null
}

export type OAuthResult =
  | { kind: 'session'; session: IssuedSession }
  /** The client sent a code challenge, and exchanges this code for the session. */
  | { kind: 'code'; authCode: string }

/** The result of a sign-in at a provider. `redirectTo` is the page on which the client is waiting for it. */
export interface OAuthOutcome {
  redirectTo: string | null
  /** The error is returned rather than thrown, because the redirect reports it to the client. */
  result: OAuthResult | { kind: 'failed'; error: unknown }
}

/** Sign-in through the configured providers. */
export interface OAuthSignIn {
  readonly providers: readonly Provider[]
  /**
   * Begins a sign-in and returns the provider's address for the browser. `browser` is the value of the browser's
   * cookie. Throws OAUTH_DISABLED or PROVIDER_FAILED.
   */
  begin(beginning: OAuthBeginning, by: { browser: string }): Promise<string>
  /**
   * Like `begin`, but links an identity to the account of a signed-in person. `browser` is null for a program without a
   * cookie. Such a program must send a code challenge, and the identity is linked when the program exchanges the code.
   * Also throws MANUAL_LINKING_DISABLED, or REQUEST_INCOMPLETE if the challenge is missing.
   */
  beginLink(
    beginning: OAuthBeginning,
    principal: UserPrincipal,
    by: { browser: string | null },
  ): Promise<string>
  /**
   * Finishes a sign-in after the provider has redirected the browser back. Throws OAUTH_STATE_MISSING,
   * OAUTH_STATE_INVALID or OAUTH_STATE_USED if no client is waiting for this browser.
   */
  finish(returned: OAuthReturn, browser: string | null, device: Device): Promise<OAuthOutcome>
}

/** Returns a random cookie value that identifies a browser. */
export const newBrowserText = (): string => randomBytes(24).toString('base64url')

const hashText = (text: string): string => hash('sha256', text, 'base64url')

/** Returns the hash under which a state is stored if only the browser with this cookie may use it. */
const boundHash = (state: string, browser: string): string => hashText(`${state}\n${browser}`)

const ERROR_MAX_LENGTH = 200

/** Makes a provider's message safe to show on a page: only printable ASCII, and at most 200 characters. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, ' ').slice(0, ERROR_MAX_LENGTH)

const creationErrorOf = ({ email, isEmailVerified }: ProviderProfile): ErrorCode | null => {
  if (email === null) return 'PROVIDER_EMAIL_MISSING'
  return isEmailVerified ? null : 'PROVIDER_EMAIL_UNVERIFIED'
}

/**
 * Converts a profile to an identity. If the provider has not verified the address, the identity can neither be linked
 * to an account by its address nor create an account.
 */
export function identityOf(provider: Provider, profile: ProviderProfile): ProvenIdentity {
  const { subject, data, email, isEmailVerified } = profile
  return {
    provider: provider.name,
    label: provider.label,
    subject,
    data,
    name: email ?? provider.name,
    verifiedEmail: isEmailVerified ? email : null,
    creationError: creationErrorOf(profile),
  }
}

export function createOAuthSignIn(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  log: ServiceLog
  publicUrl: string
  providers: readonly Provider[]
  sessions: Pick<Sessions, 'issue' | 'openWithin'>
  identitySignIn: IdentitySignIn
  identityLinks: IdentityLinks
  /** Limits codes that the provider rejects, and states that were never issued. */
  limits: AttemptLimits
  refusals: RefusedIdentities
  pendingLinks: PendingLinks
}): OAuthSignIn {
  const {
    database,
    clock,
    secret,
    log,
    publicUrl,
    providers,
    sessions,
    identitySignIn,
    identityLinks,
    limits,
    refusals,
    pendingLinks,
  } = deps
  const tripKey = secret.deriveKey('oauth-round-trips')
  const tokenSeal = createTokenSeal(secret)

  const getProvider = (name: string): Provider => {
    const provider = providers.find((each) => each.name === name)
    if (!provider) throw new AppError('OAUTH_DISABLED')
    return provider
  }

  /**
   * Derives the secrets of a sign-in from its state, so that only a hash of the state needs to be stored.
   */
  const tripOf = (state: string, { name, redirectUri }: Provider): RoundTrip => {
    const derive = (purpose: string): string =>
      createHmac('sha256', tripKey).update(`${purpose}/${name}/${state}`).digest('base64url')
    return {
      state,
      redirectUri: redirectUri ?? `${publicUrl}/auth/v1/callback`,
      verifier: derive('verifier'),
      nonce: derive('nonce'),
    }
  }

  const failed = (cause: unknown): AppError => {
    log.warn({ err: cause }, 'a sign-in provider failed')
    return new AppError('PROVIDER_FAILED', { cause })
  }

  /**
   * Stores a new state and returns the provider's address. For a link, `boundTo` is the cookie of the browser that
   * began it, and the stored hash depends on it. For a sign-in, the browser has its own column instead.
   */
  const beginBy = async (
    { provider: name, ...beginning }: OAuthBeginning,
    by: Beginner,
    boundTo: string | null = null,
  ): Promise<string> => {
    const provider = getProvider(name)
    const state = randomUUID()
    const { redirectTo, challenge, scopes, passed } = beginning
    let url: string
    try {
      url = await provider.authorizeUrl(tripOf(state, provider), { scopes, passed })
    } catch (error) {
      throw failed(error)
    }
    const stateHash = boundTo === null ? hashText(state) : boundHash(state, boundTo)
    const begun = { stateHash, provider: name, redirectTo, challenge, by }
    await insertOAuthState(database.sql, begun, clock.now())
    return url
  }

  const isBrowserOf = ({ browser_hash: expected }: OAuthStateRow, browser: string | null): boolean => {
    if (expected === null) return true
    return browser !== null && timingSafeEqual(Buffer.from(hashText(browser)), Buffer.from(expected))
  }

  /**
   * Looks up a state by its hash. Tries the hash of the state alone, which sign-ins and links of programs use. Then
   * tries the hash that includes the cookie, which links of this browser use.
   */
  const findHash = async <T>(
    state: string,
    browser: string | null,
    find: (stateHash: string) => Promise<T>,
  ): Promise<T> => {
    const found = await find(hashText(state))
    return found || browser === null ? found : find(boundHash(state, browser))
  }

  const takeState = async (state: string, browser: string | null, device: Device): Promise<OAuthStateRow> => {
    if (state === '') throw new AppError('OAUTH_STATE_MISSING')
    const row = await findHash(state, browser, (each) => takeOAuthState(database.sql, each, clock.now()))
    if (row === null) {
      if (await findHash(state, browser, (each) => isStateUsed(database.sql, each)))
        throw new AppError('OAUTH_STATE_USED')
      // Count this attempt towards the rate limit, because somebody may be guessing states.
      await limits.count({ key: 'oauth', ip: device.ip })
      throw new AppError('OAUTH_STATE_INVALID')
    }
    // Somebody else began this sign-in and sent the callback link. It would sign the person in to that somebody's
    // account.
    if (!isBrowserOf(row, browser)) {
      const error = new AppError('OAUTH_STATE_INVALID', { detail: 'begun in another browser' })
      await refusals.note(error, null, device)
      throw error
    }
    return row
  }

  /** Returns the attempt to count for the rate limit. A code that the provider rejects counts as wrong. */
  const attemptFrom = (device: Device): Attempt => ({
    key: 'oauth',
    ip: device.ip,
    onWrong: (tx) =>
      auditRefusedSignIn(tx, { account: null, reason: 'provider_failed' }, device, clock.now()),
  })

  const prove = async (row: OAuthStateRow, returned: OAuthReturn, device: Device) => {
    const { state, code, error, errorDescription, issuer } = returned
    const provider = getProvider(row.provider)
    if (error !== null)
      throw new AppError(error === 'access_denied' ? 'PROVIDER_DENIED' : 'PROVIDER_REFUSED', {
        text: printable(errorDescription ?? error),
      })
    if (issuer !== null && issuer.replace(/\/$/, '') !== provider.issuer && row.provider !== 'azure')
      throw new AppError('PROVIDER_FAILED', { detail: 'the browser comes from another provider' })
    if (code === null) throw new AppError('OAUTH_CODE_MISSING')
    let fault: unknown = null
    const exchanged = await judged(limits, attemptFrom(device), async () => {
      try {
        return await provider.exchange(code, tripOf(state, provider))
      } catch (cause) {
        fault = cause
        return null
      }
    })
    if (exchanged === null) throw failed(fault)
    return { proven: identityOf(provider, exchanged.profile), tokens: exchanged.tokens }
  }

  /** Issues the code that the client will exchange. Stores the provider's tokens with it, encrypted. */
  const issueCode = async (
    tx: TransactionSql,
    { account, identityId }: AdmittedIdentity,
    { challenge, tokens }: { challenge: CodeChallenge; tokens: ProviderTokens },
  ): Promise<string> => {
    const now = clock.now()
    const providerTokensSealed = tokenSeal.seal(tokens)
    const flow = { accountId: account.id, method: 'oauth', challenge, identityId, providerTokensSealed, now }
    return issueAuthCode(tx, await insertFlowState(tx, flow), now)
  }

  const signIn = async (row: OAuthStateRow, returned: OAuthReturn, device: Device): Promise<OAuthResult> => {
    const { proven, tokens } = await prove(row, returned, device)
    const challenge = challengeIn(row)
    if (challenge === null) {
      const session = await identitySignIn.open(proven, device, { method: 'oauth' })
      return { kind: 'session', session: { ...session, provider: tokens } }
    }
    const authCode = await identitySignIn.admit(proven, device, {
      use: (tx, opened) => issueCode(tx, opened, { challenge, tokens }),
    })
    return { kind: 'code', authCode }
  }

  /**
   * Links the identity to the account that began the link. Without a code challenge, the session in which the link
   * began continues. An anonymous account instead gets a new session, and only in the browser that returned. Otherwise
   * the person who began the link could send the provider's address to somebody else and share that person's account.
   */
  const link = async (row: LinkStateRow, returned: OAuthReturn, device: Device): Promise<OAuthResult> => {
    const { proven, tokens } = await prove(row, returned, device)
    const challenge = challengeIn(row)
    const linker = { accountId: row.account_id, sessionId: row.session_id }
    const { account, session, authCode } = await database.transaction(async (tx) => {
      const linked = await identityLinks.link(tx, linker, proven, { device, hasBegunElsewhere: true })
      if (challenge) return { ...linked, authCode: await issueCode(tx, linked, { challenge, tokens }) }
      const opensSession = linked.wasAnonymous && isAdmitted(linked.account)
      const way = { method: 'oauth', identityId: linked.identityId }
      const opened = opensSession ? await sessions.openWithin(tx, linked.account, device, way) : linked
      return { ...opened, authCode: null }
    })
    if (authCode !== null) return { kind: 'code', authCode }
    // An anonymous account may still have to wait for approval after the linking.
    assertAdmitted(account)
    return { kind: 'session', session: { ...(await sessions.issue(session, account)), provider: tokens } }
  }

  /**
   * Stores the proven identity until the person who began the link exchanges the code. If the identity were linked at
   * once, that person could send somebody else to the provider and get the other person's identity.
   */
  const postponeLink = async (
    row: LinkStateRow,
    returned: OAuthReturn,
    device: Device,
  ): Promise<OAuthResult> => {
    const { proven, tokens } = await prove(row, returned, device)
    const challenge = challengeIn(row)
    if (challenge === null)
      throw new AppError('OAUTH_STATE_INVALID', { detail: 'an unbound link without PKCE' })
    const flow = {
      accountId: row.account_id,
      method: 'oauth',
      challenge,
      providerTokensSealed: tokenSeal.seal(tokens),
      linkSealed: pendingLinks.seal({ sessionId: row.session_id, proven }),
      now: clock.now(),
    }
    const authCode = await database.transaction(async (tx) =>
      issueAuthCode(tx, await insertFlowState(tx, flow), flow.now),
    )
    return { kind: 'code', authCode }
  }

  const isLink = (row: OAuthStateRow): row is LinkStateRow =>
    row.account_id !== null && row.session_id !== null

  const complete = (row: OAuthStateRow, returned: OAuthReturn, device: Device): Promise<OAuthResult> => {
    if (!isLink(row)) return signIn(row, returned, device)
    const isBound = row.state_hash !== hashText(returned.state)
    return isBound ? link(row, returned, device) : postponeLink(row, returned, device)
  }

  return {
    providers,
    async beginLink(beginning, principal, { browser }) {
      identityLinks.assertAllowed(principal)
      if (browser === null && beginning.challenge === null)
        throw new AppError('REQUEST_INCOMPLETE', {
          text: 'Linking from a page of another origin requires code_challenge and code_challenge_method',
        })
      const { accountId, sessionId } = principal
      return beginBy(beginning, { browserHash: null, link: { accountId, sessionId } }, browser)
    },
    begin: (beginning, { browser }) => beginBy(beginning, { browserHash: hashText(browser), link: null }),

    async finish(returned, browser, device) {
      const row = await takeState(returned.state, browser, device)
      const redirectTo = row.redirect_to
      try {
        return { redirectTo, result: await complete(row, returned, device) }
      } catch (error) {
        await refusals.note(error, row.account_id, device)
        return { redirectTo, result: { kind: 'failed', error } }
      }
    },
  }
}
