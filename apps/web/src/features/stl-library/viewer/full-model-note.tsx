import { Button } from '@/components/ui/actions/button.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { formatBytes, formatBytesOf } from '@/lib/format/bytes.ts'
import type { FullState, ViewedModel } from './use-model-mesh.ts'
import { t } from '@/lib/i18n/messages.ts'

interface FullModelNoteProps {
  model: ViewedModel
  /** Number of triangles that are shown. */
  shown: number
  full: FullState
  onLoadAll: () => void
}

/**
 * A note that a simplified model is shown, with the progress of loading the full model. Renders nothing once
 * the full model is shown.
 */
export function FullModelNote({ model, shown, full, onLoadAll }: FullModelNoteProps) {
  if (full.kind === 'shown') return null
  const share =
    model.triangles === null
      ? t('{shown, plural, one {# triangle} other {# triangles}}', { shown })
      : t('{shown} of {triangles, plural, one {# triangle} other {# triangles}}', {
          shown: formatCount(shown),
          triangles: model.triangles,
        })
  return (
    <div className="absolute bottom-14 left-1/2 flex w-max max-w-[calc(100%-24px)] -translate-x-1/2 flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-line-2 bg-surface px-3 py-1.5 text-caption text-ink-2 shadow-float sm:bottom-3">
      <span>
        <strong className="font-semibold text-ink">{t('Simplified')}</strong> {share}
      </span>
      <Rest model={model} full={full} onLoadAll={onLoadAll} />
    </div>
  )
}

function Rest({ model, full, onLoadAll }: Omit<FullModelNoteProps, 'shown'>) {
  switch (full.kind) {
    case 'loading':
      return (
        <>
          <Progress
            label={t('Loading the full model')}
            value={full.receivedBytes / model.file_size}
            className="w-20"
          />
          <span>{formatBytesOf(full.receivedBytes, model.file_size)}</span>
        </>
      )
    case 'parsing':
      return <span>{t('reading the rest…')}</span>
    case 'offered':
      return (
        <Button size="sm" onClick={onLoadAll}>
          {t('Load all, {file_size}', { file_size: formatBytes(model.file_size) })}
        </Button>
      )
    case 'unreadable':
      return (
        <span>
          {t('a {format} can be opened in full only in a slicer', { format: model.format.toUpperCase() })}
        </span>
      )
    case 'failed':
      return (
        <>
          <span className="text-red-ink">{full.message}</span>
          <Button size="sm" onClick={onLoadAll}>
            {t('Retry')}
          </Button>
        </>
      )
    case 'shown':
      return null
  }
}
