import { Check, Minus } from 'lucide-react'
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
      <span className="relative grid size-4 shrink-0 place-items-center">
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
          className="peer size-4 cursor-pointer appearance-none rounded-[3px] border border-control bg-surface checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:cursor-default disabled:opacity-55"
        />
        <Minus
          size={12}
          strokeWidth={3}
          className="pointer-events-none absolute hidden text-on-accent peer-indeterminate:block"
          aria-hidden
        />
        <Check
          size={12}
          strokeWidth={3}
          className="pointer-events-none absolute hidden text-on-accent peer-checked:not-peer-indeterminate:block"
          aria-hidden
        />
      </span>
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
