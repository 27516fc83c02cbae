import { type KeyboardEvent, useState } from 'react'
import { typedToWire, wireToTyped } from '@/lib/forms/typed-number.ts'
import { Input, type InputProps } from './input.tsx'

interface NumberInputProps
  extends Omit<
    InputProps,
    'type' | 'value' | 'defaultValue' | 'onChange' | 'inputMode' | 'min' | 'max' | 'step'
  > {
  /** The number as the API writes it (`1200.5`), or text that is not a number. */
  value: string
  onChange: (value: string) => void
  min?: number
  max?: number
  /** The amount by which the arrow keys change the number. A step below 1 allows decimals. */
  step?: number
}

/** True if both texts are the same number: `12.` and `12`. */
const isSameValue = (one: string, other: string): boolean =>
  one === other || (one !== '' && other !== '' && Number(one) === Number(other))

/**
 * A number field that reads and shows the separators of the language. It is a text field, because a browser's own number
 * field reads the separators of the browser's language instead, and drops the others.
 */
export function NumberInput({ value, onChange, min, max, step = 1, ...rest }: NumberInputProps) {
  // The typed text is kept as long as it means the value, so that a separator or a zero at its end stays.
  const [typed, setTyped] = useState('')
  const shown = isSameValue(typedToWire(typed), value) ? typed : wireToTyped(value)
  const stepBy = (event: KeyboardEvent<HTMLInputElement>) => {
    const sign = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    const next = Number(value) + sign * step
    if (sign === 0 || Number.isNaN(next)) return
    event.preventDefault()
    const decimals = String(step).split('.')[1]?.length ?? 0
    const within = Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(min ?? Number.NEGATIVE_INFINITY, next))
    onChange(within.toFixed(decimals))
  }
  return (
    <Input
      autoComplete="off"
      {...rest}
      inputMode={step < 1 ? 'decimal' : 'numeric'}
      min={min}
      max={max}
      step={step}
      value={shown}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(typedToWire(target.value))
      }}
      onKeyDown={stepBy}
    />
  )
}
