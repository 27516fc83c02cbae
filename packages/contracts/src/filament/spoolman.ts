import * as z from 'zod/mini'
import { queryText, timestamp } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { MAX_SPOOL_GRAMS } from './spool-changes.ts'
import { MAX_LENGTH_MM } from './ledger.ts'

const { get, put } = declareEndpoints('spoolman')

/**
 * The interface of Spoolman, version 1, as far as printers speak it: whole numbers for ids, grams, millimetres, and no
 * field where there is no value. For API keys of scope `print-jobs`.
 */

/** What `info` answers: the version of the interface that is followed. */
export const SPOOLMAN_VERSION = '0.22.1'

export const SPOOLMAN_READ = { scope: 'print-jobs', owner: 'viewer', isBasicToo: true } as const
export const SPOOLMAN_WRITE = { scope: 'print-jobs', owner: 'staff', isBasicToo: true } as const

export const SPOOLMAN_REFUSALS = ['UNAUTHENTICATED', 'FORBIDDEN', 'TOO_MANY_REQUESTS'] as const

const extra = z.record(z.string(), z.string())
const text = z.optional(z.string())
const number = z.optional(z.number())

export const spoolmanVendor = z.object({
  id: z.number(),
  registered: timestamp,
  name: z.string(),
  comment: text,
  empty_spool_weight: number,
  external_id: text,
  extra,
})
export type SpoolmanVendor = z.output<typeof spoolmanVendor>

export const spoolmanFilament = z.object({
  id: z.number(),
  registered: timestamp,
  /** Name and colour, since the interface knows no word for a colour. */
  name: text,
  vendor: z.optional(spoolmanVendor),
  material: text,
  price: number,
  density: z.number(),
  diameter: z.number(),
  weight: number,
  spool_weight: number,
  article_number: text,
  comment: text,
  settings_extruder_temp: number,
  settings_bed_temp: number,
  color_hex: text,
  multi_color_hexes: text,
  multi_color_direction: z.optional(z.enum(['coaxial', 'longitudinal'])),
  external_id: text,
  extra,
})
export type SpoolmanFilament = z.output<typeof spoolmanFilament>

export const spoolmanSpool = z.object({
  id: z.number(),
  registered: timestamp,
  first_used: z.optional(timestamp),
  last_used: z.optional(timestamp),
  filament: spoolmanFilament,
  price: number,
  remaining_weight: z.number(),
  initial_weight: z.number(),
  spool_weight: number,
  used_weight: z.number(),
  remaining_length: z.number(),
  used_length: z.number(),
  location: text,
  lot_nr: text,
  comment: text,
  archived: z.boolean(),
  extra,
})
export type SpoolmanSpool = z.output<typeof spoolmanSpool>

/** Whole number; what is none names nothing, so the server answers 404 for it. */
export const numberParams = z.object({ id: z.coerce.number().check(z.int(), z.gte(1)) })

const page = {
  limit: z.optional(
    z.coerce.number().check(z.int('limit must be a whole number'), z.gte(0, 'limit must be 0 or more')),
  ),
  offset: z._default(
    z.coerce.number().check(z.int('offset must be a whole number'), z.gte(0, 'offset must be 0 or more')),
    0,
  ),
  /** `field:asc` or `field:desc`, several with commas between. */
  sort: queryText('sort', 300),
}

/** A part of the text, whatever its case; several with commas between; in quotes the whole; empty for none. */
const term = (name: string) => queryText(name, 300)

const ids = (name: string) =>
  z.optional(z.string().check(z.regex(/^-?\d{1,15}(,-?\d{1,15})*$/, `${name} must be whole numbers`)))

export const getSpoolmanInfo = get('/spoolman/api/v1/info', SPOOLMAN_READ, {
  summary: 'Which version of the Spoolman interface this is',
  returns: z.object({
    version: z.string(),
    debug_mode: z.boolean(),
    automatic_backups: z.boolean(),
    data_dir: z.string(),
    logs_dir: z.string(),
    backups_dir: z.string(),
    db_type: z.string(),
  }),
  errors: SPOOLMAN_REFUSALS,
})

export const getSpoolmanHealth = get('/spoolman/api/v1/health', SPOOLMAN_READ, {
  summary: 'Whether spools can be reported',
  returns: z.object({ status: z.literal('healthy') }),
  errors: SPOOLMAN_REFUSALS,
})

