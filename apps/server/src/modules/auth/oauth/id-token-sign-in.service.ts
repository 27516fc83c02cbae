import { hash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type Clock, MINUTE_MS } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import { assertAdmitted } from '../accounts/admission.ts'
import { auditRefusedSignIn } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { IdentityLinks } from '../identities/identity-links.service.ts'
import type { IdentitySignIn } from '../identities/identity-sign-in.ts'
import type { ProvenIdentity } from '../identities/external-accounts.ts'
import { type AttemptLimits, judged } from '../rate-limit/attempt-limits.ts'
import { isFactorSetupDue } from '../sessions/guard.ts'
import type { IssuedSession, Sessions } from '../sessions/sessions.service.ts'
import { useMessage } from '../sign-in/used-messages.queries.ts'
import { identityOf } from './oauth-sign-in.service.ts'
import type { ForeignIdToken, Provider } from './providers/provider.ts'
import type { RefusedIdentities } from './refused-identities.ts'

export interface IdTokenCredentials extends ForeignIdToken {
  /** The name of the provider in our settings. If it is empty, `clientId` and `issuer` determine the provider. */
  provider: string
  clientId: string
  issuer: string
}

/** Sign-in with an ID token that a program obtained from a provider. */
export interface IdTokenSignIn {
  /**
   * Opens a session. Throws ID_TOKEN_DISABLED, ID_TOKEN_INVALID, NONCE_MISMATCH, PROVIDER_FAILED,
   * TOO_MANY_SIGN_INS, and the errors of `IdentitySignIn.open`.
   */
  signIn(credentials: IdTokenCredentials, device: Device): Promise<IssuedSession>
  /**
   * Links the identity to the account of an access token, and keeps the session of that token. Throws the
   * errors of the guard and of `IdentityLinks`.
   */
  link(credentials: IdTokenCredentials, accessToken: string, device: Device): Promise<IssuedSession>
}

/** How long a token is still accepted after it has expired. */
const LEEWAY_MS = MINUTE_MS
/** The number of characters of an issuer's name that an error message shows. */
const ISSUER_SHOWN = 100

/** Errors that count as wrong attempts. */
const WRONG: readonly string[] = ['ID_TOKEN_INVALID', 'NONCE_MISMATCH']

/** Returns the claims of a token without verifying them. Returns null if the text is not a token. */
function claimsIn(idToken: string): ReturnType<typeof decodeJwt> | null {
  try {
    return decodeJwt(idToken)
  } catch {
    return null
  }
}

/**
 * Marks a token as used until it expires, so that nobody can use a token again that appeared in a log or an address.
 * Stores a hash of the token without its signature, because one signature can be encoded in several ways.
 */
async function useIdToken(tx: TransactionSql, idToken: string): Promise<void> {
  const signed = idToken.slice(0, idToken.lastIndexOf('.'))
  const endsAt = new Date((decodeJwt(idToken).exp ?? 0) * 1000 + LEEWAY_MS)
  if (!(await useMessage(tx, hash('sha256', `id-token\n${signed}`, 'base64url'), endsAt)))
    throw new AppError('ID_TOKEN_INVALID', { detail: 'used before' })
}

