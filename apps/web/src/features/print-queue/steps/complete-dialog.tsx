import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { completeQueuedJobBody, COMMON_FAILURE_REASONS } from '@pegasus/contracts/print-queue/steps'
import { FieldSuggestions } from '@/components/field-suggestions.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { type FormText, readResult } from '@/lib/forms/form-merge.ts'
import { formatCount, formatNumberOf } from '@/lib/format/format.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { JobLine } from './job-line.tsx'
import { useJobSteps } from './use-job-steps.ts'

type CompleteForm = ReturnType<typeof formOf>
type CompleteField = keyof CompleteForm

const formOf = (job: PrintJob) => ({
  good_quantity: String(job.quantity),
  rejected_quantity: '0',
  reason: '',
  used_grams: job.filament_id ? numberText(job.estimated_grams) : '',
})

function readCompletion(form: FormText<CompleteField>, job: PrintJob) {
  const rejected = typedNumber(form.rejected_quantity) ?? Number.NaN
  const usedGrams = typedNumber(form.used_grams)
  const parsed = completeQueuedJobBody.safeParse({
    good_quantity: typedNumber(form.good_quantity) ?? Number.NaN,
    rejected_quantity: rejected,
    ...(form.reason.trim() !== '' && rejected > 0 && { reason: form.reason }),
    ...(job.filament_id && usedGrams !== null && { used_grams: usedGrams }),
  })
  return readResult(parsed, (name): name is CompleteField => name in form)
}

interface CompleteDialogProps {
  job: PrintJob
  onClose: () => void
}

/**
 * Completes a job. All pieces count as good unless some are entered as rejected; good pieces go into stock.
 */
export function CompleteDialog({ job, onClose }: CompleteDialogProps) {
  const steps = useJobSteps()
  const state = useNewForm({
    start: () => formOf(job),
    read: (form: CompleteForm) => readCompletion(form, job),
    create: async (body) => {
      await steps.complete(job, body ?? {})
      onClose()
    },
  })
  const { form, change, bind, errors } = state
  const good = typedNumber(form.good_quantity) ?? Number.NaN
  const rejected = typedNumber(form.rejected_quantity) ?? Number.NaN
  /** Good and rejected pieces add up to the quantity, so a change of one field sets the other. */
  const bindCount = (field: CompleteField, other: CompleteField) => ({
    value: form[field],
    onChange: ({ target: { value } }: { target: { value: string } }) => {
      const count = typedNumber(value)
      const isInRange = count !== null && count >= 0 && count <= job.quantity
      change({ [field]: value, ...(isInRange && { [other]: String(job.quantity - count) }) })
    },
  })
  return (
    <FormDialog
      state={state}
      submitLabel={good >= 0 ? `Complete with ${formatCount(good)} good` : 'Complete'}
      submitButton={{ autoFocus: true }}
      onClose={onClose}
      title="Complete job"
      size="sm"
    >
      <JobLine job={job} />
      <div className="grid grid-cols-2 items-start gap-4">
        <Field
          label="Good"
          isRequired
          error={errors.good_quantity}
          hint={job.inventory_item_id ? 'Into stock' : 'Not linked to an item; stock won’t change'}
        >
          <Input
            {...bindCount('good_quantity', 'rejected_quantity')}
            inputMode="numeric"
            autoComplete="off"
          />
        </Field>
        <Field
          label="Rejected"
          error={errors.rejected_quantity}
          hint={`Of ${formatNumberOf(job.quantity, 'piece')}`}
        >
          <Input
            {...bindCount('rejected_quantity', 'good_quantity')}
            inputMode="numeric"
            autoComplete="off"
          />
        </Field>
        {rejected > 0 ? (
          <Field label="Why rejected" error={errors.reason} className="col-span-full">
            <FieldSuggestions options={COMMON_FAILURE_REASONS}>
              {(list) => <Input {...bind('reason')} maxLength={500} list={list} dir="auto" />}
            </FieldSuggestions>
          </Field>
        ) : null}
        {job.filament_id ? (
          <Field
            label="Filament used"
            error={errors.used_grams}
            hint={`From ${job.filament_label ?? 'the spool'}; leave it empty to book nothing`}
            className="col-span-full"
          >
            <Input {...bind('used_grams')} inputMode="decimal" autoComplete="off" unit="g" />
          </Field>
        ) : null}
      </div>
    </FormDialog>
  )
}
