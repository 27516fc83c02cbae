import * as z from 'zod/mini'
import {
  clearableText,
  moment,
  numberBetween,
  text,
  utcByDefault,
  wholeNumber,
  isWellFormed,
} from '../fields.ts'
import { type Schema, declareEndpoints } from '../endpoint.ts'
import type { ErrorCode } from '../errors.ts'
import { MAX_SPOOL_GRAMS } from './spool-changes.ts'
import { SPOOLMAN_WRITE, numberParams, spoolmanFilament, spoolmanSpool, spoolmanVendor } from './spoolman.ts'
import { MAX_EXTRA_FIELDS } from './spoolman-fields.ts'

/** Changes through Spoolman's API. In a PATCH, missing fields stay unchanged, and null clears a field. */

/** A name that may be empty, but must be given. */
const vendorName = text(64, 'name', isWellFormed)
const grams = (name: string) => z.optional(z.nullable(numberBetween(name, 0, MAX_SPOOL_GRAMS)))
const degrees = (name: string, most: number) => z.optional(z.nullable(wholeNumber(name, 0, most)))
const price = z.optional(z.nullable(numberBetween('price', 0, 1_000_000_000)))

const number = (name: string) => {
  const message = `${name} must be a whole number`
  return z.int(message).check(z.gte(1, message))
}

/** The values of extra fields, each written as JSON. Null removes a value. */
const extra = z.optional(
  z.nullable(
    z
      .record(z.string(), z.nullable(z.string('The value of an extra field is a text that contains JSON.')))
      .check(z.refine((fields) => Object.keys(fields).length <= MAX_EXTRA_FIELDS, 'Too many extra fields.')),
  ),
)

/** A time as Spoolman's clients send it. A time without an offset is in UTC. */
const spoolmanMoment = (name: string) => z.optional(z.nullable(z.pipe(utcByDefault(name), moment(name))))

const vendorFields = {
  comment: clearableText(1024, 'comment', isWellFormed),
  empty_spool_weight: grams('empty_spool_weight'),
  external_id: clearableText(256, 'external_id', isWellFormed),
  extra,
}
export const addSpoolmanVendorBody = z.object({ name: vendorName, ...vendorFields })
const updateSpoolmanVendorBody = z.object({ name: z.optional(vendorName), ...vendorFields })
export type SpoolmanVendorEdit = z.output<typeof updateSpoolmanVendorBody>

const HEX = '#?[0-9a-fA-F]{6}([0-9a-fA-F]{2})?'
const COLOR = 'color_hex must be written as RRGGBB or RRGGBBAA'
const COLORS = 'multi_color_hexes must be two or more colors, written as RRGGBB,RRGGBB'

const color = (pattern: string, message: string) =>
  z.optional(z.nullable(z.string(message).check(z.regex(new RegExp(`^(${pattern})?$`), message))))

const filamentFields = {
  /** The name, such as `Galaxy Black`, includes the color. A filament without a name is shown by its material. */
  name: clearableText(64, 'name', isWellFormed),
  material: clearableText(64, 'material', isWellFormed),
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
  density,
  diameter,
  /** The default is 1,000 g. */
  weight: z.optional(z.nullable(weight)),
  ...filamentFields,
})
const updateSpoolmanFilamentBody = z.object({
  density: z.optional(density),
  diameter: z.optional(diameter),
  weight: z.optional(weight),
  ...filamentFields,
})
export type SpoolmanFilamentEdit = z.output<typeof updateSpoolmanFilamentBody>

