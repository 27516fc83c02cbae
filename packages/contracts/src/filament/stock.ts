import * as z from 'zod/mini'
import { timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'

const { get } = declareEndpoints('filament')

/** What there is of each material and colour over all spools that are not archived, and how far it goes. */

const color = {
  material: z.string(),
  /** Empty where nobody said. */
  color: z.string(),
  color_hex: z.nullable(z.string()),
}

export const filamentStock = z.object({
  ...color,
  /** That have something on them. */
  spools: z.number(),
  remaining_grams: z.number(),
  /** The highest that one of its filaments has; null means that nobody wants to be told. */
  low_stock_grams: z.nullable(z.number()),
  is_low: z.boolean(),
})
export type FilamentStock = z.output<typeof filamentStock>

export const listFilamentStock = get('/api/filament/stock', 'signed-in', {
  summary: 'What is left of each material and colour, what is low first',
  returns: z.array(filamentStock),
})

/** The job of the queue that the filament does not last for. */
const runsOutAt = z.object({
  print_job_id: z.uuid(),
  label_code: z.string(),
  name: z.string(),
  due_at: z.nullable(timestamp),
  /** Which it is of the jobs that want this filament: 3 is the third. */
  nth: z.number(),
  /** What is missing to finish that job. */
  short_grams: z.number(),
})

export const filamentForecast = z.object({
  ...color,
  /** Where jobs ask for the material in any colour: over all colours of it. */
  is_any_color: z.boolean(),
  remaining_grams: z.number(),
  needed_grams: z.number(),
  jobs: z.number(),
  /** Jobs of which nobody knows how much they need; they count as nothing. */
  jobs_without_estimate: z.number(),
  runs_out_at: z.nullable(runsOutAt),
})
export type FilamentForecast = z.output<typeof filamentForecast>

export const getFilamentForecast = get('/api/filament/forecast', 'signed-in', {
  summary: 'How far the filament goes along the queue, by material and colour; what runs out first',
  returns: z.array(filamentForecast),
})

const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth']

function ordinal(nth: number): string {
  const word = ORDINALS[nth]
  if (word) return word
  const ending = nth % 100 > 10 && nth % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][nth % 10] ?? 'th')
  return `${nth}${ending}`
}

/** `Runs out on the third job (J-00042), 120 g short`; null where it lasts. */
export const forecastSentence = ({ runs_out_at: at }: FilamentForecast): string | null =>
  at && `Runs out on the ${ordinal(at.nth)} job (${at.label_code}), ${Math.ceil(at.short_grams)} g short`
