import type { TestApp } from './build-test-app.ts'

/** An audit entry as a row of the database. */
export interface Entry {
  at: string
  actor_kind: string
  actor_id: string | null
  actor_name: string
  action: string
  entity: string
  entity_id: string | null
  entity_name: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  ip: string | null
  request_id: string | null
}

/** Returns all audit entries, oldest first. */
export const entriesOf = (app: TestApp): Promise<Entry[]> =>
  app.database.sql<Entry[]>`select * from audit_entries order by at, id`
