import { useState } from 'react'
import { ApiError, errorMessage } from '../http/api-error.ts'
import { useRetryKey } from '../http/use-retry-key.ts'
import { differing, errorsAtFields, type FieldErrors, type FormText, type ReadResult } from './form-merge.ts'
import { t } from '@/lib/i18n/messages.ts'

interface ErrorOptions<Field extends string> {
  /** Returns the message for a failed call. By default this is the server's own message. */
  describeError?: (error: unknown) => string
  /** Returns the field that an error is about. Its message then appears at that field instead of in the footer. */
  fieldOf?: (error: ApiError) => Field | undefined
}

const defaultMessage = (error: unknown): string =>
  errorMessage(error, t('That did not work. Please try again.'))

/**
 * The state of a form with text fields: its values, the errors of fields, and the error of the whole form. `Extra`
 * names controls that have errors but are not text fields. Screens use `useNewForm` or `useMergedEdit` instead.
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
  /** Changes some fields and removes their errors. */
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
    /** Returns the props that bind a control to a field. */
    bind: (field: Field) => ({
      value: form[field],
      // TypeScript cannot prove that a computed key is a field name.
      onChange: (event: { target: { value: string } }) =>
        change({ [field]: event.target.value } as Partial<FormText<Field>>),
    }),
    clearError: (field: Field | Extra) => setErrors((now) => ({ ...now, [field]: undefined })),
    /** Shows the errors that were found before sending; null removes them. */
    showErrors: (found: FieldErrors<Field | Extra> | null) => {
      setErrors(found ?? {})
      setFailure(null)
    },
    /** Sends the request. If the server refuses it, its messages appear at their fields and in the footer. */
    send: async (call: () => Promise<void>) => {
      setIsPending(true)
      try {
        await call()
      } catch (error) {
        if (!(error instanceof ApiError)) return setFailure(describeError(error))
        const field = fieldOf?.(error)
        // TypeScript widens a computed key to `string`, and Extra is not part of Field, so both records have
        // the wider type.
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
  /** The initial values of the fields. */
  start: FormText<Field> | (() => FormText<Field>)
  /** Parses the fields with the contract's schema, or returns the errors of the fields. */
  read: (form: FormText<Field>) => ReadResult<Body, Field | Extra>
  /**
   * Sends the request. The headers contain an Idempotency-Key, so that a retry after a lost response creates
   * no second object.
   */
  create: (body: Body, headers: { 'Idempotency-Key': string }) => Promise<void>
}

/** The state of a form that creates an object. */
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
