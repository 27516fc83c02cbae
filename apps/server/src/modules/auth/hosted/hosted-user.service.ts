import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import type { HostedSession, HostedUser } from '@pegasus/contracts/auth/hosted-auth'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { findAccountSummary, presentCurrentUser } from '../../users/index.ts'
import { type AccountRow, getAccount, listIdentities } from '../accounts/accounts.queries.ts'
import { listFactors } from '../second-factor/factors.queries.ts'
import type { IssuedSession } from '../sessions/sessions.service.ts'
import { type AccountParts, presentHostedSession, presentHostedUser } from './hosted-user.present.ts'

/** Returns the signed-in account in the format of our own API or of the hosted protocol. */
export interface SignedInUsers {
  asCurrentUser(accountId: string): Promise<CurrentUser>
  asHostedUser(account: AccountRow): Promise<HostedUser>
  getHostedUser(accountId: string): Promise<HostedUser>
  asHostedSession(session: IssuedSession): Promise<HostedSession>
}

const listParts = async (sql: Queryable, { id }: AccountRow, now: Date): Promise<AccountParts> => {
  const [identities, factors] = await Promise.all([listIdentities(sql, id), listFactors(sql, id, now)])
  return { identities, factors }
}

/** Returns an account in the format of the hosted protocol, in the caller's transaction. */
export const describeAccount = async (tx: Queryable, account: AccountRow, now: Date): Promise<HostedUser> =>
  presentHostedUser(account, await listParts(tx, account, now))

export function createSignedInUsers(deps: { database: Pick<Database, 'sql'>; clock: Clock }): SignedInUsers {
  const { sql } = deps.database

  const partsOf = (account: AccountRow): Promise<AccountParts> => listParts(sql, account, deps.clock.now())

  const asHostedUser = async (account: AccountRow): Promise<HostedUser> =>
    presentHostedUser(account, await partsOf(account))

  return {
    async asCurrentUser(accountId) {
      const person = await findAccountSummary(sql, accountId)
      if (!person) throw new Error(`account ${accountId} is gone`)
      return presentCurrentUser(person)
    },
    asHostedUser,
    getHostedUser: async (accountId) => asHostedUser(await getAccount(sql, accountId)),
    asHostedSession: async (session) => presentHostedSession(session, await partsOf(session.account)),
  }
}
