import { type ReactNode, useId } from 'react'
import { cx } from '@/lib/class-names.ts'

interface SegmentedControlProps<Value extends string> {
  /** Name of the choice. It is read out, but not shown. */
  label: string
  value: Value
  /** The label of each value, in the order in which they are shown. A value without a label is not offered. */
  options: Readonly<Partial<Record<Value, ReactNode>>>
  onChange: (value: Value) => void
  className?: string
}

/** A choice between a few options that are all visible: radio buttons in a strip. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: SegmentedControlProps<Value>) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cx(
        'inline-flex divide-x divide-line rounded-control border border-line-2 bg-surface',
        className,
      )}
    >
      {(Object.keys(options) as Value[]).map((option) => (
        <label
          key={option}
          className="relative flex h-[30px] items-center gap-1.5 px-2.5 text-label font-medium text-ink-2 first:rounded-s-[5px] last:rounded-e-[5px] has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent phone:h-[42px] touch:h-[42px]"
        >
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          {options[option]}
        </label>
      ))}
    </div>
  )
}
