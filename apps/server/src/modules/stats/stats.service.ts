import { fromMinor } from '@pegasus/contracts/money'
import type { Stats, StatsHistory } from '@pegasus/contracts/stats'
import { type Clock, DAY_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { readFilamentBalance, readFilamentFigures } from '../filament/index.ts'
import { readStockDays, readStockFigures } from '../inventory/index.ts'
import { readOrderDays, readOrderFigures } from '../orders/index.ts'
import { readPrintDays, readQueueFigures } from '../print-queue/index.ts'
import { countPublished } from '../products/index.ts'
import { readModelDays, readModelFigures } from '../stl-library/index.ts'
import { daysOfPeriod } from '../../platform/calendar.ts'

const WEEK_DAYS = 7
const MONTH_DAYS = 30

export interface StatsService {
  read(): Promise<Stats>
  /** Returns the figures for each day of a period. Throws INVALID_INPUT for an unknown time zone. */
  readHistory(period: { days: number; timeZone: string }): Promise<StatsHistory>
}

/** Creates the service that combines the figures of all modules for the dashboard. */
export function createStats(deps: { database: Database; clock: Clock; currency: string }): StatsService {
  const { clock, currency } = deps
  const { sql } = deps.database
  const money = (minor: number) => fromMinor(minor, currency)

  return {
    async read() {
      const now = clock.now()
      const daysAgo = (days: number) => addMs(now, -days * DAY_MS)
      const weekAgo = daysAgo(WEEK_DAYS)
      const periods = { weekAgo, monthAgo: daysAgo(MONTH_DAYS), twoMonthsAgo: daysAgo(2 * MONTH_DAYS) }
      const [files, stock, filament, orders, queue, totalProducts] = await Promise.all([
        readModelFigures(sql, weekAgo),
        readStockFigures(sql),
        readFilamentFigures(sql),
        readOrderFigures(sql, { currency, ...periods }),
        readQueueFigures(sql, now),
        countPublished(sql),
      ])
      return {
        ...files,
        ...stock,
        ...filament,
        ...orders,
        ...queue,
        currency,
        total_products: totalProducts,
        total_revenue: money(orders.total_revenue_minor),
        revenue_30_days: money(orders.revenue_30_days_minor),
        revenue_previous_30_days: money(orders.revenue_previous_30_days_minor),
        stock_value: money(stock.stock_value_minor),
        print_queue_count: queue.print_jobs_pending + queue.print_jobs_in_progress,
      }
    },

    async readHistory({ days, timeZone }) {
      const period = daysOfPeriod(clock.now(), days, timeZone)
      if (!period)
        throw new AppError('INVALID_INPUT', {
          text: 'time_zone is not a known time zone',
          errors: [{ path: 'time_zone', message: 'time_zone is not a known time zone' }],
        })
      const { dates, start } = period
      const [orderDays, printDays, stockDays, modelDays, filament, stock] = await Promise.all([
        readOrderDays(sql, start, timeZone, currency),
        readPrintDays(sql, start, timeZone),
        readStockDays(sql, start, timeZone),
        readModelDays(sql, start, timeZone),
        readFilamentBalance(sql),
        readStockFigures(sql),
      ])
      const [orders, prints, items, files] = [
        byDay(orderDays),
        byDay(printDays),
        byDay(stockDays),
        byDay(modelDays),
      ]
      // The value at the end of a day is the current value without all later changes.
      let valueMinor = stock.stock_value_minor
      const newestFirst = dates.toReversed().map((date) => {
        const stockValue = money(valueMinor)
        valueMinor -= items.get(date)?.value_change_minor ?? 0
        return {
          date,
          orders: orders.get(date)?.orders ?? 0,
          revenue: money(orders.get(date)?.revenue_minor ?? 0),
          prints_finished: prints.get(date)?.prints_finished ?? 0,
          prints_failed: prints.get(date)?.prints_failed ?? 0,
          files_added: files.get(date)?.files_added ?? 0,
          items_added: items.get(date)?.items_added ?? 0,
          stock_value: stockValue,
        }
      })
      return { currency, time_zone: timeZone, days: newestFirst.toReversed(), filament }
    },
  }
}

const byDay = <T extends { day: string }>(rows: readonly T[]): Map<string, T> =>
  new Map(rows.map((row) => [row.day, row]))
