import { memo } from 'react'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { cx } from '@/lib/class-names.ts'
import { ArrivedLine } from './uploaded-line.tsx'
import { ACCEPTED_FILES } from '../files-field.tsx'
import { CrossButton, FailedPicture, LineAlert, LineNote, TrayLine, WaitingPicture } from './tray-line.tsx'
import { formatBytes } from '@/lib/format/bytes.ts'
import { progressText } from '../upload-progress.ts'
import type { UploadJob, UploadQueue } from '../upload-queue.ts'
import { t } from '@/lib/i18n/messages.ts'

interface UploadLineProps {
  job: UploadJob
  queue: UploadQueue
  isFollowed: boolean
  modelAddress: (id: string) => string
  /** Removes the line of the upload. */
  onGone: () => void
}

/** The line of an upload of a local file. Only lines that change are rendered again. */
export const UploadLine = memo(function UploadLine(props: UploadLineProps) {
  const { job, queue, isFollowed, modelAddress, onGone } = props
  const { id, name, sizeBytes, state } = job
  const dismiss = () => {
    onGone()
    queue.remove(id)
  }
  switch (state.status) {
    case 'arrived':
      return (
        <ArrivedLine {...{ id: state.model.id, name, answered: state.model, isFollowed, modelAddress }} />
      )
    case 'failed':
      return (
        <TrayLine
          name={name}
          picture={<FailedPicture />}
          actions={
            <>
              {state.isAboutFile ? (
                <ReplaceButton name={name} onReplace={(file) => queue.replace(id, file)} />
              ) : (
                <RetryButton name={name} onRetry={() => queue.retry(id)} />
              )}
              <CrossButton label={t('Dismiss {name}', { name })} onClick={dismiss} />
            </>
          }
        >
          <LineAlert>{state.message}</LineAlert>
        </TrayLine>
      )
    case 'cancelled':
      return (
        <TrayLine
          name={name}
          picture={<WaitingPicture />}
          actions={
            <>
              <RetryButton name={name} onRetry={() => queue.retry(id)} />
              <CrossButton label={t('Dismiss {name}', { name })} onClick={dismiss} />
            </>
          }
        >
          <LineNote>{t('Cancelled')}</LineNote>
        </TrayLine>
      )
    case 'sending':
      return (
        <TrayLine
          name={name}
          isActive
          picture={<WaitingPicture />}
          bar={
            <Progress
              label={t('Upload of {name}', { name })}
              value={state.sentBytes}
              max={sizeBytes}
              className="mt-1.5 mb-1"
            />
          }
          actions={<CrossButton label={t('Cancel {name}', { name })} onClick={() => queue.cancel(id)} />}
        >
          <LineNote>{progressText(state.sentBytes, sizeBytes, state.elapsedMs)}</LineNote>
        </TrayLine>
      )
    case 'waiting':
      return (
        <TrayLine
          name={name}
          picture={<WaitingPicture />}
          actions={<CrossButton label={t('Cancel {name}', { name })} onClick={() => queue.cancel(id)} />}
        >
          <LineNote>{t('{sizeBytes} · waiting', { sizeBytes: formatBytes(sizeBytes) })}</LineNote>
        </TrayLine>
      )
    // The server continues the upload as an import, which has its own line.
    case 'import':
      return null
  }
})

interface RetryButtonProps {
  name: string
  onRetry: () => void
  isPending?: boolean
}

export const RetryButton = ({ name, onRetry, isPending = false }: RetryButtonProps) => (
  <Button size="sm" aria-label={t('Retry {name}', { name })} isPending={isPending} onClick={onRetry}>
    {t('Retry')}
  </Button>
)

/** Replaces a refused file with another file. The typed fields stay. */
const ReplaceButton = ({ name, onReplace }: { name: string; onReplace: (file: File) => void }) => (
  <label
    className={cx(
      buttonClass({ size: 'sm' }),
      'relative has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
    )}
  >
    <span aria-hidden>{t('Replace')}</span>
    <input
      type="file"
      accept={ACCEPTED_FILES}
      aria-label={t('Replace {name}', { name })}
      className="absolute inset-0 cursor-pointer opacity-0"
      onChange={({ target }) => {
        const [file] = target.files ?? []
        if (file) onReplace(file)
      }}
    />
  </label>
)
