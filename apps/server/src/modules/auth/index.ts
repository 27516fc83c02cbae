import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Endpoints, Guard } from '../../platform/http/endpoints.ts'
import type { PathSigner } from '../../platform/http/signed-path.ts'
import type { RootSecret } from '../../platform/secrets/root-secret.ts'
import type { MailTransport } from '../../platform/mail/mail.ts'
import type { ServiceLog } from '../../platform/service-log.ts'
import { createAccessTokens } from './access-token.ts'
import { createAccountChanges } from './account-changes.service.ts'
import { addAccountRoutes } from './accounts.routes.ts'
import { createAccounts } from './accounts.service.ts'
import { addAuthRoutes } from './auth.routes.ts'
import { createEmailChange } from './email-change.ts'
import { type KeyGuard, createGuard } from './guard.ts'
import { addHostedAuthRoutes } from './hosted-auth.routes.ts'
import { addHostedMailRoutes } from './hosted-mail.routes.ts'
import { createMailRequests } from './mail-requests.service.ts'
import { createOneTimeTokens } from './one-time-tokens.ts'
import { createOwnAccount } from './own-account.service.ts'
import { createOwnPassword } from './own-password.service.ts'
import { createOwnSessions } from './own-sessions.service.ts'
import { type Owner, createOwner } from './owner.ts'
import { createPasswordHashing } from './password-hashing.ts'
import { createPasswordResets } from './password-reset.service.ts'
import { createProfile } from './profile.service.ts'
import { createPurge } from './purge.service.ts'
import { createRedirects } from './redirects.ts'
import { createRefreshTokens } from './refresh-token.ts'
import { type Refusals, createRefusals } from './refusals.service.ts'
import { createSecondFactor } from './second-factor.ts'
import { createSessions } from './sessions.service.ts'
import { type AttemptKind, type SignInLimitOptions, createSignInLimits } from './sign-in-limits.ts'
import { createSignIn } from './sign-in.service.ts'
import { type SignUpMode, createSignUp } from './sign-up.service.ts'
import { createSignedInPerson } from './signed-in-person.service.ts'
import { loadSigningKeys } from './signing-keys.ts'
import { createTokenMails } from './token-mails.ts'
import { createVerification } from './verification.service.ts'

export { isCommonPassword } from './common-passwords.ts'
export type { KeyGuard } from './guard.ts'
export type { OwnerSettings, OwnerSignIn } from './owner.ts'
export type { Refusals } from './refusals.service.ts'

/** Sign-ups, requests for mail and wrong codes in 15 minutes from one address: an office may share one. */
const OPEN_DOOR_LIMITS: SignInLimitOptions = { perAccountAndAddress: 60, perAddress: 60 }

export interface Auth {
  guard: Guard
  owner: Owner
  /** Has refusals written down that only the work of another module can see. */
  refusals: Refusals
  addRoutes(endpoints: Endpoints): void
  /** Clears away sessions, links and counts that have ended; to be called every hour or so. */
  purge(): Promise<void>
  /** Writes what was noted beside the requests; to be called once there are no more of them. */
  close(): Promise<void>
}

/** Accounts, sessions and sign-in. Throws StartupError where the root secret does not fit the database. */
export async function createAuth(deps: {
  database: Database
  clock: Clock
  secret: RootSecret
  signer: PathSigner
  publicUrl: string
  signups: SignUpMode
  mail: MailTransport
  /** Those who come with an API key instead of a session. */
  keys: KeyGuard
  version: string
  log: ServiceLog
  limits: SignInLimitOptions
  /** Between two mails of a kind to an address. */
  mailIntervalMs: number
}): Promise<Auth> {
  const { database, clock, secret, version, publicUrl, signups } = deps
  const [keys, hashing] = await Promise.all([loadSigningKeys(database, secret), createPasswordHashing()])
  const accessTokens = createAccessTokens({ keys, publicUrl, clock })
  const refreshTokens = createRefreshTokens(secret.deriveKey('refresh-tokens'))
  const sessions = createSessions({ database, clock, accessTokens, refreshTokens })
  const limits = createSignInLimits({ database, clock }, deps.limits)
  const passwords = createOwnPassword({ database, clock, hashing, limits })
  const ownSessions = createOwnSessions({ database, clock, log: deps.log })
  const refusals = createRefusals({ database, clock })

  const limitsOf = (kind: AttemptKind) => createSignInLimits({ database, clock }, OPEN_DOOR_LIMITS, kind)
  const redirects = createRedirects(publicUrl)
  const tokens = createOneTimeTokens(secret.deriveKey('mail-codes'))
  const mails = createTokenMails({
    transport: deps.mail,
    tokens,
    redirects,
    publicUrl,
    clock,
    intervalMs: deps.mailIntervalMs,
  })
  const verification = createVerification({
    database,
    clock,
    sessions,
    tokens,
    limits: limitsOf({ name: 'mail-code', refusal: 'TOO_MANY_SIGN_INS' }),
  })
  const signUp = createSignUp({
    mode: signups,
    database,
    clock,
    hashing,
    sessions,
    mails,
    limits: limitsOf({ name: 'sign-up', refusal: 'TOO_MANY_REQUESTS' }),
  })
  const secondFactor = createSecondFactor({
    database,
    clock,
    secret,
    sessions,
    mails,
    refusals,
    publicUrl,
    limitsOf: (kind) => createSignInLimits({ database, clock }, deps.limits, kind),
  })
  const verifyFactorCode = secondFactor.verifyCode
  const signIn = createSignIn({ database, clock, passwords, sessions, verifyFactorCode })
  const mailLimits = limitsOf({ name: 'mail', refusal: 'TOO_MANY_REQUESTS' })
  const mailRequests = createMailRequests({ database, mails, limits: mailLimits })
  const changeEmail = createEmailChange({ clock, mails })
  const ownAccount = createOwnAccount({ database, clock, hashing, passwords, changeEmail })
  const profile = createProfile({ database, clock, changeEmail })
  const accounts = createAccounts({ database, clock, hashing, mails })
  const changes = createAccountChanges({ database, mails })
  const resets = createPasswordResets({ database, hashing, mails })

  const person = createSignedInPerson({ database, clock })

  return {
    close: () => ownSessions.close(),
    purge: createPurge({ database, clock, mailIntervalMs: deps.mailIntervalMs }),
    guard: createGuard({ sessions, ownSessions, keys: deps.keys, refusals, signer: deps.signer, clock }),
    refusals,
    owner: createOwner({ database, clock, secret, hashing }),
    addRoutes(endpoints) {
      addAuthRoutes(endpoints, { signIn, passwords, profile, ownSessions, person })
      addAccountRoutes(endpoints, {
        accounts,
        changes,
        resets,
        refusals,
        fingerprintKey: secret.deriveKey('request-fingerprints'),
        clock,
      })
      addHostedAuthRoutes(endpoints, { signIn, sessions, verification, keys, person, signups, version })
      secondFactor.addRoutes(endpoints, person)
      addHostedMailRoutes(endpoints, {
        signUp,
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
