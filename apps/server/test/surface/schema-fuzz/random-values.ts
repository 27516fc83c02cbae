import { type ShopIds } from '../cost/fill-shop.ts'
import { type ValueSchema, largestValue } from '../cost/largest-values.ts'

/** The parts of JSON Schema that the generator uses. */
export interface FuzzSchema extends ValueSchema {
  properties?: Readonly<Record<string, FuzzSchema>>
  items?: FuzzSchema
  prefixItems?: readonly FuzzSchema[]
  anyOf?: readonly FuzzSchema[]
  oneOf?: readonly FuzzSchema[]
  required?: readonly string[]
  minimum?: number
  minItems?: number
}

export interface FuzzPlace {
  name: string
  path: string
  ids: ShopIds
  random: () => number
  /** The probability, from 0 to 1, with which a part of the value ignores the schema. */
  invalidShare: number
}

/**
 * Values that most schemas forbid: other types, values at the limits of types, and texts that programs often misread.
 */
const STRANGE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.1,
  2 ** 31,
  2 ** 53,
  1e308,
  '',
  ' ',
  '\0',
  '\ud800',
  '%00',
  "'",
  '../..',
  '-0',
  '1e999',
  '2026-02-30',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '٣',
  '\u202e',
  'x'.repeat(3000),
  [],
  [[]],
  [null],
  {},
  { __proto__: null, constructor: 1 },
]

export const pick = <T>(values: readonly T[], random: () => number): T =>
  values[Math.floor(random() * values.length)] as T

function randomObject(schema: FuzzSchema, place: FuzzPlace): Record<string, unknown> {
  const { random } = place
  const isRequired = new Set(schema.required)
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => random() < (isRequired.has(name) ? 1 - place.invalidShare / 4 : 0.6))
    .map(([name, field]): [string, unknown] => [name, randomValue(field, { ...place, name })])
  if (random() < place.invalidShare) entries.push(['unknown_field', pick(STRANGE, random)])
  return Object.fromEntries(entries)
}

/**
 * Returns a random value that follows the schema. Each part of it ignores the schema with the probability
 * `invalidShare`.
 */
export function randomValue(schema: FuzzSchema, place: FuzzPlace): unknown {
  const { random } = place
  if (random() < place.invalidShare) return pick(STRANGE, random)
  const variants = schema.anyOf ?? schema.oneOf
  if (variants?.length) return randomValue(pick(variants, random), place)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return pick(schema.enum, random)
  const type = pick([schema.type ?? 'string'].flat(), random)
  if (type === 'null') return null
  if (schema.properties) return randomObject(schema, place)
  if (type === 'array') {
    if (schema.prefixItems) return schema.prefixItems.map((item) => randomValue(item, place))
    const count = Math.min(schema.maxItems ?? 3, (schema.minItems ?? 0) + Math.floor(random() * 3))
    return Array.from({ length: count }, () => randomValue(schema.items ?? {}, place))
  }
  if (type === 'boolean') return random() < 0.5
  if (type === 'integer' || type === 'number') {
    const { minimum = 0, maximum = 1000 } = schema
    return pick([minimum, maximum, Math.min(maximum, minimum + Math.floor(random() * 10))], random)
  }
  return largestValue(schema, {
    ...place,
    budget: Math.floor(random() * 40),
    index: Math.floor(random() * 20),
  })
}
