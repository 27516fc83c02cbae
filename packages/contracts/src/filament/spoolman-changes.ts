import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { MAX_SPOOL_GRAMS, clearableMoment } from './spool-changes.ts'
import {
  SPOOLMAN_REFUSALS,
  SPOOLMAN_WRITE,
  numberParams,
  spoolmanFilament,
  spoolmanSpool,
  spoolmanVendor,
} from './spoolman.ts'

const { post, patch, del } = declareEndpoints('spoolman')

/** Adding, changing and removing by the interface of Spoolman. What a PATCH leaves out stays; null clears. */

/** The database knows no zero character and no half of a character. */
const UNSTORABLE = /[\0\p{Cs}]/u

const word = (name: string, most: number) =>
  z.string(`${name} must be a text`).check(
    z.trim(),
    z.maxLength(most, `${name} has at most ${most} characters`),
    z.refine((text) => !UNSTORABLE.test(text), `${name} holds a character that no text has`),
  )

/** Empty is none. */
const text = (name: string, most: number) =>
  z.optional(
    z.pipe(
      z.nullable(word(name, most)),
      z.transform((value) => value || null),
    ),
  )

const required = (name: string) => word(name, 64).check(z.minLength(1, `${name} is required`))

const upTo = (name: string, most: number) => {
  const message = `${name} must be a number from 0 to ${most}`
  return z.number(message).check(z.gte(0, message), z.lte(most, message))
}

const moreThanNothing = (name: string, least: number, most: number) => {
  const message = `${name} must be a number from ${least} to ${most}`
  return z.number(message).check(z.gte(least, message), z.lte(most, message))
}

const grams = (name: string) => z.optional(z.nullable(upTo(name, MAX_SPOOL_GRAMS)))
const price = z.optional(z.nullable(upTo('price', 1_000_000_000)))

const degrees = (name: string, most: number) => {
  const message = `${name} must be a whole number from 0 to ${most}`
  return z.optional(z.nullable(z.int(message).check(z.gte(0, message), z.lte(most, message))))
}

const number = (name: string) => {
  const message = `${name} must be a whole number`
  return z.int(message).check(z.gte(1, message))
}

/** Nobody defines fields here, so none is known. */
const extra = z.optional(
  z.nullable(
    z
      .record(z.string(), z.unknown())
      .check(z.refine((fields) => Object.keys(fields).length === 0, 'There are no extra fields here.')),
  ),
)

const vendorFields = {
  comment: text('comment', 1024),
  empty_spool_weight: grams('empty_spool_weight'),
  external_id: text('external_id', 256),
  extra,
}
export const addSpoolmanVendorBody = z.object({ name: required('name'), ...vendorFields })
export const updateSpoolmanVendorBody = z.object({ name: z.optional(required('name')), ...vendorFields })
export type SpoolmanVendorEdit = z.output<typeof updateSpoolmanVendorBody>

const HEX = '#?[0-9a-fA-F]{6}([0-9a-fA-F]{2})?'
const COLOR = 'color_hex must be written as RRGGBB or RRGGBBAA'
const COLORS = 'multi_color_hexes must be two or more colors, written as RRGGBB,RRGGBB'

const color = (pattern: string, message: string) =>
  z.optional(z.nullable(z.string(message).check(z.regex(new RegExp(`^(${pattern})?$`), message))))

const filamentFields = {
  /** With the colour in it; the material's name where it is left out. */
  name: text('name', 64),
  vendor_id: z.optional(z.nullable(number('vendor_id'))),
  price,
  spool_weight: grams('spool_weight'),
  article_number: text('article_number', 64),
  comment: text('comment', 1024),
  settings_extruder_temp: degrees('settings_extruder_temp', 600),
  settings_bed_temp: degrees('settings_bed_temp', 300),
  color_hex: color(HEX, COLOR),
  multi_color_hexes: color(`${HEX}(,${HEX}){1,15}`, COLORS),
  multi_color_direction: z.optional(z.nullable(z.enum(['coaxial', 'longitudinal']))),
  external_id: text('external_id', 256),
  extra,
}
const density = moreThanNothing('density', 0.001, 30)
const diameter = moreThanNothing('diameter', 0.001, 20)
const weight = moreThanNothing('weight', 0.01, MAX_SPOOL_GRAMS)

export const addSpoolmanFilamentBody = z.object({
  material: required('material'),
  density,
  diameter,
  /** 1,000 g unless told. */
  weight: z.optional(z.nullable(weight)),
  ...filamentFields,
})
export const updateSpoolmanFilamentBody = z.object({
  material: z.optional(required('material')),
  density: z.optional(density),
  diameter: z.optional(diameter),
  weight: z.optional(weight),
  ...filamentFields,
})
export type SpoolmanFilamentEdit = z.output<typeof updateSpoolmanFilamentBody>

