import type { LicenseType } from '@pegasus/contracts/licenses'
import type { StlFile } from '@pegasus/contracts/stl-files'
import { type UpdateStlFileBody, updateStlFileBody } from '@pegasus/contracts/stl-keeping'
import { readSale, saleChoiceOf } from './sale-choice.ts'

/** What a person may change of a model, as it stands in the fields. */
export interface EditForm {
  title: string
  description: string
  tags: readonly string[]
  license_type: LicenseType
  attribution_url: string
  /** A value of SALE_OPTIONS. */
  sale_allowed: string
  sale_note: string
  print_material: string
  print_notes: string
}
export type EditField = keyof EditForm

export const FIELD_WORDS: Readonly<Record<EditField, string>> = {
  title: 'Title',
  description: 'Description',
  tags: 'Tags',
  license_type: 'License',
  attribution_url: 'Attribution URL',
  sale_allowed: 'Selling prints',
  sale_note: 'Note on selling',
  print_material: 'Print material',
  print_notes: 'Print notes',
}
const FIELDS = Object.keys(FIELD_WORDS) as EditField[]

export const formOf = (model: StlFile): EditForm => ({
  title: model.title,
  description: model.description ?? '',
  tags: model.tags,
  license_type: model.license_type,
  attribution_url: model.attribution_url ?? '',
  sale_allowed: saleChoiceOf(model.sale_allowed),
  sale_note: model.sale_note ?? '',
  print_material: model.print_material ?? '',
  print_notes: model.print_notes ?? '',
})

const textOf = (value: EditForm[EditField]): string =>
  Array.isArray(value) ? value.join(', ') : (value as string)

/** A value in words, as a sentence quotes it. */
export function wordsOf(form: EditForm, field: EditField): string {
  if (field === 'sale_allowed')
    return { allowed: 'allowed', forbidden: 'not allowed' }[form.sale_allowed] ?? 'not said'
  return textOf(form[field])
}

/** Fields in which two forms differ. */
export const differing = (a: EditForm, b: EditForm): EditField[] =>
  FIELDS.filter((field) => textOf(a[field]) !== textOf(b[field]))

type FieldErrors = Partial<Record<EditField, string>>

/** The change from one form to another, of what differs alone: what nobody touched stays, proposals with it. */
export function readEdit(
  form: EditForm,
  base: EditForm,
): { edit: UpdateStlFileBody; errors: null } | { edit: null; errors: FieldErrors } {
  const changed = differing(form, base)
  const wire = { ...form, sale_allowed: readSale(form.sale_allowed) }
  const parsed = updateStlFileBody.safeParse(Object.fromEntries(changed.map((field) => [field, wire[field]])))
  if (parsed.success) return { edit: parsed.data, errors: null }
  const errors: FieldErrors = {}
  for (const { path, message } of parsed.error.issues) errors[path[0] as EditField] ??= message
  return { edit: null, errors }
}

/** What became of an edit that somebody else was quicker than. */
export interface Merge {
  /** What was typed, and elsewhere what the other has saved. */
  form: EditForm
  /** What the other has saved. */
  theirs: EditForm
  /** Fields that the other has changed. */
  changed: EditField[]
  /** Of these the ones that were typed in as well, to something else. */
  conflicts: EditField[]
}

/** Puts what was typed over what somebody else has saved meanwhile. */
export function mergeForms(base: EditForm, mine: EditForm, theirs: EditForm): Merge {
  const changed = differing(base, theirs)
  const typed = differing(base, mine)
  const conflicts = differing(mine, theirs).filter(
    (field) => changed.includes(field) && typed.includes(field),
  )
  return {
    form: { ...theirs, ...Object.fromEntries(typed.map((field) => [field, mine[field]])) },
    theirs,
    changed,
    conflicts,
  }
}
