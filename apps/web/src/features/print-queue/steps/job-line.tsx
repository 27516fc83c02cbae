import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { PriorityBadge } from '@/components/ui/display/badge.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { filamentOf } from '../job-state.ts'
import { rich } from '@/lib/i18n/messages.ts'

/** Shows the job of a dialog. */
export const JobLine = ({ job }: { job: PrintJob }) => (
  <div className="mb-4 flex items-center gap-3">
    <PartPicture src={job.stl_thumbnail_path} tint={job.color_hex} className="size-14" />
    <div className="min-w-0 flex-1">
      <bdi className="line-clamp-2 font-medium" title={job.inventory_item_name}>
        {job.inventory_item_name}
      </bdi>
      <p className="truncate text-caption text-ink-3">
        {rich('{label_code} · {quantity, plural, one {# piece} other {# pieces}}', {
          label_code: <span className="code">{job.label_code}</span>,
          quantity: job.quantity,
        })}
        {filamentOf(job) ? <bdi> · {filamentOf(job)}</bdi> : null}
      </p>
    </div>
    <PriorityBadge priority={job.priority} />
  </div>
)

/** Props of a dialog for one step of a job. */
export interface JobDialogProps {
  job: PrintJob
  onClose: () => void
}
