import type { Endpoint, Schema } from '@pegasus/contracts/endpoint'
import { createTorus } from '@pegasus/mesh/samples/shapes'
import { writeBinaryStl } from '@pegasus/mesh/stl/write-stl'
import * as z from 'zod'
import { multipart } from '../../support/library/model-upload.ts'
import { PICTURE, type ShopIds } from './fill-shop.ts'
import { LEFT_OUT, type ValueSchema, kindOfPath, largestValue, textOf } from './largest-values.ts'

/** A request to an endpoint whose parameters may make it expensive. */
export interface CostlyRequest {
  /** The name of the large input, for the report. */
  input: string
  url: string
  payload?: string | Buffer
  headers?: Readonly<Record<string, string>>
}

const EVERYTHING = 'everything at its longest'
const JSON_LIMIT = 1024 * 1024 - 1
const CSV_LIMIT = 10 * 1024 * 1024
const JSON_HEADERS = { 'content-type': 'application/json', 'if-match': '*' }

/** Returns the JSON Schema of the data that a caller sends, or null if there is no schema. */
export const schemaOf = (schema: Schema | undefined): ValueSchema | null =>
  schema ? (z.toJSONSchema(schema as never, { io: 'input', unrepresentable: 'any' }) as ValueSchema) : null

/**
 * Returns the path of an endpoint. Each parameter is replaced with the id of an existing object or with a
 * valid value.
 */
export function pathOf(path: string, ids: ShopIds): string {
  const values: Readonly<Record<string, string | undefined>> = {
    ':id': path.startsWith('/spoolman') ? '1' : ids[kindOfPath(path)][0],
    ':line_id': ids.line[0],
    ':slice_id': ids.slice[0],
    ':bucket': 'product-images',
    ':adapter': 'woo',
    ':table': textOf(100).replaceAll(' ', '-'),
    ':code': textOf(150).replaceAll(' ', '-'),
    '*': PICTURE,
  }
  return path.replace(/:\w+|\*/g, (name) => encodeURI(values[name] ?? ids.model[0] ?? ''))
}

/**
 * Returns queries for an endpoint: the largest page, the largest page with a common word, the largest page
 * with the longest text, and all parameters at their maximum length.
 */
function queriesOf(endpoint: Endpoint, ids: ShopIds): [string, string][] {
  const { properties } = schemaOf(endpoint.query) ?? {}
  if (!properties) return [['no parameters', '']]
  const all = Object.entries(properties)
    .filter(([name]) => !LEFT_OUT.test(name))
    .map(([name, schema]): [string, string] => [
      name,
      String(largestValue(schema, { name, path: endpoint.path, ids, budget: 2000 })),
    ])
  const isPage = ([name]: [string, string]): boolean => /^(limit|per_page|days|fmt)$/.test(name)
  const isText = ([name]: [string, string]): boolean => /^(search|tags|name|filament\.name|code)$/.test(name)
  const page = all.filter(isPage)
  const queries: [string, [string, string][]][] = [
    ['largest page', page],
    [EVERYTHING, all],
  ]
  if (all.some(isText)) {
    queries.push(['longest text', all.filter((one) => isPage(one) || isText(one))])
    queries.push([
      'a common word',
      [...page, ...all.filter(isText).map(([name]): [string, string] => [name, 'gear'])],
    ])
  }
  return queries.map(([input, query]) => [input, query.length ? `?${new URLSearchParams(query)}` : ''])
}

const keysOf = (bytes: number): string => {
  let text = '{"a":0'
  for (let n = 0; text.length < bytes - 20; n += 1) text += `,"k${n}":0`
  return `${text}}`
}

/**
 * Returns JSON bodies: one with all values at their maximum length, one with texts that are far too long, and bodies
 * with a megabyte of field names or of lists.
 */
