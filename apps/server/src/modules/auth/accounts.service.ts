import { type Role, hasRole } from '@pegasus/contracts/roles'
import type { CreateUserBody, UpdateUserBody, User } from '@pegasus/contracts/users'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../platform/clock.ts'
import type { Database, TransactionSql } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { type Answer, once } from '../../platform/http/idempotency.ts'
import type { Cursor, Page } from '../../platform/http/paging.ts'
import {
  type PersonRow,
  countActiveOwners,
  findPerson,
  insertPerson,
  listPeople,
  presentUser,
  replaceRole,
  setSystemAccess,
} from '../users/index.ts'
import {
  bumpRevision,
  findAccountByEmail,
  insertAccount,
  isUsernameTaken,
  lockAccount,
  lockAccountNames,
  setApproved,
  setEnabled,
} from './accounts.queries.ts'
import { composeApprovalMail } from './auth-mails.ts'
import { deleteSessionsOf } from './auth.queries.ts'
import { deleteTokensOf } from './one-time-tokens.ts'
import type { PasswordHashing } from './password-hashing.ts'
import { assertStrongPassword } from './password-rules.ts'
import type { TokenMails } from './token-mails.ts'

export interface CreateOptions {
  actorId: string
  idempotencyKey: string | null
  /** Of the request, without telling the password. */
  fingerprint: string
}

export interface PeopleFilter {
  search: string | undefined
  isApproved: boolean | null
}

export interface UpdateOptions {
  actorId: string
  /** The revision that `If-Match` names; null for any. */
  revision: number | null
}

/** Accounts as admins and owners keep them. */
export interface Accounts {
  list(filter: PeopleFilter, place: { cursor: Cursor | null; limit: number }): Promise<Page<User>>
  get(id: string): Promise<User>
  /** Throws OWNERS_ONLY, EMAIL_TAKEN, USERNAME_TAKEN or WEAK_PASSWORD. */
  create(body: CreateUserBody, options: CreateOptions): Promise<Answer<User>>
  /** Throws OWNERS_ONLY, OWN_ROLE, LAST_OWNER, ACCOUNT_NOT_FOUND or PRECONDITION_FAILED. */
  update(id: string, change: UpdateUserBody, options: UpdateOptions): Promise<User>
}

const isStaff = (role: string): boolean => hasRole(role, 'staff')

/** Throws unless the actor, as they are now, may keep accounts of all these roles. */
function assertMayKeep(actor: PersonRow | null, roles: readonly string[]): void {
  if (!actor?.is_active || !hasRole(actor.role, 'admin')) throw new AppError('FORBIDDEN')
  const touchesAdmins = roles.some((role) => hasRole(role, 'admin'))
  if (touchesAdmins && !hasRole(actor.role, 'owner')) throw new AppError('OWNERS_ONLY')
}

/** Roles change one at a time, so that two owners cannot remove each other at once. */
const lockRoles = (tx: TransactionSql) =>
  tx`select pg_advisory_xact_lock(hashtextextended('account-roles', 0))`

