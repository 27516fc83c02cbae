import type { CurrentUser } from '@pegasus/contracts/auth/sign-in'
import type { HostedSession, HostedUser } from '@pegasus/contracts/auth/hosted-auth'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
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

export function createSignedInUsers(deps: { database: Pick<Database, 'sql'>; clock: Clock }): SignedInUsers {
  const { sql } = deps.database

  const partsOf = async ({ id }: AccountRow): Promise<AccountParts> => {
    const [identities, factors] = await Promise.all([
      listIdentities(sql, id),
      listFactors(sql, id, deps.clock.now()),
    ])
    return { identities, factors }
  }

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
