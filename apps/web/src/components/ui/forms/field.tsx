import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId, useMemo } from 'react'
import { cx } from '@/lib/class-names.ts'
import { FieldContext } from './field-context.ts'

interface FieldProps {
  label: ReactNode
  isRequired?: boolean
  /** A remark, shown next to the label. */
  mark?: ReactNode
  hint?: ReactNode
  /** Shown instead of the hint while there is an error. */
  error?: string | null | undefined
  className?: string
  children: ReactNode
}

/**
 * A label above a control, with a hint or an error below. The control inside (Input, Select, …) is bound to all of
 * them.
 */
export function Field({ label, isRequired = false, mark, hint, error, className, children }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  const control = useMemo(
    () => ({
      id,
      required: isRequired,
      'aria-describedby': note ? `${id}-note` : undefined,
      'aria-invalid': error ? (true as const) : undefined,
    }),
    [id, isRequired, note, error],
  )
  return (
    <div className={cx('flex min-w-0 flex-col gap-[5px]', className)}>
      <div className="flex items-center gap-2">
        <label
          htmlFor={id}
          className={cx(
            'w-fit text-label font-medium text-ink',
            // The mark has an empty alternative text, so that it is not part of the accessible name.
            isRequired && "after:text-red-ink after:content-['_*'/'']",
          )}
        >
          {label}
        </label>
        {/* The mark is taller than the label. The negative margin keeps the line as high as in other fields. */}
        {mark ? <span className="-my-px flex">{mark}</span> : null}
      </div>
      <FieldContext value={control}>{children}</FieldContext>
      {error ? (
        <p
          id={`${id}-note`}
          role="alert"
          className="flex items-start gap-1.5 text-label font-medium text-red-ink"
        >
          <CircleAlert size={14} className="mt-0.5 shrink-0" aria-hidden />
          {error}
        </p>
      ) : hint ? (
        <p id={`${id}-note`} className="text-caption text-ink-3">
          {hint}
        </p>
      ) : null}
    </div>
  )
}