export function createIdTokenSignIn(deps: {
  database: Database
  clock: Clock
  log: ServiceLog
  providers: readonly Provider[]
  /** Limits wrong tokens. */
  limits: AttemptLimits
  sessions: Sessions
  identitySignIn: IdentitySignIn
  identityLinks: IdentityLinks
  refusals: RefusedIdentities
}): IdTokenSignIn {
  const { database, clock, log, providers, limits, sessions, identitySignIn, identityLinks, refusals } = deps

  const findProvider = ({ provider: name, clientId, issuer }: IdTokenCredentials) =>
    name === ''
      ? providers.find(
          (each) => each.clientIds.includes(clientId) && each.issuer === issuer.replace(/\/$/, ''),
        )
      : providers.find((each) => each.name === name)

  const verifierFor = (credentials: IdTokenCredentials) => {
    const { provider: name, clientId, issuer, idToken } = credentials
    if (idToken === '') throw new AppError('ID_TOKEN_INVALID', { text: 'id_token required' })
    if (name === '' && (clientId === '' || issuer === ''))
      throw new AppError('ID_TOKEN_INVALID', { text: 'provider or client_id and issuer required' })
    const provider = findProvider(credentials)
    if (provider?.verifyIdToken) return { provider, verify: provider.verifyIdToken }
    const shown = (issuer || claimsIn(idToken)?.iss || name).slice(0, ISSUER_SHOWN)
    throw new AppError('ID_TOKEN_DISABLED', { text: `Provider (issuer "${shown}") is not enabled` })
  }

  const prove = async (credentials: IdTokenCredentials, device: Device): Promise<ProvenIdentity> => {
    const { provider, verify } = verifierFor(credentials)
    let wrong: AppError | null = null
    const attempt = {
      key: 'id-token',
      ip: device.ip,
      onWrong: (tx: Parameters<typeof auditRefusedSignIn>[0]) =>
        auditRefusedSignIn(tx, { account: null, reason: 'wrong_id_token' }, device, clock.now()),
    }
    const profile = await judged(limits, attempt, async () => {
      try {
        // Refuse a text that is not a token before calling the provider. So the error is right even while the provider
        // is unreachable.
        if (claimsIn(credentials.idToken) === null) throw new AppError('ID_TOKEN_INVALID')
        return await verify(credentials)
      } catch (error) {
        if (error instanceof AppError && WRONG.includes(error.code)) {
          wrong = error
          return null
        }
        log.warn({ err: error }, 'a sign-in provider failed')
        throw new AppError('PROVIDER_FAILED', { cause: error })
      }
    })
    if (profile === null) throw wrong ?? new AppError('ID_TOKEN_INVALID')
    return identityOf(provider, profile)
  }

  /** Checks an access token like the guard, which does not check it at this public endpoint. */
  const authenticate = async (accessToken: string, device: Device): Promise<UserPrincipal> => {
    if (accessToken === '') throw new AppError('UNAUTHENTICATED')
    const principal = await sessions.authenticate(accessToken, device)
    if (principal.isSecondFactorDue) throw new AppError('SECOND_FACTOR_REQUIRED')
    if (principal.user.password_change_required) throw new AppError('PASSWORD_CHANGE_REQUIRED')
    if (isFactorSetupDue(principal)) throw new AppError('SECOND_FACTOR_SETUP_REQUIRED')
    identityLinks.assertAllowed(principal)
    return principal
  }

  /**
   * Runs `action`. If it is refused, records and counts the refusal. `accountId` is the account to which the identity
   * was to be linked.
   */
  const noted = async <T>(action: () => Promise<T>, accountId: string | null, device: Device): Promise<T> => {
    try {
      return await action()
    } catch (error) {
      await refusals.note(error, accountId, device)
      throw error
    }
  }

  return {
    async link(credentials, accessToken, device) {
      const principal = await authenticate(accessToken, device)
      const proven = await prove(credentials, device)
      const linkIdentity = async (tx: TransactionSql) => {
        await useIdToken(tx, credentials.idToken)
        return identityLinks.link(tx, principal, proven, { device, hasBegunElsewhere: false })
      }
      const { session, account } = await noted(
        () => database.transaction(linkIdentity),
        principal.accountId,
        device,
      )
      // An anonymous account may still have to wait for approval after the linking.
      assertAdmitted(account)
      return sessions.issue(session, account)
    },

    async signIn(credentials, device) {
      const proven = await prove(credentials, device)
      const useUp = (tx: TransactionSql) => useIdToken(tx, credentials.idToken)
      return noted(() => identitySignIn.open(proven, device, { method: 'oauth', useUp }), null, device)
    },
  }
}
