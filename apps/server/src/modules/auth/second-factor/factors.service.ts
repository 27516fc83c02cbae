import { MAX_FACTORS } from '@pegasus/contracts/auth/hosted-factors'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { drawQrCode } from '../../../platform/qr-code.ts'
import { writeAudit } from '../../audit/index.ts'
import { bumpRevision } from '../accounts/account-changes.queries.ts'
import type { AccountRow } from '../accounts/accounts.queries.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import { lowerSessions } from '../sessions/session-level.queries.ts'
import { ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import { factorFields, factorEntity } from './factor-audit.ts'
import { composeFactorRemoved } from './factor-mails.ts'
import type { FactorSecrets } from './factor-secrets.ts'
import {
  type FactorRow,
  type NewFactor,
  deleteExpiredFactors,
  deleteFactor,
  findFactor,
  findRecoveryFactor,
  hasSecondFactor,
  insertFactor,
  listFactors,
} from './factors.queries.ts'
import type { PhoneFactors } from './phones/phone-factors.ts'
import { type Holder, lockProvenHolder } from './second-step.ts'
import { newTotpSecret, totpUri } from './totp.ts'

/** The values that an authenticator app needs. They are shown only once. */
export interface EnrolledApp {
  id: string
  name: string
  /** The QR code as an SVG picture. */
  qrCode: string
  secret: string
  uri: string
}

/** Manages the authenticator apps, security keys and phones of the caller's own account. */
export interface Factors {
  /**
   * Begins to enroll an authenticator app. `issuer` is the name under which the app shows the account. If null, this is
   * the host of our address. Throws FACTOR_NAME_TAKEN, TOO_MANY_FACTORS or SECOND_FACTOR_REQUIRED.
   */
  enrollApp(principal: UserPrincipal, factor: { name: string; issuer: string | null }): Promise<EnrolledApp>
  /**
   * Begins to enroll a security key. The key creates its credential when it answers the first challenge. Throws
   * WEBAUTHN_FACTORS_DISABLED and the errors of `enrollApp`.
   */
  enrollKey(principal: UserPrincipal, name: string): Promise<{ id: string; name: string }>
  /**
   * Begins to enroll a phone. The first challenge sends a code to the phone. Throws PHONE_FACTORS_DISABLED,
   * REQUEST_INCOMPLETE, PHONE_INVALID, PHONE_FACTOR_EXISTS, PHONE_SIGNS_IN and the errors of `enrollApp`.
   */
  enrollPhone(
    principal: UserPrincipal,
    factor: { name: string; phone: string | null },
  ): Promise<{ id: string; phone: string }>
  /**
   * Removes an app, a security key or a phone. Removing the last verified factor also removes the recovery codes.
   * Throws FACTOR_NOT_FOUND or SECOND_FACTOR_REQUIRED_TO_REMOVE.
   */
  remove(principal: UserPrincipal, factorId: string, device: Device): Promise<void>
}

export function createFactors(deps: {
  database: Database
  clock: Clock
  secrets: FactorSecrets
  mails: AccountMails
  publicUrl: string
  /** Whether security keys can work at our address. */
  allowsKeys: boolean
  phones: PhoneFactors
}): Factors {
  const { database, clock, secrets, mails, phones } = deps
  const host = new URL(deps.publicUrl).host

  const insert = async (
    tx: TransactionSql,
    { account, session }: Holder,
    factor: Pick<NewFactor, 'id' | 'name' | 'type' | 'secretSealed' | 'phone'>,
  ): Promise<void> => {
    const now = clock.now()
    await deleteExpiredFactors(tx, account.id, now)
    const factors = await listFactors(tx, account.id, now)
    if (factors.some(({ friendly_name: taken }) => taken === factor.name))
      throw new AppError('FACTOR_NAME_TAKEN')
    if (factors.filter(({ factor_type: type }) => type !== 'recovery_code').length >= MAX_FACTORS)
      throw new AppError('TOO_MANY_FACTORS')
    await insertFactor(tx, { ...factor, accountId: account.id, sessionId: session.id, now })
  }

  /**
   * Removes the recovery codes. Call this after the last verified app, key or phone was removed, because recovery codes
   * can only replace another factor.
   */
  const removeLeftCodes = async (tx: TransactionSql, accountId: string): Promise<boolean> => {
    const codes = await findRecoveryFactor(tx, accountId)
    if (!codes) return false
    await lowerSessions(tx, codes.id)
    await deleteFactor(tx, codes.id)
    return true
  }

  const removeVerified = async (
    tx: TransactionSql,
    principal: UserPrincipal,
    { factor, account, device }: { factor: FactorRow; account: AccountRow; device: Device },
  ): Promise<void> => {
    const now = clock.now()
    await lowerSessions(tx, factor.id)
    await deleteFactor(tx, factor.id)
    const isLast = !(await hasSecondFactor(tx, account.id))
    const codesRemoved = isLast && (await removeLeftCodes(tx, account.id))
    await bumpRevision(tx, account.id, now)
    const change = {
      before: { ...factorFields(factor), second_factor: true },
      after: { second_factor: !isLast, recovery_codes_removed: codesRemoved },
    }
    await writeAudit(
      tx,
      { action: 'factor.removed', ...factorEntity(factor.id, principal.user), ...change },
      ownAuditContext(principal.user, device, now),
    )
    if (mails.reachPeople) await mails.notify(tx, account, composeFactorRemoved(factor.factor_type, isLast))
  }

  return {
    async enrollApp(principal, { name, issuer }) {
      const [id, secret] = [uuidv7(), newTotpSecret()]
      const { account } = await database.transaction(async (tx) => {
        const holder = await lockProvenHolder(tx, principal)
        await insert(tx, holder, { id, name, type: 'totp', secretSealed: secrets.seal(id, secret) })
        return holder
      })
      const uri = totpUri(secret, { issuer: issuer ?? host, account: account.email })
      return { id, name, qrCode: drawQrCode(uri), secret, uri }
    },

    async enrollKey(principal, name) {
      if (!deps.allowsKeys) throw new AppError('WEBAUTHN_FACTORS_DISABLED')
      const id = uuidv7()
      await database.transaction(async (tx) => {
        const holder = await lockProvenHolder(tx, principal)
        await insert(tx, holder, { id, name, type: 'webauthn', secretSealed: null })
      })
      return { id, name }
    },

    async enrollPhone(principal, { name, phone: text }) {
      const phone = phones.readNumber(text)
      const id = uuidv7()
      await database.transaction(async (tx) => {
        const holder = await lockProvenHolder(tx, principal)
        await phones.makeRoom(tx, holder.account, phone, clock.now())
        await insert(tx, holder, { id, name, type: 'phone', secretSealed: null, phone })
      })
      return { id, phone }
    },

    remove: (principal, factorId, device) =>
      database.transaction(async (tx) => {
        const { account } = await lockProvenHolder(tx, principal, 'SECOND_FACTOR_REQUIRED_TO_REMOVE')
        const factor = await findFactor(tx, { accountId: account.id, factorId }, clock.now())
        if (!factor) throw new AppError('FACTOR_NOT_FOUND')
        if (factor.status === 'verified') await removeVerified(tx, principal, { factor, account, device })
        // No session has reached aal2 with an unverified factor, so no session changes.
        else await deleteFactor(tx, factor.id)
      }),
  }
}
