import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { t } from '@/lib/i18n/messages.ts'

interface AmountFormProps {
  label: string
  unit: string
  /** Text of the form's button. */
  verb: ReactNode
  initial?: string
  /** True if only whole numbers are allowed. */
  isWhole?: boolean
  /** Smallest allowed value. */
  min: number
  isBusy: boolean
  onSubmit: (amount: number) => void
}

/** A number field with a button. */
export function AmountForm({
  label,
  unit,
  verb,
  initial = '',
  isWhole,
  min,
  isBusy,
  onSubmit,
}: AmountFormProps) {
  const [text, setText] = useState(initial)
  const [error, setError] = useState<string | null>(null)
  const send = () => {
    const amount = typedNumber(text)
    const isGood = amount !== null && amount >= min && (!isWhole || Number.isInteger(amount))
    if (!isGood)
      return setError(
        isWhole ? t('A whole number, {min} or more.', { min }) : t('A number, {min} or more.', { min }),
      )
    setError(null)
    onSubmit(amount)
  }
  return (
    <form
      noValidate
      className="flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        send()
      }}
    >
      <Field label={label} error={error} className="flex-1">
        <Input
          value={text}
          unit={unit}
          inputMode={isWhole ? 'numeric' : 'decimal'}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={isBusy} className="mt-[23px]">
        {verb}
      </Button>
    </form>
  )
}
