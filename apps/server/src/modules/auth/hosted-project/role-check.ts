import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ProjectCalls } from './project-calls.ts'
import { rightsOf, setRights } from './shadow-accounts.ts'
import { listShadowsWithAccess } from './shadow-accounts.queries.ts'

/**
 * Returns a function that reads the roles of all people with access to this system from the project again. API keys
 * have the rights of their owner. So a key must lose rights that the project has taken away, even if its owner never
 * returns.
 */
export const createRoleCheck =
  ({ calls, database, clock }: { calls: ProjectCalls; database: Database; clock: Clock }) =>
  async (): Promise<void> => {
    for (const { id, subject } of await listShadowsWithAccess(database.sql)) {
      const rights = rightsOf(await calls.findRole(subject), { isAnonymous: false })
      await database.transaction((tx) => setRights(tx, { id }, rights, clock.now()))
    }
  }