const spoolFields = {
  first_used: spoolmanMoment('first_used'),
  last_used: spoolmanMoment('last_used'),
  price,
  /** The weight of the filament on the full spool. 0 or null means the net weight of the filament product. */
  initial_weight: grams('initial_weight'),
  spool_weight: grams('spool_weight'),
  /** At most one of `remaining_weight` and `used_weight` may be given. A new spool with neither is full. */
  remaining_weight: grams('remaining_weight'),
  used_weight: grams('used_weight'),
  /** Path of a location. The location is created if it does not exist. */
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

const renamedValue = (name: string) =>
  text(4096, name, isWellFormed).check(z.minLength(1, `${name} is required`))

const removed = z.object({ message: z.literal('Success!') })

/** Declares the calls that add, change and remove objects of one kind. */
const declareChanges = <
  const Kind extends string,
  Result extends Schema,
  Addition extends Schema,
  Edit extends Schema,
>(
  kind: Kind,
  changes: {
    notFound: ErrorCode
    returns: Result
    addition: Addition
    edit: Edit
    /** Additional errors of adding and changing. */
    errors: readonly ErrorCode[]
    removeErrors?: readonly ErrorCode[]
    summaries: { add: string; update: string; remove: string }
  },
) => {
  const { notFound, returns, addition, edit, errors, removeErrors = [], summaries } = changes
  const { post, patch, del } = declareEndpoints('spoolman', { notFound })
  const params = numberParams
  return {
    add: post(`/spoolman/api/v1/${kind}`, SPOOLMAN_WRITE, {
      summary: summaries.add,
      body: addition,
      returns,
      errors: ['MALFORMED_REQUEST', ...errors, 'IDEMPOTENCY_KEY_REUSED'],
    }),
    update: patch(`/spoolman/api/v1/${kind}/:id`, SPOOLMAN_WRITE, {
      summary: summaries.update,
      params,
      body: edit,
      returns,
      errors: ['MALFORMED_REQUEST', ...errors],
    }),
    remove: del(`/spoolman/api/v1/${kind}/:id`, SPOOLMAN_WRITE, {
      summary: summaries.remove,
      params,
      returns: removed,
      errors: removeErrors,
    }),
  }
}

export const {
  add: addSpoolmanVendor,
  update: updateSpoolmanVendor,
  remove: removeSpoolmanVendor,
} = declareChanges('vendor', {
  notFound: 'VENDOR_NOT_FOUND',
  returns: spoolmanVendor,
  addition: addSpoolmanVendorBody,
  edit: updateSpoolmanVendorBody,
  errors: ['VENDOR_TAKEN'],
  removeErrors: ['FILAMENT_TAKEN'],
  summaries: {
    add: 'Add a vendor',
    update: 'Change a vendor',
    remove: 'Remove a vendor; its filaments stay, without a vendor',
  },
})

export const {
  add: addSpoolmanFilament,
  update: updateSpoolmanFilament,
  remove: removeSpoolmanFilament,
} = declareChanges('filament', {
  notFound: 'FILAMENT_NOT_FOUND',
  returns: spoolmanFilament,
  addition: addSpoolmanFilamentBody,
  edit: updateSpoolmanFilamentBody,
  errors: ['VENDOR_NOT_FOUND', 'FILAMENT_TAKEN'],
  removeErrors: ['FILAMENT_IN_USE'],
  summaries: {
    add: 'Add a filament',
    update: 'Change a filament; this affects all its spools',
    remove: 'Remove a filament without spools; restoring one of its spools from the trash restores it',
  },
})

export const {
  add: addSpoolmanSpool,
  update: updateSpoolmanSpool,
  remove: removeSpoolmanSpool,
} = declareChanges('spool', {
  notFound: 'SPOOL_NOT_FOUND',
  returns: spoolmanSpool,
  addition: addSpoolmanSpoolBody,
  edit: updateSpoolmanSpoolBody,
  errors: ['FILAMENT_NOT_FOUND', 'SPOOL_WEIGHT_LIMIT'],
  summaries: {
    add: 'Add a spool',
    update: 'Change a spool; a new weight becomes a ledger entry',
    remove: 'Move a spool to the trash',
  },
})

export const renameSpoolmanValue = declareEndpoints('spoolman').patch(
  '/spoolman/api/v1/spool/field/:field',
  SPOOLMAN_WRITE,
  {
    summary:
      'Replace one value with another in all spools: a location, or the value of a text field or single-choice field',
    params: z.object({ field: z.string().check(z.minLength(1), z.maxLength(80)) }),
    body: z.object({ value: renamedValue('value'), new_value: renamedValue('new_value') }),
    returns: z.object({ spools_updated: z.number() }),
    errors: ['MALFORMED_REQUEST'],
  },
)

export const renameSpoolmanLocation = declareEndpoints('spoolman').patch(
  '/spoolman/api/v1/location/:location',
  SPOOLMAN_WRITE,
  {
    summary: 'Move all spools of a location to another one',
    params: z.object({ location: z.string().check(z.minLength(1), z.maxLength(200)) }),
    body: z.object({ name: renamedValue('name') }),
    sends: 'application/json; charset=utf-8',
    errors: ['MALFORMED_REQUEST'],
  },
)
