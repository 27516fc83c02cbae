import { CircleAlert, X } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import type { MediaUpload, MediaUploads } from '@/lib/http/uploads/use-media-uploads.ts'
import { UploadProgress } from '@/components/upload-progress.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Shows running and failed uploads. Finished uploads are among the pictures. */
export function UploadRows({ uploads: { uploads, retry, remove } }: { uploads: MediaUploads }) {
  const shown = uploads.filter(({ state }) => state !== 'done')
  if (shown.length === 0) return null
  return (
    <ul aria-label={t('Uploads')} className="divide-y divide-line rounded-control border border-line">
      {shown.map((upload) => (
        <li key={upload.id} className="flex items-center gap-3 px-3 py-2">
          {upload.state === 'failed' ? (
            <Failed upload={upload} onRetry={() => retry(upload.id)} />
          ) : (
            <UnderWay upload={upload} />
          )}
          <IconButton
            size="sm"
            label={
              upload.state === 'failed'
                ? t('Dismiss {name}', { name: upload.file.name })
                : t('Cancel {name}', { name: upload.file.name })
            }
            onClick={() => remove(upload.id)}
          >
            <X size={14} strokeWidth={1.75} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

const UnderWay = ({ upload }: { upload: MediaUpload }) => (
  <div className="min-w-0 flex-1">
    <p className="truncate">
      <bdi className="font-medium">{upload.file.name}</bdi>{' '}
      <span className="text-ink-3">{t('as {name}', { name: upload.name })}</span>
    </p>
    <UploadProgress upload={upload} />
  </div>
)

const Failed = ({ upload: { file, error }, onRetry }: { upload: MediaUpload; onRetry: () => void }) => (
  <>
    <CircleAlert size={16} className="shrink-0 text-red-ink" aria-hidden />
    <div className="min-w-0 flex-1">
      <p className="truncate font-medium">
        <bdi className="block truncate">{file.name}</bdi>
      </p>
      <p role="alert" className="text-label text-red-ink wrap-anywhere">
        {error}
      </p>
    </div>
    <Button size="sm" onClick={onRetry} aria-label={t('Retry {name}', { name: file.name })}>
      {t('Retry')}
    </Button>
  </>
)
