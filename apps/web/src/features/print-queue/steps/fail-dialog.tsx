import { PrintFailureDialog } from '@/components/print-failure-dialog.tsx'
import { type JobDialogProps, JobLine } from './job-line.tsx'
import { useJobSteps } from './use-job-steps.ts'

/** Marks a print as failed, with the reason and the wasted filament. */
export function FailDialog({ job, onClose }: JobDialogProps) {
  const steps = useJobSteps()
  return (
    <PrintFailureDialog
      title="Job failed"
      filamentHint={
        job.filament_id ? `From ${job.filament_label ?? 'the spool'}; leave it empty to book nothing` : null
      }
      onFail={(failure) => steps.fail(job, failure)}
      onClose={onClose}
    >
      <JobLine job={job} />
    </PrintFailureDialog>
  )
}
