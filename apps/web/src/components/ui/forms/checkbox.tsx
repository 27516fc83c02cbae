import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from '@/lib/class-names.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'size'> {
  label: ReactNode
  /** Explains what ticking it means, if the label alone does not. */
  hint?: string
  /** For a box without a visible label, such as the one on a card. */
  isLabelHidden?: boolean
  /** Whether it stands for a partly ticked group. */
  isMixed?: boolean
}

export function Checkbox({
  label,
  hint,
  isLabelHidden = false,
  isMixed = false,
  className,
  ref,
  ...rest
}: CheckboxProps) {
  const hintId = useId()
  return (
    <label className={cx('inline-flex min-h-6 items-center gap-2 phone:min-h-11 touch:min-h-11', className)}>
      <input
        {...rest}
        ref={
          ref ??
          ((input) => {
            // `indeterminate` is a property, not an attribute.
            if (input) input.indeterminate = isMixed
          })
        }
        type="checkbox"
        {...(hint && { 'aria-describedby': hintId })}
        className="tick-box size-4 shrink-0 cursor-pointer rounded-[3px] border border-control bg-surface checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:cursor-default disabled:opacity-55"
      />
      <span className={isLabelHidden ? 'sr-only' : undefined}>{label}</span>
      {hint ? (
        // Hidden from the accessible name, which is the label alone; still read as the description.
        <span id={hintId} className="text-ink-3" aria-hidden>
          {hint}
        </span>
      ) : null}
    </label>
  )
}
