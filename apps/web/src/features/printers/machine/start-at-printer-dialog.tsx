import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import type { FormText, ReadResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { spoolOption } from '../printer-labels.ts'
import { spoolChoicesQuery, waitingJobsQuery } from '../printers.queries.ts'
import { usePrinterMutations } from './use-printer-mutations.ts'
import { t } from '@/lib/i18n/messages.ts'

type StartField = 'job_id' | 'filament_id'

interface Choice {
  jobId: string
  spoolId: string
}

const readChoice = ({
  job_id: jobId,
  filament_id: spoolId,
}: FormText<StartField>): ReadResult<Choice, StartField> =>
  jobId === ''
    ? { body: null, errors: { job_id: t('Please choose a job.') } }
    : { body: { jobId, spoolId }, errors: null }

/**
 * Records that a person has started a job at the machine. The printer's next job is preselected, or else the proposed
 * one. If no spool is loaded, the person can name the one on the machine, because its filament cannot be booked
 * otherwise.
 */
export function StartAtPrinterDialog({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const jobs = useQuery(waitingJobsQuery)
  const isEmpty = printer.slots.every(({ filament_id: id }) => id === null)
  const spools = useQuery({ ...spoolChoicesQuery, enabled: isEmpty })
  const { start } = usePrinterMutations()
  const next = printer.next_job ?? printer.proposed_job
  const state = useNewForm({
    start: { job_id: next?.id ?? '', filament_id: '' },
    read: readChoice,
    create: async (choice) => {
      await start.mutateAsync({ printer, ...choice })
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
      <div className="flex flex-col gap-4">
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
        {isEmpty ? (
          <Field
            label={t('Load a spool')}
            error={state.errors.filament_id}
            hint={t('No spool is loaded in {name}. Without one, no filament is booked.', {
              name: printer.name,
            })}
          >
            <Select {...state.bind('filament_id')}>
              <option value="">
                {spools.isPending ? t('Loading the spools') : t('Start without a spool')}
              </option>
              <Options of={(spools.data?.items ?? []).map(spoolOption)} />
            </Select>
          </Field>
        ) : null}
      </div>
    </FormDialog>
  )
}
