import { ANONYMOUS_ACTOR } from '../../../platform/actor.ts'
import { type Clock, SECOND_MS, addMs } from '../../../platform/clock.ts'
import type { Database, Queryable, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { findAccountSummary, presentCurrentUser } from '../../users/index.ts'
import { type AccountRow, getAccount } from '../accounts/accounts.queries.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import { lockUnchanged } from '../accounts/recheck-account.ts'
import { accountEntity, ownAuditContext, sessionEntity } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import { noteKnownMailAddress, noteSeenMailAddress } from '../accounts/known-mail-addresses.queries.ts'
import { addressKey } from '../rate-limit/attempt-limits.ts'
import type { AccessTokens } from './access-token.ts'
import { createLiveSessionLookUp } from './live-sessions.ts'
import type { RefreshTokens } from './refresh-token.ts'
import { endOf, hasExpired } from './session-life.ts'
import {
  type LiveSessionRow,
  type SessionRow,
  advanceSession,
  deleteSession,
  endSignIns,
  findReplacedAt,
  insertSession,
  lockSession,
} from './sessions.queries.ts'

const REUSE_INTERVAL_MS = 10 * SECOND_MS

export type LogoutScope = 'global' | 'local' | 'others'

/** The tokens of a person at the provider of the sign-in. Only the person's own client gets them. */
export interface ProviderTokens {
  accessToken: string
  refreshToken: string | null
}

/** The tokens for a client, and the account that they belong to. */
export interface IssuedSession {
  accessToken: string
  refreshToken: string
  /** The expiry of the access token as a Unix time in seconds. `expiresIn` is the number of seconds until then. */
  expiresAt: number
  expiresIn: number
  account: AccountRow
  /** The provider's tokens. Set only in the response to a sign-in through a provider. */
  provider?: ProviderTokens
}

/** A sign-in through an identity other than the account's own email address. */
export interface IdentityWay {
  method: string
  identityId: string
  /** The SAML provider, if one vouches for the person. */
  ssoProviderId?: string
  /** When the session ends, if the provider has set an end. */
  endsAt?: Date | null
}

/** The second factors of a person whose account is in a hosted project. */
export interface ProjectFactors {
  hasFactor: boolean
  /** Whether the access token was issued after the second step. */
  isRaised: boolean
}

export interface Sessions {
  /**
   * Opens a session for an account whose proof was checked. `way` is the sign-in method for the `amr` claim, or the
   * identity. Throws INVALID_CREDENTIALS if the password has changed since the check, or if the account may no longer
   * have sessions.
   */
  open(account: AccountRow, device: Device, way: string | IdentityWay): Promise<IssuedSession>
  /**
   * Like `open`, but in the transaction that uses up the proof. Issue the tokens only after the transaction has
   * committed.
   */
  openWithin(
    tx: TransactionSql,
    account: AccountRow,
    device: Device,
    way: string | IdentityWay,
  ): Promise<{ session: SessionRow; account: AccountRow }>
  /**
   * Exchanges a refresh token for new tokens. Within ten seconds, a used token returns the current tokens again. After
   * that, a second use ends the session. Throws one of the REFRESH_TOKEN_ errors or SESSION_EXPIRED.
   */
  refresh(token: string, device: Device): Promise<IssuedSession>
  /** Returns new tokens for a session in its current state. */
  issue(session: SessionRow, account: AccountRow): Promise<IssuedSession>
  /**
   * Returns the principal of an access token, with the current data of its account. Throws BAD_JWT, JWT_EXPIRED or
   * SESSION_NOT_FOUND.
   */
  authenticate(accessToken: string, device: Device): Promise<UserPrincipal>
  /**
   * Returns the principal of a session, with the current account and level. Returns null if the session has ended. If
   * `factors` is given, a hosted project instead of this server decides about the second step.
   */
  find(ids: { sessionId: string; accountId: string }, factors?: ProjectFactors): Promise<UserPrincipal | null>
  end(principal: UserPrincipal, scope: LogoutScope, device: Device): Promise<void>
}

type RefreshOutcome =
  | { kind: 'ok'; session: SessionRow; counter: number; account: AccountRow }
  | { kind: 'ended'; code: 'REFRESH_TOKEN_NOT_FOUND' | 'REFRESH_TOKEN_REUSED' | 'SESSION_EXPIRED' }

function principalOf(
  ids: { sessionId: string; accountId: string },
  person: LiveSessionRow,
  databaseState: string,
  isRaised: boolean,
): UserPrincipal {
  const { authenticated_at: authenticatedAt, needs_second_step: hasFactor } = person
  const isSecondFactorDue = hasFactor && !isRaised
  const isAnonymous = person.is_anonymous
  return {
    kind: 'user',
    ...ids,
    user: presentCurrentUser(person),
    authenticatedAt,
    isSecondFactorDue,
    isAnonymous,
    databaseState,
  }
}

export function createSessions(deps: {
  database: Database
  clock: Clock
  accessTokens: AccessTokens
  refreshTokens: RefreshTokens
}): Sessions {
  const { database, clock, accessTokens, refreshTokens } = deps

  const lookUpSession = createLiveSessionLookUp({ database, clock })

  /** Returns the session if it is valid and belongs to the account. Returns null otherwise. */
  const findLive = async ({ sessionId, accountId }: { sessionId: string; accountId: string }) => {
    const found = await lookUpSession(sessionId)
    return found?.row.account_id === accountId ? found : null
  }

  const issue = async (session: SessionRow, counter: number, account: AccountRow): Promise<IssuedSession> => {
    const { token, expiresAt, expiresIn } = await accessTokens.sign({
      endsAt: endOf(session),
      accountId: account.id,
      sessionId: session.id,
      email: account.has_email ? account.email : (account.sso_email ?? ''),
      phone: account.phone ?? '',
      isAnonymous: account.is_anonymous,
      aal: session.aal,
      amr: session.amr,
      appMetadata: account.app_metadata,
      userMetadata: account.user_metadata,
    })
    const refreshToken = refreshTokens.issue(session.id, counter)
    return { accessToken: token, refreshToken, expiresAt, expiresIn, account }
  }

  /**
   * Locks the session and decides whether to refresh it. Returns the decision instead of throwing an error, because the
   * end of a session must be committed.
   */
  const decideRefresh = async (
    tx: Queryable,
    { sessionId, counter }: { sessionId: string; counter: number },
    device: Device,
  ): Promise<RefreshOutcome> => {
    const now = clock.now()
    const session = await lockSession(tx, sessionId)
    if (!session) return { kind: 'ended', code: 'REFRESH_TOKEN_NOT_FOUND' }
    const endWith = async (code: 'REFRESH_TOKEN_NOT_FOUND' | 'REFRESH_TOKEN_REUSED' | 'SESSION_EXPIRED') => {
      await deleteSession(tx, { id: session.id, accountId: session.account_id })
      return { kind: 'ended', code } as const
    }
    if (hasExpired(session, now)) return endWith('SESSION_EXPIRED')
    const person = await findAccountSummary(tx, session.account_id)
    if (!person?.is_active) return endWith('REFRESH_TOKEN_NOT_FOUND')
    const account = await getAccount(tx, session.account_id)
    if (counter === session.refresh_counter) {
      await noteSeenMailAddress(tx, account.id, { address: addressKey(device.ip), now })
      return { kind: 'ok', session, counter: await advanceSession(tx, session, now), account }
    }
    const replacedAt = await findReplacedAt(tx, session.id, counter)
    const isRace = replacedAt !== null && addMs(new Date(replacedAt), REUSE_INTERVAL_MS) >= now
    // A token from before the second step is refused even within the ten seconds. Another tab of the same person may
    // have sent it, so the session continues.
    if (isRace && counter < session.raised_from_counter)
      return { kind: 'ended', code: 'REFRESH_TOKEN_NOT_FOUND' }
    if (isRace) return { kind: 'ok', session, counter: session.refresh_counter, account }
    // Two clients have the same token. Either of them may have stolen it, so the session ends.
    const reuse = { ...sessionEntity(session.id, person), after: { reason: 'refresh_token_reused' } }
    await writeAudit(tx, { action: 'session.ended', ...reuse }, { actor: ANONYMOUS_ACTOR, now, from: device })
    return endWith('REFRESH_TOKEN_REUSED')
  }

  const openWithin: Sessions['openWithin'] = async (tx, proven, device, way) => {
    // The check of a password takes a while, so the password may have been changed in the meantime.
    if (!(await lockUnchanged(tx, proven))) throw new AppError('INVALID_CREDENTIALS')
    const now = clock.now()
    const found = typeof way === 'string' ? { method: way, identityId: null } : way
    const { method } = found
    const [opened, person] = await Promise.all([
      insertSession(tx, { accountId: proven.id, ...found, ...device, now }),
      getAccountSummary(tx, proven.id),
      noteKnownMailAddress(tx, proven.id, { address: addressKey(device.ip), now }),
    ])
    const event = { ...sessionEntity(opened.session.id, person), after: { method } }
    await writeAudit(tx, { action: 'session.opened', ...event }, ownAuditContext(person, device, now))
    return opened
  }

  return {
    async open(proven, device, way) {
      const { session, account } = await database.transaction((tx) => openWithin(tx, proven, device, way))
      return issue(session, 0, account)
    },

    openWithin,

    async refresh(token, device) {
      const ids = refreshTokens.read(token)
      const outcome = await database.transaction((tx) => decideRefresh(tx, ids, device))
      if (outcome.kind === 'ended') throw new AppError(outcome.code)
      return issue(outcome.session, outcome.counter, outcome.account)
    },

    issue: (session, account) => issue(session, session.refresh_counter, account),

    async authenticate(accessToken) {
      const { aal, ...ids } = await accessTokens.verify(accessToken)
      const found = await findLive(ids)
      if (!found) throw new AppError('SESSION_NOT_FOUND')
      // Check both levels. The token may be from before the second step, and the session may have lost its factor since
      // then.
      return principalOf(ids, found.row, found.databaseState, aal === 'aal2' && found.row.aal === 'aal2')
    },

    async find(ids, factors) {
      const found = await findLive(ids)
      if (!found) return null
      const { row, databaseState } = found
      return factors
        ? principalOf(ids, { ...row, needs_second_step: factors.hasFactor }, databaseState, factors.isRaised)
        : principalOf(ids, row, databaseState, row.aal === 'aal2')
    },

    async end({ accountId, sessionId, user }, scope, device) {
      await database.transaction(async (tx) => {
        const ended =
          scope === 'local'
            ? Number(await deleteSession(tx, { id: sessionId, accountId }))
            : await endSignIns(tx, accountId, scope === 'others' ? sessionId : null)
        // The session has already ended, for example by a sign-out in another tab.
        if (ended === 0) return
        const thing = scope === 'local' ? sessionEntity(sessionId, user) : accountEntity(user)
        const event = { ...thing, after: { scope, ended_sessions: ended } }
        await writeAudit(
          tx,
          { action: 'session.ended', ...event },
          ownAuditContext(user, device, clock.now()),
        )
      })
    },
  }
}