export function createAccounts(deps: {
  database: Database
  clock: Clock
  hashing: PasswordHashing
  mails: TokenMails
}): Accounts {
  const { database, clock, hashing, mails } = deps

  const getPerson = async (sql: TransactionSql | Database['sql'], id: string): Promise<PersonRow> => {
    const person = await findPerson(sql, id)
    if (!person) throw new AppError('ACCOUNT_NOT_FOUND')
    return person
  }

  const insert = async (
    tx: TransactionSql,
    body: CreateUserBody,
    passwordHash: string | null,
  ): Promise<User> => {
    const now = clock.now()
    const id = uuidv7()
    await insertAccount(tx, {
      id,
      email: body.email,
      username: body.username,
      passwordHash,
      mustChangePassword: false,
      // Who is given a password is known to the admin; who is invited proves the address by accepting.
      emailConfirmedAt: passwordHash === null ? null : now,
      approvedAt: now,
      userMetadata: null,
      now,
    })
    await insertPerson(tx, {
      accountId: id,
      fullName: body.full_name,
      role: body.role,
      systemAccess: body.system_access ?? isStaff(body.role),
    })
    if (passwordHash === null) await mails.send(tx, { type: 'invite', accountId: id, to: body.email })
    return presentUser(await getPerson(tx, id))
  }

  /** Promotion to staff brings the right to own API keys, and the fall below takes it; a given value wins. */
  const systemAccessAfter = (person: PersonRow, { role, system_access: given }: UpdateUserBody): boolean => {
    if (given !== undefined) return given
    if (role === undefined || isStaff(role) === isStaff(person.role)) return person.system_access
    return isStaff(role)
  }

  const changeRole = async (tx: TransactionSql, person: PersonRow, role: Role): Promise<void> => {
    await replaceRole(tx, person.id, role)
    // Admins may have read the links of somebody who was below them; they must not open an equal's account.
    if (hasRole(role, 'admin')) await deleteTokensOf(tx, person.id)
  }

  const changeApproval = async (tx: TransactionSql, person: PersonRow, approved: boolean): Promise<void> => {
    // Where no mail reaches anybody, nobody could prove an address: the admin's word has to do.
    const confirms = approved && !mails.reachPeople
    await setApproved(tx, person.id, { approved, confirms, now: clock.now() })
    if (confirms) await deleteTokensOf(tx, person.id)
    if (approved) await mails.tell(tx, person, composeApprovalMail(mails.publicUrl))
  }

  const apply = async (tx: TransactionSql, person: PersonRow, change: UpdateUserBody): Promise<void> => {
    const { role, is_active: isEnabled, approved } = change
    if (role !== undefined && role !== person.role) await changeRole(tx, person, role)
    const systemAccess = systemAccessAfter(person, change)
    if (systemAccess !== person.system_access) await setSystemAccess(tx, person.id, systemAccess)
    if (isEnabled !== undefined && isEnabled !== person.is_enabled) await setEnabled(tx, person.id, isEnabled)
    if (approved !== undefined && approved !== (person.approved_at !== null))
      await changeApproval(tx, person, approved)
    await bumpRevision(tx, person.id, clock.now())
    const after = await getPerson(tx, person.id)
    if (person.is_active && !after.is_active) {
      await deleteSessionsOf(tx, person.id)
      await deleteTokensOf(tx, person.id)
    }
  }

  const changesOwnRole = (person: PersonRow, { actorId }: UpdateOptions, change: UpdateUserBody): boolean =>
    person.id === actorId &&
    ((change.role !== undefined && change.role !== person.role) ||
      change.is_active === false ||
      change.approved === false)

  return {
    async list(filter, place) {
      const page = await listPeople(database.sql, filter, place)
      return { ...page, items: page.items.map(presentUser) }
    },

    get: async (id) => presentUser(await getPerson(database.sql, id)),

    async create(body, { actorId, idempotencyKey: key, fingerprint }) {
      if (body.password !== undefined) assertStrongPassword(body.password)
      const passwordHash = body.password === undefined ? null : await hashing.hash(body.password)
      return database.transaction(async (tx) => {
        assertMayKeep(await findPerson(tx, actorId), [body.role])
        return once(tx, { key, accountId: actorId, fingerprint, clock }, async () => {
          await lockAccountNames(tx)
          if (await findAccountByEmail(tx, body.email)) throw new AppError('EMAIL_TAKEN')
          if (await isUsernameTaken(tx, body.username)) throw new AppError('USERNAME_TAKEN')
          return { status: 201, body: await insert(tx, body, passwordHash) }
        })
      })
    },

    update: (id, change, options) =>
      database.transaction(async (tx) => {
        await lockRoles(tx)
        if (!(await lockAccount(tx, id))) throw new AppError('ACCOUNT_NOT_FOUND')
        const person = await getPerson(tx, id)
        const roles = [person.role, ...(change.role === undefined ? [] : [change.role])]
        assertMayKeep(await findPerson(tx, options.actorId), roles)
        if (options.revision !== null && options.revision !== person.revision)
          throw new AppError('PRECONDITION_FAILED', { body: { current: presentUser(person) } })
        await apply(tx, person, change)
        if ((await countActiveOwners(tx)) === 0) throw new AppError('LAST_OWNER')
        if (changesOwnRole(person, options, change)) throw new AppError('OWN_ROLE')
        return presentUser(await getPerson(tx, id))
      }),
  }
}
