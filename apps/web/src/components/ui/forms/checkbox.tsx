import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from '@/lib/class-names.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'size'> {
  label: ReactNode
  /** Explains what ticking the box means, if the label is not enough. */
  hint?: string
  /** True if the label is hidden, such as for the box on a card. */
  isLabelHidden?: boolean
  /** True if the box represents a group that is partly ticked. */
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
            // `indeterminate` can only be set as a property, not as an attribute.
            if (input) input.indeterminate = isMixed
          })
        }
        type="checkbox"
        {...(hint && { 'aria-describedby': hintId })}
        className="tick-box size-4 shrink-0 cursor-pointer rounded-[3px] border border-control bg-surface checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:cursor-default disabled:opacity-55"
      />
      <span className={isLabelHidden ? 'sr-only' : undefined}>{label}</span>
      {hint ? (
        // The accessible name is only the label, so the hint is hidden from it. The hint is still read out as the
        // description.
        <span id={hintId} className="text-ink-3" aria-hidden>
          {hint}
        </span>
      ) : null}
    </label>
  )
}
