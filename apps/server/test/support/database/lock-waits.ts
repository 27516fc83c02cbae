import { expect } from 'vitest'
import type { TestApp } from '../build-test-app.ts'

/** Waits until this many queries in the app's database are waiting for a lock. */
export const untilWaiting = (app: TestApp, queries: number): Promise<void> =>
  expect
    .poll(
      async () => {
        const [row] = await app.database.sql<[{ waiting: number }]>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return row.waiting
      },
      { timeout: 10_000 },
    )
    .toBe(queries)
