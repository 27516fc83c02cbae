import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { completeQueuedJobBody } from '@pegasus/contracts/print-queue/steps'
import { CountFields, readCounts } from '@/components/count-fields.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { type FormText, readResult } from '@/lib/forms/form-merge.ts'
import { formatCount, formatNumberOf } from '@/lib/format/format.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { type JobDialogProps, JobLine } from './job-line.tsx'
import { useJobSteps } from './use-job-steps.ts'
import { UsedFilamentField } from './used-filament-field.tsx'

type CompleteForm = ReturnType<typeof formOf>
type CompleteField = keyof CompleteForm

const formOf = (job: PrintJob) => ({
  good_quantity: String(job.quantity),
  rejected_quantity: '0',
  reason: '',
  used_grams: job.filament_id ? numberText(job.estimated_grams) : '',
})

function readCompletion(form: FormText<CompleteField>, job: PrintJob) {
  const usedGrams = typedNumber(form.used_grams)
  const parsed = completeQueuedJobBody.safeParse({
    ...readCounts(form),
    ...(job.filament_id && usedGrams !== null && { used_grams: usedGrams }),
  })
  return readResult(parsed, form)
}

/**
 * Completes a job. All pieces count as good unless some are entered as rejected; good pieces go into stock.
 */
export function CompleteDialog({ job, onClose }: JobDialogProps) {
  const steps = useJobSteps()
  const state = useNewForm({
    start: () => formOf(job),
    read: (form: CompleteForm) => readCompletion(form, job),
    create: async (body) => {
      await steps.complete(job, body ?? {})
      onClose()
    },
  })
  const { form, bind, errors } = state
  const good = typedNumber(form.good_quantity) ?? Number.NaN
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
        <CountFields
          state={state}
          pieces={job.quantity}
          goodHint={job.inventory_item_id ? 'Into stock' : 'Not linked to an item; stock won’t change'}
          rejectedHint={`Of ${formatNumberOf(job.quantity, 'piece')}`}
        />
        <UsedFilamentField
          job={job}
          label="Filament used"
          error={errors.used_grams}
          input={bind('used_grams')}
        />
      </div>
    </FormDialog>
  )
}
