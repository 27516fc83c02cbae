import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { cx } from '@/lib/class-names.ts'
import { shareDone } from './job-state.ts'
import { t } from '@/lib/i18n/messages.ts'

interface JobProgressProps {
  job: PrintJob
  nowMs: number
  className?: string
}

/** The progress bar of a running job, in the color of its status. Renders nothing if the progress is unknown. */
export function JobProgress({ job, nowMs, className }: JobProgressProps) {
  const share = shareDone(job, nowMs)
  if (share === null) return null
  return (
    <Progress
      label={t('{inventory_item_name}, printed', { inventory_item_name: job.inventory_item_name })}
      value={share}
      className={cx('[&>div]:bg-blue', className)}
    />
  )
}
