import { AppError } from '../../../platform/errors/app-error.ts'
import { shown } from './columns.ts'
import { createConditions } from './conditions.ts'
import { malformed } from './lists.ts'
import { readOrder, readSelect } from './row-writer.ts'

const MAX_QUERY_LENGTH = 8000
const MAX_ROWS = 1000
const SCHEMA = 'public'

const NOT_FILTERS: ReadonlySet<string> = new Set(['select', 'order', 'limit', 'offset'])
const ARRAY_TYPES: ReadonlySet<string> = new Set([
  '*/*',
  'application/*',
  'application/json',
  'application/vnd.pgrst.array',
  'application/vnd.pgrst.array+json',
])
const OBJECT_TYPES: ReadonlySet<string> = new Set([
  'application/vnd.pgrst.object',
  'application/vnd.pgrst.object+json',
])

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * The rows that a request asks for, and their form. The parts of the statement contain only our own column names, never
 * values.
 */
export interface RolesQuery {
  row: string
  condition: string
  order: string
  /** The values of the parameters `$2`, `$3` and so on. `$1` is the account. */
  values: string[]
  from: number
  limit: number
  /**
   * The form of the response: a list, a single object or CSV. For a single object, any other number of rows is an
   * error.
   */
  form: 'array' | 'object' | 'csv'
  leavesOutNulls: boolean
  /** Whether the response must contain the number of all matching rows. */
  isCounted: boolean
}

const textOf = (header: string | string[] | undefined): string => [header ?? ''].flat().join(',')

/** Reads the requested form of the rows. Throws REST_MEDIA_TYPE_UNKNOWN. */
function readForm({ accept }: Headers): Pick<RolesQuery, 'form' | 'leavesOutNulls'> {
  const wished = textOf(accept) || '*/*'
  for (const range of wished.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const leavesOutNulls = parameters.includes('nulls=stripped')
    if (type === 'text/csv') return { form: 'csv', leavesOutNulls: false }
    if (OBJECT_TYPES.has(type)) return { form: 'object', leavesOutNulls }
    if (ARRAY_TYPES.has(type)) return { form: 'array', leavesOutNulls }
  }
  throw new AppError('REST_MEDIA_TYPE_UNKNOWN', {
    text: `None of these media types are available: ${shown(wished)}`,
  })
}

const noRange = (details: string): AppError => new AppError('REST_RANGE_INVALID', { body: { details } })

function readCount(query: URLSearchParams, name: string): number | null {
  const text = query.get(name)
  if (text === null) return null
  if (!/^-?\d{1,9}$/.test(text)) throw malformed(name, text, 'expecting a whole number')
  if (text.startsWith('-')) throw noRange(`${name} should be greater than or equal to zero.`)
  return Number(text)
}

/** Reads the range of rows from `limit`, `offset` and the header `Range`. Throws REST_RANGE_INVALID. */
function readWindow(query: URLSearchParams, { range }: Headers): { from: number; limit: number } {
  const [, first, last] = /^(\d{1,9})-(\d{1,9})?$/.exec(textOf(range)) ?? []
  const begin = Number(first ?? 0)
  if (last !== undefined && Number(last) < begin)
    throw noRange('The lower boundary must be lower than or equal to the upper boundary in the Range header.')
  const offset = readCount(query, 'offset') ?? 0
  const from = Math.max(begin, offset)
  const limits = [
    MAX_ROWS,
    offset + (readCount(query, 'limit') ?? MAX_ROWS) - from,
    last === undefined ? MAX_ROWS : Number(last) - from + 1,
  ]
  return { from, limit: Math.max(0, Math.min(...limits)) }
}

/**
 * Throws REST_SCHEMA_UNKNOWN if the request names another schema. Requests that write name the schema in
 * `Content-Profile`, others in `Accept-Profile`.
 */
export function assertSchema({ method, headers }: { method: string; headers: Headers }): void {
  const isRead = method === 'GET' || method === 'HEAD'
  const schema = textOf(headers[isRead ? 'accept-profile' : 'content-profile'])
  if (schema !== '' && schema !== SCHEMA)
    throw new AppError('REST_SCHEMA_UNKNOWN', { text: `Invalid schema: ${shown(schema)}` })
}

/** Parses the address and the headers of a request. Throws the protocol's error for a mistake. */
export function readRolesQuery(request: { method: string; url: string; headers: Headers }): RolesQuery {
  const { url, headers } = request
  const text = url.split('?').slice(1).join('?')
  if (text.length > MAX_QUERY_LENGTH)
    throw malformed('the address', '', `longer than ${MAX_QUERY_LENGTH} characters`)
  assertSchema(request)
  const form = readForm(headers)
  const query = new URLSearchParams(text)
  const values: string[] = []
  const bind = (value: string): string => `$${values.push(value) + 1}::text`
  const conditions = createConditions(bind)
  const filters = [...query].filter(([name]) => !NOT_FILTERS.has(name))
  return {
    row: readSelect(query.get('select') ?? '*', bind),
    condition: filters.map(([name, value]) => conditions.read(name, value)).join(' and ') || 'true',
    order: readOrder(query.get('order') ?? ''),
    values,
    ...readWindow(query, headers),
    ...form,
    isCounted: /(?:^|[,\s])count=(?:exact|planned|estimated)(?:$|[,\s])/.test(textOf(headers['prefer'])),
  }
}