function bodiesOf(endpoint: Endpoint, ids: ShopIds): [string, string][] {
  const schema = schemaOf(endpoint.body)
  if (!schema) return [['1 MB of names', keysOf(JSON_LIMIT)]]
  const place = { name: 'body', path: endpoint.path, ids }
  const within = [20_000, 2000, 200]
    .map((budget) => JSON.stringify(largestValue(schema, { ...place, budget })))
    .find((body) => Buffer.byteLength(body) <= JSON_LIMIT)
  const texts = Object.keys(schema.properties ?? {})
  const long = 'a1'.repeat(Math.floor(JSON_LIMIT / 2 / Math.max(1, texts.length)) - 30)
  return [
    ...(within ? [[EVERYTHING, within] as [string, string]] : []),
    ['texts of 1 MB', JSON.stringify(Object.fromEntries(texts.map((name) => [name, long])))],
    ['1 MB of names', keysOf(JSON_LIMIT)],
    [
      'lists of 1 MB',
      JSON.stringify(
        Object.fromEntries(
          texts.map((name) => [name, Array.from({ length: Math.floor(200_000 / texts.length) }, () => 'ab')]),
        ),
      ),
    ],
  ]
}

const csvRows = (count: number): string =>
  `name,sku,notes,location\n${Array.from({ length: count }, (_, n) => `Hook ${n},I-${n},${'x'.repeat(200)},Rack ${n % 99}`).join('\n')}`

/** Returns forms with files that take the most time for their size. */
async function formsOf(endpoint: Endpoint): Promise<[string, Buffer, Record<string, string>][]> {
  const stl = writeBinaryStl(createTorus(20, 7, 400))
  const files: Record<string, [string, Uint8Array][]> = {
    '/api/inventory/import': [
      ['10 MB of line breaks', new Uint8Array(CSV_LIMIT).fill(10)],
      ['10 MB in one row', new Uint8Array(CSV_LIMIT).fill(97)],
      ['10 MB of quotation marks', new Uint8Array(CSV_LIMIT).fill(34)],
      ['10 MB of commas', new Uint8Array(CSV_LIMIT).fill(44)],
      ['5,000 rows', new TextEncoder().encode(csvRows(5000))],
    ],
  }
  const chosen = files[endpoint.path] ?? [
    [`a model of ${Math.round(stl.byteLength / 1e6)} MB`, stl],
    ['10 MB of zeros', new Uint8Array(CSV_LIMIT)],
  ]
  const name = endpoint.path.endsWith('/slices')
    ? 'a.gcode'
    : endpoint.path.includes('import')
      ? 'a.csv'
      : 'a.stl'
  return Promise.all(
    chosen.map(async ([input, bytes]): Promise<[string, Buffer, Record<string, string>]> => {
      const { payload, headers } = await multipart({ upload_method: 'file' }, [{ name, bytes }])
      return [input, payload, headers]
    }),
  )
}

/** Returns all requests that the walk sends to an endpoint. */
export async function requestsTo(endpoint: Endpoint, ids: ShopIds): Promise<CostlyRequest[]> {
  const url = pathOf(endpoint.path, ids)
  const queries = queriesOf(endpoint, ids)
  const longest = queries.find(([input]) => input === EVERYTHING)?.[1] ?? ''
  if (endpoint.method === 'GET') return queries.map(([input, query]) => ({ input, url: url + query }))
  if (endpoint.fileField)
    return (await formsOf(endpoint)).map(([input, payload, headers]) => ({ input, url, payload, headers }))
  if (endpoint.isRawBody) {
    const payload = Buffer.from(keysOf(JSON_LIMIT))
    return [{ input: 'a body of 1 MB', url, payload, headers: JSON_HEADERS }]
  }
  const bare = { input: endpoint.body ? 'no body' : 'no parameters', url: url + longest }
  if (endpoint.method === 'DELETE' && !endpoint.body) return [bare]
  const bodies = bodiesOf(endpoint, ids)
  return [
    bare,
    ...bodies.map(([input, payload]) => ({ input, url: url + longest, payload, headers: JSON_HEADERS })),
  ]
}
