import * as z from 'zod/mini'
import { nullable } from './fields.ts'
import { declareEndpoints } from './endpoint.ts'

const { get } = declareEndpoints('stats')

/** Figures of the shop at this time. Money is in `currency`. A week means the last seven days. */
export const stats = z.object({
  total_files: z.number(),
  /** Number of published products. */
  total_products: z.number(),
  total_inventory: z.number(),
  /** Number of spools, without archived spools. */
  total_filaments: z.number(),
  total_orders: z.number(),
  pending_orders: z.number(),
  /** Number of items that `GET /api/inventory?low_stock_only=true` lists. */
  low_stock_items: z.number(),
  /** Revenue of all orders, without cancelled orders. */
  total_revenue: z.number(),

  currency: z.string(),
  files_this_week: z.number(),
  orders_this_week: z.number(),
  revenue_30_days: z.number(),
  revenue_previous_30_days: z.number(),
  out_of_stock_items: z.number(),
  /**
   * Number of items for which the replenishment would propose prints now: low items with a model, whose missing pieces
   * are not all queued. Items that a person has dismissed are left out.
   */
  low_stock_not_queued: z.number(),
  /** Sum of quantity times selling price, over the items with a price. */
  stock_value: z.number(),
  /** Number of open orders that are ready to pack. */
  orders_ready_to_pack: z.number(),
  /** Number of pending and running print jobs. The dashboard shows it on the Print Queue card. */
  print_queue_count: z.number(),
  print_jobs_pending: z.number(),
  print_jobs_in_progress: z.number(),
  print_jobs_on_hold: z.number(),
  /** Estimated end of the running print that ends next. Prints past their estimate are ignored. */
  next_print_done_at: nullable.timestamp,
  /** Filament on all spools, without archived spools. */
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
  /** A day such as `2026-11-21` in the requested time zone. */
  date: z.iso.date(),
  /** Number of orders on that day, without cancelled orders. */
  orders: z.number(),
  /** Revenue of these orders. */
  revenue: z.number(),
  prints_finished: z.number(),
  prints_failed: z.number(),
  files_added: z.number(),
  items_added: z.number(),
  /** Value of the stock at the end of the day: its quantities on that day at today's selling prices. */
  stock_value: z.number(),
})

const statsHistory = z.object({
  currency: z.string(),
  time_zone: z.string(),
  /** Every day of the period, oldest first. The last day is today. */
  days: z.array(dayOfHistory),
  /** Remaining filament by material, and the filament that unfinished print jobs need. */
  filament: z.array(
    z.object({
      /** Null for jobs without a material. */
      material: nullable.text,
      spools: z.number(),
      remaining_grams: z.number(),
      needed_grams: z.number(),
    }),
  ),
})
export type StatsHistory = z.output<typeof statsHistory>

export const getStatsHistory = get('/api/stats/history', 'signed-in', {
  summary: 'Daily figures for the charts of the dashboard',
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
    /** Time zone of the days, such as `Europe/Vienna`. */
    time_zone: z._default(z.string().check(z.maxLength(64, 'time_zone is too long')), 'UTC'),
  }),
  returns: statsHistory,
})
