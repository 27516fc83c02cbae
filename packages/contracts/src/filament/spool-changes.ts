import * as z from 'zod/mini'
import {
  clearableText,
  clearableMoment,
  numberBetween,
  positiveNumber,
  requiredText,
  wholeNumber,
} from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { spool } from './spools.ts'

/** Adding, changing, archiving and deleting spools. */
const { post, put, declareTrash, declareActions } = declareEndpoints('filament', {
  notFound: 'SPOOL_NOT_FOUND',
})

export const MAX_SPOOL_GRAMS = 1_000_000
/** Maximum number of identical spools in one request. */
export const MAX_IDENTICAL_SPOOLS = 100

const COLOR_HEX = 'Color must be written as #RRGGBB'

/** Fields of the filament and of the individual spool. In the API, they are in one object. */
const spoolFields = {
  brand: clearableText(64, 'Brand'),
  /** The manufacturer's name for the filament. The default is the name of the material. */
  name: z.optional(requiredText(64, 'Name')),
  color: clearableText(64, 'Color'),
  color_hex: z.optional(
    z.nullable(z.string(COLOR_HEX).check(z.trim(), z.regex(/^#?[0-9a-f]{6}([0-9a-f]{2})?$/i, COLOR_HEX))),
  ),
  diameter_mm: z.optional(positiveNumber('Diameter', 20, ' mm')),
  /** The default is the usual density of the material. */
  density_g_cm3: z.optional(positiveNumber('Density', 30, ' g/cm³')),
  /** Weight of the filament on a full spool. The default is 1,000 g. */
  weight_grams: z.optional(positiveNumber('Net weight', MAX_SPOOL_GRAMS, ' g')),
  /** Weight of the empty spool. */
  spool_weight_grams: z.optional(z.nullable(numberBetween('Spool weight', 0, MAX_SPOOL_GRAMS, ' g'))),
  /** Price of this spool, in the configured currency. */
  cost: z.optional(z.nullable(numberBetween('Cost', 0, 1_000_000_000))),
  /** Path of a location. The location is created if it does not exist. */
  location: clearableText(200, 'Location'),
  lot_number: clearableText(64, 'Lot number'),
  nozzle_temp_c: z.optional(z.nullable(wholeNumber('Nozzle temperature', 0, 600))),
  bed_temp_c: z.optional(z.nullable(wholeNumber('Bed temperature', 0, 300))),
  opened_at: clearableMoment('opened_at'),
  dried_at: clearableMoment('dried_at'),
  drying_interval_days: z.optional(z.nullable(wholeNumber('Drying interval', 1, 3650))),
  low_stock_grams: z.optional(z.nullable(numberBetween('Low stock', 0, MAX_SPOOL_GRAMS, ' g'))),
  notes: clearableText(10_000, 'Notes'),
}

/**
 * A new spool. Brand, material, name, color, diameter and net weight select its vendor and filament, which
 * are created if they do not exist. The other filament fields also change an existing filament, for all its
 * spools.
 */
const createSpoolBody = z.object({
  material: requiredText(64, 'Material'),
  ...spoolFields,
  /**
   * Remaining filament, which becomes the opening entry of the ledger. The default is the weight of a full
   * spool.
   */
  remaining_grams: z.optional(numberBetween('Remaining', 0, MAX_SPOOL_GRAMS, ' g')),
})
export type CreateSpoolBody = z.output<typeof createSpoolBody>

/**
 * Missing fields stay unchanged. The remaining weight is not one of the fields, because only the ledger
 * changes it. A new brand, material, name, color, diameter or net weight moves the spool to another filament.
 * Density, temperatures, color sample, low stock and drying interval belong to the filament and change for
 * all its spools.
 */
export const updateSpoolBody = z.object({
  material: z.optional(requiredText(64, 'Material')),
  ...spoolFields,
})
export type UpdateSpoolBody = z.output<typeof updateSpoolBody>

const CREATE_ERRORS = [
  'SPOOL_INVALID',
  'MALFORMED_REQUEST',
  'SPOOL_WEIGHT_LIMIT',
  'IDEMPOTENCY_KEY_REUSED',
] as const

export const createSpool = post('/api/filament', 'staff', {
  summary: 'Add a spool',
  body: createSpoolBody,
  creates: spool,
  errors: CREATE_ERRORS,
})

/** Several identical spools. Each gets its own number and ledger. */
export const createSpoolsBody = z.extend(createSpoolBody, {
  count: wholeNumber('count', 1, MAX_IDENTICAL_SPOOLS),
})

export const createSpools = post('/api/filament/batch', 'staff', {
  summary: `Add up to ${MAX_IDENTICAL_SPOOLS} identical spools; all or none are added`,
  body: createSpoolsBody,
  creates: z.array(spool),
  errors: CREATE_ERRORS,
})

export const updateSpool = put('/api/filament/:id', 'staff', {
  summary: 'Change a spool',
  body: updateSpoolBody,
  returns: spool,
  errors: ['SPOOL_INVALID', 'MALFORMED_REQUEST', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})

export const { remove: deleteSpool, restore: restoreSpool } = declareTrash('/api/filament', 'staff', {
  name: 'a spool',
  returns: spool,
})

const action = declareActions('/api/filament/:id', 'staff', { returns: spool })

export const archiveSpool = action(
  'archive',
  'Archive a spool that is no longer used; archiving it again changes nothing',
)

export const unarchiveSpool = action(
  'unarchive',
  'Bring an archived spool back into use; repeating it changes nothing',
)

export const drySpool = action('dry', 'Record that a spool was dried, now or at the given time', {
  body: z.nullish(z.object({ dried_at: clearableMoment('dried_at') })),
  errors: ['MALFORMED_REQUEST'],
})
