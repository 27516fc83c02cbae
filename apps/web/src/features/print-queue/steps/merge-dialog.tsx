import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { canGivePieces, differencesOf, mergePrintJobs } from '@pegasus/contracts/print-queue/split-and-merge'
import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { type FormText, readResult } from '@/lib/forms/form-merge.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { jobsOfItemQuery } from '../print-queue.queries.ts'
import { type JobDialogProps, JobLine } from './job-line.tsx'
import { useJobSteps } from './use-job-steps.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * Adds the missing pieces of another waiting job to a job. Only jobs with the same version, filament and order are
 * offered.
 */
export function MergeDialog({ job, onClose }: JobDialogProps) {
  const jobs = useQuery(jobsOfItemQuery(job.inventory_item_id))
  const others = jobs.data?.items.filter(
    (other) => other.id !== job.id && canGivePieces(other) && differencesOf(job, other).length === 0,
  )
  if (others?.[0]) return <MergeFormDialog job={job} others={others} onClose={onClose} />
  return (
    <Dialog isOpen title={t('Merge jobs')} size="sm" onClose={onClose}>
      <JobLine job={job} />
      {others ? (
        <p className="text-ink-2">{t('No other waiting job has the same version, filament and order.')}</p>
      ) : jobs.isError ? (
        <QueryError message={t('The other jobs could not be loaded.')} query={jobs} />
      ) : (
        <SkeletonLines label={t('Loading the other jobs')} className="flex flex-col gap-4" />
      )}
    </Dialog>
  )
}

const describe = ({ label_code: code, missing_quantity: missing, priority }: PrintJob): string =>
  t('{code}, {missing, plural, one {# piece} other {# pieces}}, P{priority}', { code, missing, priority })

function MergeFormDialog({ job, others, onClose }: JobDialogProps & { others: readonly PrintJob[] }) {
  const steps = useJobSteps()
  const state = useNewForm({
    start: { job_id: others[0]?.id ?? '' },
    read: (form: FormText<'job_id'>) => readResult(mergePrintJobs.body.safeParse(form), form),
    create: async ({ job_id: id }) => {
      const other = others.find((each) => each.id === id)
      if (other) await steps.merge(job, other)
      onClose()
    },
  })
  return (
    <FormDialog
      state={state}
      submitLabel={t('Merge jobs')}
      onClose={onClose}
      title={t('Merge jobs')}
      size="sm"
    >
      <JobLine job={job} />
      <Field
        label={t('Other job')}
        error={state.errors.job_id}
        hint={t('Its missing pieces are added to this job. The other job ends, and keeps its history.')}
      >
        <Select {...state.bind('job_id')} autoFocus>
          <Options of={others.map((other) => ({ value: other.id, label: describe(other) }))} />
        </Select>
      </Field>
    </FormDialog>
  )
}
