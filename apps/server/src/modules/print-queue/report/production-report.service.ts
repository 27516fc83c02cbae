import { fromMinor } from '@pegasus/contracts/money'
import type { ProductionGroup, ProductionRow } from '@pegasus/contracts/print-queue/production-report'
import { type AskedPeriod, reportPeriodOf } from '../../../platform/calendar.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type ReportFilter, readProduction } from './production-report.queries.ts'

/** Start of the default period for a single order, so that the page of an old order shows all its prints. */
const EARLIEST_DAY = '0001-01-01'

/**
 * Reads the production report. Without `from`, it covers the last twelve months, or all prints of `orderId`. Throws
 * INVALID_INPUT for an unknown time zone, and for a period that ends before it begins.
 */
export type ProductionReport = (
  by: ProductionGroup,
  period: AskedPeriod,
  filter: ReportFilter,
) => Promise<ProductionRow[]>

export const createProductionReport =
  ({ database, clock, currency }: { database: Database; clock: Clock; currency: string }): ProductionReport =>
  async (by, period, filter) => {
    const from = period.from ?? (filter.orderId === undefined ? undefined : EARLIEST_DAY)
    const asked = reportPeriodOf({ ...period, from }, clock.now())
    const rows = await readProduction(database.sql, by, asked, filter)
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
