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
  /** Called once all digits are typed or pasted. It is called again only after a change. */
  onComplete: (code: string) => void
}

/** A field for a one-time code of six digits. It ignores other pasted characters. */
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
