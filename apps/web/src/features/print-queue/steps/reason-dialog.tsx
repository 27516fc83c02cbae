import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { JobLine } from './job-line.tsx'
import { useJobSteps } from './use-job-steps.ts'
import { useStepForm } from './use-step-form.ts'

const WORDS = {
  hold: {
    title: 'Hold job',
    action: 'Hold',
    hint: 'Shown in the queue, for example “bearing seat 0.2 mm tight”',
    variant: 'primary',
  },
  cancel: {
    title: 'Cancel job',
    action: 'Cancel job',
    hint: 'It leaves the queue for good; it can be queued again as a new attempt.',
    variant: 'danger',
  },
} as const

interface ReasonDialogProps {
  deed: keyof typeof WORDS
  job: PrintJob
  onClose: () => void
}

/** Holds or cancels a job, with a reason for those who wonder. */
export function ReasonDialog({ deed, job, onClose }: ReasonDialogProps) {
  const steps = useJobSteps()
  const form = useStepForm(['reason'], onClose)
  const [reason, setReason] = useState('')
  const { title, action, hint, variant } = WORDS[deed]
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      size="sm"
      error={form.failure}
      hasChanges={reason.trim() !== ''}
      onSubmit={() => void form.submit(() => steps[deed](job, reason.trim() === '' ? {} : { reason }))}
      footer={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" variant={variant} isPending={form.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <JobLine job={job} />
      <Field label="Reason" error={form.errors.reason} hint={hint}>
        <Input
          value={reason}
          maxLength={500}
          dir="auto"
          autoFocus
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </Dialog>
  )
}
