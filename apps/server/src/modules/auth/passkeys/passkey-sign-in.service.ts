import type { CredentialAnswer, RequestOptions } from '@pegasus/contracts/auth/webauthn'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type AccountRow, lockAccount } from '../accounts/accounts.queries.ts'
import { admissionError } from '../accounts/admission.ts'
import { type RefusedSignIn, auditRefusedSignIn } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import { type AttemptLimits, judged } from '../rate-limit/attempt-limits.ts'
import type { KeySite } from '../second-factor/keys/factor-keys.service.ts'
import type { IssuedSession, Sessions } from '../sessions/sessions.service.ts'
import { isMessageUsed, useMessage } from '../sign-in/used-messages.queries.ts'
import { noteCredentialUse } from '../webauthn/credentials.queries.ts'
import { type PasskeyChallenge, type PasskeyChallenges, answeredKey } from './passkey-challenges.ts'
import { findPasskey } from './passkeys.queries.ts'
import { PASSKEY_VERIFICATION } from './passkeys.service.ts'

/** Sign-in with a passkey, without a name or a password. */
export interface PasskeySignIn {
  /** Creates a challenge for a sign-in. Throws PASSKEYS_DISABLED. */
  start(): PasskeyChallenge & { options: RequestOptions }
  /**
   * Opens a session. Each challenge can open only one session. Throws PASSKEYS_DISABLED, one of the
   * PASSKEY_CHALLENGE_ errors, PASSKEY_UNKNOWN, PASSKEY_WRONG, TOO_MANY_SIGN_INS, ACCOUNT_DEACTIVATED,
   * EMAIL_NOT_CONFIRMED or ACCOUNT_NOT_APPROVED.
   */
  signIn(
    answer: { challengeId: string; credential: CredentialAnswer },
    device: Device,
  ): Promise<IssuedSession>
}

/**
 * The reason for refusing a response, with its audit entry. The attempt is counted as wrong before the error is thrown.
 */
interface Refusal {
  code: 'PASSKEY_UNKNOWN' | 'PASSKEY_WRONG' | 'PASSKEY_CHALLENGE_NOT_FOUND'
  audited: RefusedSignIn
}

export function createPasskeySignIn(deps: {
  database: Database
  clock: Clock
  /** Null if passkeys cannot work at our address. */
  site: KeySite | null
  challenges: PasskeyChallenges
  limits: AttemptLimits
  sessions: Sessions
}): PasskeySignIn {
  const { database, clock, challenges, limits, sessions } = deps

  const getCeremonies = () => {
    if (!deps.site) throw new AppError('PASSKEYS_DISABLED')
    return deps.site.ceremonies
  }

  /** Returns the account of the passkey if the device's response is valid. Returns the refusal otherwise. */
  const prove = async (
    tx: TransactionSql,
    challenge: PasskeyChallenge,
    answer: CredentialAnswer,
  ): Promise<AccountRow | Refusal> => {
    const found = await findPasskey(tx, answer.id)
    const account = found && (await lockAccount(tx, found.account_id))
    // Read the passkey again now that its account is locked. It may have been removed, and the response must be
    // compared with the latest counter.
    const passkey = account && (await findPasskey(tx, answer.id))
    if (!passkey) return { code: 'PASSKEY_UNKNOWN', audited: { account: null, reason: 'unknown_passkey' } }
    if (await isMessageUsed(tx, answeredKey(challenge)))
      return { code: 'PASSKEY_CHALLENGE_NOT_FOUND', audited: { account, reason: 'used_challenge' } }
    const asked = { challengeId: challenge.id, verification: PASSKEY_VERIFICATION } as const
    const assertion = await getCeremonies().judge(answer, passkey, asked)
    if (assertion.kind !== 'right') {
      const reason = assertion.kind === 'rewound' ? 'key_counter_went_back' : 'wrong_passkey'
      return { code: 'PASSKEY_WRONG', audited: { account, reason } }
    }
    if (!(await useMessage(tx, answeredKey(challenge), challenge.expiresAt)))
      throw new AppError('PASSKEY_CHALLENGE_NOT_FOUND')
    await noteCredentialUse(tx, { id: passkey.id, signCount: assertion.signCount, now: clock.now() })
    return account
  }

  return {
    start() {
      const ceremonies = getCeremonies()
      const challenge = challenges.make('sign-in')
      const request = { challengeId: challenge.id, allowed: [], verification: PASSKEY_VERIFICATION } as const
      return { ...challenge, options: ceremonies.requestOptions(request) }
    },

    async signIn({ challengeId, credential }, device) {
      getCeremonies()
      const challenge = challenges.read('sign-in', challengeId)
      let refusal: Refusal | null = null
      const attempt = {
        key: 'passkey',
        ip: device.ip,
        onWrong: async (tx: TransactionSql) => {
          if (refusal) await auditRefusedSignIn(tx, refusal.audited, device, clock.now())
        },
      }
      const proven = await judged(limits, attempt, () =>
        database.transaction(async (tx) => {
          const result = await prove(tx, challenge, credential)
          if ('code' in result) {
            refusal = result
            return null
          }
          const waitsFor = admissionError(result)
          if (waitsFor) return { waitsFor }
          return sessions.openWithin(tx, result, device, 'passkey')
        }),
      )
      if (!proven) throw new AppError((refusal as Refusal | null)?.code ?? 'PASSKEY_WRONG')
      if ('waitsFor' in proven) throw new AppError(proven.waitsFor)
      return sessions.issue(proven.session, proven.account)
    },
  }
}
