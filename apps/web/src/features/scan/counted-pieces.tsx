import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { t } from '@/lib/i18n/messages.ts'

const isWhole = (text: string): boolean => /^\d+$/.test(text)

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
      const isInRange = isWhole(value) && Number(value) <= pieces
      setCounts({
        ...counts,
        [field]: value,
        ...(isInRange && { [other]: String(pieces - Number(value)) }),
      })
    },
  })
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
        disabled={isBusy || !isWhole(counts.good) || !isWhole(counts.rejected)}
        onClick={() => onCount({ good: Number(counts.good), rejected: Number(counts.rejected) })}
      >
        {verb}
      </Button>
    </div>
  )
}
