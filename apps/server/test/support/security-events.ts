import { writeAudits } from '../../src/modules/audit/index.ts'
import { SYSTEM_ACTOR } from '../../src/platform/actor.ts'
import type { TestApp } from './build-test-app.ts'

/** A security event as another system gets it. */
export interface SentEvent {
  id?: string
  at: string
  action: string
  entity_name?: string | null
  actor?: { kind: string; name: string }
  ip?: string | null
  dropped?: number
}

/** Returns how many security events wait to be sent. */
export const countWaiting = async (app: TestApp): Promise<number> => {
  const [row] = await app.database.sql<[{ n: number }]>`select count(*)::int as n from security_log_queue`
  return row.n
}

/** For each name, writes an audit entry that says that access to the endpoint with this name was refused. */
export const refuse = (app: TestApp, names: readonly string[]) =>
  app.database.transaction((tx) =>
    writeAudits(
      tx,
      names.map((entityName) => ({
        action: 'access.refused',
        entity: 'endpoint',
        entityId: null,
        entityName,
      })),
      { actor: SYSTEM_ACTOR, now: app.clock.now() },
    ),
  )
