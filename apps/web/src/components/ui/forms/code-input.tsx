import type { ComponentProps } from 'react'
import { cx } from '@/lib/class-names.ts'
import { type ControlSize, controlClass, controlHeight } from './control-class.ts'
import { useFieldControl } from './field-context.ts'

const CODE_LENGTH = 6

interface CodeInputProps
  extends Omit<ComponentProps<'input'>, 'type' | 'size' | 'value' | 'onChange' | 'inputMode' | 'maxLength'> {
  controlSize?: ControlSize
  value: string
  onChange: (code: string) => void
  /** All digits are there, by the last key or by pasting; not called again before something changes. */
  onComplete: (code: string) => void
}

/** A one-time code of six digits. Whatever is pasted around them, spaces and all, is passed over. */
export function CodeInput({
  controlSize = 'md',
  value,
  onChange,
  onComplete,
  className,
  ...rest
}: CodeInputProps) {
  const field = useFieldControl()

  function handleChange(text: string): void {
    const code = text.replace(/\D/g, '').slice(0, CODE_LENGTH)
    if (code === value) return
    onChange(code)
    if (code.length === CODE_LENGTH) onComplete(code)
  }

  return (
    <input
      {...field}
      {...rest}
      value={value}
      onChange={(event) => handleChange(event.target.value)}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]*"
      className={cx(
        controlClass,
        controlHeight(controlSize),
        'px-2.5 text-input! tracking-[0.35em] code',
        className,
      )}
    />
  )
}
