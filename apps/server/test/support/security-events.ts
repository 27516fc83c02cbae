import { writeAudits } from '../../src/modules/audit/index.ts'
import { SYSTEM_ACTOR } from '../../src/platform/actor.ts'
import type { TestApp } from './build-test-app.ts'

/** A security event in the form in which another system receives it. */
export interface SentEvent {
  id?: string
  at: string
  action: string
  entity_name?: string | null
  actor?: { kind: string; name: string }
  ip?: string | null
  dropped?: number
}

/** Returns how many security events have not been sent yet. */
export const countWaiting = async (app: TestApp): Promise<number> => {
  const [row] = await app.database.sql<[{ n: number }]>`select count(*)::int as n from security_log_queue`
  return row.n
}

/** Writes one audit entry for each name: a refused call of the endpoint with this name. */
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
