import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Returns a typed whole number of 0 or more; NaN for other texts. */
const countOf = (text: string): number => {
  const count = typedNumber(text) ?? Number.NaN
  return Number.isSafeInteger(count) && count >= 0 ? count : Number.NaN
}

interface CountedPiecesProps {
  /** The number of pieces of the plate. */
  pieces: number
  /** Text of the button. */
  verb: string
  isBusy: boolean
  onCount: (counts: { good: number; rejected: number }) => void
}

/**
 * The fields for the counted pieces of a plate. All its pieces are filled in as good. Changing one count adjusts the
 * other.
 */
export function CountedPieces({ pieces, verb, isBusy, onCount }: CountedPiecesProps) {
  const [counts, setCounts] = useState({ good: String(pieces), rejected: '0' })
  const bindCount = (field: keyof typeof counts, other: keyof typeof counts) => ({
    value: counts[field],
    inputMode: 'numeric' as const,
    onChange: ({ target: { value } }: React.ChangeEvent<HTMLInputElement>) => {
      const count = countOf(value)
      setCounts({
        ...counts,
        [field]: value,
        ...(count <= pieces && { [other]: String(pieces - count) }),
      })
    },
  })
  const [good, rejected] = [countOf(counts.good), countOf(counts.rejected)]
  return (
    <div className="flex items-end gap-2">
      <Field label={t('Good')} className="flex-1">
        <Input {...bindCount('good', 'rejected')} />
      </Field>
      <Field label={t('Rejected')} className="flex-1">
        <Input {...bindCount('rejected', 'good')} />
      </Field>
      <Button
        variant="primary"
        disabled={isBusy || Number.isNaN(good) || Number.isNaN(rejected)}
        onClick={() => onCount({ good, rejected })}
      >
        {verb}
      </Button>
    </div>
  )
}
