import { CircleAlert, CircleCheck, Copy, X } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { copyText } from '@/lib/browser/clipboard.ts'
import type { MediaUpload } from '@/lib/http/uploads/use-media-uploads.ts'
import { UploadProgress } from '@/components/upload-progress.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface ResultListProps {
  uploads: readonly MediaUpload[]
  onRetry: (id: string) => void
  onRemove: (id: string) => void
}

/** Lists the result of each file: its progress, its URL, or the reason why it failed. */
export const ResultList = ({ uploads, ...rest }: ResultListProps) => (
  <ul aria-label={t('Results')} className="divide-y divide-line">
    {uploads.map((upload) => (
      <li key={upload.id} className="px-4 py-3">
        <Result upload={upload} {...rest} />
      </li>
    ))}
  </ul>
)

function Result({ upload, onRetry, onRemove }: { upload: MediaUpload } & Omit<ResultListProps, 'uploads'>) {
  const { id, file, name, state, stored, error } = upload
  if (state === 'done' && stored)
    return (
      <div className="flex items-start gap-2.5">
        <CircleCheck size={16} className="mt-0.5 shrink-0 text-green-ink" aria-hidden />
        <div className="min-w-0 flex-1" role="status">
          <Names file={file} name={name} /> <span className="text-green-ink">{t('uploaded')}</span>
          <a
            href={stored.publicUrl}
            target="_blank"
            rel="noopener noreferrer"
            className="link block wrap-anywhere"
          >
            {stored.publicUrl}
          </a>
        </div>
        <CopyButton text={stored.publicUrl} name={name} />
      </div>
    )
  if (state === 'failed')
    return (
      <div className="flex items-start gap-2.5">
        <CircleAlert size={16} className="mt-0.5 shrink-0 text-red-ink" aria-hidden />
        <div className="min-w-0 flex-1">
          <Names file={file} name={name} />
          <p role="alert" className="text-red-ink wrap-anywhere">
            {error}
          </p>
        </div>
        <Button size="sm" onClick={() => onRetry(id)} aria-label={t('Retry {name}', { name: file.name })}>
          {t('Retry')}
        </Button>
      </div>
    )
  return (
    <div className="flex items-center gap-2.5">
      <div className="min-w-0 flex-1">
        <Names file={file} name={name} />
        <UploadProgress upload={upload} />
      </div>
      <IconButton size="sm" label={t('Cancel {name}', { name: file.name })} onClick={() => onRemove(id)}>
        <X size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </div>
  )
}

const Names = ({ file, name }: { file: File; name: string }) => (
  <span className="wrap-anywhere">
    <bdi className="font-medium">{file.name}</bdi>
    {file.name === name ? null : <span className="text-ink-3"> {t('as {name}', { name })}</span>}
  </span>
)

const CopyButton = ({ text, name }: { text: string; name: string }) => (
  <IconButton
    size="sm"
    label={t('Copy the address of {name}', { name })}
    onClick={() =>
      void copyText(text).then((isCopied) =>
        toast({ title: isCopied ? t('Address copied') : t('The address could not be copied.') }),
      )
    }
  >
    <Copy size={14} strokeWidth={1.75} aria-hidden />
  </IconButton>
)
