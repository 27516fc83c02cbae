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

/** The version in the response of `info`. It is the Spoolman release whose API we follow. */
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

/**
 * Matches a filter or a sort key by an extra field. The field belongs to the listed object, to a spool's
 * filament, or to that filament's vendor.
 */
const EXTRA_FILTER = /^(filament\.(vendor\.)?)?extra\.[a-z0-9_]{1,64}$/

/**
 * Creates the schema of a query. Parameters that `shape` does not declare must be filters by extra fields; any other
 * parameter is refused.
 */
const withExtraFilters = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.catchall(z.object(shape), z.unknown()).check((context) => {
    for (const [name, value] of Object.entries(context.value)) {
      if (name in shape) continue
      if (EXTRA_FILTER.test(name) && typeof value === 'string' && value.length <= 300) continue
      const message = EXTRA_FILTER.test(name) ? `${name} is too long` : `There is no filter ${name}`
      context.issues.push({ code: 'custom', path: [name], message, input: value })
    }
  })

const page = {
  limit: z.optional(
    z.coerce.number().check(z.int('limit must be a whole number'), z.gte(0, 'limit must be 0 or more')),
  ),
  offset: z._default(
    z.coerce.number().check(z.int('offset must be a whole number'), z.gte(0, 'offset must be 0 or more')),
    0,
  ),
  /** `field:asc` or `field:desc`, or several of them separated by commas. */
  sort: queryText('sort', 300),
}

/**
 * Comma-separated search terms, in upper or lower case. A term matches any part of the text. A quoted term
 * must equal the whole text. An empty term matches objects without the text.
 */
const term = (name: string) => queryText(name, 300)

const allowArchived = z._default(z.stringbool({ error: 'allow_archived must be true or false' }), false)

/**
 * The largest difference at which colors count as similar. 0 finds equal colors only, and 100 finds almost
 * any color.
 */
const similarity = z._default(
  z.coerce.number().check(z.gte(0, 'a threshold is at least 0'), z.lte(100, 'a threshold is at most 100')),
  20,
)

const ids = (name: string) =>
  z.optional(z.string().check(z.regex(/^-?\d{1,15}(,-?\d{1,15})*$/, `${name} must be whole numbers`)))

/**
 * Programs open this address to check that it is a Spoolman server, because Spoolman's own pages are at this
 * path.
 */
export const getSpoolmanStart = get('/spoolman', 'public', {
  summary: 'Address at which programs made for Spoolman look for the server',
  aliases: ['/spoolman/'],
  returns: z.object({ message: z.string() }),
})

/** A websocket at this address reports changes of all kinds of objects. */
export const getSpoolmanRoot = get('/spoolman/api/v1', SPOOLMAN_READ, {
  summary: 'Address of the websocket that reports all changes',
  aliases: ['/spoolman/api/v1/'],
  returns: z.object({ message: z.string() }),
})

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
  query: withExtraFilters({ ...page, name: term('name'), external_id: term('external_id') }),
  returns: z.array(spoolmanVendor),
  errors: ['MALFORMED_REQUEST'],
})

export const getSpoolmanVendor = get('/spoolman/api/v1/vendor/:id', SPOOLMAN_READ, {
  summary: 'One vendor',
  params: numberParams,
  returns: spoolmanVendor,
  errors: ['VENDOR_NOT_FOUND'],
})

