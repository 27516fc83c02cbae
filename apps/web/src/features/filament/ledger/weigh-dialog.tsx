import type { Spool } from '@pegasus/contracts/filament/spools'
import { weighSpool, weighSpoolBody } from '@pegasus/contracts/filament/ledger'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { callApi } from '@/lib/http/api.ts'
import { formatGrams } from '@/lib/format/format.ts'
import { readResult } from '@/lib/forms/form-merge.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { AmountPreview } from './amount-preview.tsx'
import { useEntryForm } from './use-book-entry.ts'
import { t } from '@/lib/i18n/messages.ts'

interface WeighDialogProps {
  spool: Spool
  onClose: () => void
}

/** Records the weight that the scale shows, minus the weight of the empty spool. */
export function WeighDialog({ spool, onClose }: WeighDialogProps) {
  const state = useEntryForm({
    start: { gross_grams: '', spool_weight_grams: numberText(spool.spool_weight_grams) },
    read: (form) => {
      const emptyGrams = typedNumber(form.spool_weight_grams)
      return readResult(
        weighSpoolBody.safeParse({
          gross_grams: typedNumber(form.gross_grams) ?? Number.NaN,
          ...(emptyGrams !== null && { spool_weight_grams: emptyGrams }),
        }),
        form,
      )
    },
    send: (body, headers) => callApi(weighSpool, { params: { id: spool.id }, body, headers }),
    onClose,
  })
  const { form, bind, errors } = state
  const grossGrams = typedNumber(form.gross_grams)
  const emptyGrams = typedNumber(form.spool_weight_grams)
  const left = grossGrams === null || emptyGrams === null ? Number.NaN : grossGrams - emptyGrams
  return (
    <FormDialog
      state={state}
      submitLabel={left >= 0 ? t('Set to {left}', { left: formatGrams(left) }) : t('Set')}
      onClose={onClose}
      title={t('Weigh spool')}
      size="sm"
    >
      <AmountPreview
        spool={spool}
        afterGrams={left >= 0 ? left : null}
        warning={left < 0 ? t('This is less than the weight of the empty spool.') : null}
      />
      <div className="grid grid-cols-2 items-start gap-4">
        <Field label={t('On the scale')} isRequired error={errors.gross_grams} hint={t('With the spool')}>
          <Input {...bind('gross_grams')} inputMode="decimal" autoComplete="off" autoFocus unit="g" />
        </Field>
        <Field
          label={t('Empty spool')}
          isRequired={spool.spool_weight_grams === null}
          error={errors.spool_weight_grams}
          hint={spool.spool_weight_grams === null ? t('Saved with the spool') : t('Last known weight')}
        >
          <Input {...bind('spool_weight_grams')} inputMode="decimal" autoComplete="off" unit="g" />
        </Field>
      </div>
    </FormDialog>
  )
}
