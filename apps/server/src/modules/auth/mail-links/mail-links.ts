import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { MailTransport } from '../../../platform/mail/mail.ts'
import { type UpgradeAnonymous, createAnonymousUpgrade } from '../accounts/anonymous-upgrade.ts'
import type { AttemptKind, AttemptLimitOptions, AttemptLimits } from '../rate-limit/attempt-limits.ts'
import type { TakeOver } from '../take-over/take-over.ts'
import type { ProviderTokens, Sessions } from '../sessions/sessions.service.ts'
import { type AccountMails, createAccountMails } from './account-mails.ts'
import { type ChangeEmail, createEmailChange } from './email-change.ts'
import { type MailRequests, createMailRequests } from './mail-requests.service.ts'
import { type MailedCodes, type PhoneReauthentication, createMailedCodes } from './mailed-codes.service.ts'
import type { OneTimeTokens } from './one-time-tokens.ts'
import { type Redirects, createRedirects } from './redirects.ts'
import { type Verification, createVerification } from './verification.service.ts'

/** The functions with which people request and use links and codes in emails. */
export interface MailLinks {
  mails: AccountMails
  redirects: Redirects
  tokens: OneTimeTokens
  requests: MailRequests
  verification: Verification
  changeEmail: ChangeEmail
  mailedCodes: MailedCodes
  upgradeAnonymous: UpgradeAnonymous
}

export function createMailLinks(deps: {
  database: Database
  clock: Clock
  tokens: OneTimeTokens
  phones: PhoneReauthentication
  publicUrl: string
  /** Patterns for addresses at other origins to which links may lead. */
  allowedRedirects: readonly string[]
  transport: MailTransport
  /** The minimum time between two emails of the same kind to one address. */
  intervalMs: number
  sessions: Sessions
  /** Whether a person with a verified address needs no approval. */
  approvesSignUps: boolean
  limitsOf(kind: AttemptKind, options?: AttemptLimitOptions): AttemptLimits
  takeOver: TakeOver
  openProviderTokens: (sealed: string) => ProviderTokens
}): MailLinks {
  const { database, clock, tokens, phones, publicUrl, transport, intervalMs, sessions, limitsOf } = deps
  const redirects = createRedirects(publicUrl, deps.allowedRedirects)
  const mails = createAccountMails({
    transport,
    tokens,
    redirects,
    publicUrl,
    database,
    clock,
    intervalMs,
    limitsOf,
  })
  const upgradeAnonymous = createAnonymousUpgrade(deps)
  const codeLimits = limitsOf({ name: 'mail-code', refusal: 'TOO_MANY_SIGN_INS' })
  const requestLimits = limitsOf({ name: 'mail', refusal: 'TOO_MANY_REQUESTS' })
  return {
    mails,
    upgradeAnonymous,
    redirects,
    tokens,
    requests: createMailRequests({ mails, limits: requestLimits }),
    verification: createVerification({
      database,
      clock,
      sessions,
      tokens,
      upgradeAnonymous,
      takeOver: deps.takeOver,
      openProviderTokens: deps.openProviderTokens,
      limits: codeLimits,
    }),
    changeEmail: createEmailChange({ clock, mails, upgradeAnonymous }),
    mailedCodes: createMailedCodes({ database, clock, mails, tokens, phones, codeLimits, requestLimits }),
  }
}
