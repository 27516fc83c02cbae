import type { Spool } from '@pegasus/contracts/filament/spools'
import { correctSpool, correctSpoolBody } from '@pegasus/contracts/filament/ledger'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { callApi } from '@/lib/http/api.ts'
import { readResult } from '@/lib/forms/form-merge.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { AmountPreview } from './amount-preview.tsx'
import { useEntryForm } from './use-book-entry.ts'
import { t } from '@/lib/i18n/messages.ts'

interface CorrectDialogProps {
  spool: Spool
  onClose: () => void
}

/** Sets the remaining weight to its real value, with a reason for the difference. */
export function CorrectDialog({ spool, onClose }: CorrectDialogProps) {
  const state = useEntryForm({
    start: { remaining_grams: numberText(Math.round(spool.remaining_grams * 10) / 10), reason: '' },
    read: (form) =>
      readResult(
        correctSpoolBody.safeParse({
          remaining_grams: typedNumber(form.remaining_grams) ?? Number.NaN,
          reason: form.reason,
        }),
        form,
      ),
    send: (body, headers) => callApi(correctSpool, { params: { id: spool.id }, body, headers }),
    onClose,
  })
  const { form, bind, errors } = state
  const grams = typedNumber(form.remaining_grams) ?? Number.NaN
  return (
    <FormDialog
      state={state}
      submitLabel={t('Correct')}
      onClose={onClose}
      title={t('Correct the remaining weight')}
      size="sm"
    >
      <AmountPreview spool={spool} afterGrams={grams >= 0 ? grams : null} />
      <div className="flex flex-col gap-4">
        <Field label={t('Remaining')} isRequired error={errors.remaining_grams}>
          <Input {...bind('remaining_grams')} inputMode="decimal" autoComplete="off" autoFocus unit="g" />
        </Field>
        <Field label={t('Reason')} isRequired error={errors.reason} hint={t('Shown in the ledger')}>
          <Input {...bind('reason')} maxLength={500} dir="auto" />
        </Field>
      </div>
    </FormDialog>
  )
}
