import { createHmac, randomInt } from 'node:crypto'
import { RECOVERY_CODE_COUNT } from '@pegasus/contracts/auth/hosted-factors'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { type AttemptLimits, addressKey, judged } from '../rate-limit/attempt-limits.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import { lowerSessions } from '../sessions/session-level.queries.ts'
import type { IssuedSession, Sessions } from '../sessions/sessions.service.ts'
import { ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import { codeAttempt, factorFields, factorEntity } from './factor-audit.ts'
import { composeRecoveryCodeUsed } from './factor-mails.ts'
import {
  type FactorRow,
  deleteExpiredFactors,
  deleteFactor,
  findRecoveryFactor,
  hasSecondFactor,
  insertFactor,
  listFactors,
} from './factors.queries.ts'
import {
  countRecoveryCodes,
  deleteRecoveryCodes,
  insertRecoveryCodes,
  useRecoveryCode,
} from './recovery-codes.queries.ts'
import { type Holder, lockHolder, lockProvenHolder, passSecondStep } from './second-step.ts'

/**
 * The characters of recovery codes. None of them look alike. A code has 16 of these 31 characters, which amounts to 79
 * bits.
 */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const CODE_LENGTH = 16
const DEFAULT_NAME = 'Recovery codes'

const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Returns the normalized form of a code. People may type it in groups or in capitals. */
const normalize = (typed: string): string =>
  typed
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, '')

/** New recovery codes. They are shown only once. */
export interface NewRecoveryCodes {
  factorId: string
  name: string
  codes: string[]
}

/** Manages the ten codes that replace a lost factor, such as an authenticator app. Each code is valid once. */
export interface RecoveryCodes {
  /**
   * Counts the codes. Throws RECOVERY_CODES_NOT_FOUND, like all functions of this interface except `create`
   * and `verify`.
   */
  count(principal: UserPrincipal): Promise<{ factorId: string; total: number; remaining: number }>
  /**
   * Creates the codes. Throws RECOVERY_CODES_EXIST, FACTOR_NAME_TAKEN, or RECOVERY_CODES_ALONE if the account has no
   * verified app, key or phone.
   */
  create(principal: UserPrincipal, name: string | null, device: Device): Promise<NewRecoveryCodes>
  /** Replaces all codes with new ones. */
  replace(principal: UserPrincipal, device: Device): Promise<NewRecoveryCodes>
  /**
   * Accepts a recovery code as the second step. The code cannot be used again. Throws RECOVERY_CODE_WRONG or
   * RECOVERY_CODES_LOCKED.
   */
  verify(
    principal: UserPrincipal,
    code: string,
    device: Device,
  ): Promise<{ session: IssuedSession; remaining: number }>
  remove(principal: UserPrincipal, device: Device): Promise<{ factorId: string }>
}

