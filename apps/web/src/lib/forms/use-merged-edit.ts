import { useState } from 'react'
import { ApiError, errorMessage } from '../http/api-error.ts'
import {
  differing,
  errorsAtFields,
  type FieldErrors,
  type FormText,
  type Merge,
  mergeForms,
} from './form-merge.ts'

interface Revised {
  revision: number
}

interface MergedEditOptions<Field extends string, Thing extends Revised, Body> {
  thing: Thing
  formOf: (thing: Thing) => FormText<Field>
  /** Reads the fields that were changed, or says at which of them they cannot be read. */
  read: (
    form: FormText<Field>,
    changed: readonly Field[],
  ) => { body: Body; errors: null } | { body: null; errors: FieldErrors<Field> }
  save: (edit: { body: Body; revision: number }) => Promise<Thing>
  /** What the thing is now, when somebody else was quicker. */
  reread: () => Promise<Thing>
  /** Null where nothing had been changed. */
  onSaved: (saved: Thing | null) => void
}

const FAILED = 'That did not work. Please try again.'

/** A form over something that others may change too: what they save meanwhile is put beside what was typed. */
export function useMergedEdit<Field extends string, Thing extends Revised, Body>({
  thing,
  formOf,
  read,
  save,
  reread,
  onSaved,
}: MergedEditOptions<Field, Thing, Body>) {
  const [base, setBase] = useState(() => ({ form: formOf(thing), revision: thing.revision }))
  const [form, setForm] = useState(base.form)
  const [errors, setErrors] = useState<FieldErrors<Field>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [merge, setMerge] = useState<Merge<Field> | null>(null)
  const [isPending, setIsPending] = useState(false)

  const isField = (name: string): name is Field => name in base.form
  const change = (part: Partial<FormText<Field>>) => {
    setForm((now) => ({ ...now, ...part }))
    setErrors((now) => {
      const left = { ...now }
      for (const field of Object.keys(part) as Field[]) delete left[field]
      return left
    })
  }
  const mergeTheirs = async () => {
    const current = await reread()
    const merged = mergeForms(base.form, form, formOf(current))
    setBase({ form: merged.theirs, revision: current.revision })
    setForm(merged.form)
    setMerge(merged)
  }
  const send = async (body: Body) => {
    try {
      onSaved(await save({ body, revision: base.revision }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 412) return mergeTheirs()
      setErrors(errorsAtFields(error.errors, isField))
      setFailure(error.message)
    }
  }
  const submit = async () => {
    const changed = differing(base.form, form)
    const { body, errors: found } = read(form, changed)
    setErrors(found ?? {})
    setFailure(null)
    if (body === null) return
    if (changed.length === 0) return onSaved(null)
    setIsPending(true)
    await send(body).catch((error: unknown) => setFailure(errorMessage(error, FAILED)))
    setIsPending(false)
  }
  return {
    form,
    change,
    errors,
    failure,
    merge,
    isPending,
    submit,
    hasChanges: differing(base.form, form).length > 0,
    /** Whether a field says something else than what was last known to be saved. */
    isTouched: (field: Field) => form[field] !== base.form[field],
    takeTheirs: (field: Field) => {
      if (!merge) return
      // A computed key of a generic name is not known to be one of the names.
      change({ [field]: merge.theirs[field] } as Partial<FormText<Field>>)
      setMerge({ ...merge, conflicts: merge.conflicts.filter((other) => other !== field) })
    },
  }
}
