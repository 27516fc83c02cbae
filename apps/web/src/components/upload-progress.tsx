import { formatKb } from '@/lib/format/format.ts'
import type { MediaUpload } from '@/lib/http/uploads/use-media-uploads.ts'
import { Progress } from './ui/feedback/progress.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Shows the progress of an upload, as text and as a bar. */
export const UploadProgress = ({ upload: { file, state, progress } }: { upload: MediaUpload }) => (
  <>
    <p className="mt-0.5 mb-1.5 text-caption text-ink-3">
      {state === 'waiting'
        ? t('Waiting · {file}', { file: formatKb(file.size) })
        : progress >= 1
          ? t('Being stored')
          : t('{file} of {file2}', { file: formatKb(file.size * progress), file2: formatKb(file.size) })}
    </p>
    <Progress label={t('Uploading {name}', { name: file.name })} value={progress} />
  </>
)
