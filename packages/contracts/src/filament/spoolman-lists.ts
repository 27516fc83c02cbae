import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { SPOOLMAN_READ, SPOOLMAN_WRITE } from './spoolman.ts'

/** Lists, settings and exports for programs that were made for Spoolman. */
const { get, post } = declareEndpoints('spoolman')

const listTexts = (path: `/${string}`, summary: string) =>
  get(path, SPOOLMAN_READ, { summary, returns: z.array(z.string()) })

export const listSpoolmanMaterials = listTexts('/spoolman/api/v1/material', 'Materials of all filaments')
export const listSpoolmanArticleNumbers = listTexts(
  '/spoolman/api/v1/article-number',
  'Article numbers of all filaments',
)
export const listSpoolmanLotNumbers = listTexts('/spoolman/api/v1/lot-number', 'Lot numbers of all spools')
export const listSpoolmanLocations = listTexts('/spoolman/api/v1/location', 'Locations that hold spools')

const setting = z.object({
  /** The value as JSON text, such as `"USD"` with its quotes. */
  value: z.string(),
  is_set: z.boolean(),
  type: z.enum(['boolean', 'number', 'string', 'array', 'object']),
})
const settingParams = z.object({ key: z.string().check(z.minLength(1), z.maxLength(64)) })
/** Maximum number of characters of a setting, as JSON. */
const MAX_SETTING_LENGTH = 65_535
export type SpoolmanSetting = z.output<typeof setting>

export const listSpoolmanSettings = get('/spoolman/api/v1/setting', SPOOLMAN_READ, {
  summary: 'Settings that programs read; they follow from the configuration of the server',
  aliases: ['/spoolman/api/v1/setting/'],
  returns: z.record(z.string(), setting),
})

export const getSpoolmanSetting = get('/spoolman/api/v1/setting/:key', SPOOLMAN_READ, {
  summary: 'One setting',
  params: settingParams,
  returns: setting,
  errors: ['NOT_FOUND'],
})

export const setSpoolmanSetting = post('/spoolman/api/v1/setting/:key', SPOOLMAN_WRITE, {
  summary:
    'Change a setting for programs, or reset it with an empty string; the currency is configured on the server',
  params: settingParams,
  body: z
    .string('The body is a text that contains JSON')
    .check(z.maxLength(MAX_SETTING_LENGTH, 'The value is too big')),
  returns: setting,
  errors: ['NOT_FOUND', 'MALFORMED_REQUEST'],
})

const fmt = z.enum(['csv', 'json'], 'fmt is csv or json')

/**
 * Declares a CSV export with one row for each object. The filament and the vendor of the object are columns
 * in the same row.
 */
const exportAll = <Query extends z.ZodMiniObject>(path: `/${string}`, summary: string, query: Query) =>
  get(path, SPOOLMAN_READ, { summary, query, sends: 'text/csv; charset=utf-8' })

export const exportSpoolmanSpools = exportAll(
  '/spoolman/api/v1/export/spools',
  'All spools with their filaments and vendors, as CSV or JSON; archived spools only if allow_archived is true',
  z.object({
    fmt,
    allow_archived: z._default(z.stringbool({ error: 'allow_archived must be true or false' }), false),
  }),
)

export const exportSpoolmanFilaments = exportAll(
  '/spoolman/api/v1/export/filaments',
  'All filaments with their vendors, as CSV or JSON',
  z.object({ fmt }),
)

export const exportSpoolmanVendors = exportAll(
  '/spoolman/api/v1/export/vendors',
  'All vendors, as CSV or JSON',
  z.object({ fmt }),
)
