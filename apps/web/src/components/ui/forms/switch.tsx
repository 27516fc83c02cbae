import type { ComponentProps, ReactNode } from 'react'
import { cx } from '@/lib/class-names.ts'

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'size' | 'role'> {
  label: ReactNode
  isLabelHidden?: boolean
}

export function Switch({ label, isLabelHidden = false, className, ...rest }: SwitchProps) {
  return (
    <label className={cx('inline-flex min-h-6 items-center gap-2 phone:min-h-11 touch:min-h-11', className)}>
      <input
        {...rest}
        type="checkbox"
        role="switch"
        className="relative h-[18px] w-8 shrink-0 cursor-pointer appearance-none rounded-full bg-control transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-surface before:transition-transform checked:bg-accent checked:before:translate-x-3.5 disabled:cursor-default disabled:opacity-55"
      />
      <span className={isLabelHidden ? 'sr-only' : undefined}>{label}</span>
    </label>
  )
}
