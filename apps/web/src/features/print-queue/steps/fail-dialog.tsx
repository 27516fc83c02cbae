import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { COMMON_FAILURE_REASONS, failQueuedJob } from '@pegasus/contracts/print-queue/steps'
import { FieldSuggestions } from '@/components/field-suggestions.tsx'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { type JobDialogProps, JobLine } from './job-line.tsx'
import { type FailBody, useJobSteps } from './use-job-steps.ts'
import { UsedFilamentField } from './used-filament-field.tsx'

const EMPTY = { reason: '', used_grams: '' }
type FailField = keyof typeof EMPTY
function readFailure(form: FormText<FailField>, job: PrintJob): ReadResult<FailBody, FailField> {
  if (form.reason.trim() === '') return { body: null, errors: { reason: 'Please say why it failed.' } }
  const usedGrams = typedNumber(form.used_grams)
  const parsed = failQueuedJob.body.safeParse({
    reason: form.reason,
    ...(job.filament_id && usedGrams !== null && { used_grams: usedGrams }),
  })
  return readResult(parsed, EMPTY)
}

/** Marks a print as failed, with the reason and the wasted filament. */
export function FailDialog({ job, onClose }: JobDialogProps) {
  const steps = useJobSteps()
  const state = useNewForm({
    start: EMPTY,
    read: (form) => readFailure(form, job),
    create: async (body) => {
      await steps.fail(job, body)
      onClose()
    },
  })
  const { bind, errors } = state
  return (
    <FormDialog
      state={state}
      submitLabel="Mark as failed"
      submitButton={{ variant: 'danger' }}
      onClose={onClose}
      title="Job failed"
      size="sm"
    >
      <JobLine job={job} />
      <div className="flex flex-col gap-4">
        <Field label="Reason" isRequired error={errors.reason}>
          <FieldSuggestions options={COMMON_FAILURE_REASONS}>
            {(list) => <Input {...bind('reason')} maxLength={500} list={list} dir="auto" autoFocus />}
          </FieldSuggestions>
        </Field>
        <UsedFilamentField
          job={job}
          label="Filament spoilt"
          error={errors.used_grams}
          input={bind('used_grams')}
        />
      </div>
    </FormDialog>
  )
}
