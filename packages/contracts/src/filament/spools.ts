import * as z from 'zod/mini'
import { deletedOnly, nullable, queryText, searchText, revisedTimes } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { SPOOL_STATUSES } from '../statuses.ts'

const { get, list } = declareEndpoints('filament', { notFound: 'SPOOL_NOT_FOUND' })

export const DEFAULT_DIAMETER_MM = 1.75
/** Default weight of the filament on a full spool. */
export const DEFAULT_SPOOL_GRAMS = 1000
/** Common spool sizes, which forms offer. */
export const COMMON_SPOOL_GRAMS = [250, 500, 750, 1000, 2000, 3000, 5000] as const

/** One spool with its filament. Weights are grams, temperatures °C. */
export const spool = z.object({
  id: z.uuid(),
  /** The number of the spool, which the label shows as `S-0042`. */
  number: z.number(),
  label_code: z.string(),
  material: z.string(),
  brand: nullable.text,
  name: z.string(),
  color: z.string(),
  /** The color as `#RRGGBB`, or as `#RRGGBBAA` with opacity. */
  color_hex: nullable.text,
  diameter_mm: z.number(),
  density_g_cm3: z.number(),
  weight_grams: z.number(),
  spool_weight_grams: nullable.number,
  remaining_grams: z.number(),
  cost: nullable.number,
  location: nullable.text,
  lot_number: nullable.text,
  status: z.enum(SPOOL_STATUSES),
  nozzle_temp_c: nullable.number,
  bed_temp_c: nullable.number,
  opened_at: nullable.timestamp,
  last_used_at: nullable.timestamp,
  dried_at: nullable.timestamp,
  drying_interval_days: nullable.number,
  /** The low-stock limit for all spools of this material and color together. */
  low_stock_grams: nullable.number,
  notes: nullable.text,
  /** Number of unfinished print jobs that use this spool. `queued_grams` is the filament that they need. */
  queued_jobs: z.number(),
  queued_grams: z.number(),
  ...revisedTimes,
})
export type Spool = z.output<typeof spool>

/** Sort orders of the list. Spools that are equal in the sort order are sorted newest first. */
export const SPOOL_SORTS = ['newest', 'least_left', 'most_left', 'material', 'last_used'] as const
export type SpoolSort = (typeof SPOOL_SORTS)[number]

export const listFilament = list('/api/filament', 'signed-in', {
  summary: 'Spools, newest first unless sorted otherwise; or those in the trash',
  filter: {
    /** Each word must occur in the material, brand, name, color, lot or label code of the spool. */
    search: searchText,
    /** The full name of a material, in upper or lower case. */
    material: queryText('material', 64),
    status: z.optional(z.enum(SPOOL_STATUSES, 'status must be one of the statuses of a spool')),
    /** `true` lists only archived spools, `false` only the others. The default is both. */
    archived: z.optional(z.stringbool({ error: 'archived must be true or false' })),
    sort: z._default(z.enum(SPOOL_SORTS, `sort must be one of ${SPOOL_SORTS.join(', ')}`), 'newest'),
    /** Lists the trash instead of the spools in use. In that case, `newest` sorts by the time of deletion. */
    deleted: deletedOnly,
  },
  of: spool,
})

export const listMaterials = get('/api/filament/materials', 'signed-in', {
  summary: 'Materials that have spools, by name',
  returns: z.array(z.string()),
})

export const getSpool = get('/api/filament/:id', 'signed-in', {
  summary: 'One spool',
  returns: spool,
})
