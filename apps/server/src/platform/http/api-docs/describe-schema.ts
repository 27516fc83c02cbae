/** The parts of JSON Schema that the endpoint descriptions use. */
export interface JsonSchema {
  type?: string | readonly string[]
  format?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  prefixItems?: readonly JsonSchema[]
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** The maximum depth of a description. Our schemas are less deep. It limits the description of a recursive schema. */
const MAX_DEPTH = 12

/**
 * Describes a schema like a TypeScript type: `{ grams?: number (above 0, up to 1000000) }`, one field per line. Each
 * line after the first begins with `indent`.
 */
export function describeSchema(schema: JsonSchema, indent = '', depth = 0): string {
  if (depth > MAX_DEPTH) return '…'
  const { enum: choices, const: constant, anyOf, oneOf, properties, items, prefixItems } = schema
  if (choices) return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  if (constant !== undefined) return JSON.stringify(constant)
  const variants = anyOf ?? oneOf
  if (variants) return [...new Set(variants.map((one) => describeSchema(one, indent, depth + 1)))].join(' | ')
  if (properties) return objectInWords(schema, indent, depth)
  if (prefixItems) return `[${prefixItems.map((one) => describeSchema(one, indent, depth + 1)).join(', ')}]`
  if (items) return `${arrayOf(describeSchema(items, indent, depth + 1))}${boundsOf(schema)}`
  if (typeof schema.additionalProperties === 'object')
    return `{ [name]: ${describeSchema(schema.additionalProperties, indent, depth + 1)} }`
  return `${typeOf(schema)}${boundsOf(schema)}`
}

const arrayOf = (element: string): string =>
  /^[\w-]+$|^\{[^]*\}$/.test(element) ? `${element}[]` : `(${element})[]`

function objectInWords(
  { properties = {}, required = [] }: JsonSchema,
  indent: string,
  depth: number,
): string {
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    const words = describeSchema(field, inner, depth + 1)
    const preset = field.default === undefined ? '' : ` = ${JSON.stringify(field.default)}`
    return `${inner}${name}${required.includes(name) ? '' : '?'}: ${words}${preset}`
  })
  return fields.length === 0 ? '{}' : `{\n${fields.join('\n')}\n${indent}}`
}

function typeOf({ type, format }: JsonSchema): string {
  const types = typeof type === 'string' ? [type] : (type ?? ['anything'])
  return types.map((name) => (name === 'string' && format ? format : name)).join(' | ')
}

function boundsOf(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems } =
    schema
  const isWhole = maximum === Number.MAX_SAFE_INTEGER
  const bounds = [
    exclusiveMinimum === undefined ? null : `above ${exclusiveMinimum}`,
    minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? null : `from ${minimum}`,
    maximum === undefined || isWhole ? null : `up to ${maximum}`,
    exclusiveMaximum === undefined ? null : `below ${exclusiveMaximum}`,
    minLength === undefined ? null : `${minLength} characters or more`,
    maxLength === undefined ? null : `${maxLength} characters at most`,
    minItems === undefined ? null : `${minItems} or more`,
    maxItems === undefined ? null : `${maxItems} at most`,
  ].filter((bound) => bound !== null)
  return bounds.length === 0 ? '' : ` (${bounds.join(', ')})`
}
