import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import type { FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { JobLine } from './job-line.tsx'
import { type ReasonBody, useJobSteps } from './use-job-steps.ts'
import { t } from '@/lib/i18n/messages.ts'

const TEXTS = {
  hold: {
    title: t('Hold job'),
    submitLabel: t('Hold'),
    hint: t('Shown in the queue, for example “bearing seat 0.2 mm tight”'),
    variant: 'primary',
  },
  cancel: {
    title: t('Cancel job'),
    submitLabel: t('Cancel job'),
    hint: t('The job leaves the queue. It can be queued again as a new attempt.'),
    variant: 'danger',
  },
} as const

interface ReasonDialogProps {
  action: keyof typeof TEXTS
  job: PrintJob
  onClose: () => void
}

/** Holds or cancels a job, with an optional reason for others to read. */
export function ReasonDialog({ action, job, onClose }: ReasonDialogProps) {
  const steps = useJobSteps()
  const { title, submitLabel, hint, variant } = TEXTS[action]
  const state = useNewForm({
    start: { reason: '' },
    read: ({ reason }: FormText<'reason'>): ReadResult<ReasonBody, 'reason'> => ({
      body: reason.trim() === '' ? {} : { reason },
      errors: null,
    }),
    create: async (body) => {
      await steps[action](job, body)
      onClose()
    },
  })
  return (
    <FormDialog
      state={state}
      submitLabel={submitLabel}
      submitButton={{ variant }}
      cancelLabel={t('Back')}
      onClose={onClose}
      title={title}
      size="sm"
    >
      <JobLine job={job} />
      <Field label={t('Reason')} error={state.errors.reason} hint={hint}>
        <Input {...state.bind('reason')} maxLength={500} dir="auto" autoFocus />
      </Field>
    </FormDialog>
  )
}
