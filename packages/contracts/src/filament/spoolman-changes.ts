import * as z from 'zod/mini'
import {
  clearableMoment,
  clearableText,
  numberBetween,
  requiredText,
  wholeNumber,
  isWellFormed,
} from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { MAX_SPOOL_GRAMS } from './spool-changes.ts'
import { SPOOLMAN_WRITE, numberParams, spoolmanFilament, spoolmanSpool, spoolmanVendor } from './spoolman.ts'

/** Changes through Spoolman's API. A PATCH leaves missing fields as they are; null clears a field. */
const { post, patch, del } = declareEndpoints('spoolman')

const required = (name: string) => requiredText(64, name, undefined, isWellFormed)
const grams = (name: string) => z.optional(z.nullable(numberBetween(name, 0, MAX_SPOOL_GRAMS)))
const degrees = (name: string, most: number) => z.optional(z.nullable(wholeNumber(name, 0, most)))
const price = z.optional(z.nullable(numberBetween('price', 0, 1_000_000_000)))

const number = (name: string) => {
  const message = `${name} must be a whole number`
  return z.int(message).check(z.gte(1, message))
}

/** Extra fields are not supported, so only an empty object is accepted. */
const extra = z.optional(
  z.nullable(
    z
      .record(z.string(), z.unknown())
      .check(z.refine((fields) => Object.keys(fields).length === 0, 'There are no extra fields here.')),
  ),
)

const vendorFields = {
  comment: clearableText(1024, 'comment', isWellFormed),
  empty_spool_weight: grams('empty_spool_weight'),
  external_id: clearableText(256, 'external_id', isWellFormed),
  extra,
}
export const addSpoolmanVendorBody = z.object({ name: required('name'), ...vendorFields })
const updateSpoolmanVendorBody = z.object({ name: z.optional(required('name')), ...vendorFields })
export type SpoolmanVendorEdit = z.output<typeof updateSpoolmanVendorBody>

const HEX = '#?[0-9a-fA-F]{6}([0-9a-fA-F]{2})?'
const COLOR = 'color_hex must be written as RRGGBB or RRGGBBAA'
const COLORS = 'multi_color_hexes must be two or more colors, written as RRGGBB,RRGGBB'

const color = (pattern: string, message: string) =>
  z.optional(z.nullable(z.string(message).check(z.regex(new RegExp(`^(${pattern})?$`), message))))

const filamentFields = {
  /** Name with the colour in it. Left out: the name of the material. */
  name: clearableText(64, 'name', isWellFormed),
  vendor_id: z.optional(z.nullable(number('vendor_id'))),
  price,
  spool_weight: grams('spool_weight'),
  article_number: clearableText(64, 'article_number', isWellFormed),
  comment: clearableText(1024, 'comment', isWellFormed),
  settings_extruder_temp: degrees('settings_extruder_temp', 600),
  settings_bed_temp: degrees('settings_bed_temp', 300),
  color_hex: color(HEX, COLOR),
  multi_color_hexes: color(`${HEX}(,${HEX}){1,15}`, COLORS),
  multi_color_direction: z.optional(z.nullable(z.enum(['coaxial', 'longitudinal']))),
  external_id: clearableText(256, 'external_id', isWellFormed),
  extra,
}
const density = numberBetween('density', 0.001, 30)
const diameter = numberBetween('diameter', 0.001, 20)
const weight = numberBetween('weight', 0.01, MAX_SPOOL_GRAMS)

