import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { failQueuedJob } from '@pegasus/contracts/print-queue/steps'
import { useId, useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { errorsAtFields } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { Reasons } from './complete-dialog.tsx'
import { JobLine } from './job-line.tsx'
import { useJobSteps } from './use-job-steps.ts'
import { useStepForm } from './use-step-form.ts'

const FIELDS = ['reason', 'used_grams'] as const
type FailField = (typeof FIELDS)[number]
const isField = (name: string): name is FailField => FIELDS.some((field) => field === name)

interface FailDialogProps {
  job: PrintJob
  onClose: () => void
}

/** A print that went wrong: why, and what it cost of the spool. */
export function FailDialog({ job, onClose }: FailDialogProps) {
  const steps = useJobSteps()
  const form = useStepForm(FIELDS, onClose)
  const reasonsId = useId()
  const [reason, setReason] = useState('')
  const [used, setUsed] = useState('')

  const submit = () => {
    if (reason.trim() === '') return form.setErrors({ reason: 'Please say why it failed.' })
    const usedGrams = typedNumber(used)
    const parsed = failQueuedJob.body.safeParse({
      reason,
      ...(job.filament_id && usedGrams !== null && { used_grams: usedGrams }),
    })
    if (!parsed.success) return form.setErrors(errorsAtFields(parsed.error.issues, isField))
    void form.submit(() => steps.fail(job, parsed.data))
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Job failed"
      size="sm"
      error={form.failure}
      hasChanges={reason.trim() !== '' || used.trim() !== ''}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" isPending={form.isPending}>
            Mark as failed
          </Button>
        </>
      }
    >
      <JobLine job={job} />
      <div className="flex flex-col gap-4">
        <Field label="Reason" isRequired error={form.errors.reason}>
          <Input
            value={reason}
            maxLength={500}
            list={reasonsId}
            dir="auto"
            autoFocus
            onChange={(event) => {
              setReason(event.target.value)
              form.setErrors({})
            }}
          />
        </Field>
        {job.filament_id ? (
          <Field
            label="Filament spoilt"
            error={form.errors.used_grams}
            hint={`Off ${job.filament_label ?? 'the spool'}; empty books nothing`}
          >
            <Input
              value={used}
              inputMode="decimal"
              autoComplete="off"
              unit="g"
              onChange={(event) => setUsed(event.target.value)}
            />
          </Field>
        ) : null}
      </div>
      <Reasons id={reasonsId} />
    </Dialog>
  )
}
