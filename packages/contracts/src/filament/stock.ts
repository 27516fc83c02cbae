import * as z from 'zod/mini'
import { nullable } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'

/** Remaining filament by material and color, without archived spools, and a forecast of how long it lasts. */
const { get } = declareEndpoints('filament')

const color = {
  material: z.string(),
  /** Empty if the spools have no color. */
  color: z.string(),
  color_hex: nullable.text,
}

const filamentStock = z.object({
  ...color,
  /** Number of spools that are not empty. */
  spools: z.number(),
  remaining_grams: z.number(),
  /** The highest low-stock limit of the filaments with this material and color. Null if no filament has a limit. */
  low_stock_grams: nullable.number,
  is_low: z.boolean(),
})
export type FilamentStock = z.output<typeof filamentStock>

export const listFilamentStock = get('/api/filament/stock', 'signed-in', {
  summary: 'Remaining filament by material and color, low stock first',
  returns: z.array(filamentStock),
})

/** The first queued job for which there is not enough filament. */
const runsOutAt = z.object({
  print_job_id: z.uuid(),
  label_code: z.string(),
  name: z.string(),
  due_at: nullable.timestamp,
  /** Position of this job among the jobs that need the filament: 3 means the third job. */
  nth: z.number(),
  /** The grams of filament that are missing to finish this job. */
  short_grams: z.number(),
})

const filamentForecast = z.object({
  ...color,
  /** Whether the entry contains the filament of all colors, for jobs that accept any color. */
  is_any_color: z.boolean(),
  remaining_grams: z.number(),
  needed_grams: z.number(),
  jobs: z.number(),
  /** Number of jobs without an estimate. `needed_grams` includes 0 g for each of them. */
  jobs_without_estimate: z.number(),
  runs_out_at: z.nullable(runsOutAt),
})
export type FilamentForecast = z.output<typeof filamentForecast>

export const getFilamentForecast = get('/api/filament/forecast', 'signed-in', {
  summary: 'How far into the queue the filament lasts, by material and color',
  returns: z.array(filamentForecast),
})

const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth']

function ordinal(nth: number): string {
  const word = ORDINALS[nth]
  if (word) return word
  const ending = nth % 100 > 10 && nth % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][nth % 10] ?? 'th')
  return `${nth}${ending}`
}

/**
 * Returns text such as `Runs out on the third job (J-00042), 120 g short`, or null if the filament lasts for
 * all jobs.
 */
export const forecastSentence = ({ runs_out_at: at }: FilamentForecast): string | null =>
  at &&
  `Runs out on the ${ordinal(at.nth)} job (${at.label_code}), ${Math.max(1, Math.round(at.short_grams))} g short`