export const addSpoolmanFilamentBody = z.object({
  material: required('material'),
  density,
  diameter,
  /** Left out: 1,000 g. */
  weight: z.optional(z.nullable(weight)),
  ...filamentFields,
})
const updateSpoolmanFilamentBody = z.object({
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
  /** 0 or null: the net weight of the filament. */
  initial_weight: grams('initial_weight'),
  spool_weight: grams('spool_weight'),
  /** At most one of the two. A new spool with neither is full. */
  remaining_weight: grams('remaining_weight'),
  used_weight: grams('used_weight'),
  /** Path of a location, created if it does not exist. */
  location: clearableText(200, 'location', isWellFormed),
  lot_nr: clearableText(64, 'lot_nr', isWellFormed),
  comment: clearableText(1024, 'comment', isWellFormed),
  archived: z.optional(z.boolean('archived must be true or false')),
  extra,
}
export const addSpoolmanSpoolBody = z.object({ filament_id: number('filament_id'), ...spoolFields })
const updateSpoolmanSpoolBody = z.object({
  filament_id: z.optional(number('filament_id')),
  ...spoolFields,
})
export type SpoolmanSpoolEdit = z.output<typeof updateSpoolmanSpoolBody>

const removed = z.object({ message: z.literal('Success!') })

export const addSpoolmanVendor = post('/spoolman/api/v1/vendor', SPOOLMAN_WRITE, {
  summary: 'Add a vendor',
  body: addSpoolmanVendorBody,
  returns: spoolmanVendor,
  errors: ['MALFORMED_REQUEST', 'VENDOR_TAKEN', 'IDEMPOTENCY_KEY_REUSED'],
})

export const updateSpoolmanVendor = patch('/spoolman/api/v1/vendor/:id', SPOOLMAN_WRITE, {
  summary: 'Change a vendor',
  params: numberParams,
  body: updateSpoolmanVendorBody,
  returns: spoolmanVendor,
  errors: ['MALFORMED_REQUEST', 'VENDOR_NOT_FOUND', 'VENDOR_TAKEN'],
})

export const removeSpoolmanVendor = del('/spoolman/api/v1/vendor/:id', SPOOLMAN_WRITE, {
  summary: 'Remove a vendor; its filaments stay, without a vendor',
  params: numberParams,
  returns: removed,
  errors: ['VENDOR_NOT_FOUND', 'FILAMENT_TAKEN'],
})

export const addSpoolmanFilament = post('/spoolman/api/v1/filament', SPOOLMAN_WRITE, {
  summary: 'Add a filament',
  body: addSpoolmanFilamentBody,
  returns: spoolmanFilament,
  errors: ['MALFORMED_REQUEST', 'VENDOR_NOT_FOUND', 'FILAMENT_TAKEN', 'IDEMPOTENCY_KEY_REUSED'],
})

export const updateSpoolmanFilament = patch('/spoolman/api/v1/filament/:id', SPOOLMAN_WRITE, {
  summary: 'Change a filament, for all its spools',
  params: numberParams,
  body: updateSpoolmanFilamentBody,
  returns: spoolmanFilament,
  errors: ['MALFORMED_REQUEST', 'FILAMENT_NOT_FOUND', 'VENDOR_NOT_FOUND', 'FILAMENT_TAKEN'],
})

export const removeSpoolmanFilament = del('/spoolman/api/v1/filament/:id', SPOOLMAN_WRITE, {
  summary: 'Remove a filament without spools; spools in the trash count',
  params: numberParams,
  returns: removed,
  errors: ['FILAMENT_NOT_FOUND', 'FILAMENT_IN_USE'],
})

export const addSpoolmanSpool = post('/spoolman/api/v1/spool', SPOOLMAN_WRITE, {
  summary: 'Add a spool',
  body: addSpoolmanSpoolBody,
  returns: spoolmanSpool,
  errors: ['MALFORMED_REQUEST', 'FILAMENT_NOT_FOUND', 'SPOOL_WEIGHT_LIMIT', 'IDEMPOTENCY_KEY_REUSED'],
})

export const updateSpoolmanSpool = patch('/spoolman/api/v1/spool/:id', SPOOLMAN_WRITE, {
  summary: 'Change a spool; a new weight becomes a ledger entry',
  params: numberParams,
  body: updateSpoolmanSpoolBody,
  returns: spoolmanSpool,
  errors: ['MALFORMED_REQUEST', 'SPOOL_NOT_FOUND', 'FILAMENT_NOT_FOUND', 'SPOOL_WEIGHT_LIMIT'],
})

export const removeSpoolmanSpool = del('/spoolman/api/v1/spool/:id', SPOOLMAN_WRITE, {
  summary: 'Move a spool to the trash',
  params: numberParams,
  returns: removed,
  errors: ['SPOOL_NOT_FOUND'],
})
