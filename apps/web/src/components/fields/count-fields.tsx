import { COMMON_FAILURE_REASONS } from '@pegasus/contracts/print-queue/steps'
import type { FieldErrors, FormText } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { FieldSuggestions } from './field-suggestions.tsx'
import { Field } from '../ui/forms/field.tsx'
import { Input } from '../ui/forms/input.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Names of the fields for the counted pieces of a print. */
export type CountField = 'good_quantity' | 'rejected_quantity' | 'reason'

/** Converts the fields to a request body. The reason is included only if there are rejected pieces. */
export function readCounts(form: FormText<CountField>) {
  const rejected = typedNumber(form.rejected_quantity) ?? Number.NaN
  return {
    good_quantity: typedNumber(form.good_quantity) ?? Number.NaN,
    rejected_quantity: rejected,
    ...(form.reason.trim() !== '' && rejected > 0 && { reason: form.reason }),
  }
}

interface CountFieldsProps {
  state: {
    form: FormText<CountField>
    change: (part: Partial<FormText<CountField>>) => void
    errors: FieldErrors<CountField>
  }
  /** The number of pieces of the print. */
  pieces: number
  goodHint: string
  rejectedHint: string
}

/**
 * Fields for the good and rejected pieces of a print, and for the reason for a rejection. Changing one count
 * adjusts the other.
 */
export function CountFields({ state, pieces, goodHint, rejectedHint }: CountFieldsProps) {
  const { form, change, errors } = state
  const bindCount = (field: CountField, other: CountField) => ({
    value: form[field],
    onChange: ({ target: { value } }: { target: { value: string } }) => {
      const count = typedNumber(value)
      const isInRange = count !== null && count >= 0 && count <= pieces
      change({ [field]: value, ...(isInRange && { [other]: String(pieces - count) }) })
    },
    inputMode: 'numeric' as const,
    autoComplete: 'off',
  })
  return (
    <>
      <Field label={t('Good')} isRequired error={errors.good_quantity} hint={goodHint}>
        <Input {...bindCount('good_quantity', 'rejected_quantity')} />
      </Field>
      <Field label={t('Rejected')} error={errors.rejected_quantity} hint={rejectedHint}>
        <Input {...bindCount('rejected_quantity', 'good_quantity')} />
      </Field>
      {(typedNumber(form.rejected_quantity) ?? 0) > 0 ? (
        <Field label={t('Reason for rejection')} error={errors.reason} className="col-span-full">
          <FieldSuggestions options={COMMON_FAILURE_REASONS}>
            {(list) => (
              <Input
                value={form.reason}
                onChange={({ target }) => change({ reason: target.value })}
                maxLength={500}
                list={list}
                dir="auto"
              />
            )}
          </FieldSuggestions>
        </Field>
      ) : null}
    </>
  )
}
