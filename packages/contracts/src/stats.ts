import * as z from 'zod/mini'
import { timestamp } from './fields.ts'
import { declareEndpoints } from './endpoint.ts'

const { get } = declareEndpoints('stats')

/** What the shop holds, as of now. Money is in `currency`; a week is the last seven days. */
export const stats = z.object({
  total_files: z.number(),
  /** Published ones. */
  total_products: z.number(),
  total_inventory: z.number(),
  /** Spools that are not archived. */
  total_filaments: z.number(),
  total_orders: z.number(),
  pending_orders: z.number(),
  /** The rows of `GET /api/inventory?low_stock_only=true`. */
  low_stock_items: z.number(),
  /** All orders that are not cancelled. */
  total_revenue: z.number(),

  currency: z.string(),
  files_this_week: z.number(),
  orders_this_week: z.number(),
  revenue_30_days: z.number(),
  revenue_previous_30_days: z.number(),
  out_of_stock_items: z.number(),
  /** Low items that no unfinished print job is for. */
  low_stock_not_queued: z.number(),
  /** Quantity times selling price, of items that have one. */
  stock_value: z.number(),
  /** Pending orders whose every line can be filled from what is free. */
  orders_ready_to_pack: z.number(),
  /** Pending and in progress: the Print Queue card. */
  print_queue_count: z.number(),
  print_jobs_pending: z.number(),
  print_jobs_in_progress: z.number(),
  print_jobs_on_hold: z.number(),
  /** When the first running print should be done, by its estimate; those that are past theirs are left out. */
  next_print_done_at: z.nullable(timestamp),
  /** On all spools that are not archived. */
  filament_grams: z.number(),
})
export type Stats = z.output<typeof stats>

export const getStats = get('/api/stats', 'signed-in', {
  summary: 'The figures of the dashboard',
  returns: stats,
})

const MAX_HISTORY_DAYS = 366
const DEFAULT_HISTORY_DAYS = 30

const dayOfHistory = z.object({
  /** `2026-11-21`, a day of the asked time zone. */
  date: z.iso.date(),
  /** Orders placed that day and not cancelled, and what they bring. */
  orders: z.number(),
  revenue: z.number(),
  prints_finished: z.number(),
  prints_failed: z.number(),
  files_added: z.number(),
  items_added: z.number(),
  /** At the end of the day: quantities of then, at the selling prices of now. */
  stock_value: z.number(),
})

export const statsHistory = z.object({
  currency: z.string(),
  time_zone: z.string(),
  /** Every day of the period, the oldest first; the last is today. */
  days: z.array(dayOfHistory),
  /** By material: what is left on spools, and what unfinished print jobs still need. */
  filament: z.array(
    z.object({
      /** Null for what jobs need without saying of which material. */
      material: z.nullable(z.string()),
      spools: z.number(),
      remaining_grams: z.number(),
      needed_grams: z.number(),
    }),
  ),
})
export type StatsHistory = z.output<typeof statsHistory>

export const getStatsHistory = get('/api/stats/history', 'signed-in', {
  summary: 'What the charts of the dashboard draw, day by day',
  query: z.object({
    days: z._default(
      z.coerce
        .number()
        .check(
          z.int('days must be a whole number'),
          z.gte(1, 'days must be at least 1'),
          z.lte(MAX_HISTORY_DAYS, `days must be at most ${MAX_HISTORY_DAYS}`),
        ),
      DEFAULT_HISTORY_DAYS,
    ),
    /** Where a day begins and ends, such as `Europe/Vienna`. */
    time_zone: z._default(z.string().check(z.maxLength(64, 'time_zone is too long')), 'UTC'),
  }),
  returns: statsHistory,
})
