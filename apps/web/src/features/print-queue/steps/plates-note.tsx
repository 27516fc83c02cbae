import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Says that one print of the job has several plates, which a person prints. Renders nothing for other jobs. */
export function PlatesNote({ job, className }: { job: PrintJob; className: string }) {
  const { slice_plates: plates } = job
  if (plates === null || plates < 2 || job.finished_at !== null) return null
  return (
    <AlertBox tone="note" className={className}>
      {t('One piece needs all {plates} plates of its sliced file. Complete it when all plates are done.', {
        plates,
      })}
    </AlertBox>
  )
}
