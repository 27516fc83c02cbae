import type { PrintJob } from '@pegasus/contracts/print-queue'
import { Progress } from '@/components/ui/progress.tsx'
import { cx } from '@/lib/class-names.ts'

/** How far a running job is; blue, as its status is. */
export const JobProgress = ({ job, className }: { job: PrintJob; className?: string }) => (
  <Progress
    label={`${job.inventory_item_name}, printed`}
    value={job.progress}
    className={cx('[&>div]:bg-blue', className)}
  />
)
