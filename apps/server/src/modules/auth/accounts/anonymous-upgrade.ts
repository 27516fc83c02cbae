import type { TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { OwnAddress } from './account-changes.queries.ts'
import {
  type AccountRow,
  findAccountByEmail,
  freeUsernameFor,
  lockAccountNames,
  settleAnonymous,
} from './accounts.queries.ts'

/**
 * Gives an anonymous account its first email address. If sign-ups need approval, ends the account's sessions, and the
 * account waits for an administrator. Throws EMAIL_TAKEN.
 */
export type UpgradeAnonymous = (
  tx: TransactionSql,
  account: AccountRow,
  address: OwnAddress,
  now: Date,
) => Promise<void>

export const createAnonymousUpgrade =
  ({ approvesSignUps }: { approvesSignUps: boolean }): UpgradeAnonymous =>
  async (tx, { id }, address, now) => {
    const { email } = address
    await lockAccountNames(tx)
    if (await findAccountByEmail(tx, email)) throw new AppError('EMAIL_TAKEN')
    const username = await freeUsernameFor(tx, email)
    await settleAnonymous(tx, { id, ...address, username, approves: approvesSignUps, now })
  }
