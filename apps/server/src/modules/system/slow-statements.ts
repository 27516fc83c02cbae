import { MAX_SLOW_STATEMENTS, SLOW_STATEMENT_MS, type SlowStatements } from '@pegasus/contracts/system'
import type { Database } from '../../platform/database/database.ts'
import { readStatementStatistics } from './slow-statements.queries.ts'

const MAX_TEXT = 2000

/**
 * Lists the slow statements that PostgreSQL has counted. If PostgreSQL counts none, lists those that this process has
 * measured since `startedAt`.
 */
export async function listSlow(database: Database, startedAt: Date): Promise<SlowStatements> {
  const limits = { leastMs: SLOW_STATEMENT_MS, limit: MAX_SLOW_STATEMENTS }
  const counted = await readStatementStatistics(database, limits)
  const { since, statements } = counted ?? { since: startedAt, statements: database.statementTimes(limits) }
  return {
    source: counted ? 'database' : 'server',
    since: since.toISOString(),
    statements: statements.map(({ text, count, meanMs, longestMs }) => ({
      text: text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT),
      count,
      mean_ms: meanMs,
      longest_ms: longestMs,
    })),
  }
}
