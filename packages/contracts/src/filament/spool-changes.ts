import * as z from 'zod/mini'
import { idParams } from '../fields.ts'
import { defineEndpoint } from '../endpoint.ts'
import { spool } from './spools.ts'
import { clearableText } from '../stl-library/upload.ts'

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

export const createSpool = defineEndpoint({
  method: 'POST',
  path: '/api/filament',
  summary: 'Add a spool',
  tag: 'filament',
  access: 'staff',
  body: createSpoolBody,
  success: { status: 201, body: spool },
  errors: [...WRITES, 'SPOOL_WEIGHT_LIMIT', 'IDEMPOTENCY_KEY_REUSED'],
})

const count = `count must be a whole number from 1 to ${MAX_IDENTICAL_SPOOLS}`

/** A box of spools: each is a row, a number and a ledger of its own. */
export const createSpoolsBody = z.extend(createSpoolBody, {
  count: z.int(count).check(z.gte(1, count), z.lte(MAX_IDENTICAL_SPOOLS, count)),
})

export const createSpools = defineEndpoint({
  method: 'POST',
  path: '/api/filament/batch',
  summary: `Add up to ${MAX_IDENTICAL_SPOOLS} identical spools, all or none`,
  tag: 'filament',
  access: 'staff',
  body: createSpoolsBody,
  success: { status: 201, body: z.array(spool) },
  errors: [...WRITES, 'SPOOL_WEIGHT_LIMIT', 'IDEMPOTENCY_KEY_REUSED'],
})

export const updateSpool = defineEndpoint({
  method: 'PUT',
  path: '/api/filament/:id',
  summary: 'Change what is known of a spool',
  tag: 'filament',
  access: 'staff',
  params: idParams,
  body: updateSpoolBody,
  success: { status: 200, body: spool },
  errors: [...WRITES, 'SPOOL_NOT_FOUND', 'PRECONDITION_FAILED', 'PRECONDITION_REQUIRED'],
})

const MOVES = ['UNAUTHENTICATED', 'FORBIDDEN', 'SPOOL_NOT_FOUND'] as const

export const deleteSpool = defineEndpoint({
  method: 'DELETE',
  path: '/api/filament/:id',
  summary: 'Put a spool into the bin, which keeps it for 30 days',
  tag: 'filament',
  access: 'staff',
  params: idParams,
  success: { status: 204, body: null },
  current: spool,
  errors: [...MOVES, 'PRECONDITION_FAILED'],
})

export const restoreSpool = defineEndpoint({
  method: 'POST',
  path: '/api/filament/:id/restore',
  summary: 'Take a spool out of the bin',
  tag: 'filament',
  access: 'staff',
  params: idParams,
  success: { status: 200, body: spool },
  errors: MOVES,
})

export const archiveSpool = defineEndpoint({
  method: 'POST',
  path: '/api/filament/:id/archive',
  summary: 'Put a spool away that is not used any more; a second time changes nothing',
  tag: 'filament',
  access: 'staff',
  params: idParams,
  success: { status: 200, body: spool },
  errors: MOVES,
})

export const unarchiveSpool = defineEndpoint({
  method: 'POST',
  path: '/api/filament/:id/unarchive',
  summary: 'Use a spool again that was archived; a second time changes nothing',
  tag: 'filament',
  access: 'staff',
  params: idParams,
  success: { status: 200, body: spool },
  errors: MOVES,
})

export const drySpool = defineEndpoint({
  method: 'POST',
  path: '/api/filament/:id/dry',
  summary: 'Note that a spool has been dried: now, or when it is told',
  tag: 'filament',
  access: 'staff',
  params: idParams,
  body: z.nullish(z.object({ dried_at: clearableMoment('dried_at') })),
  success: { status: 200, body: spool },
  errors: [...MOVES, 'INVALID_INPUT', 'MALFORMED_REQUEST'],
})
