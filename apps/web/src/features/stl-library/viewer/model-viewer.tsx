import { Box } from 'lucide-react'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { type ReactNode, useState } from 'react'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatBytesOf } from '@/lib/format/bytes.ts'
import { FullModelNote } from './full-model-note.tsx'
import { type MeshState, useModelMesh, type ViewedModel } from './use-model-mesh.ts'
import { ViewerStage } from './viewer-stage.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** The 3D view of a model. It first shows the preview mesh, then the file itself. */
export function ModelViewer({ model }: { model: ViewedModel & Pick<Model, 'thumbnail_path'> }) {
  const { state, retry, loadAll } = useModelMesh(model)
  const [isDrawn, setIsDrawn] = useState(false)
  const poster = state.kind === 'failed' ? null : model.thumbnail_path
  return (
    <section
      aria-label={t('3D view')}
      className="relative h-[540px] overflow-hidden rounded-card border border-line bg-[radial-gradient(90%_80%_at_46%_30%,var(--plinth-a)_30%,var(--plinth-b))] lg:h-[max(384px,min(calc(100dvh-192px),720px))] phone:-mx-4 phone:h-[58dvh] phone:min-h-80 phone:rounded-none phone:border-x-0"
    >
      {poster ? <ViewerPoster src={poster} isGone={isDrawn} /> : null}
      <ViewerContent
        model={model}
        state={state}
        hasPoster={poster !== null}
        isDrawn={isDrawn}
        onRetry={retry}
        onDrawn={() => setIsDrawn(true)}
      />
      {state.kind === 'ready' ? (
        <FullModelNote model={model} shown={state.mesh.triangles} full={state.full} onLoadAll={loadAll} />
      ) : null}
    </section>
  )
}

interface ViewerPosterProps {
  /** URL of the card's picture. It is already cached, so it shows at the first paint. */
  src: string
  /** True if the picture is hidden, because the model itself is visible. */
  isGone: boolean
}

/**
 * Shows the stored picture of the model until the model itself is visible. Both show the part from the same
 * side. The part fills 0.8 of the picture, but its bounding box fills only 0.66 of the fitted view, so the
 * picture is scaled down.
 */
function ViewerPoster({ src, isGone }: ViewerPosterProps) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null)
  if (src === failedSrc) return null
  return (
    <img
      src={src}
      alt=""
      decoding="sync"
      fetchPriority="high"
      draggable={false}
      onError={() => setFailedSrc(src)}
      className={cx(
        'pointer-events-none absolute inset-0 size-full scale-80 object-contain transition-[opacity,visibility] duration-200',
        isGone && 'invisible opacity-0',
      )}
    />
  )
}

interface ViewerContentProps {
  model: ViewedModel
  state: MeshState
  /** True while the picture covers the view. Messages are then shown below the picture. */
  hasPoster: boolean
  isDrawn: boolean
  onRetry: () => void
  /** Called when the model is first visible. */
  onDrawn: () => void
}

function ViewerContent({ model, state, hasPoster, isDrawn, onRetry, onDrawn }: ViewerContentProps) {
  switch (state.kind) {
    case 'ready':
      return <ViewerStage title={model.title} ready={state} isDrawn={isDrawn} onDrawn={onDrawn} />
    case 'failed':
      return (
        <Centered>
          <ErrorState
            message={t('The 3D view could not be opened.')}
            detail={state.message}
            onRetry={onRetry}
            className="text-start"
          />
        </Centered>
      )
    case 'unmeasured':
      return (
        <Waiting hasPoster={hasPoster} text={t('The 3D view appears as soon as the model is measured.')} />
      )
    case 'parsing':
      return <Loading hasPoster={hasPoster} text={t('Reading the model')} share={1} />
    case 'loading':
      return state.receivedBytes === null ? (
        <Waiting hasPoster={hasPoster} text={t('Opening the 3D view')} />
      ) : (
        <Loading
          hasPoster={hasPoster}
          text={formatBytesOf(state.receivedBytes, model.file_size)}
          share={state.receivedBytes / model.file_size}
        />
      )
  }
}

const Blank = () => (
  <Box size={48} strokeWidth={0.75} className="mx-auto text-ink-3 dark:text-ink" aria-hidden />
)

interface WaitingProps {
  text: string
  hasPoster: boolean
}

const Waiting = ({ text, hasPoster }: WaitingProps) => (
  <Centered isBelow={hasPoster}>
    {hasPoster ? null : <Blank />}
    <p role="status" className="mt-2 text-caption text-ink-2 dark:text-ink">
      {text}
    </p>
  </Centered>
)

const Loading = ({ text, share, hasPoster }: WaitingProps & { share: number }) => (
  <Centered isBelow={hasPoster}>
    {hasPoster ? null : <Blank />}
    <Progress label={t('Loading the 3D view')} value={share} className="mt-3 w-48" />
    <p className="mt-2 text-caption text-ink-2 dark:text-ink">{text}</p>
  </Centered>
)

const Centered = ({ isBelow = false, children }: { isBelow?: boolean; children: ReactNode }) => (
  <div
    className={cx(
      'absolute inset-0 grid justify-center p-4 text-center',
      isBelow ? 'content-end' : 'content-center',
    )}
  >
    {children}
  </div>
)
