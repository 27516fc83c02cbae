import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from '@/lib/class-names.ts'
import { type ControlSize, controlClass, controlHeight } from './control-class.ts'
import { useFieldControl } from './field-context.ts'

interface SelectProps extends Omit<ComponentProps<'select'>, 'size' | 'multiple'> {
  controlSize?: ControlSize
}

/** The browser's native select, whose list works best on phones. Its children are `option` elements. */
export function Select({ controlSize = 'md', className, ...rest }: SelectProps) {
  const field = useFieldControl()
  return (
    <span className={cx('relative block min-w-0', className)}>
      <select
        {...field}
        {...rest}
        className={cx(
          controlClass,
          controlHeight(controlSize),
          'appearance-none truncate bg-surface! ps-2.5 pe-8',
        )}
      />
      <ChevronDown
        size={16}
        strokeWidth={1.75}
        className="pointer-events-none absolute top-1/2 end-2.5 -translate-y-1/2 text-ink-3"
        aria-hidden
      />
    </span>
  )
}

interface OptionsProps {
  of: readonly (string | { value: string; label: string })[]
}

/** The options of a Select. */
export const Options = ({ of }: OptionsProps) =>
  of.map((option) => {
    const { value, label } = typeof option === 'string' ? { value: option, label: option } : option
    return (
      <option key={value} value={value}>
        {label}
      </option>
    )
  })