export const listSpoolmanVendors = get('/spoolman/api/v1/vendor', SPOOLMAN_READ, {
  summary: 'Vendors, by number',
  query: z.object({ ...page, name: term('name'), external_id: term('external_id') }),
  returns: z.array(spoolmanVendor),
  errors: [...SPOOLMAN_REFUSALS],
})

export const getSpoolmanVendor = get('/spoolman/api/v1/vendor/:id', SPOOLMAN_READ, {
  summary: 'One vendor',
  params: numberParams,
  returns: spoolmanVendor,
  errors: [...SPOOLMAN_REFUSALS, 'VENDOR_NOT_FOUND'],
})

export const listSpoolmanFilaments = get('/spoolman/api/v1/filament', SPOOLMAN_READ, {
  summary: 'Filaments, by number',
  query: z.object({
    ...page,
    name: term('name'),
    material: term('material'),
    article_number: term('article_number'),
    external_id: term('external_id'),
    'vendor.name': term('vendor.name'),
    'vendor.id': ids('vendor.id'),
    vendor_name: term('vendor_name'),
    vendor_id: ids('vendor_id'),
  }),
  returns: z.array(spoolmanFilament),
  errors: [...SPOOLMAN_REFUSALS],
})

export const getSpoolmanFilament = get('/spoolman/api/v1/filament/:id', SPOOLMAN_READ, {
  summary: 'One filament',
  params: numberParams,
  returns: spoolmanFilament,
  errors: [...SPOOLMAN_REFUSALS, 'FILAMENT_NOT_FOUND'],
})

export const listSpoolmanSpools = get('/spoolman/api/v1/spool', SPOOLMAN_READ, {
  summary:
    'Spools, by number; asked for as a websocket, word of what changes of them, one message a change, as long as it is open',
  query: z.object({
    ...page,
    'filament.name': term('filament.name'),
    'filament.id': ids('filament.id'),
    'filament.material': term('filament.material'),
    'filament.vendor.name': term('filament.vendor.name'),
    'filament.vendor.id': ids('filament.vendor.id'),
    filament_name: term('filament_name'),
    filament_id: ids('filament_id'),
    filament_material: term('filament_material'),
    vendor_name: term('vendor_name'),
    vendor_id: ids('vendor_id'),
    location: term('location'),
    lot_nr: term('lot_nr'),
    allow_archived: z._default(z.stringbool({ error: 'allow_archived must be true or false' }), false),
  }),
  returns: z.array(spoolmanSpool),
  errors: [...SPOOLMAN_REFUSALS, 'UNAVAILABLE'],
})

export const getSpoolmanSpool = get('/spoolman/api/v1/spool/:id', SPOOLMAN_READ, {
  summary: 'One spool',
  params: numberParams,
  returns: spoolmanSpool,
  errors: [...SPOOLMAN_REFUSALS, 'SPOOL_NOT_FOUND'],
})

const amount = (name: string, most: number) => {
  const message = `${name} must be a number from ${-most} to ${most}`
  return z.optional(z.nullable(z.number(message).check(z.gte(-most, message), z.lte(most, message))))
}

export const useSpoolmanSpool = put('/spoolman/api/v1/spool/:id/use', SPOOLMAN_WRITE, {
  summary:
    'Report what was printed from a spool, by weight or by length and not both; less than nothing gives it back',
  params: numberParams,
  body: z.object({
    use_weight: amount('use_weight', MAX_SPOOL_GRAMS),
    use_length: amount('use_length', MAX_LENGTH_MM),
  }),
  returns: spoolmanSpool,
  errors: [...SPOOLMAN_REFUSALS, 'SPOOL_NOT_FOUND', 'SPOOL_WEIGHT_LIMIT', 'MALFORMED_REQUEST'],
})

const WEIGHT = `weight must be a number from 0 to ${MAX_SPOOL_GRAMS}`

export const measureSpoolmanSpool = put('/spoolman/api/v1/spool/:id/measure', SPOOLMAN_WRITE, {
  summary: 'Report what a spool weighs, empty spool and all',
  params: numberParams,
  body: z.object({ weight: z.number(WEIGHT).check(z.gte(0, WEIGHT), z.lte(MAX_SPOOL_GRAMS, WEIGHT)) }),
  returns: spoolmanSpool,
  errors: [...SPOOLMAN_REFUSALS, 'SPOOL_NOT_FOUND', 'SPOOL_WEIGHT_LIMIT', 'MALFORMED_REQUEST'],
})
