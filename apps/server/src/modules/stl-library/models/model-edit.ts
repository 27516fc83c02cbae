import { isDeepStrictEqual } from 'node:util'
import type { BulkEditBody, UpdateModelBody } from '@pegasus/contracts/stl-library/model-changes'
import { MAX_TAGS } from '@pegasus/contracts/stl-library/models'
import type { ModelRow } from './models.queries.ts'

/** Fields of a model that people can edit. */
const FIELDS = [
  'title',
  'description',
  'tags',
  'license_type',
  'attribution_url',
  'print_material',
  'print_notes',
  'sale_allowed',
  'sale_note',
] as const satisfies (keyof ModelRow)[]

type EditableFields = Pick<ModelRow, (typeof FIELDS)[number]>

/** `suggested_fields` names the fields whose value was suggested and not typed. */
export type EditableModel = EditableFields & Pick<ModelRow, 'suggested_fields'>

/** Picks the editable fields, in the form in which the audit stores them. */
export const fieldsOf = (model: EditableFields): EditableFields => ({
  title: model.title,
  description: model.description,
  tags: model.tags,
  license_type: model.license_type,
  attribution_url: model.attribution_url,
  print_material: model.print_material,
  print_notes: model.print_notes,
  sale_allowed: model.sale_allowed,
  sale_note: model.sale_note,
})

/**
 * Returns the model after an edit, or null if the edit changes nothing. Absent fields stay unchanged. A field that the
 * edit names counts as typed afterwards, even if its value equals the suggestion.
 */
export function applyEdit(model: EditableModel, edit: UpdateModelBody): EditableModel | null {
  const named = FIELDS.filter((field) => edit[field] !== undefined)
  const next = {
    ...fieldsOf(model),
    ...Object.fromEntries(named.map((field) => [field, edit[field]])),
    suggested_fields: model.suggested_fields.filter((field) => !(named as string[]).includes(field)),
  }
  const before = { ...fieldsOf(model), suggested_fields: model.suggested_fields }
  return isDeepStrictEqual(before, next) ? null : next
}

/** For each field that a bulk edit replaces: a function that returns its label and current value. */
const REPLACED = {
  license_type: ({ license_type }) => `License: ${license_type}`,
  sale_allowed: ({ sale_allowed: isAllowed }) =>
    `Selling prints: ${isAllowed === null ? 'not decided' : isAllowed ? 'allowed' : 'not allowed'}`,
  print_material: ({ print_material }) => `Print material: ${print_material ?? 'none'}`,
} satisfies Partial<Record<keyof EditableFields, (model: EditableFields) => string>>

/** Returns the current values that a bulk edit would replace, for example `License: CC BY`. Tags are never replaced. */
export const replacedBy = (model: EditableFields, change: UpdateModelBody): string[] =>
  (Object.keys(REPLACED) as (keyof typeof REPLACED)[])
    .filter((field) => change[field] !== undefined && change[field] !== model[field])
    .map((field) => REPLACED[field](model))

/**
 * Converts a bulk edit to an edit of one model. Returns the reason as a string if the edit is not possible
 * for that model.
 */
export function editOfBulk(model: EditableModel, change: BulkEditBody): UpdateModelBody | string {
  const { add_tags: added, remove_tags: removed = [], license_type, sale_allowed, print_material } = change
  const edit: UpdateModelBody = {
    ...(license_type !== undefined && { license_type }),
    ...(sale_allowed !== undefined && { sale_allowed }),
    ...(print_material !== undefined && { print_material }),
  }
  if (added === undefined && change.remove_tags === undefined) return edit
  const tags = [...new Set([...model.tags.filter((tag) => !removed.includes(tag)), ...(added ?? [])])]
  if (tags.length > MAX_TAGS) return `“${model.title}” would have more than ${MAX_TAGS} tags.`
  return isDeepStrictEqual(tags, model.tags) ? edit : { ...edit, tags }
}