export const listSpoolmanFilaments = get('/spoolman/api/v1/filament', SPOOLMAN_READ, {
  summary: 'Filaments, by number',
  query: withExtraFilters({
    ...page,
    name: term('name'),
    material: term('material'),
    article_number: term('article_number'),
    external_id: term('external_id'),
    'vendor.name': term('vendor.name'),
    'vendor.id': ids('vendor.id'),
    vendor_name: term('vendor_name'),
    vendor_id: ids('vendor_id'),
    multi_color_direction: term('multi_color_direction'),
    color_hex: z.optional(z.string().check(z.regex(/^#?[0-9a-fA-F]{6}$/, 'color_hex is written as RRGGBB'))),
    color_similarity_threshold: similarity,
  }),
  returns: z.array(spoolmanFilament),
  errors: ['MALFORMED_REQUEST'],
})

export const getSpoolmanFilament = get('/spoolman/api/v1/filament/:id', SPOOLMAN_READ, {
  summary: 'One filament',
  params: numberParams,
  returns: spoolmanFilament,
  errors: ['FILAMENT_NOT_FOUND'],
})

/** The filters that the list of spools and the groups of spools share. */
const spoolFilters = {
  'filament.name': term('filament.name'),
  'filament.id': ids('filament.id'),
  'filament.material': term('filament.material'),
  'filament.multi_color_direction': term('filament.multi_color_direction'),
  'filament.vendor.name': term('filament.vendor.name'),
  'filament.vendor.id': ids('filament.vendor.id'),
  filament_name: term('filament_name'),
  filament_id: ids('filament_id'),
  filament_material: term('filament_material'),
  vendor_name: term('vendor_name'),
  vendor_id: ids('vendor_id'),
  location: term('location'),
  lot_nr: term('lot_nr'),
  /**
   * Each of these three filters is a time or a range of times, such as `2026-01-01T00:00:00Z|` (since then). Several
   * values are separated by commas. An empty value finds spools without this time.
   */
  first_used: term('first_used'),
  last_used: term('last_used'),
  registered: term('registered'),
  allow_archived: allowArchived,
}

export const listSpoolmanSpools = get('/spoolman/api/v1/spool', SPOOLMAN_READ, {
  summary: 'Spools, by number; a websocket receives one message for each change',
  query: withExtraFilters({ ...page, ...spoolFilters }),
  returns: z.array(spoolmanSpool),
  errors: ['UNAVAILABLE', 'MALFORMED_REQUEST'],
})
export type SpoolmanSpoolQuery = z.output<typeof listSpoolmanSpools.query>

export const listSpoolmanGroups = get('/spoolman/api/v1/spool/group', SPOOLMAN_READ, {
  summary:
    'Groups of spools, each with the number of spools and their remaining weight; the list of spools has the same filters',
  query: withExtraFilters({
    ...page,
    ...spoolFilters,
    /**
     * `filament`, `vendor`, `material`, `location`, or `extra.` with the key of a text field or a
     * single-choice field.
     */
    group_by: z.string('group_by is required').check(z.maxLength(80, 'group_by is too long')),
  }),
  returns: z.array(
    z.object({
      group_by: z.string(),
      key: text,
      spool_count: z.number(),
      in_use_count: z.number(),
      total_remaining_weight: z.number(),
      last_used: z.optional(timestamp),
      filament: z.optional(spoolmanFilament),
      vendor: z.optional(spoolmanVendor),
    }),
  ),
  errors: ['MALFORMED_REQUEST'],
})

/** A search result: a matching object, and the name of the field that matches best. */
const hit = <Name extends string, Of extends z.core.SomeType>(name: Name, of: Of) =>
  z.object({ [name]: of, match_field: z.string() } as Record<Name, Of> & { match_field: z.ZodMiniString })

export const searchSpoolman = get('/spoolman/api/v1/search', SPOOLMAN_READ, {
  summary: 'Spools, filaments and vendors that contain each word, and filaments of a similar color',
  query: z.strictObject({
    q: z.string('q is required').check(z.minLength(1, 'q is required'), z.maxLength(200, 'q is too long')),
    color_similarity_threshold: similarity,
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
    allow_archived: allowArchived,
    spools_per_filament: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(10)), 0),
  }),
  returns: z.object({
    spools: z.array(hit('spool', spoolmanSpool)),
    filaments: z.array(
      z.extend(hit('filament', spoolmanFilament), {
        spools: z.optional(
          z.array(
            z.object({ id: z.number(), remaining_weight: z.number(), location: text, archived: z.boolean() }),
          ),
        ),
        spool_count: number,
      }),
    ),
    vendors: z.array(hit('vendor', spoolmanVendor)),
    is_color_query: z.boolean(),
  }),
})

export const getSpoolmanSpool = get('/spoolman/api/v1/spool/:id', SPOOLMAN_READ, {
  summary: 'One spool',
  params: numberParams,
  returns: spoolmanSpool,
  errors: ['SPOOL_NOT_FOUND'],
})

const amount = (name: string, most: number) => z.optional(z.nullable(numberBetween(name, -most, most)))

export const useSpoolmanSpool = put('/spoolman/api/v1/spool/:id/use', SPOOLMAN_WRITE, {
  summary:
    'Report used filament by weight or by length, not both; a negative amount goes back onto the spool',
  params: numberParams,
  body: z.object({
    use_weight: amount('use_weight', MAX_SPOOL_GRAMS),
    use_length: amount('use_length', MAX_LENGTH_MM),
  }),
  returns: spoolmanSpool,
  errors: ['SPOOL_NOT_FOUND', 'SPOOL_WEIGHT_LIMIT', 'MALFORMED_REQUEST'],
})

export const measureSpoolmanSpool = put('/spoolman/api/v1/spool/:id/measure', SPOOLMAN_WRITE, {
  summary: 'Report the weight of a spool, including the empty spool',
  params: numberParams,
  body: z.object({ weight: numberBetween('weight', 0, MAX_SPOOL_GRAMS) }),
  returns: spoolmanSpool,
  errors: ['SPOOL_NOT_FOUND', 'SPOOL_WEIGHT_LIMIT', 'MALFORMED_REQUEST'],
})
