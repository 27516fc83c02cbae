import { formatKb } from '@/lib/format/format.ts'
import type { MediaUpload } from '@/lib/http/use-media-uploads.ts'
import { Progress } from './ui/feedback/progress.tsx'

/** Shows the progress of an upload, as text and as a bar. */
export const UploadProgress = ({ upload: { file, state, progress } }: { upload: MediaUpload }) => (
  <>
    <p className="mt-0.5 mb-1.5 text-caption text-ink-3">
      {state === 'waiting'
        ? `Waiting · ${formatKb(file.size)}`
        : progress >= 1
          ? 'Being stored'
          : `${formatKb(file.size * progress)} of ${formatKb(file.size)}`}
    </p>
    <Progress label={`Uploading ${file.name}`} value={progress} />
  </>
)
