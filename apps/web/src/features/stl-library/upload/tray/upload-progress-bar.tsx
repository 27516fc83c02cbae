import { Progress } from '@/components/ui/feedback/progress.tsx'
import { progressText } from '../upload-progress.ts'
import type { UploadJob } from '../upload-queue.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * Shows the progress of the upload. It stays visible at the lower edge of the form while the form scrolls.
 */
export function SendingBar({ job: { state, sizeBytes } }: { job: UploadJob }) {
  const { sentBytes, elapsedMs } = state.status === 'sending' ? state : { sentBytes: 0, elapsedMs: 0 }
  return (
    <div className="sticky -bottom-6 -mx-6 mt-4 -mb-6 border-t border-line bg-surface px-6 py-3 phone:-mx-4 phone:px-4">
      <Progress label={t('Upload')} value={sentBytes} max={sizeBytes} />
      <p className="mt-1.5 text-caption text-ink-2">
        {state.status === 'waiting'
          ? t('Waiting for the uploads before it')
          : progressText(sentBytes, sizeBytes, elapsedMs)}
      </p>
    </div>
  )
}
