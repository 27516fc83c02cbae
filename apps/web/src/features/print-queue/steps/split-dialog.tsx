import { mostToSplitOff, splitPrintJob } from '@pegasus/contracts/print-queue/split-and-merge'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { type FormText, type ReadResult, readResult } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { type JobDialogProps, JobLine } from './job-line.tsx'
import { useJobSteps } from './use-job-steps.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Splits missing pieces off a job. They become a job of their own. */
export function SplitDialog({ job, onClose }: JobDialogProps) {
  const steps = useJobSteps()
  const most = mostToSplitOff(job)
  const state = useNewForm({
    start: { quantity: String(Math.max(1, Math.floor(most / 2))) },
    read: (form: FormText<'quantity'>): ReadResult<{ quantity: number }, 'quantity'> => {
      const quantity = typedNumber(form.quantity)
      if (quantity !== null && quantity > most)
        return {
          body: null,
          errors: {
            quantity: t('At most {most, plural, one {# piece} other {# pieces}} can be split off.', { most }),
          },
        }
      return readResult(splitPrintJob.body.safeParse({ quantity }), form)
    },
    create: async ({ quantity }, headers) => {
      await steps.split(job, quantity, headers)
      onClose()
    },
  })
  return (
    <FormDialog state={state} submitLabel={t('Split job')} onClose={onClose} title={t('Split job')} size="sm">
      <JobLine job={job} />
      <Field
        label={t('Pieces for the new job')}
        error={state.errors.quantity}
        hint={t(
          'Up to {most, plural, one {# missing piece} other {# missing pieces}}. Pieces that are printed or being printed stay in this job.',
          { most },
        )}
      >
        <Input {...state.bind('quantity')} inputMode="numeric" autoComplete="off" autoFocus />
      </Field>
    </FormDialog>
  )
}
