import type { Model } from '@pegasus/contracts/stl-library/models'
import { type UpdateModelBody, updateModelBody } from '@pegasus/contracts/stl-library/model-changes'
import { type FormText, pickFields, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { readSale, saleChoiceOf } from './sale-select.ts'
import { t } from '@/lib/i18n/messages.ts'

export type EditField =
  | 'title'
  | 'description'
  | 'tags'
  | 'license_type'
  | 'attribution_url'
  | 'sale_allowed'
  | 'sale_note'
  | 'print_material'
  | 'print_notes'

/**
 * The editable fields of a model, as text. Each line of `tags` is one tag, and `sale_allowed` is a value of
 * SALE_OPTIONS.
 */
export type EditForm = FormText<EditField>

export const FIELD_WORDS: Readonly<Record<EditField, string>> = {
  title: t('Title'),
  description: t('Description'),
  tags: t('Tags'),
  license_type: t('License'),
  attribution_url: t('Attribution URL'),
  sale_allowed: t('Selling prints'),
  sale_note: t('Note on selling'),
  print_material: t('Print material'),
  print_notes: t('Print notes'),
}

/** The names of the fields inside a sentence: `Suggested: title and tags.` */
export const FIELD_NOUNS: typeof FIELD_WORDS = {
  title: t('title'),
  description: t('description'),
  tags: t('tags'),
  license_type: t('license'),
  attribution_url: t('attribution url'),
  sale_allowed: t('selling prints'),
  sale_note: t('note on selling'),
  print_material: t('print material'),
  print_notes: t('print notes'),
}

export const isEditField = (name: string): name is EditField => Object.hasOwn(FIELD_WORDS, name)

// Splitting at line breaks is safe, because tags contain none: their whitespace is collapsed.
export const tagsOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))
export const textOfTags = (tags: readonly string[]): string => tags.join('\n')

export const formOf = (model: Model): EditForm => ({
  title: model.title,
  description: model.description ?? '',
  tags: textOfTags(model.tags),
  license_type: model.license_type,
  attribution_url: model.attribution_url ?? '',
  sale_allowed: saleChoiceOf(model.sale_allowed),
  sale_note: model.sale_note ?? '',
  print_material: model.print_material ?? '',
  print_notes: model.print_notes ?? '',
})

/** Returns a field's value as readable text inside a sentence. */
export function describeValue(field: EditField, text: string): string {
  if (field === 'tags') return tagsOf(text).join(', ')
  if (field === 'sale_allowed')
    return { allowed: t('allowed'), forbidden: t('not allowed') }[text] ?? t('not decided')
  return text
}

/**
 * Returns the changes of the edited fields. All other fields stay unchanged, and remain marked as
 * suggestions.
 */
export function readEdit(
  form: EditForm,
  changed: readonly EditField[],
): ReadResult<UpdateModelBody, EditField> {
  const wire = { ...form, tags: tagsOf(form.tags), sale_allowed: readSale(form.sale_allowed) }
  return readResult(updateModelBody.safeParse(pickFields(wire, changed)), FIELD_WORDS)
}

/** The configuration with which EditDialog edits a model. */
export const MODEL_EDIT = { labels: FIELD_WORDS, formOf, read: readEdit, describeValue }
