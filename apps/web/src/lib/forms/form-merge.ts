import { serverText } from '@/lib/i18n/server-texts.ts'

/** The texts of a form by field. */
export type FormText<Field extends string> = Readonly<Record<Field, string>>

/** Returns the fields in which two forms differ. */
export const differing = <Field extends string>(a: FormText<Field>, b: FormText<Field>): Field[] =>
  (Object.keys(a) as Field[]).filter((field) => a[field] !== b[field])

/** The result of merging an edit with changes that somebody else has saved in the meantime. */
export interface Merge<Field extends string> {
  /** The form with the typed values, and with the saved values in all other fields. */
  form: FormText<Field>
  /** The values that somebody else has saved. */
  theirs: FormText<Field>
  /** The fields that somebody else has changed. */
  changed: readonly Field[]
  /** The changed fields in which this person typed another value. */
  conflicts: readonly Field[]
}

/** Merges the typed values with the values that somebody else has saved since `base`. */
export function mergeForms<Field extends string>(
  base: FormText<Field>,
  mine: FormText<Field>,
  theirs: FormText<Field>,
): Merge<Field> {
  const changed = differing(base, theirs)
  const typed = differing(base, mine)
  return {
    form: { ...theirs, ...Object.fromEntries(typed.map((field) => [field, mine[field]])) },
    theirs,
    changed,
    conflicts: differing(mine, theirs).filter((field) => changed.includes(field) && typed.includes(field)),
  }
}

export type FieldErrors<Field extends string> = Partial<Record<Field, string | undefined>>

/** Returns the first error of each field, from the issues of a schema or from a refused call. */
export function errorsAtFields<Field extends string>(
  issues: readonly { path: string | readonly PropertyKey[]; message: string }[],
  isField: (name: string) => name is Field,
): FieldErrors<Field> {
  const errors: FieldErrors<Field> = {}
  for (const { path, message } of issues) {
    const [name = ''] = typeof path === 'string' ? path.split(/[./[]/) : path.map(String)
    if (isField(name)) errors[name] ??= serverText(message)
  }
  return errors
}

/** The request body, or the errors of the fields. */
export type ReadResult<Body, Field extends string> =
  | { body: Body; errors: null }
  | { body: null; errors: FieldErrors<Field> }

/**
 * Turns the result of a schema's `safeParse` into a request body or into errors of the fields. `fields` is any object
 * whose keys are the field names: the form, or its labels.
 */
export const readResult = <Body, Field extends string>(
  parsed:
    | { success: true; data: Body }
    | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } },
  fields: Readonly<Record<Field, unknown>>,
): ReadResult<Body, Field> =>
  parsed.success
    ? { body: parsed.data, errors: null }
    : { body: null, errors: errorsAtFields(parsed.error.issues, (name): name is Field => name in fields) }

/**
 * Returns only the changed fields, so that the request does not overwrite other fields that somebody else has changed.
 */
export const pickFields = <Field extends string>(
  wire: Readonly<Record<Field, unknown>>,
  changed: readonly Field[],
): Record<string, unknown> => Object.fromEntries(changed.map((field) => [field, wire[field]]))

/** Returns a form with an empty string in each field. The keys of `labels` are the fields. */
export const emptyForm = <Field extends string>(labels: Readonly<Record<Field, string>>): FormText<Field> =>
  Object.fromEntries(Object.keys(labels).map((field) => [field, ''])) as FormText<Field>
