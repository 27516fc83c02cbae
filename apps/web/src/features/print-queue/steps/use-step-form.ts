import { useState } from 'react'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { errorsAtFields, type FieldErrors } from '@/lib/forms/form-merge.ts'

/** A dialog that a step is decided in: what was refused stands at its field, and the dialog stays open. */
export function useStepForm<Field extends string>(fields: readonly Field[], onClose: () => void) {
  const [errors, setErrors] = useState<FieldErrors<Field>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const isField = (name: string): name is Field => fields.some((field) => field === name)

  const submit = async (send: () => Promise<unknown>) => {
    setErrors({})
    setFailure(null)
    setIsPending(true)
    try {
      await send()
      onClose()
    } catch (error) {
      if (error instanceof ApiError) setErrors(errorsAtFields(error.errors, isField))
      setFailure(errorMessage(error, 'That did not work. Please try again.'))
      setIsPending(false)
    }
  }
  return { errors, setErrors, failure, isPending, submit }
}
