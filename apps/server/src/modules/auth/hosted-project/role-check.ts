import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ProjectCalls } from './project-calls.ts'
import { rightsOf, setRights } from './shadow-accounts.ts'
import { listShadowsWithAccess } from './shadow-accounts.queries.ts'

/**
 * Returns a function that reads the roles of all people of the project with access to this system again. API keys have
 * the rights of their owner, so a role that the project took away must end them even if the owner never returns.
 */
export const createRoleCheck =
  ({ calls, database, clock }: { calls: ProjectCalls; database: Database; clock: Clock }) =>
  async (): Promise<void> => {
    for (const { id, subject } of await listShadowsWithAccess(database.sql)) {
      const rights = rightsOf(await calls.findRole(subject), { isAnonymous: false })
      await database.transaction((tx) => setRights(tx, { id }, rights, clock.now()))
    }
  }
