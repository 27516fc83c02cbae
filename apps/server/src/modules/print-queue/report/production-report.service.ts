import { fromMinor } from '@pegasus/contracts/money'
import type { ProductionGroup, ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { type AskedPeriod, reportPeriodOf } from '../../../platform/calendar.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type ReportFilter, readProduction } from './production-report.queries.ts'

/**
 * Reads the production report. Throws INVALID_INPUT for an unknown time zone, and for a period that ends before it
 * begins.
 */
export type ProductionReport = (
  by: ProductionGroup,
  period: AskedPeriod,
  filter: ReportFilter,
) => Promise<ProductionRow[]>

export const createProductionReport =
  ({ database, clock, currency }: { database: Database; clock: Clock; currency: string }): ProductionReport =>
  async (by, period, filter) => {
    const rows = await readProduction(database.sql, by, reportPeriodOf(period, clock.now()), filter)
    const amount = (minor: number | null) => (minor === null ? null : fromMinor(minor, currency))
    return rows.map(
      ({
        cost_minor: cost,
        planned_minor: planned,
        compared_minor: compared,
        failure_minor: failure,
        ...row
      }) => ({
        ...row,
        cost: amount(cost),
        planned_cost: amount(planned),
        compared_cost: amount(compared),
        failure_cost: amount(failure),
      }),
    )
  }
