import { LABEL_SHEETS } from '@pegasus/contracts/labels/label-papers'
import type { Kind, ShopIds } from './fill-shop.ts'

/** The parts of JSON Schema that determine how large a value may be. */
export interface ValueSchema {
  type?: string | readonly string[]
  format?: string
  pattern?: string
  enum?: readonly unknown[]
  const?: unknown
  properties?: Readonly<Record<string, ValueSchema>>
  additionalProperties?: ValueSchema | boolean
  items?: ValueSchema
  prefixItems?: readonly ValueSchema[]
  anyOf?: readonly ValueSchema[]
  oneOf?: readonly ValueSchema[]
  maximum?: number
  maxLength?: number
  maxItems?: number
}

const MAX_MEMBERS = 1000

const KIND_OF_FIELD: Readonly<Record<string, Kind>> = {
  stl_file_id: 'model',
  stl_file_ids: 'model',
  inventory_item_id: 'item',
  inventory_item_ids: 'item',
  filament_id: 'spool',
  location_id: 'location',
  parent_id: 'location',
  order_id: 'order',
  line_id: 'line',
  printer_id: 'printer',
  user_id: 'account',
  before_id: 'job',
  draft_id: 'draft',
  up_to: 'alert',
}

/** Returns the kind of object that `:id` in a path, or `ids` in the body of a call, refers to. */
export function kindOfPath(path: string): Kind {
  const KINDS: readonly (readonly [RegExp, Kind])[] = [
    [/users/, 'account'],
    [/^\/api\/inventory|^\/api\/labels/, 'item'],
    [/^\/api\/locations/, 'location'],
    [/^\/api\/filament/, 'spool'],
    [/^\/api\/orders/, 'order'],
    [/^\/api\/products/, 'product'],
    [/^\/api\/drafts/, 'draft'],
    [/^\/api\/print-queue|print-jobs/, 'job'],
    [/^\/api\/printers/, 'printer'],
    [/^\/api\/stl-versions/, 'version'],
    [/^\/api\/stock-movements/, 'movement'],
    [/^\/api\/spool-entries/, 'entry'],
    [/^\/api\/alerts/, 'alert'],
  ]
  return KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? 'model'
}

/** Returns a text of this length without repeated words. */
export function textOf(length: number): string {
  let text = ''
  for (let n = 0; text.length < length; n += 1) text += `${n.toString(36)}é `
  return text.slice(0, length - 1).padEnd(length, 'x')
}

/**
 * Matches the fields that no request contains, because they contradict another field, or accept only values from an
 * earlier response.
 */
export const LEFT_OUT =
  /^(cursor|move|making_id|revisions|extra|parent_id|plate_id|lease_id|shipment_id|bulkTiers|sort|external_id|token|location_id|match_strictness)$|length|used_mm/

let made = 0

/**
 * Returns a value for a field that has a fixed format or must differ from row to row. Returns null for all
 * other fields.
 */
function specialText(name: string): string | null {
  made += 1
  const texts: readonly (readonly [RegExp, string])[] = [
    [/^(sku|slug|username|order_number|label)$/, `made-${made}`],
    [/email/, `made-${made}@example.com`],
    [/url|redirect_to|images|videos/i, 'https://example.com/a.jpg'],
    [/^currency$/, 'USD'],
    [/^country$/, 'DE'],
    [/multi_color_hexes/, 'ff8800,00ff88'],
    [/hex/, '#ff8800'],
    [/^time_zone$/, 'Europe/Berlin'],
    [/^(bucketId|destinationBucket)$/, 'product-images'],
    [/^(prefixes|paths|sourceKey|destinationKey)$/, `images/products/gear-${made}.jpg`],
    [/^paper$/, LABEL_SHEETS[0]!.id],
    [/tags$/, `tag ${made}`],
    [
      /^search$/,
      textOf(199)
        .split(' ', 10)
        .join(` ${'x'.repeat(16)}`),
    ],
    [/^(low_stock_only|archived|differs|deleted|allow_archived|dry_run)$/, 'false'],
    [/^from$/, '2025-12-01'],
    [/^to$/, '2026-11-30'],
    [/^fits$/, '220x220x250'],
    [/^size$/, '62x100'],
    [/^dpi$/, '600'],
    [/^fields$/, 'name,sku,location,price'],
    [/^action$/, 'session.opened'],
    [/^(location|location_name)$/, `Rack ${made}`],
    [/^full_name$/, textOf(100)],
    [/^allowed_addresses$/, '203.0.113.7'],
    [/^page$|^per_page$/, '1000'],
    [/^password$|_password$/, 'a decent passphrase'],
  ]
  return texts.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

function largestNumber({ name, path, index = 0 }: Place, maximum = 100): number {
  if (name === 'slot') return index + 1
  if (name === 'dpi') return 600
  if (name === 'copies' && path.startsWith('/api/labels')) return 2
  if (/quantity|delta|pieces/.test(name)) return 1
  return Math.min(maximum, name === 'limit' ? 1_000_000 : 1000)
}

interface Place {
  name: string
  path: string
  ids: ShopIds
  /** The length of a text or list for which the schema has no limit. */
  budget: number
  index?: number
}

/** Returns the largest value that a schema allows. */
export function largestValue(schema: ValueSchema, place: Place): unknown {
  const { name, ids, index = 0 } = place
  const variants = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null')
  if (variants?.length) {
    // A custom paper size must have space for its labels, so use a known paper.
    if (name === 'paper') return specialText(name)
    const larger =
      variants.find(({ type }) => type === 'array') ?? variants.find(({ type }) => type === 'object')
    return largestValue(larger ?? variants.at(-1)!, place)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.includes('item') ? 'item' : schema.enum[0]
  const types = [schema.type ?? []].flat()
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([key]) => !LEFT_OUT.test(key))
        .map(([key, field]) => [key, largestValue(field, { ...place, name: key, index })]),
    )
  if (types.includes('array')) {
    if (schema.prefixItems) return schema.prefixItems.map((item) => largestValue(item, place))
    const count = schema.maxItems ?? Math.min(name.endsWith('tags') ? 50 : MAX_MEMBERS, place.budget)
    return Array.from({ length: count }, (_, at) => largestValue(schema.items ?? {}, { ...place, index: at }))
  }
  if (types.includes('object'))
    return Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field ${at}`, textOf(100)]))
  if (types.includes('boolean')) return true
  if (types.includes('integer') || types.includes('number')) return largestNumber(place, schema.maximum)
  if (schema.format === 'uuid') {
    const kind = KIND_OF_FIELD[name] ?? kindOfPath(place.path)
    return ids[kind][index % ids[kind].length]
  }
  if (schema.format === 'date-time') return '2026-01-01T00:00:00Z'
  if (schema.format === 'date') return '2026-01-01'
  return specialText(name)?.slice(0, schema.maxLength) ?? textOf(schema.maxLength ?? place.budget)
}
