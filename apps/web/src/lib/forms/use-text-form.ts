import { useState } from 'react'
import { ApiError, errorMessage } from '../http/api-error.ts'
import { useRetryKey } from '../http/use-retry-key.ts'
import { differing, errorsAtFields, type FieldErrors, type FormText, type ReadResult } from './form-merge.ts'

interface ErrorOptions<Field extends string> {
  /** The sentence for a failed call; the server's own unless given. */
  describeError?: (error: unknown) => string
  /** The field that a refusal is about, by its code. The sentence then appears there, and not in the footer. */
  fieldOf?: (error: ApiError) => Field | undefined
}

const defaultMessage = (error: unknown): string => errorMessage(error, 'That did not work. Please try again.')

/**
 * The state of a form whose fields are texts: the values, the errors beside the fields, and the failure of the whole.
 * `Extra` names errors of controls that are no text field. Screens use `useNewForm` or `useMergedEdit` instead.
 */
export function useTextForm<Field extends string, Extra extends string = never>(
  start: FormText<Field>,
  { describeError = defaultMessage, fieldOf }: ErrorOptions<Field> = {},
) {
  const [form, setForm] = useState(start)
  const [errors, setErrors] = useState<FieldErrors<Field | Extra>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const isField = (name: string): name is Field => name in start
  /** Changes some fields, and removes their errors. */
  const change = (part: Partial<FormText<Field>>) => {
    setForm((now) => ({ ...now, ...part }))
    setErrors((now) => {
      const left = { ...now }
      for (const field of Object.keys(part) as Field[]) delete left[field]
      return left
    })
  }
  return {
    form,
    setForm,
    errors,
    failure,
    isPending,
    change,
    /** Binds a control to a field. */
    bind: (field: Field) => ({
      value: form[field],
      // A computed key of a generic name is not known to be one of the names.
      onChange: (event: { target: { value: string } }) =>
        change({ [field]: event.target.value } as Partial<FormText<Field>>),
    }),
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
        if (!(error instanceof ApiError)) return setFailure(describeError(error))
        const field = fieldOf?.(error)
        // A computed key is widened to `string`, and Extra names no field: both records are of the wider type.
        const found = field ? { [field]: describeError(error) } : errorsAtFields(error.errors, isField)
        setErrors(found as FieldErrors<Field | Extra>)
        setFailure(field ? null : describeError(error))
      } finally {
        setIsPending(false)
      }
    },
  }
}

interface NewFormOptions<Field extends string, Extra extends string, Body> extends ErrorOptions<Field> {
  /** What the fields hold at first. */
  start: FormText<Field> | (() => FormText<Field>)
  /** Reads the fields by the contract's schema, or says what is wrong at which of them. */
  read: (form: FormText<Field>) => ReadResult<Body, Field | Extra>
  /** Sends it. The headers hold an Idempotency-Key, so that a retry after a lost answer creates nothing twice. */
  create: (body: Body, headers: { 'Idempotency-Key': string }) => Promise<void>
}

/** A form that creates something. */
export function useNewForm<Field extends string, Body, Extra extends string = never>({
  start: first,
  read,
  create,
  ...onError
}: NewFormOptions<Field, Extra, Body>) {
  const [start] = useState(first)
  const { setForm: _, ...fields } = useTextForm<Field, Extra>(start, onError)
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
