import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { isRunningPlate } from '@pegasus/contracts/print-queue/plates'
import { cancelPrintJob, holdPrintJob, requeuePrintJob } from '@pegasus/contracts/print-queue/steps'
import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { type FormText, readResult } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { jobPlatesQuery } from '../print-queue.queries.ts'
import { JobLine } from './job-line.tsx'
import { useJobSteps } from './use-job-steps.ts'
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
  requeue: {
    title: t('Requeue job'),
    submitLabel: t('Requeue'),
    hint: t('The print stops, and the job waits in the queue again.'),
    variant: 'primary',
  },
} as const

const BODIES = { hold: holdPrintJob.body, cancel: cancelPrintJob.body, requeue: requeuePrintJob.body }

interface ReasonDialogProps {
  action: keyof typeof TEXTS
  job: PrintJob
  onClose: () => void
}

const EMPTY = { reason: '', used_grams: '', print_minutes: '' }

function readStop(form: FormText<keyof typeof EMPTY>, body: (typeof BODIES)[keyof typeof BODIES]) {
  const [grams, minutes] = [typedNumber(form.used_grams), typedNumber(form.print_minutes)]
  const parsed = body.safeParse({
    ...(form.reason.trim() !== '' && { reason: form.reason }),
    ...(grams !== null && { used_grams: grams }),
    ...(minutes !== null && { print_minutes: minutes }),
  })
  return readResult(parsed, EMPTY)
}

/** Returns whether the job has a single running plate, and a person or an agent prints it. */
function useIsPrintedByHand(job: PrintJob): boolean {
  const { data = [] } = useQuery({ ...jobPlatesQuery(job.id), enabled: job.status === 'in_progress' })
  const [plate, ...others] = data.filter(({ state }) => isRunningPlate(state))
  return plate !== undefined && others.length === 0 && plate.is_by_hand
}

/**
 * Holds, cancels or requeues a job, with an optional reason for others to read, and the filament and time of a print
 * that stops with it.
 */
export function ReasonDialog({ action, job, onClose }: ReasonDialogProps) {
  const steps = useJobSteps()
  const isPrinting = useIsPrintedByHand(job)
  const { title, submitLabel, hint, variant } = TEXTS[action]
  const state = useNewForm({
    start: EMPTY,
    read: (form: FormText<keyof typeof EMPTY>) => readStop(form, BODIES[action]),
    create: async (body) => {
      await steps[action](job, body ?? {})
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
      <div className="flex flex-col gap-4">
        <Field label={t('Reason')} error={state.errors.reason} hint={hint}>
          <Input {...state.bind('reason')} maxLength={500} dir="auto" autoFocus />
        </Field>
        {isPrinting ? (
          <div className="grid grid-cols-2 items-start gap-4">
            <Field
              label={t('Filament used')}
              error={state.errors.used_grams}
              hint={t('Leave it empty if it was not measured')}
            >
              <Input {...state.bind('used_grams')} inputMode="decimal" autoComplete="off" unit="g" />
            </Field>
            <Field label={t('Print time')} error={state.errors.print_minutes}>
              <Input
                {...state.bind('print_minutes')}
                inputMode="numeric"
                autoComplete="off"
                unit={t('min')}
              />
            </Field>
          </div>
        ) : null}
      </div>
    </FormDialog>
  )
}
