import { COMMON_FAILURE_REASONS } from '@pegasus/contracts/print-queue/steps'
import { useState } from 'react'
import { FieldSuggestions } from '@/components/fields/field-suggestions.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** Returns a typed whole number of 0 or more; NaN for other texts. */
const countOf = (text: string): number => {
  const count = typedNumber(text) ?? Number.NaN
  return Number.isSafeInteger(count) && count >= 0 ? count : Number.NaN
}

/** The counted pieces of a plate. The reason is given only if pieces were rejected. */
export interface Counts {
  good: number
  rejected: number
  reason?: string
}

interface CountedPiecesProps {
  /** The number of pieces of the plate. */
  pieces: number
  /** Why the pieces have to be checked. Null after an ordinary print. */
  note: string | null
  /** Text of the button that sends the counts. */
  verb: string
  isBusy: boolean
  onCount: (counts: Counts) => void
}

/**
 * The fields for the counted pieces of a plate. All its pieces are filled in as good, unless the plate carries a note:
 * the fields then start empty, because nobody knows yet that the pieces are good. Changing one count adjusts the other.
 * If pieces are rejected, another field asks for the reason.
 */
export function CountedPieces({ pieces, note, verb, isBusy, onCount }: CountedPiecesProps) {
  const [counts, setCounts] = useState(
    note === null ? { good: String(pieces), rejected: '0' } : { good: '', rejected: '' },
  )
  const [reason, setReason] = useState('')
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
    <div className="flex flex-wrap items-end gap-2">
      {note === null ? null : (
        <p className="w-full text-label text-ink-2">
          {serverText(note)} {t('Of {pieces} on the plate', { pieces })}
        </p>
      )}
      <Field label={t('Good')} className="flex-1">
        <Input {...bindCount('good', 'rejected')} />
      </Field>
      <Field label={t('Rejected')} className="flex-1">
        <Input {...bindCount('rejected', 'good')} />
      </Field>
      {rejected > 0 ? (
        <Field label={t('Reason for rejection')} className="w-full">
          <FieldSuggestions options={COMMON_FAILURE_REASONS}>
            {(list) => (
              <Input
                value={reason}
                onChange={({ target }) => setReason(target.value)}
                maxLength={500}
                list={list}
                dir="auto"
              />
            )}
          </FieldSuggestions>
        </Field>
      ) : null}
      <Button
        variant="primary"
        disabled={isBusy || Number.isNaN(good) || Number.isNaN(rejected)}
        onClick={() =>
          onCount({ good, rejected, ...(rejected > 0 && reason.trim() !== '' && { reason: reason.trim() }) })
        }
      >
        {verb}
      </Button>
    </div>
  )
}
