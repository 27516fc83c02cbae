import { hasRole } from '@pegasus/contracts/roles'
import type { CreateUserBody, User } from '@pegasus/contracts/users/users'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type HttpResult, withIdempotency } from '../../../platform/http/idempotency.ts'
import type { Page, PageRequest } from '../../../platform/http/paging.ts'
import { writeAudit } from '../../audit/index.ts'
import {
  type AccountFilter,
  type AccountSummaryRow,
  insertUser,
  listAccountSummaries,
  presentUser,
} from '../../users/index.ts'
import { bumpRevision } from '../accounts/account-changes.queries.ts'
import {
  findAccountByEmail,
  insertAccount,
  isUsernameTaken,
  lockAccount,
  lockAccountNames,
} from '../accounts/accounts.queries.ts'
import { getAccountSummary } from '../accounts/account-summary.ts'
import type { AccountMails } from '../mail-links/account-mails.ts'
import type { PasswordHashing } from '../passwords/password-hashing.ts'
import { assertStrongPassword } from '../passwords/password-rules.ts'
import { accountEntity } from '../audit/account-audit.ts'
import { assertMayManage, lockRoles } from './manage-accounts.ts'

export interface CreateOptions {
  actorId: string
  audit: AuditContext
  idempotencyKey: string | null
  /** A keyed hash that identifies the request without revealing its password. */
  fingerprint: string
}

/** Lets admins and owners manage accounts. */
export interface Accounts {
  list(filter: AccountFilter, place: PageRequest): Promise<Page<User>>
  get(id: string): Promise<User>
  /** Creates an account. Throws OWNERS_ONLY, EMAIL_TAKEN, USERNAME_TAKEN or WEAK_PASSWORD. */
  create(body: CreateUserBody, options: CreateOptions): Promise<HttpResult<User>>
  /** Sends the invitation again. Throws OWNERS_ONLY, ACCOUNT_NOT_FOUND, INVITATION_CLOSED or TOO_MANY_MAILS. */
  invite(id: string, by: { actorId: string; audit: AuditContext }): Promise<User>
}

export function createAccounts(deps: {
  database: Database
  clock: Clock
  hashing: PasswordHashing
  mails: AccountMails
}): Accounts {
  const { database, clock, hashing, mails } = deps

  const sendInvitation = async (
    tx: TransactionSql,
    person: Pick<AccountSummaryRow, 'id' | 'username' | 'email'>,
    audit: AuditContext,
  ): Promise<void> => {
    const { id, email } = person
    await mails.claimSlot(tx, { to: email, kind: 'invite' })
    await mails.send(tx, { type: 'invite', accountId: id, to: email, showsCode: false })
    const event = { action: 'account.invited', ...accountEntity(person), after: { email } } as const
    await writeAudit(tx, event, audit)
  }

  const insert = async (
    tx: TransactionSql,
    body: CreateUserBody,
    { passwordHash, audit }: { passwordHash: string | null; audit: AuditContext },
  ): Promise<User> => {
    const id = uuidv7()
    const { email, username, full_name: fullName, role } = body
    const systemAccess = body.system_access ?? hasRole(role, 'staff')
    await insertAccount(tx, {
      id,
      email,
      username,
      passwordHash,
      mustChangePassword: false,
      // If the admin sets a password, the address counts as confirmed. An invited person confirms the address by
      // accepting the invitation.
      emailConfirmedAt: passwordHash === null ? null : audit.now,
      isVouchedFor: true,
      approvedAt: audit.now,
      userMetadata: null,
      now: audit.now,
    })
    await insertUser(tx, { accountId: id, fullName, role, systemAccess })
    const after = { email, username, full_name: fullName, role, system_access: systemAccess }
    await writeAudit(tx, { action: 'account.created', ...accountEntity({ id }), after }, audit)
    if (passwordHash === null) await sendInvitation(tx, { id, username, email }, audit)
    return presentUser(await getAccountSummary(tx, id))
  }

  return {
    async list(filter, place) {
      const page = await listAccountSummaries(database.sql, filter, place)
      return { ...page, items: page.items.map(presentUser) }
    },

    get: async (id) => presentUser(await getAccountSummary(database.sql, id)),

    async create(body, { actorId, audit, idempotencyKey: key, fingerprint }) {
      if (body.password !== undefined) assertStrongPassword(body.password)
      const passwordHash = body.password === undefined ? null : await hashing.hash(body.password)
      return database.transaction(async (tx) => {
        await assertMayManage(tx, actorId, [body.role])
        return withIdempotency(tx, { key, accountId: actorId, fingerprint, clock }, async () => {
          await lockAccountNames(tx)
          if (await findAccountByEmail(tx, body.email)) throw new AppError('EMAIL_TAKEN')
          if (await isUsernameTaken(tx, body.username)) throw new AppError('USERNAME_TAKEN')
          return { status: 201, body: await insert(tx, body, { passwordHash, audit }) }
        })
      })
    },

    invite: (id, { actorId, audit }) =>
      database.transaction(async (tx) => {
        await lockRoles(tx)
        if (!(await lockAccount(tx, id))) throw new AppError('ACCOUNT_NOT_FOUND')
        const person = await getAccountSummary(tx, id)
        await assertMayManage(tx, actorId, [person.role])
        if (person.status === 'deactivated')
          throw new AppError('INVITATION_CLOSED', { text: 'Reactivate this person before you invite them.' })
        if (person.status !== 'invited') throw new AppError('INVITATION_CLOSED')
        await sendInvitation(tx, person, audit)
        await bumpRevision(tx, id, audit.now)
        return presentUser(await getAccountSummary(tx, id))
      }),
  }
}
