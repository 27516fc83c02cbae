import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { MailTokenType, PhoneCodeType } from '@pegasus/contracts/auth/hosted-auth'
import { v7 as uuidv7 } from 'uuid'
import { DAY_MS, HOUR_MS, MINUTE_MS, addMs } from '../../../platform/clock.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { clearSome } from '../../../platform/database/delete-unlocked.ts'

/** How long an email's link and code are valid, in milliseconds. */
const LIFETIME_MS: Readonly<Record<MailTokenType, number>> = {
  signup: DAY_MS,
  recovery: HOUR_MS,
  email_change: DAY_MS,
  invite: 7 * DAY_MS,
  magiclink: HOUR_MS,
  reauthentication: 15 * MINUTE_MS,
}
const CODE_DIGITS = 8
/**
 * After this number of wrong codes, only the link works. A code of eight digits can be guessed, but the 256 bits of a
 * link cannot. For a code to a phone, wrong codes from the IP address that requested it are counted separately. So
 * guesses from other addresses do not invalidate the code for its owner.
 */
const MAX_WRONG_CODES = 5
/**
 * Prefix of tokens for clients that sent a code challenge. A link with such a token returns a code instead of a
 * session.
 */
export const PKCE_PREFIX = 'pkce_'

type TokenRow = Row<
  'one_time_tokens',
  'id' | 'account_id' | 'code_hash' | 'wrong_codes' | 'password_hash' | 'flow_state_id' | 'address'
>

/** The stored token of a mailed link and code. */
export interface OneTimeTokenRow extends TokenRow {
  type: MailTokenType
  email: string
}

/** A code that was sent to a phone. */
export interface PhoneCodeRow extends TokenRow {
  type: PhoneCodeType
  phone: string
}

export interface NewToken {
  accountId: string
  type: MailTokenType
  /** The recipient's email address, which is confirmed when the token is used. */
  email: string
  passwordHash: string | null
  flowStateId: string | null
}

export interface NewPhoneCode {
  accountId: string
  type: PhoneCodeType
  /** The recipient's number, which is confirmed when the code is used. */
  phone: string
  passwordHash: string | null
  /**
   * The IP address that requested the code, in the form that `addressKey` returns. If null, wrong codes from all IP
   * addresses are counted together.
   */
  address: string | null
  digits: number
  lifetimeMs: number
}

/** The values that an email contains. The database stores only their hashes. */
export interface IssuedToken {
  token: string
  code: string
}

interface CodeAttempt {
  /** The email address in normalized form. */
  email: string
  code: string
  types: readonly MailTokenType[]
}

interface PhoneCodeAttempt {
  /** The digits of the phone number. */
  phone: string
  code: string
  type: PhoneCodeType
  /**
   * The IP address from which the code was sent, in the form that `addressKey` returns. Null within a session of the
   * account.
   */
  address: string | null
}

export interface OneTimeTokens {
  /** Creates a token, and deletes an earlier token of the same type. */
  issue(tx: Queryable, token: NewToken, now: Date): Promise<IssuedToken>
  /**
   * Consumes the token of a link and returns it. Returns null if the token is unknown, used, expired or of
   * another type.
   */
  takeByToken(
    tx: Queryable,
    token: string,
    types: readonly MailTokenType[],
    now: Date,
  ): Promise<OneTimeTokenRow | null>
  /**
   * Returns the token of a code without consuming it, or null in the same cases as `takeByToken`. Counts
   * wrong codes like `takeByCode`.
   */
  findByCode(tx: Queryable, attempt: CodeAttempt, now: Date): Promise<OneTimeTokenRow | null>
  /**
   * Consumes a code and returns its token, or null in the same cases as `takeByToken`. Counts wrong codes, so
   * the caller must commit in both cases.
   */
  takeByCode(tx: Queryable, attempt: CodeAttempt, now: Date): Promise<OneTimeTokenRow | null>
  /** Creates the code for a message to a phone and returns it. Deletes an earlier code of the same type. */
  issueForPhone(tx: Queryable, code: NewPhoneCode, now: Date): Promise<string>
  /** Like `findByCode`, but for a code that was sent to a phone. */
  findByPhone(tx: Queryable, attempt: PhoneCodeAttempt, now: Date): Promise<PhoneCodeRow | null>
  /** Like `takeByCode`, but for a code that was sent to a phone. */
  takeByPhone(tx: Queryable, attempt: PhoneCodeAttempt, now: Date): Promise<PhoneCodeRow | null>
}

/**
 * Returns the SQL condition for tokens that are no longer needed. A code to a phone is valid for about a minute and may
 * be sent again. So the password of a sign-up by phone is kept for another day.
 */
export const isOver = (sql: Queryable, now: Date) =>
  sql`expires_at <= ${now}
      and (phone is null or password_hash is null or expires_at <= ${addMs(now, -DAY_MS)})`

/**
 * Returns the SQL condition for codes that were requested from this IP address, or whose wrong codes are counted for
 * all addresses together.
 */
const isOwn = (sql: Queryable, address: string | null) =>
  sql`(address is null or ${address}::text is null or address = ${address}::text)`

/** Returns a random number with this many digits. */
export const randomCode = (digits: number): string => String(randomInt(10 ** digits)).padStart(digits, '0')

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

