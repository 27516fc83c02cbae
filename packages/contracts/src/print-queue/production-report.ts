import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { nullable, optionalId } from '../fields.ts'
import { reportPeriod } from '../orders/sales.ts'

/** Compares planned and actual filament, time and cost of prints. */
const { get } = declareEndpoints('print-queue')

export const PRODUCTION_GROUPS = ['item', 'order', 'month'] as const
export type ProductionGroup = (typeof PRODUCTION_GROUPS)[number]

const productionRow = z.object({
  /** The id of the item or the order, or the month (`2026-11`). */
  key: z.string(),
  /** The display name of the row. */
  label: z.string(),
  /** Number of plates that have ended, including failed ones. */
  plates: z.number(),
  good: z.number(),
  /** Number of rejected pieces, including all pieces of failed plates. */
  bad: z.number(),
  /** Share of good pieces, from 0 to 1. Null without pieces. */
  yield: nullable.number,
  /**
   * `planned_grams` and `used_grams` are sums over the plates for which both are known. Null without such
   * plates.
   */
  planned_grams: nullable.number,
  used_grams: nullable.number,
  planned_minutes: nullable.number,
  print_minutes: nullable.number,
  /**
   * Number of jobs that ended in the period and have a cost, including failed, cancelled and deleted ones that were
   * printed.
   */
  jobs: z.number(),
  /**
   * Cost of the jobs in `jobs`, in the currency of the shop. It includes each rejected piece and each failed attempt
   * once.
   */
  cost: nullable.number,
  /** Number of the jobs in `jobs` that have a planned cost. */
  compared_jobs: z.number(),
  /** The planned and the actual cost of the compared jobs. Null without such jobs. */
  planned_cost: nullable.number,
  compared_cost: nullable.number,
  /** Number of the jobs in `jobs` that have no good piece. */
  failed_jobs: z.number(),
  /** Cost of the failed jobs, which is a part of `cost`. They have no planned cost. Null without such jobs. */
  failure_cost: nullable.number,
  /**
   * Number of jobs without good pieces whose cost is unknown, because they ended before the server saved the cost of
   * failures. They are not in `jobs`, `failed_jobs` or any cost.
   */
  unknown_cost_jobs: z.number(),
  /** Whether the filament of all jobs in `cost` was reported for all plates. Null without jobs. */
  cost_is_measured: z.nullable(z.boolean()),
})
export type ProductionRow = z.output<typeof productionRow>

export const getProductionReport = get('/api/reports/production', 'staff', {
  summary:
    'Planned and actual time, filament and cost of prints, and the number of good pieces: by item, order or month; with `order_id`, the default period has no beginning',
  query: z.object({
    ...reportPeriod,
    by: z._default(z.enum(PRODUCTION_GROUPS, `by must be one of ${PRODUCTION_GROUPS.join(', ')}`), 'item'),
    inventory_item_id: optionalId('inventory_item_id'),
    order_id: optionalId('order_id'),
  }),
  returns: z.array(productionRow),
})
