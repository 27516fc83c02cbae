import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import type { FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { waitingJobsQuery } from '../printers.queries.ts'
import { usePrinterMutations } from './use-printer-mutations.ts'
import { t } from '@/lib/i18n/messages.ts'

const readChoice = ({ job_id: jobId }: FormText<'job_id'>): ReadResult<{ jobId: string }, 'job_id'> =>
  jobId === ''
    ? { body: null, errors: { job_id: t('Please choose a job.') } }
    : { body: { jobId }, errors: null }

/** Records that a person has started a job at the machine. The printer's next job is preselected, or else the proposed one. */
export function StartAtPrinterDialog({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const jobs = useQuery(waitingJobsQuery)
  const { start } = usePrinterMutations()
  const next = printer.next_job ?? printer.proposed_job
  const state = useNewForm({
    start: { job_id: next?.id ?? '' },
    read: readChoice,
    create: async ({ jobId }) => {
      await start.mutateAsync({ printer, jobId })
      onClose()
    },
  })
  const others = (jobs.data?.items ?? []).filter(({ id }) => id !== next?.id)
  return (
    <FormDialog
      state={state}
      submitLabel={t('Start')}
      onClose={onClose}
      title={t('Start on {name}', { name: printer.name })}
      description={t('The job counts as printing from now on.')}
      size="sm"
    >
      <Field label={t('Job')} isRequired error={state.errors.job_id}>
        <Select {...state.bind('job_id')}>
          <option value="">{jobs.isPending ? t('Loading the queue') : t('Choose a job')}</option>
          {next ? <option value={next.id}>{`${next.label_code} · ${next.name}`}</option> : null}
          <Options
            of={others.map((job) => ({
              value: job.id,
              label: `${job.label_code} · ${job.inventory_item_name} × ${job.quantity}`,
            }))}
          />
        </Select>
      </Field>
    </FormDialog>
  )
}
