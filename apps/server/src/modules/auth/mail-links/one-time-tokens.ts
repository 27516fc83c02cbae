import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { MailTokenType } from '@pegasus/contracts/auth/hosted-auth'
import { v7 as uuidv7 } from 'uuid'
import { DAY_MS, HOUR_MS, MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { clearSome } from '../../../platform/database/delete-unlocked.ts'

/** How long the link and the code of a mail are valid, in milliseconds. */
const LIFETIME_MS: Readonly<Record<MailTokenType, number>> = {
  signup: DAY_MS,
  recovery: HOUR_MS,
  email_change: DAY_MS,
  invite: 7 * DAY_MS,
  magiclink: HOUR_MS,
  reauthentication: 15 * MINUTE_MS,
}
const CODE_DIGITS = 8
/** After this number of wrong codes, only the link works. Eight digits could be guessed, but 256 bits cannot. */
const MAX_WRONG_CODES = 5
/** Prefix of tokens for clients that sent a code challenge. It shows that the link returns a code and not a session. */
export const PKCE_PREFIX = 'pkce_'

export type OneTimeTokenRow = Row<
  'one_time_tokens',
  'id' | 'account_id' | 'type' | 'code_hash' | 'wrong_codes' | 'email' | 'password_hash' | 'flow_state_id'
>

export interface NewToken {
  accountId: string
  type: MailTokenType
  /** The address that the mail is sent to. Using the token confirms the address. */
  email: string
  passwordHash: string | null
  flowStateId: string | null
}

/** The values in a mail. The database stores only their hashes. */
export interface IssuedToken {
  token: string
  code: string
}

interface CodeAttempt {
  /** The normalized address. */
  email: string
  code: string
  types: readonly MailTokenType[]
}

export interface OneTimeTokens {
  /** Creates a token. Deletes an earlier token of the same type. */
  issue(tx: Queryable, token: NewToken, now: Date): Promise<IssuedToken>
  /**
   * Uses up the token of a link and returns it. Returns null if the token is unknown, used, expired or of another type.
   */
  takeByToken(
    tx: Queryable,
    token: string,
    types: readonly MailTokenType[],
    now: Date,
  ): Promise<OneTimeTokenRow | null>
  /** Returns the token of a code without using it up; null like `takeByToken`. Counts wrong codes like `takeByCode`. */
  findByCode(tx: Queryable, attempt: CodeAttempt, now: Date): Promise<OneTimeTokenRow | null>
  /**
   * Uses up a code and returns its token; null like `takeByToken`. Counts wrong codes, so the caller must commit in
   * both cases.
   */
  takeByCode(tx: Queryable, attempt: CodeAttempt, now: Date): Promise<OneTimeTokenRow | null>
}

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

export function createOneTimeTokens(codeKey: Buffer): OneTimeTokens {
  const hashCode = (accountId: string, type: string, code: string): string =>
    createHmac('sha256', codeKey).update(`${accountId}\n${type}\n${code}`).digest('base64url')

  const isCodeOf = (row: OneTimeTokenRow, code: string): boolean =>
    timingSafeEqual(Buffer.from(hashCode(row.account_id, row.type, code)), Buffer.from(row.code_hash))

  const findByCode: OneTimeTokens['findByCode'] = async (tx, { email, code, types }, now) => {
    const rows = await tx<OneTimeTokenRow[]>`
      select * from one_time_tokens
      where lower(email) = ${email} and type = any(${[...types]}) and expires_at > ${now}
        and wrong_codes < ${MAX_WRONG_CODES}
      for update`
    const right = rows.find((row) => isCodeOf(row, code))
    if (right) return right
    await tx`update one_time_tokens set wrong_codes = wrong_codes + 1 where id = any(${rows.map((row) => row.id)})`
    return null
  }

  return {
    async issue(tx, { accountId, type, email, passwordHash, flowStateId }, now) {
      const secret = randomBytes(32).toString('base64url')
      const token = flowStateId === null ? secret : `${PKCE_PREFIX}${secret}`
      const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
      await tx`delete from one_time_tokens where account_id = ${accountId} and type = ${type}`
      await clearSome(tx, 'one_time_tokens', tx`id`, tx`expires_at <= ${now}`)
      await tx`
        insert into one_time_tokens (id, account_id, type, token_hash, code_hash, email, password_hash,
                                     flow_state_id, created_at, expires_at)
        values (${uuidv7()}, ${accountId}, ${type}, ${hashToken(token)}, ${hashCode(accountId, type, code)},
                ${email}, ${passwordHash}, ${flowStateId}, ${now}, ${addMs(now, LIFETIME_MS[type])})`
      return { token, code }
    },

    async takeByToken(tx, token, types, now) {
      return firstRow(tx<OneTimeTokenRow[]>`
        delete from one_time_tokens
        where token_hash = ${hashToken(token)} and type = any(${[...types]}) and expires_at > ${now}
        returning *`)
    },

    findByCode,

    async takeByCode(tx, attempt, now) {
      const right = await findByCode(tx, attempt, now)
      if (right) await tx`delete from one_time_tokens where id = ${right.id}`
      return right
    },
  }
}

/** Ends all links and codes of an account. */
export async function deleteTokensOf(tx: Queryable, accountId: string): Promise<void> {
  await tx`delete from one_time_tokens where account_id = ${accountId}`
}

/** Returns the password hash of the account's unconfirmed sign-up. It is kept if the mail is sent again. */
export async function findWaitingPasswordHash(tx: Queryable, accountId: string): Promise<string | null> {
  const [row] = await tx<{ password_hash: string | null }[]>`
    select password_hash from one_time_tokens where account_id = ${accountId} and type = 'signup'`
  return row?.password_hash ?? null
}
