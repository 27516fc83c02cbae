import * as z from 'zod/mini'
import { queryText, timestamp, numberBetween } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { MAX_SPOOL_GRAMS } from './spool-changes.ts'
import { MAX_LENGTH_MM } from './ledger.ts'

/**
 * The part of version 1 of Spoolman's API that printers use. Ids are whole numbers, weights are grams, lengths are
 * millimeters, and fields without a value are left out. Callers need an API key with the scope `print-jobs`.
 */
const { get, put } = declareEndpoints('spoolman')

/** Version in the response of `info`: the Spoolman release whose API we follow. */
export const SPOOLMAN_VERSION = '0.22.1'

export const SPOOLMAN_READ = { scope: 'print-jobs', owner: 'viewer', isBasicToo: true } as const
export const SPOOLMAN_WRITE = { scope: 'print-jobs', owner: 'staff', isBasicToo: true } as const

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
  /** Name and color, because the API has no field for the name of a color. */
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

/** An id as a whole number. The server responds with 404 to any other id, because no object can have it. */
export const numberParams = z.object({ id: z.coerce.number().check(z.int(), z.gte(1)) })

const page = {
  limit: z.optional(
    z.coerce.number().check(z.int('limit must be a whole number'), z.gte(0, 'limit must be 0 or more')),
  ),
  offset: z._default(
    z.coerce.number().check(z.int('offset must be a whole number'), z.gte(0, 'offset must be 0 or more')),
    0,
  ),
  /** Comma-separated `field:asc` or `field:desc`. */
  sort: queryText('sort', 300),
}

/**
 * Comma-separated search terms, in any case. A term matches any part of the text; a quoted term must equal the whole
 * text. An empty term matches objects without the text.
 */
const term = (name: string) => queryText(name, 300)

const ids = (name: string) =>
  z.optional(z.string().check(z.regex(/^-?\d{1,15}(,-?\d{1,15})*$/, `${name} must be whole numbers`)))

export const getSpoolmanInfo = get('/spoolman/api/v1/info', SPOOLMAN_READ, {
  summary: 'Version of the Spoolman API',
  returns: z.object({
    version: z.string(),
    debug_mode: z.boolean(),
    automatic_backups: z.boolean(),
    data_dir: z.string(),
    logs_dir: z.string(),
    backups_dir: z.string(),
    db_type: z.string(),
  }),
})

export const getSpoolmanHealth = get('/spoolman/api/v1/health', SPOOLMAN_READ, {
  summary: 'Whether the Spoolman API works',
  returns: z.object({ status: z.literal('healthy') }),
})

export const listSpoolmanVendors = get('/spoolman/api/v1/vendor', SPOOLMAN_READ, {
  summary: 'Vendors, by number',
  query: z.object({ ...page, name: term('name'), external_id: term('external_id') }),
  returns: z.array(spoolmanVendor),
})

export const getSpoolmanVendor = get('/spoolman/api/v1/vendor/:id', SPOOLMAN_READ, {
  summary: 'One vendor',
  params: numberParams,
  returns: spoolmanVendor,
  errors: ['VENDOR_NOT_FOUND'],
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
})

export const getSpoolmanFilament = get('/spoolman/api/v1/filament/:id', SPOOLMAN_READ, {
  summary: 'One filament',
  params: numberParams,
  returns: spoolmanFilament,
  errors: ['FILAMENT_NOT_FOUND'],
})

export const listSpoolmanSpools = get('/spoolman/api/v1/spool', SPOOLMAN_READ, {
  summary: 'Spools, by number; as a websocket, one message for each change while it is open',
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
  errors: ['UNAVAILABLE'],
})

export const getSpoolmanSpool = get('/spoolman/api/v1/spool/:id', SPOOLMAN_READ, {
  summary: 'One spool',
  params: numberParams,
  returns: spoolmanSpool,
  errors: ['SPOOL_NOT_FOUND'],
})

const amount = (name: string, most: number) => z.optional(z.nullable(numberBetween(name, -most, most)))

export const useSpoolmanSpool = put('/spoolman/api/v1/spool/:id/use', SPOOLMAN_WRITE, {
  summary: 'Report used filament by weight or by length, not both; a negative amount is given back',
  params: numberParams,
  body: z.object({
    use_weight: amount('use_weight', MAX_SPOOL_GRAMS),
    use_length: amount('use_length', MAX_LENGTH_MM),
  }),
  returns: spoolmanSpool,
  errors: ['SPOOL_NOT_FOUND', 'SPOOL_WEIGHT_LIMIT', 'MALFORMED_REQUEST'],
})

export const measureSpoolmanSpool = put('/spoolman/api/v1/spool/:id/measure', SPOOLMAN_WRITE, {
  summary: 'Report the weight of a spool, the empty spool included',
  params: numberParams,
  body: z.object({ weight: numberBetween('weight', 0, MAX_SPOOL_GRAMS) }),
  returns: spoolmanSpool,
  errors: ['SPOOL_NOT_FOUND', 'SPOOL_WEIGHT_LIMIT', 'MALFORMED_REQUEST'],
})
