import { useState } from 'react'
import { ApiError, errorMessage } from '../http/api-error.ts'
import { useRetryKey } from '../http/use-retry-key.ts'
import { differing, errorsAtFields, type FieldErrors, type FormText, type ReadResult } from './form-merge.ts'

const FAILED = 'That did not work. Please try again.'

/**
 * The state of a form whose fields are texts: the values, the errors beside the fields, and the failure of the whole.
 * `Extra` names errors of controls that are no text field. Screens use `useNewForm` or `useMergedEdit` instead.
 */
export function useTextForm<Field extends string, Extra extends string = never>(
  start: FormText<Field>,
  failed = FAILED,
) {
  const [form, setForm] = useState(start)
  const [errors, setErrors] = useState<FieldErrors<Field | Extra>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const isField = (name: string): name is Field => name in start
  return {
    form,
    setForm,
    errors,
    failure,
    isPending,
    /** Changes some fields, and removes their errors. */
    change: (part: Partial<FormText<Field>>) => {
      setForm((now) => ({ ...now, ...part }))
      setErrors((now) => {
        const left = { ...now }
        for (const field of Object.keys(part) as Field[]) delete left[field]
        return left
      })
    },
    clearError: (field: Field | Extra) => setErrors((now) => ({ ...now, [field]: undefined })),
    /** Shows the errors that were found before sending; null if there are none. */
    showErrors: (found: FieldErrors<Field | Extra> | null) => {
      setErrors(found ?? {})
      setFailure(null)
    },
    /** Runs the call. If the server refuses it, its sentences appear beside their fields and in the footer. */
    send: async (call: () => Promise<void>) => {
      setIsPending(true)
      try {
        await call()
      } catch (error) {
        // Extra names no field, so the fields' errors fit the wider type.
        if (error instanceof ApiError)
          setErrors(errorsAtFields(error.errors, isField) as FieldErrors<Field | Extra>)
        setFailure(errorMessage(error, failed))
      } finally {
        setIsPending(false)
      }
    },
  }
}

interface NewFormOptions<Field extends string, Extra extends string, Body> {
  /** What the fields hold at first. */
  start: FormText<Field> | (() => FormText<Field>)
  /** Reads the fields by the contract's schema, or says what is wrong at which of them. */
  read: (form: FormText<Field>) => ReadResult<Body, Field | Extra>
  /** Sends it. The headers hold an Idempotency-Key, so that a retry after a lost answer creates nothing twice. */
  create: (body: Body, headers: { 'Idempotency-Key': string }) => Promise<void>
  /** Shown where neither the server nor the network gives a reason. */
  failed?: string
}

/** A form that creates something. */
export function useNewForm<Field extends string, Body, Extra extends string = never>({
  start: first,
  read,
  create,
  failed,
}: NewFormOptions<Field, Extra, Body>) {
  const [start] = useState(first)
  const { setForm: _, ...fields } = useTextForm<Field, Extra>(start, failed)
  const retryKey = useRetryKey()
  return {
    ...fields,
    hasChanges: differing(start, fields.form).length > 0,
    submit: async () => {
      const { body, errors } = read(fields.form)
      fields.showErrors(errors)
      if (body !== null) await fields.send(() => create(body, retryKey(body)))
    },
  }
}
