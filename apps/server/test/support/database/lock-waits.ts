import { expect } from 'vitest'
import type { Database } from '../../../src/platform/database/database.ts'

/** Waits until this many queries in a database are waiting for a lock. */
export const untilWaiting = (
  { database }: { database: Pick<Database, 'sql'> },
  queries: number,
): Promise<void> =>
  expect
    .poll(
      async () => {
        const [row] = await database.sql<[{ waiting: number }]>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return row.waiting
      },
      { timeout: 10_000 },
    )
    .toBe(queries)
