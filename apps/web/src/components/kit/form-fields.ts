import type { ReactNode } from 'react'
import type { InputProps } from '@/components/ui/forms/input.tsx'
import type { FieldErrors, FormText } from '@/lib/forms/form-merge.ts'

/** Properties of a component that shows the fields of a form. EditDialog and useNewForm supply all of them. */
export interface FormFieldsProps<Name extends string> {
  form: FormText<Name>
  change: (part: Partial<FormText<Name>>) => void
  errors: FieldErrors<Name>
  /** Returns a replacement for a field's own hint, for example a value that somebody else saved. */
  hintOf?: ((field: Name) => ReactNode) | undefined
}

interface FormFieldsState<Name extends string> extends Omit<FormFieldsProps<Name>, 'form'> {
  form: Partial<FormText<Name>>
  labels: Readonly<Record<Name, string>>
}

/** Returns functions that take a field name and return the properties of its Field or of its control. */
export function formFields<Name extends string>({
  form,
  change,
  labels,
  errors,
  hintOf,
}: FormFieldsState<Name>) {
  const bind = (name: Name) => ({
    value: form[name] ?? '',
    onChange: (event: { target: { value: string } }) =>
      change({ [name]: event.target.value } as Partial<Record<Name, string>>),
  })
  const input = (name: Name): InputProps => ({ ...bind(name), autoComplete: 'off' })
  return {
    field: (name: Name, hint?: ReactNode) => ({
      label: labels[name],
      error: errors[name],
      hint: hintOf?.(name) ?? hint,
    }),
    input,
    /** A field for a number with decimals. */
    number: (name: Name, unit?: string): InputProps => ({
      ...input(name),
      inputMode: 'decimal',
      ...(unit && { unit }),
    }),
    select: bind,
    /** A field for a short text with several lines. */
    textarea: (name: Name) => ({ ...bind(name), rows: 2, dir: 'auto' as const }),
  }
}
