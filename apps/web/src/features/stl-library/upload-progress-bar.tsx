import { Progress } from '@/components/ui/progress.tsx'
import { progressText } from './upload-progress.ts'
import type { UploadState } from './use-upload.ts'

/** How far the bytes are; it stays in sight at the lower edge while the form scrolls. */
export function UploadProgress({ sentBytes, totalBytes, elapsedMs }: UploadState) {
  return (
    <div className="sticky -bottom-6 -mx-6 mt-4 -mb-6 border-t border-line bg-surface px-6 py-3 phone:-mx-4 phone:px-4">
      <Progress label="Upload" value={sentBytes} max={totalBytes} />
      <p className="mt-1.5 text-caption text-ink-2">{progressText(sentBytes, totalBytes, elapsedMs)}</p>
    </div>
  )
}
