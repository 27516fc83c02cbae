import { lengthToGrams } from '@pegasus/contracts/filament/filament-weight'
import type { Spool } from '@pegasus/contracts/filament/spools'
import { useSpool, useSpoolBody } from '@pegasus/contracts/filament/ledger'
import { useState } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { callApi } from '@/lib/http/api.ts'
import { formatGrams } from '@/lib/format/format.ts'
import { readResult } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { AmountPreview } from './amount-preview.tsx'
import { useEntryForm } from './use-book-entry.ts'
import { t } from '@/lib/i18n/messages.ts'

// The linter would mistake the contract's names for hooks, so they have other names here.
const bodySchema = useSpoolBody
const endpoint = useSpool

const EMPTY = { grams: '', length_mm: '', reason: '' }
const MM_PER_METRE = 1000

interface UseDialogProps {
  spool: Spool
  onClose: () => void
}

/** Books used or wasted filament, by weight or by the length that a slicer reports. */
export function UseDialog({ spool, onClose }: UseDialogProps) {
  // The unit and the field of the amount. A length is typed in meters.
  const [unit, setUnit] = useState<'grams' | 'length_mm'>('grams')
  const [isWaste, setIsWaste] = useState(false)
  const state = useEntryForm({
    start: EMPTY,
    read: (form) => {
      // An empty field becomes NaN, so that the schema reports the error.
      const typed = typedNumber(form[unit]) ?? Number.NaN
      return readResult(
        bodySchema.safeParse({
          [unit]: unit === 'grams' ? typed : typed * MM_PER_METRE,
          kind: isWaste ? 'waste' : 'use',
          reason: form.reason,
        }),
        form,
      )
    },
    send: (body, headers) => callApi(endpoint, { params: { id: spool.id }, body, headers }),
    onClose,
  })
  const { form, change, bind, errors } = state
  const isLength = unit === 'length_mm'
  const typed = typedNumber(form[unit])
  const grams = isLength && typed !== null ? lengthToGrams(typed * MM_PER_METRE, spool) : typed
  const isKnown = grams !== null && Number.isFinite(grams) && grams > 0
  return (
    <FormDialog
      state={state}
      submitLabel={isKnown ? t('Use {grams}', { grams: formatGrams(grams) }) : t('Use')}
      onClose={onClose}
      title={t('Use filament')}
      size="sm"
    >
      <AmountPreview
        spool={spool}
        afterGrams={isKnown ? spool.remaining_grams - grams : null}
        warning={
          isKnown && grams > spool.remaining_grams
            ? t('Only {remaining_grams} are left, so the spool will be empty.', {
                remaining_grams: formatGrams(spool.remaining_grams),
              })
            : null
        }
      />
      <div className="flex flex-col gap-4">
        <div className="flex items-start gap-3">
          <Field
            label={t('Amount')}
            isRequired
            error={errors[unit]}
            hint={isLength && isKnown ? `≈ ${formatGrams(grams)}` : undefined}
            className="flex-1"
          >
            <Input
              {...bind(unit)}
              inputMode="decimal"
              autoComplete="off"
              autoFocus
              unit={isLength ? 'm' : 'g'}
            />
          </Field>
          <SegmentedControl
            label={t('Measured in')}
            value={unit}
            options={{ grams: t('Grams'), length_mm: t('Length') }}
            onChange={(next) => {
              change({ grams: '', length_mm: '', [next]: form[unit] })
              setUnit(next)
            }}
            className="mt-[23px]"
          />
        </div>
        <Field label={t('Reason')} error={errors.reason}>
          <Input {...bind('reason')} maxLength={500} dir="auto" />
        </Field>
        <Checkbox
          label={t('Wasted, not printed')}
          checked={isWaste}
          onChange={(event) => setIsWaste(event.target.checked)}
        />
      </div>
    </FormDialog>
  )
}
