import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { spool } from './spools.ts'
import { clearableText } from '../stl-library/upload.ts'

const { post, put, del } = declareEndpoints('filament')

/** Adding, changing and putting away spools. */

export const MAX_SPOOL_GRAMS = 1_000_000
/** So many identical spools can be added at once. */
export const MAX_IDENTICAL_SPOOLS = 100

const between = (name: string, least: number, most: number, unit = '') => {
  const message = `${name} must be a number from ${least} to ${most}${unit}`
  return z.number(message).check(z.gte(least, message), z.lte(most, message))
}

const moreThanNothing = (name: string, most: number, unit: string) => {
  const message = `${name} must be more than 0${unit} and at most ${most}${unit}`
  return z.number(message).check(z.gt(0, message), z.lte(most, message))
}

const word = (name: string) =>
  z.string(`${name} is required`).check(
    z.trim(),
    z.minLength(1, `${name} is required`),
    z.maxLength(64, `${name} has at most 64 characters`),
    z.refine((text) => !text.includes('\0'), `${name} holds a character that no text has`),
  )

const COLOR_HEX = 'Color must be written as #RRGGBB'

const wholeNumber = (name: string, least: number, most: number) => {
  const message = `${name} must be a whole number from ${least} to ${most}`
  return z.nullable(z.int(message).check(z.gte(least, message), z.lte(most, message)))
}

/** Years that a clock can show; the database reads neither the year 0 nor an offset of 30 hours. */
const isKnownMoment = (text: string): boolean => {
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** A moment of a form; null clears it. */
export const clearableMoment = (name: string) => {
  const error = `${name} must be a moment such as 2026-11-21T09:30:00Z`
  return z.optional(z.nullable(z.iso.datetime({ offset: true, error }).check(z.refine(isKnownMoment, error))))
}

/** What belongs to the filament and what to the roll alone, side by side as on the wire. */
const spoolFields = {
  brand: clearableText(64, 'Brand'),
  /** What the maker calls it; the material's name where it is left out. */
  name: z.optional(word('Name')),
  color: clearableText(64, 'Color'),
  color_hex: z.optional(
    z.nullable(z.string(COLOR_HEX).check(z.trim(), z.regex(/^#?[0-9a-f]{6}([0-9a-f]{2})?$/i, COLOR_HEX))),
  ),
  diameter_mm: z.optional(moreThanNothing('Diameter', 20, ' mm')),
  /** By material where it is left out. */
  density_g_cm3: z.optional(moreThanNothing('Density', 30, ' g/cm³')),
  /** Filament on the full spool; 1,000 g unless told. */
  weight_grams: z.optional(moreThanNothing('Net weight', MAX_SPOOL_GRAMS, ' g')),
  /** The empty spool. */
  spool_weight_grams: z.optional(z.nullable(between('Spool weight', 0, MAX_SPOOL_GRAMS, ' g'))),
  /** Paid for this spool, in the configured currency. */
  cost: z.optional(z.nullable(between('Cost', 0, 1_000_000_000))),
  /** Path of a place, made where it is missing. */
  location: clearableText(200, 'Location'),
  lot_number: clearableText(64, 'Lot number'),
  nozzle_temp_c: z.optional(wholeNumber('Nozzle temperature', 0, 600)),
  bed_temp_c: z.optional(wholeNumber('Bed temperature', 0, 300)),
  opened_at: clearableMoment('opened_at'),
  dried_at: clearableMoment('dried_at'),
  drying_interval_days: z.optional(wholeNumber('Drying interval', 1, 3650)),
  low_stock_grams: z.optional(z.nullable(between('Low stock', 0, MAX_SPOOL_GRAMS, ' g'))),
  notes: clearableText(10_000, 'Notes'),
}

/**
 * A spool as it comes in. Vendor and filament are found by brand, material, name, colour, diameter and net weight, or
 * made; what is told of a filament that is known already corrects it for all its spools.
 */
export const createSpoolBody = z.object({
  material: word('Material'),
  ...spoolFields,
  /** What is on it now; a full spool unless told. It becomes the opening entry of the ledger. */
  remaining_grams: z.optional(between('Remaining', 0, MAX_SPOOL_GRAMS, ' g')),
})
export type CreateSpoolBody = z.output<typeof createSpoolBody>

/**
 * What is absent stays. What is left on the spool is none of these: it changes by the ledger. Another brand, material,
 * name, colour, diameter or net weight makes it a spool of another filament; density, temperatures, swatch, low stock
 * and drying interval are the filament's, and change for all its spools.
 */
export const updateSpoolBody = z.object({ material: z.optional(word('Material')), ...spoolFields })
export type UpdateSpoolBody = z.output<typeof updateSpoolBody>

const WRITES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'SPOOL_INVALID',
  'INVALID_INPUT',
  'MALFORMED_REQUEST',
] as const

export const createSpool = post('/api/filament', 'staff', {
  summary: 'Add a spool',
  body: createSpoolBody,
  creates: spool,
  errors: [...WRITES, 'SPOOL_WEIGHT_LIMIT', 'IDEMPOTENCY_KEY_REUSED'],
})

const count = `count must be a whole number from 1 to ${MAX_IDENTICAL_SPOOLS}`

/** A box of spools: each is a row, a number and a ledger of its own. */
export const createSpoolsBody = z.extend(createSpoolBody, {
  count: z.int(count).check(z.gte(1, count), z.lte(MAX_IDENTICAL_SPOOLS, count)),
})

export const createSpools = post('/api/filament/batch', 'staff', {
  summary: `Add up to ${MAX_IDENTICAL_SPOOLS} identical spools, all or none`,
  body: createSpoolsBody,
  creates: z.array(spool),
  errors: [...WRITES, 'SPOOL_WEIGHT_LIMIT', 'IDEMPOTENCY_KEY_REUSED'],
})

export const updateSpool = put('/api/filament/:id', 'staff', {
  summary: 'Change what is known of a spool',
  body: updateSpoolBody,
  returns: spool,
  errors: [...WRITES, 'SPOOL_NOT_FOUND', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})

const MOVES = ['UNAUTHENTICATED', 'FORBIDDEN', 'SPOOL_NOT_FOUND'] as const

export const deleteSpool = del('/api/filament/:id', 'staff', {
  summary: 'Put a spool into the bin, which keeps it for 30 days',
  current: spool,
  errors: [...MOVES, 'PRECONDITION_FAILED'],
})

export const restoreSpool = post('/api/filament/:id/restore', 'staff', {
  summary: 'Take a spool out of the bin',
  returns: spool,
  errors: MOVES,
})

export const archiveSpool = post('/api/filament/:id/archive', 'staff', {
  summary: 'Put a spool away that is not used any more; a second time changes nothing',
  returns: spool,
  errors: MOVES,
})

export const unarchiveSpool = post('/api/filament/:id/unarchive', 'staff', {
  summary: 'Use a spool again that was archived; a second time changes nothing',
  returns: spool,
  errors: MOVES,
})

export const drySpool = post('/api/filament/:id/dry', 'staff', {
  summary: 'Note that a spool has been dried: now, or when it is told',
  body: z.nullish(z.object({ dried_at: clearableMoment('dried_at') })),
  returns: spool,
  errors: [...MOVES, 'MALFORMED_REQUEST'],
})