export function createOneTimeTokens(codeKey: Buffer): OneTimeTokens {
  const hashCode = (accountId: string, type: string, code: string): string =>
    createHmac('sha256', codeKey).update(`${accountId}\n${type}\n${code}`).digest('base64url')

  const isCodeOf = (row: OneTimeTokenRow | PhoneCodeRow, code: string): boolean =>
    timingSafeEqual(Buffer.from(hashCode(row.account_id, row.type, code)), Buffer.from(row.code_hash))

  /** Returns the row with this code. If no row has the code, counts a wrong code for all rows and returns null. */
  const judge = async <R extends OneTimeTokenRow | PhoneCodeRow>(
    tx: Queryable,
    rows: readonly R[],
    { code, address }: { code: string; address: string | null },
  ): Promise<R | null> => {
    const right = rows.find((row) => isCodeOf(row, code))
    if (right) return right
    const ids = rows.map((row) => row.id)
    await tx`
      update one_time_tokens
      set wrong_codes = wrong_codes + (${isOwn(tx, address)})::int,
          wrong_codes_elsewhere = wrong_codes_elsewhere + (not ${isOwn(tx, address)})::int
      where id = any(${ids})`
    return null
  }

  /** Returns the SQL condition for codes that can still be used from the IP address. */
  const inForce = (tx: Queryable, address: string | null, now: Date) =>
    tx`expires_at > ${now}
       and case when ${isOwn(tx, address)} then wrong_codes else wrong_codes_elsewhere end < ${MAX_WRONG_CODES}`

  const findByCode: OneTimeTokens['findByCode'] = async (tx, { email, code, types }, now) => {
    const rows = await tx<OneTimeTokenRow[]>`
      select * from one_time_tokens
      where lower(email) = ${email} and type = any(${[...types]}) and ${inForce(tx, null, now)} for update`
    return judge(tx, rows, { code, address: null })
  }

  const findByPhone: OneTimeTokens['findByPhone'] = async (tx, { phone, code, type, address }, now) => {
    const rows = await tx<PhoneCodeRow[]>`
      select * from one_time_tokens
      where phone = ${phone} and type = ${type} and ${inForce(tx, address, now)} for update`
    return judge(tx, rows, { code, address })
  }

  const useUp = async <R extends { id: string }>(tx: Queryable, row: R | null): Promise<R | null> => {
    if (row) await tx`delete from one_time_tokens where id = ${row.id}`
    return row
  }

  /** Deletes the account's earlier token of this type, and some expired tokens. */
  const makeRoom = async (
    tx: Queryable,
    { accountId, type }: { accountId: string; type: MailTokenType | PhoneCodeType },
    now: Date,
  ): Promise<void> => {
    await tx`delete from one_time_tokens where account_id = ${accountId} and type = ${type}`
    await clearSome(tx, 'one_time_tokens', tx`id`, isOver(tx, now))
  }

  return {
    async issue(tx, { accountId, type, email, passwordHash, flowStateId }, now) {
      const secret = randomBytes(32).toString('base64url')
      const token = flowStateId === null ? secret : `${PKCE_PREFIX}${secret}`
      const code = randomCode(CODE_DIGITS)
      await makeRoom(tx, { accountId, type }, now)
      await tx`
        insert into one_time_tokens (id, account_id, type, token_hash, code_hash, email, password_hash,
                                     flow_state_id, created_at, expires_at)
        values (${uuidv7()}, ${accountId}, ${type}, ${hashToken(token)}, ${hashCode(accountId, type, code)},
                ${email}, ${passwordHash}, ${flowStateId}, ${now}, ${addMs(now, LIFETIME_MS[type])})`
      return { token, code }
    },

    async issueForPhone(tx, { accountId, type, phone, passwordHash, address, digits, lifetimeMs }, now) {
      const code = randomCode(digits)
      await makeRoom(tx, { accountId, type }, now)
      // No link contains this token, but the column must not be empty. So it gets a random hash.
      const unused = hashToken(randomBytes(32).toString('base64url'))
      await tx`
        insert into one_time_tokens (id, account_id, type, token_hash, code_hash, phone, password_hash,
                                     address, created_at, expires_at)
        values (${uuidv7()}, ${accountId}, ${type}, ${unused}, ${hashCode(accountId, type, code)}, ${phone},
                ${passwordHash}, ${address}, ${now}, ${addMs(now, lifetimeMs)})`
      return code
    },

    async takeByToken(tx, token, types, now) {
      return firstRow(tx<OneTimeTokenRow[]>`
        delete from one_time_tokens
        where token_hash = ${hashToken(token)} and type = any(${[...types]}) and expires_at > ${now}
        returning *`)
    },

    findByCode,
    findByPhone,
    takeByCode: async (tx, attempt, now) => useUp(tx, await findByCode(tx, attempt, now)),
    takeByPhone: async (tx, attempt, now) => useUp(tx, await findByPhone(tx, attempt, now)),
  }
}

/** Ends all links and codes of an account. */
export async function deleteTokensOf(tx: Queryable, accountId: string): Promise<void> {
  await tx`delete from one_time_tokens where account_id = ${accountId}`
}

/** Returns the password hash of the account's unconfirmed sign-up. The hash is kept when the email is sent again. */
export async function findWaitingPasswordHash(tx: Queryable, accountId: string): Promise<string | null> {
  const [row] = await tx<{ password_hash: string | null }[]>`
    select password_hash from one_time_tokens where account_id = ${accountId} and type = 'signup'`
  return row?.password_hash ?? null
}

/**
 * Returns the password hash of the account's unconfirmed sign-up by phone, and the IP address from which the password
 * was sent. Both are kept when the message is sent again.
 */
export async function findWaitingPhoneSignUp(
  tx: Queryable,
  accountId: string,
): Promise<{ passwordHash: string; address: string | null } | null> {
  const [row] = await tx<{ password_hash: string; address: string | null }[]>`
    select password_hash, address from one_time_tokens
    where account_id = ${accountId} and type = 'sms' and password_hash is not null`
  return row ? { passwordHash: row.password_hash, address: row.address } : null
}