export function createRecoveryCodes(deps: {
  database: Database
  clock: Clock
  /** The key for hashing codes. Because of it, nobody can guess codes from a database dump. */
  key: Buffer
  limits: AttemptLimits
  sessions: Sessions
  mails: AccountMails
}): RecoveryCodes {
  const { database, clock, key, limits, sessions, mails } = deps

  const hashOf = (factorId: string, code: string): string =>
    createHmac('sha256', key)
      .update(`${factorId}/${normalize(code)}`)
      .digest('base64url')

  const getRecoveryFactor = async (tx: TransactionSql, accountId: string) =>
    orThrow(await findRecoveryFactor(tx, accountId), 'RECOVERY_CODES_NOT_FOUND')

  const insertCodes = async (tx: TransactionSql, factorId: string): Promise<string[]> => {
    const codes = Array.from({ length: RECOVERY_CODE_COUNT }, newCode)
    await insertRecoveryCodes(
      tx,
      factorId,
      codes.map((code) => hashOf(factorId, code)),
    )
    return codes
  }

  const auditCreation = async (
    tx: TransactionSql,
    principal: UserPrincipal,
    { factorId, before }: { factorId: string; before: number },
    device: Device,
  ): Promise<void> => {
    const subject = factorEntity(factorId, principal.user)
    const made = { before: { remaining: before }, after: { made: RECOVERY_CODE_COUNT } }
    const audit = ownAuditContext(principal.user, device, clock.now())
    await writeAudit(tx, { action: 'recovery_codes.created', ...subject, ...made }, audit)
  }

  const insertSet = async (tx: TransactionSql, accountId: string, name: string) => {
    const now = clock.now()
    if (await findRecoveryFactor(tx, accountId)) throw new AppError('RECOVERY_CODES_EXIST')
    if (!(await hasSecondFactor(tx, accountId))) throw new AppError('RECOVERY_CODES_ALONE')
    await deleteExpiredFactors(tx, accountId, now)
    const factors = await listFactors(tx, accountId, now)
    if (factors.some(({ friendly_name: taken }) => taken === name)) throw new AppError('FACTOR_NAME_TAKEN')
    const factorId = uuidv7()
    const kind = { type: 'recovery_code', secretSealed: null, sessionId: null } as const
    await insertFactor(tx, { id: factorId, accountId, name, ...kind, now })
    return { factorId, name, codes: await insertCodes(tx, factorId) }
  }

  const pass = async (
    tx: TransactionSql,
    principal: UserPrincipal,
    { holder, factor, device }: { holder: Holder; factor: FactorRow; device: Device },
  ): Promise<Holder & { remaining: number }> => {
    const now = clock.now()
    const proof = {
      method: 'mfa/recovery_code',
      factorId: factor.id,
      address: addressKey(device.ip),
      now,
    } as const
    const passed = await passSecondStep(tx, holder, proof)
    const { remaining } = await countRecoveryCodes(tx, factor.id)
    const [before, after] = [
      { remaining: remaining + 1 },
      { remaining, aal: 'aal2', ended_sessions: passed.endedSessions },
    ]
    await writeAudit(
      tx,
      { action: 'recovery_code.used', ...factorEntity(factor.id, principal.user), before, after },
      ownAuditContext(principal.user, device, now),
    )
    if (mails.reachPeople) await mails.notify(tx, holder.account, composeRecoveryCodeUsed(remaining))
    return { ...passed, remaining }
  }

  /** Returns null instead of throwing, because an error would roll back the count of the wrong code. */
  const tryCode = (principal: UserPrincipal, code: string, device: Device) =>
    database.transaction(async (tx) => {
      const holder = await lockHolder(tx, principal)
      const factor = await findRecoveryFactor(tx, holder.account.id)
      if (!factor) return null
      const use = { factorId: factor.id, hash: hashOf(factor.id, code), now: clock.now() }
      if (!(await useRecoveryCode(tx, use))) return null
      return pass(tx, principal, { holder, factor, device })
    })

  return {
    count: ({ accountId }) =>
      database.transaction(async (tx) => {
        const { id: factorId } = await getRecoveryFactor(tx, accountId)
        return { factorId, ...(await countRecoveryCodes(tx, factorId)) }
      }),

    create: (principal, name, device) =>
      database.transaction(async (tx) => {
        const { account } = await lockProvenHolder(tx, principal)
        const made = await insertSet(tx, account.id, name || DEFAULT_NAME)
        await auditCreation(tx, principal, { factorId: made.factorId, before: 0 }, device)
        return made
      }),

    replace: (principal, device) =>
      database.transaction(async (tx) => {
        const { account } = await lockProvenHolder(tx, principal)
        const { id: factorId, friendly_name: name } = await getRecoveryFactor(tx, account.id)
        const { remaining: before } = await countRecoveryCodes(tx, factorId)
        await deleteRecoveryCodes(tx, factorId)
        const codes = await insertCodes(tx, factorId)
        await auditCreation(tx, principal, { factorId, before }, device)
        return { factorId, name, codes }
      }),

    async verify(principal, code, device) {
      const attempt = codeAttempt(principal, { id: null, type: 'recovery_code' }, { device, clock })
      const passed = await judged(limits, attempt, () => tryCode(principal, code, device))
      if (!passed) throw new AppError('RECOVERY_CODE_WRONG')
      return { session: await sessions.issue(passed.session, passed.account), remaining: passed.remaining }
    },

    remove: (principal, device) =>
      database.transaction(async (tx) => {
        const { account } = await lockProvenHolder(tx, principal)
        const factor = await getRecoveryFactor(tx, account.id)
        const { remaining } = await countRecoveryCodes(tx, factor.id)
        await lowerSessions(tx, factor.id)
        await deleteFactor(tx, factor.id)
        const event = {
          ...factorEntity(factor.id, principal.user),
          before: { ...factorFields(factor), remaining },
        }
        await writeAudit(
          tx,
          { action: 'factor.removed', ...event },
          ownAuditContext(principal.user, device, clock.now()),
        )
        return { factorId: factor.id }
      }),
  }
}
