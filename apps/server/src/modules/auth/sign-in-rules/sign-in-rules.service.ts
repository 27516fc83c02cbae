import type { SignInRules } from '@pegasus/contracts/auth/sign-in-rules'
import { ROLES, type Role } from '@pegasus/contracts/roles'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { assertRevision } from '../../../platform/errors/assert-revision.ts'
import type { UserPrincipal } from '../../../platform/http/principal.ts'
import { writeAudit } from '../../audit/index.ts'
import { hasSecondFactor } from '../second-factor/factors.queries.ts'
import { lockHolder } from '../second-factor/second-step.ts'
import {
  type SignInRulesRow,
  countWithoutFactor,
  getSignInRulesRow,
  lockSignInRules,
  updateSignInRulesRow,
} from './sign-in-rules.queries.ts'

/** The rules that owners set for all sign-ins. */
export interface SignInRulesService {
  get(): Promise<SignInRules>
  /**
   * Sets the roles that require a second factor. Throws OWN_FACTOR_FIRST if the role owner is among them and the caller
   * has no factor. Throws PRECONDITION_FAILED if somebody else has changed the rules in the meantime.
   */
  update(
    owner: UserPrincipal,
    roles: readonly Role[],
    options: { revision: number | null; audit: AuditContext },
  ): Promise<SignInRules>
}

const byRank = (roles: readonly string[]): Role[] => ROLES.filter((role) => roles.includes(role))

const present = async (sql: Queryable, row: SignInRulesRow): Promise<SignInRules> => ({
  second_factor_roles: byRank(row.second_factor_roles),
  without_second_factor: await countWithoutFactor(sql),
  revision: row.revision,
})

export function createSignInRules({ database }: { database: Database }): SignInRulesService {
  return {
    get: async () => present(database.sql, await getSignInRulesRow(database.sql)),

    update: (owner, roles, { revision, audit }) =>
      database.transaction(async (tx) => {
        // Lock the account first, like every change of a factor, so that nobody can remove the factor in the meantime.
        const { account } = await lockHolder(tx, owner)
        const current = await lockSignInRules(tx)
        const shown = await present(tx, current)
        assertRevision(revision, current, () => shown)
        // An owner with a second factor has verified it on this instance. So at least this owner can still sign in
        // under the new rule.
        if (roles.includes('owner') && !(await hasSecondFactor(tx, account.id)))
          throw new AppError('OWN_FACTOR_FIRST')
        const [before, after] = [byRank(current.second_factor_roles), byRank(roles)]
        if (before.join() === after.join()) return shown
        await updateSignInRulesRow(tx, after)
        const change = {
          before: { second_factor_roles: before },
          after: { second_factor_roles: after },
        }
        await writeAudit(
          tx,
          { action: 'sign_in_rules.updated', entity: 'system', entityId: null, ...change },
          audit,
        )
        return present(tx, await getSignInRulesRow(tx))
      }),
  }
}
