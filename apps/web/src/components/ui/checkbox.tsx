import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from '@/lib/class-names.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'size'> {
  label: ReactNode
  /** For a box without a visible text, such as the one on a card. */
  isLabelHidden?: boolean
}

export function Checkbox({ label, isLabelHidden = false, className, ...rest }: CheckboxProps) {
  return (
    <label className={cx('inline-flex min-h-6 items-center gap-2 phone:min-h-11 touch:min-h-11', className)}>
      <span className="relative grid size-4 shrink-0 place-items-center">
        <input
          {...rest}
          type="checkbox"
          className="peer size-4 cursor-pointer appearance-none rounded-[3px] border border-control bg-surface checked:border-accent checked:bg-accent disabled:cursor-default disabled:opacity-55"
        />
        <Check
          size={12}
          strokeWidth={3}
          className="pointer-events-none absolute hidden text-on-accent peer-checked:block"
          aria-hidden
        />
      </span>
      <span className={isLabelHidden ? 'sr-only' : undefined}>{label}</span>
    </label>
  )
}
