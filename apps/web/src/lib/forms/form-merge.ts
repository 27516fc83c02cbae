/** What stands in the fields of a form. */
export type FormText<Field extends string> = Readonly<Record<Field, string>>

/** Fields in which two forms differ. */
export const differing = <Field extends string>(a: FormText<Field>, b: FormText<Field>): Field[] =>
  (Object.keys(a) as Field[]).filter((field) => a[field] !== b[field])

/** What became of an edit that somebody else was quicker than. */
export interface Merge<Field extends string> {
  /** What was typed, and elsewhere what the other has saved. */
  form: FormText<Field>
  /** What the other has saved. */
  theirs: FormText<Field>
  /** Fields that the other has changed. */
  changed: readonly Field[]
  /** Of these the ones that were typed in as well, to something else. */
  conflicts: readonly Field[]
}

/** Puts what was typed over what somebody else has saved since `base`. */
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

/** The first sentence at each field, of a schema's issues or of a refused call's errors. */
export function errorsAtFields<Field extends string>(
  issues: readonly { path: string | readonly PropertyKey[]; message: string }[],
  isField: (name: string) => name is Field,
): FieldErrors<Field> {
  const errors: FieldErrors<Field> = {}
  for (const { path, message } of issues) {
    const [name = ''] = typeof path === 'string' ? path.split(/[./[]/) : path.map(String)
    if (isField(name)) errors[name] ??= message
  }
  return errors
}

/** A form as the body of a call, or the errors at its fields. */
export type ReadResult<Body, Field extends string> =
  | { body: Body; errors: null }
  | { body: null; errors: FieldErrors<Field> }

/** Turns the outcome of a schema's `safeParse` into the body of a call, or into errors at the fields. */
export const readResult = <Body, Field extends string>(
  parsed:
    | { success: true; data: Body }
    | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } },
  isField: (name: string) => name is Field,
): ReadResult<Body, Field> =>
  parsed.success
    ? { body: parsed.data, errors: null }
    : { body: null, errors: errorsAtFields(parsed.error.issues, isField) }

/** The changed fields alone, as a change sends them: the rest stays as it is, whoever changes it meanwhile. */
export const pickFields = <Field extends string>(
  wire: Readonly<Record<Field, unknown>>,
  changed: readonly Field[],
): Record<string, unknown> => Object.fromEntries(changed.map((field) => [field, wire[field]]))
