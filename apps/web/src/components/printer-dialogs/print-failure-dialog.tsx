import { COMMON_FAILURE_REASONS, failQueuedJob } from '@pegasus/contracts/print-queue/steps'
import type { ReactNode } from 'react'
import { type FormText, readResult } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import type { Call } from '@/lib/http/api.ts'
import { FieldSuggestions } from '../fields/field-suggestions.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { Field } from '../ui/forms/field.tsx'
import { Input } from '../ui/forms/input.tsx'
import { t } from '@/lib/i18n/messages.ts'

export type PrintFailure = NonNullable<Call<typeof failQueuedJob>['body']>

const EMPTY = { reason: '', good_quantity: '', rejected_quantity: '', used_grams: '' }

function readFailure(form: FormText<keyof typeof EMPTY>, plateId: string | undefined) {
  if (form.reason.trim() === '') return { body: null, errors: { reason: t('Please enter the reason.') } }
  const grams = typedNumber(form.used_grams)
  const good = typedNumber(form.good_quantity)
  const rejected = typedNumber(form.rejected_quantity)
  const parsed = failQueuedJob.body.safeParse({
    reason: form.reason,
    ...(good !== null && { good_quantity: good }),
    ...(rejected !== null && { rejected_quantity: rejected }),
    ...(grams !== null && { used_grams: grams }),
    ...(plateId && { plate_id: plateId }),
  })
  return readResult(parsed, EMPTY)
}

interface PrintFailureDialogProps {
  title: string
  /** Description of the print, shown above the fields. */
  children: ReactNode
  /** The plate that failed, if the job has several. */
  plateId?: string | undefined
  /** Number of pieces of a plate whose printer failed. Good and rejected pieces can then be entered. */
  lostPieces?: number | undefined
  /** Hint for the field of wasted filament. Null if no filament is known; the field is then hidden. */
  filamentHint: string | null
  onFail: (failure: PrintFailure) => Promise<unknown>
  onClose: () => void
}

/** Ends a print as failed, with the reason and the wasted filament. */
export function PrintFailureDialog({
  title,
  children,
  plateId,
  lostPieces,
  filamentHint,
  onFail,
  onClose,
}: PrintFailureDialogProps) {
  const state = useNewForm({
    start: EMPTY,
    read: (form: FormText<keyof typeof EMPTY>) => readFailure(form, plateId),
    create: async (failure) => {
      await onFail(failure)
      onClose()
    },
  })
  const { bind, errors } = state
  return (
    <FormDialog
      state={state}
      submitLabel={t('Mark as failed')}
      submitButton={{ variant: 'danger' }}
      onClose={onClose}
      title={title}
      size="sm"
    >
      {children}
      <div className="flex flex-col gap-4">
        <Field label={t('Reason')} isRequired error={errors.reason}>
          <FieldSuggestions options={COMMON_FAILURE_REASONS}>
            {(list) => <Input {...bind('reason')} maxLength={500} list={list} dir="auto" autoFocus />}
          </FieldSuggestions>
        </Field>
        {lostPieces === undefined ? null : (
          <div className="grid grid-cols-2 gap-4">
            <Field
              label={t('Good')}
              error={errors.good_quantity}
              hint={t('Of {lostPieces, plural, one {# piece} other {# pieces}}; the rest is missing', {
                lostPieces,
              })}
            >
              <Input {...bind('good_quantity')} inputMode="numeric" autoComplete="off" />
            </Field>
            <Field label={t('Rejected')} error={errors.rejected_quantity}>
              <Input {...bind('rejected_quantity')} inputMode="numeric" autoComplete="off" />
            </Field>
          </div>
        )}
        {filamentHint === null ? null : (
          <Field label={t('Wasted filament')} error={errors.used_grams} hint={filamentHint}>
            <Input {...bind('used_grams')} inputMode="decimal" autoComplete="off" unit="g" />
          </Field>
        )}
      </div>
    </FormDialog>
  )
}
