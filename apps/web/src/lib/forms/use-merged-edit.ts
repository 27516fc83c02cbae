import { useState } from 'react'
import { ApiError } from '../http/api-error.ts'
import { differing, type FormText, type Merge, mergeForms, type ReadResult } from './form-merge.ts'
import { useTextForm } from './use-text-form.ts'

interface Revised {
  revision: number
}

export interface MergedEditOptions<Field extends string, Thing extends Revised, Body> {
  thing: Thing
  formOf: (thing: Thing) => FormText<Field>
  /** Parses the changed fields with the contract's schema, or returns the errors of the fields. */
  read: (form: FormText<Field>, changed: readonly Field[]) => ReadResult<Body, Field>
  /**
   * Sends the change with the revision as If-Match. The server responds with 412 if somebody else has saved.
   */
  save: (edit: { body: Body; revision: number }) => Promise<Thing>
  /** Loads the saved state after a 412. */
  reread: () => Promise<Thing>
  /** Called after the save, or with null if nothing had changed. */
  onSaved: (saved: Thing | null) => void
}

/** The state of a form for an object that others may edit too. It merges their changes with the typed values. */
export function useMergedEdit<Field extends string, Thing extends Revised, Body>({
  thing,
  formOf,
  read,
  save,
  reread,
  onSaved,
}: MergedEditOptions<Field, Thing, Body>) {
  const [base, setBase] = useState(() => ({ form: formOf(thing), revision: thing.revision }))
  const [merge, setMerge] = useState<Merge<Field> | null>(null)
  const { form, setForm, change, errors, failure, isPending, showErrors, send } = useTextForm(base.form)

  const mergeTheirs = async () => {
    const current = await reread()
    const merged = mergeForms(base.form, form, formOf(current))
    setBase({ form: merged.theirs, revision: current.revision })
    setForm(merged.form)
    setMerge(merged)
  }
  const saveOrMerge = async (body: Body) => {
    try {
      onSaved(await save({ body, revision: base.revision }))
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error
      await mergeTheirs()
    }
  }
  return {
    form,
    change,
    errors,
    failure,
    merge,
    isPending,
    submit: async () => {
      const changed = differing(base.form, form)
      const { body, errors: found } = read(form, changed)
      showErrors(found)
      if (body === null) return
      if (changed.length === 0) return onSaved(null)
      await send(() => saveOrMerge(body))
    },
    hasChanges: differing(base.form, form).length > 0,
    /** Returns whether a field differs from its last known saved value. */
    isTouched: (field: Field) => form[field] !== base.form[field],
    takeTheirs: (field: Field) => {
      if (!merge) return
      // TypeScript cannot prove that a computed key is a field name.
      change({ [field]: merge.theirs[field] } as Partial<FormText<Field>>)
      setMerge({ ...merge, conflicts: merge.conflicts.filter((other) => other !== field) })
    },
  }
}