const spoolFields = {
  first_used: clearableMoment('first_used'),
  last_used: clearableMoment('last_used'),
  price,
  /** 0 or null is the weight of the filament. */
  initial_weight: grams('initial_weight'),
  spool_weight: grams('spool_weight'),
  /** One of the two at most; a full spool where a new one says neither. */
  remaining_weight: grams('remaining_weight'),
  used_weight: grams('used_weight'),
  /** Path of a place, made where it is missing. */
  location: text('location', 200),
  lot_nr: text('lot_nr', 64),
  comment: text('comment', 1024),
  archived: z.optional(z.boolean('archived must be true or false')),
  extra,
}
export const addSpoolmanSpoolBody = z.object({ filament_id: number('filament_id'), ...spoolFields })
export const updateSpoolmanSpoolBody = z.object({
  filament_id: z.optional(number('filament_id')),
  ...spoolFields,
})
export type SpoolmanSpoolEdit = z.output<typeof updateSpoolmanSpoolBody>

const removed = z.object({ message: z.literal('Success!') })

const WRITES = [...SPOOLMAN_REFUSALS, 'INVALID_INPUT', 'MALFORMED_REQUEST'] as const

export const addSpoolmanVendor = post('/spoolman/api/v1/vendor', SPOOLMAN_WRITE, {
  summary: 'Add a vendor',
  body: addSpoolmanVendorBody,
  returns: spoolmanVendor,
  errors: [...WRITES, 'VENDOR_TAKEN', 'IDEMPOTENCY_KEY_REUSED'],
})

export const updateSpoolmanVendor = patch('/spoolman/api/v1/vendor/:id', SPOOLMAN_WRITE, {
  summary: 'Change a vendor',
  params: numberParams,
  body: updateSpoolmanVendorBody,
  returns: spoolmanVendor,
  errors: [...WRITES, 'VENDOR_NOT_FOUND', 'VENDOR_TAKEN'],
})

export const removeSpoolmanVendor = del('/spoolman/api/v1/vendor/:id', SPOOLMAN_WRITE, {
  summary: 'Remove a vendor; its filaments stay, without one',
  params: numberParams,
  returns: removed,
  errors: [...SPOOLMAN_REFUSALS, 'VENDOR_NOT_FOUND', 'FILAMENT_TAKEN'],
})

export const addSpoolmanFilament = post('/spoolman/api/v1/filament', SPOOLMAN_WRITE, {
  summary: 'Add a filament',
  body: addSpoolmanFilamentBody,
  returns: spoolmanFilament,
  errors: [...WRITES, 'VENDOR_NOT_FOUND', 'FILAMENT_TAKEN', 'IDEMPOTENCY_KEY_REUSED'],
})

export const updateSpoolmanFilament = patch('/spoolman/api/v1/filament/:id', SPOOLMAN_WRITE, {
  summary: 'Change a filament, for all its spools',
  params: numberParams,
  body: updateSpoolmanFilamentBody,
  returns: spoolmanFilament,
  errors: [...WRITES, 'FILAMENT_NOT_FOUND', 'VENDOR_NOT_FOUND', 'FILAMENT_TAKEN'],
})

export const removeSpoolmanFilament = del('/spoolman/api/v1/filament/:id', SPOOLMAN_WRITE, {
  summary: 'Remove a filament that no spool is of, those in the bin included',
  params: numberParams,
  returns: removed,
  errors: [...SPOOLMAN_REFUSALS, 'FILAMENT_NOT_FOUND', 'FILAMENT_IN_USE'],
})

export const addSpoolmanSpool = post('/spoolman/api/v1/spool', SPOOLMAN_WRITE, {
  summary: 'Add a spool',
  body: addSpoolmanSpoolBody,
  returns: spoolmanSpool,
  errors: [...WRITES, 'FILAMENT_NOT_FOUND', 'SPOOL_WEIGHT_LIMIT', 'IDEMPOTENCY_KEY_REUSED'],
})

export const updateSpoolmanSpool = patch('/spoolman/api/v1/spool/:id', SPOOLMAN_WRITE, {
  summary: 'Change a spool; another weight is an entry of its ledger',
  params: numberParams,
  body: updateSpoolmanSpoolBody,
  returns: spoolmanSpool,
  errors: [...WRITES, 'SPOOL_NOT_FOUND', 'FILAMENT_NOT_FOUND', 'SPOOL_WEIGHT_LIMIT'],
})

export const removeSpoolmanSpool = del('/spoolman/api/v1/spool/:id', SPOOLMAN_WRITE, {
  summary: 'Put a spool into the bin',
  params: numberParams,
  returns: removed,
  errors: [...SPOOLMAN_REFUSALS, 'SPOOL_NOT_FOUND'],
})
