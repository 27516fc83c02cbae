import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Kbd } from '@/components/ui/display/kbd.tsx'
import { logWarning } from '@/lib/browser/log.ts'
import { cx } from '@/lib/class-names.ts'
import { formatMm, formatSize } from '../model-page/model-measures.ts'
import type { Viewer } from './scene/create-viewer.ts'
import type { MeshState } from './use-model-mesh.ts'
import { isFreeKey, type ViewerCommand, viewerCommand, ZOOM_STEP } from './viewer-keys.ts'
import { ViewerTools, type ViewerView } from './viewer-tools.tsx'
import { t } from '@/lib/i18n/messages.ts'

type Ready = Extract<MeshState, { kind: 'ready' }>

interface ViewerStageProps {
  title: string
  ready: Ready
  /** True if the model is visible. Until then the canvas is hidden, because the picture is still shown. */
  isDrawn: boolean
  /** Called once the model is visible. */
  onDrawn: () => void
}

const FIRST_VIEW: ViewerView = { isWireframe: false, hasDimensions: true, hasBed: true }

/** The canvas with its tools. A retry mounts a new canvas, because a canvas cannot get a second context. */
export function ViewerStage(props: ViewerStageProps) {
  const [attempt, setAttempt] = useState(0)
  const [view, setView] = useState(FIRST_VIEW)
  return (
    <Stage
      key={attempt}
      {...props}
      view={view}
      onView={setView}
      onRetry={() => setAttempt((count) => count + 1)}
    />
  )
}

interface StageProps extends ViewerStageProps {
  view: ViewerView
  onView: (view: ViewerView) => void
  onRetry: () => void
}

function Stage({ title, ready, isDrawn, onDrawn, view, onView, onRetry }: StageProps) {
  const host = useRef<HTMLDivElement>(null)
  const viewer = useRef<Viewer>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const { mesh, createViewer } = ready
  const label = t('3D view of {title}: {mesh} mm', { title, mesh: formatSize(mesh.size) })
  const applyView = useEffectEvent((to: Viewer) => showView(to, view))
  const nameOf = useEffectEvent(() => label)
  const firstMesh = useEffectEvent(() => mesh)
  const reportDrawn = useEffectEvent(onDrawn)

  useEffect(() => {
    if (!host.current) return
    const mesh = firstMesh()
    const created = openViewer(createViewer, host.current, mesh, {
      label: nameOf(),
      dimensionLabels: mesh.size.map((side) => t('{side} mm', { side: formatMm(side) })),
      onFirstFrame: () => reportDrawn(),
      onProblem: setProblem,
    })
    if (!created) return
    viewer.current = created
    applyView(created)
    const handleKey = (event: KeyboardEvent) => {
      const command = viewerCommand(event)
      // Letters and digits work on the whole page. Keys that also scroll or move within a control work only
      // if the view has the focus.
      if (!command || !(event.target === created.canvas || isFreeKey(event))) return
      event.preventDefault()
      runCommand(created, command)
    }
    document.addEventListener('keydown', handleKey)
    return () => {
      viewer.current = null
      document.removeEventListener('keydown', handleKey)
      created.dispose()
    }
  }, [createViewer])

  // The full model replaces the simplified one once it is loaded.
  useEffect(() => viewer.current?.showMesh(mesh), [mesh])

  const handleView = (next: ViewerView) => {
    onView(next)
    if (viewer.current) showView(viewer.current, next)
  }
  const handleCommand = (command: ViewerCommand) => {
    if (viewer.current) runCommand(viewer.current, command)
  }
  return (
    <>
      <div
        ref={host}
        className={cx('absolute inset-0 transition-opacity duration-200', !isDrawn && 'opacity-0')}
      />
      {problem ? (
        <div className="absolute inset-0 grid place-items-center bg-sunken p-4 text-start">
          <ErrorState
            message={problem}
            detail={t('The measures next to it are still valid.')}
            onRetry={onRetry}
          />
        </div>
      ) : (
        <>
          <ViewerTools
            view={view}
            onView={handleView}
            onFit={() => handleCommand({ kind: 'fit' })}
            onZoomIn={() => handleCommand({ kind: 'zoom', factor: ZOOM_STEP })}
            onZoomOut={() => handleCommand({ kind: 'zoom', factor: 1 / ZOOM_STEP })}
          />
          <KeyHints />
        </>
      )}
    </>
  )
}

interface OpenOptions {
  label: string
  dimensionLabels: readonly string[]
  onFirstFrame: () => void
  /** A message for the person; null once the problem is solved. */
  onProblem: (sentence: string | null) => void
}

/** Creates the view. Returns null if the browser has no WebGL. */
function openViewer(
  create: Ready['createViewer'],
  host: HTMLElement,
  mesh: Ready['mesh'],
  { onProblem, ...options }: OpenOptions,
): Viewer | null {
  try {
    return create(host, mesh, {
      ...options,
      onContextLost: () => onProblem(t('The browser or the graphics driver interrupted the 3D view.')),
      onContextRestored: () => onProblem(null),
    })
  } catch (error) {
    logWarning('The 3D view could not be created.', error)
    onProblem(t('This browser cannot show 3D: WebGL is switched off or not available.'))
    return null
  }
}

function showView(viewer: Viewer, { isWireframe, hasDimensions, hasBed }: ViewerView) {
  viewer.showWires(isWireframe)
  viewer.showDimensions(hasDimensions)
  viewer.showBed(hasBed)
}

function runCommand(viewer: Viewer, command: ViewerCommand) {
  switch (command.kind) {
    case 'fit':
      return viewer.fit()
    case 'look':
      return viewer.lookFrom(command.direction)
    case 'turn':
      return viewer.turn(command.leftDegrees, command.upDegrees)
    case 'zoom':
      return viewer.zoom(command.factor)
  }
}

const HINTS = [
  [t('drag'), t('orbit')],
  [t('wheel'), t('zoom')],
  ['F', t('fit')],
  ['1–6', t('views')],
] as const

const KeyHints = () => (
  <p className="pointer-events-none absolute bottom-3 start-3 flex items-center gap-3 text-caption text-ink-2 dark:text-ink max-lg:hidden touch:hidden">
    {HINTS.map(([key, does]) => (
      <span key={key} className="flex items-center gap-1.5">
        <Kbd>{key}</Kbd>
        {does}
      </span>
    ))}
  </p>
)
