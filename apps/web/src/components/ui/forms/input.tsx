import type { ComponentProps, ReactNode } from 'react'
import { cx } from '@/lib/class-names.ts'
import { type ControlSize, controlClass, controlHeight } from './control-class.ts'
import { useFieldControl } from './field-context.ts'

export interface InputProps extends Omit<ComponentProps<'input'>, 'size'> {
  controlSize?: ControlSize
  /** A unit, shown at the right end inside the field: `mm`, `g`, `USD`. */
  unit?: string
  /** Shown at the left end inside the field; decorative only. */
  icon?: ReactNode
}

export function Input({ controlSize = 'md', unit, icon, className, ...rest }: InputProps) {
  const field = useFieldControl()
  return (
    <span className={cx('relative block min-w-0', className)}>
      {icon ? (
        <span className="pointer-events-none absolute inset-y-0 start-2.5 flex items-center text-ink-3">
          {icon}
        </span>
      ) : null}
      <input
        {...field}
        {...rest}
        className={cx(
          controlClass,
          controlHeight(controlSize),
          icon ? 'ps-8' : 'ps-2.5',
          unit ? 'pe-12' : 'pe-2.5',
        )}
      />
      {unit ? (
        <span className="pointer-events-none absolute inset-y-0 end-2.5 flex items-center text-label text-ink-3">
          {unit}
        </span>
      ) : null}
    </span>
  )
}
