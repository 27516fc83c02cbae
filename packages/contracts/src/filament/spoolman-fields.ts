import * as z from 'zod/mini'
import { isWellFormed, text, wholeNumber } from '../fields.ts'
import { declareEndpoints } from '../endpoint.ts'
import { SPOOLMAN_READ, SPOOLMAN_WRITE } from './spoolman.ts'

/** Extra fields of vendors, filaments and spools. They are defined by programs that were made for Spoolman. */
const { get, post, del } = declareEndpoints('spoolman')

/** Maximum number of extra fields for one kind of object. */
export const MAX_EXTRA_FIELDS = 128
/** Maximum number of characters of a value, as JSON. */
export const MAX_EXTRA_VALUE_LENGTH = 4096

export const EXTRA_ENTITIES = ['vendor', 'filament', 'spool'] as const
export type ExtraEntity = (typeof EXTRA_ENTITIES)[number]

export const EXTRA_TYPES = [
  'text',
  'integer',
  'integer_range',
  'float',
  'float_range',
  'datetime',
  'boolean',
  'choice',
] as const

const choice = text(200, 'a choice', isWellFormed).check(z.minLength(1, 'A choice is not empty'))

/** A definition in a request. Null has the same effect as a missing value. */
const definition = {
  name: text(128, 'name', isWellFormed).check(z.minLength(1, 'name is required')),
  /** The position of the field in forms. */
  order: z._default(wholeNumber('order', -32_768, 32_767), 0),
  unit: z.optional(z.nullable(text(16, 'unit', isWellFormed).check(z.minLength(1, 'unit is not empty')))),
  field_type: z.enum(EXTRA_TYPES, `field_type is one of ${EXTRA_TYPES.join(', ')}`),
  /** The value that forms fill in, as JSON. */
  default_value: z.optional(z.nullable(z.string('default_value is a text that contains JSON'))),
  choices: z.optional(
    z.nullable(
      z.array(choice).check(z.minLength(1, 'choices is not empty'), z.maxLength(500, 'Too many choices')),
    ),
  ),
  multi_choice: z.optional(z.nullable(z.boolean('multi_choice is true or false'))),
}
export const extraFieldBody = z.object(definition)
export type ExtraFieldBody = z.output<typeof extraFieldBody>

const key = z.string().check(z.regex(/^[a-z0-9_]{1,64}$/, 'A key has up to 64 characters: a-z, 0-9 and _'))
const entity = z.enum(EXTRA_ENTITIES)

/** A definition in the setting `extra_fields_…`, which contains all definitions of one kind of object. */
export const extraFieldsSetting = z.array(z.object({ ...definition, key, entity_type: entity }))

const extraField = z.object({
  key: z.string(),
  entity_type: entity,
  name: z.string(),
  order: z.number(),
  unit: z.optional(z.string()),
  field_type: z.enum(EXTRA_TYPES),
  default_value: z.optional(z.string()),
  choices: z.optional(z.array(z.string())),
  multi_choice: z.optional(z.boolean()),
})
export type ExtraField = z.output<typeof extraField>

const fieldParams = z.object({ entity, key })

export const listSpoolmanFields = get('/spoolman/api/v1/field/:entity', SPOOLMAN_READ, {
  summary: 'Extra fields of vendors, filaments or spools',
  params: z.object({ entity }),
  returns: z.array(extraField),
})

export const listSpoolmanFieldValues = get('/spoolman/api/v1/field/:entity/:key/values', SPOOLMAN_READ, {
  summary: 'The values of an extra field that are in use, without duplicates',
  params: fieldParams,
  returns: z.array(z.string()),
  errors: ['NOT_FOUND'],
})

export const saveSpoolmanField = post('/spoolman/api/v1/field/:entity/:key', SPOOLMAN_WRITE, {
  summary: 'Add or change an extra field; its type cannot change, and choices can only be added',
  params: fieldParams,
  body: extraFieldBody,
  returns: z.array(extraField),
  errors: ['MALFORMED_REQUEST'],
})

export const removeSpoolmanField = del('/spoolman/api/v1/field/:entity/:key', SPOOLMAN_WRITE, {
  summary: 'Remove an extra field and all its values',
  params: fieldParams,
  returns: z.array(extraField),
  errors: ['NOT_FOUND'],
})
