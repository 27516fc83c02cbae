import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import {
  type AccountRow,
  type IdentityRow,
  findAccountByEmail,
  getAccount,
  listIdentities,
  lockAccountNames,
  placeholderEmail,
} from '../accounts/accounts.queries.ts'
import type { UpgradeAnonymous } from '../accounts/anonymous-upgrade.ts'
import { losePhone } from '../accounts/phone-accounts.queries.ts'
import { assertNotSsoManaged } from '../accounts/sso-managed.ts'
import { accountEntity, ownAuditContext } from '../audit/account-audit.ts'
import type { Device } from '../audit/device.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import { type Holder, lockProvenHolder } from '../second-factor/second-step.ts'
import { assertRecent } from '../sessions/recent-sign-in.ts'
import { endSignIns } from '../sessions/sessions.queries.ts'
import { deleteSignInMethods } from '../take-over/sign-in-methods.queries.ts'
import type { ProvenIdentity } from './external-accounts.ts'
import { deleteIdentity, findIdentity, insertIdentity, replaceLostEmail } from './identities.queries.ts'
import { composeIdentityLinked, composeIdentityUnlinked } from './identity-mails.ts'

/** The account and session of a person who is linking an identity. */
export type Linker = Pick<UserPrincipal, 'accountId' | 'sessionId'>

/** The device on which linking finishes, and whether it may have begun elsewhere. */
interface LinkEnd {
  device: Device
  /** Whether the linking may have begun in a different browser. */
  hasBegunElsewhere: boolean
}

/** Links and unlinks identities of the signed-in person's account. */
export interface IdentityLinks {
  /** Throws MANUAL_LINKING_DISABLED, or REAUTHENTICATION_REQUIRED if the last sign-in is too old. */
  assertAllowed(principal: UserPrincipal): void
  /**
   * Links an identity and returns the session and the account. If `hasBegunElsewhere` is true, an anonymous account
   * passes to the person who finishes the linking: all its earlier sessions and sign-in methods end, including the
   * session in which the linking began. Throws SSO_MANAGED, IDENTITY_TAKEN, EMAIL_TAKEN for an anonymous account,
   * SESSION_NOT_FOUND or SECOND_FACTOR_REQUIRED.
   */
  link(
    tx: TransactionSql,
    linker: Linker,
    proven: ProvenIdentity,
    end: LinkEnd,
  ): Promise<Holder & { identityId: string; wasAnonymous: boolean }>
  /** Unlinks an identity. Throws IDENTITY_NOT_FOUND, IDENTITY_IS_LAST or IDENTITY_EMAIL_TAKEN. */
  unlink(principal: UserPrincipal, identityId: string, device: Device): Promise<void>
}

const verifiedEmailIn = ({ identity_data: data }: IdentityRow): string | null => {
  const { email, email_verified: isVerified } = data
  return isVerified === true && typeof email === 'string' && email !== '' ? email : null
}

export function createIdentityLinks(deps: {
  database: Database
  clock: Clock
  mails: AccountMails
  upgradeAnonymous: UpgradeAnonymous
  /** Whether people may link and unlink identities themselves. */
  isAllowed: boolean
  labelOf(provider: string): string
}): IdentityLinks {
  const { database, clock, mails, upgradeAnonymous, isAllowed, labelOf } = deps

  const audit = async (
    tx: TransactionSql,
    account: AccountRow,
    change: { action: 'identity.linked' | 'identity.unlinked'; before?: object; after?: object },
    device: Device,
  ): Promise<void> => {
    const by = ownAuditContext(await getAccountSummary(tx, account.id), device, clock.now())
    await writeAudit(tx, { ...change, ...accountEntity(account) } as Parameters<typeof writeAudit>[1], by)
  }

  /**
   * Gives an anonymous account the address that the provider has verified. Throws if there is no such address. Does
   * nothing for other accounts.
   */
  const settle = async (tx: TransactionSql, account: AccountRow, proven: ProvenIdentity): Promise<void> => {
    if (!account.is_anonymous) return
    if (proven.verifiedEmail === null) throw new AppError(proven.creationError ?? 'PROVIDER_EMAIL_MISSING')
    await upgradeAnonymous(tx, account, { email: proven.verifiedEmail, isProved: true }, clock.now())
  }

  /**
   * Ends all sign-in methods and sessions of an account that passes to the person who finishes the linking. Otherwise
   * the person who began the linking would keep access to an account with another person's identity and address.
   */
  const passOn = async (tx: TransactionSql, { id }: AccountRow): Promise<{ ended_sessions: number }> => {
    await deleteSignInMethods(tx, id)
    return { ended_sessions: await endSignIns(tx, id) }
  }

  /**
   * Replaces the address of an account whose email identity is being unlinked. The new address is a verified address of
   * another identity if there is one. Also removes the password. Throws IDENTITY_EMAIL_TAKEN.
   */
  const loseEmail = async (
    tx: TransactionSql,
    account: AccountRow,
    rest: readonly IdentityRow[],
  ): Promise<void> => {
    await lockAccountNames(tx)
    const email = rest.map(verifiedEmailIn).find((each) => each !== null) ?? null
    const other = email === null ? null : await findAccountByEmail(tx, email)
    if (other !== null && other.id !== account.id) throw new AppError('IDENTITY_EMAIL_TAKEN')
    await replaceLostEmail(tx, account.id, {
      email: email ?? placeholderEmail(account.id),
      hasEmail: email !== null,
      now: clock.now(),
    })
  }

  return {
    assertAllowed(principal) {
      if (!isAllowed) throw new AppError('MANUAL_LINKING_DISABLED')
      // An anonymous person has no password for a reauthentication, so an old sign-in is enough.
      if (!principal.isAnonymous) assertRecent(principal.authenticatedAt, clock)
    },

    async link(tx, linker, proven, { device, hasBegunElsewhere }) {
      const { account, session } = await lockProvenHolder(tx, linker)
      const { is_anonymous: wasAnonymous } = account
      assertNotSsoManaged(account)
      if ((await findIdentity(tx, proven)) !== null) throw new AppError('IDENTITY_TAKEN')
      const ended = wasAnonymous && hasBegunElsewhere ? await passOn(tx, account) : {}
      await settle(tx, account, proven)
      const identity = await insertIdentity(tx, { ...proven, accountId: account.id, now: clock.now() })
      await audit(
        tx,
        account,
        { action: 'identity.linked', after: { provider: proven.label, ...ended } },
        device,
      )
      if (mails.reachPeople) await mails.notify(tx, account, composeIdentityLinked(proven.label))
      return { account: await getAccount(tx, account.id), session, identityId: identity.id, wasAnonymous }
    },

    unlink: (principal, identityId, device) =>
      database.transaction(async (tx) => {
        const { account } = await lockProvenHolder(tx, principal)
        assertNotSsoManaged(account)
        const identities = await listIdentities(tx, account.id)
        const identity = identities.find(({ id }) => id === identityId)
        if (identities.length < 2) throw new AppError('IDENTITY_IS_LAST')
        if (!identity) throw new AppError('IDENTITY_NOT_FOUND')
        const label = labelOf(identity.provider)
        if (identity.provider === 'email')
          await loseEmail(
            tx,
            account,
            identities.filter((each) => each !== identity),
          )
        if (identity.provider === 'phone') await losePhone(tx, account.id, clock.now())
        await deleteIdentity(tx, identity)
        await audit(tx, account, { action: 'identity.unlinked', before: { provider: label } }, device)
        if (mails.reachPeople) await mails.notify(tx, account, composeIdentityUnlinked(label))
      }),
  }
}
