import type { Slice } from '@pegasus/contracts/slices/slices'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { logWarning } from '@/lib/browser/log.ts'
import { formatBytesOf } from '@/lib/format/bytes.ts'
import type { LayerScene } from './layer-scene.ts'
import { type ToolpathState, useToolpath } from './use-toolpath.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Shows the layers of a sliced file, up to the layer selected with the slider. */
export function LayerViewerDialog({ slice, onClose }: { slice: Slice; onClose: () => void }) {
  const state = useToolpath(slice)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title={<bdi>{slice.file_name}</bdi>}
      description={
        slice.plate === 1
          ? t('Layers in the order of printing, without travel moves')
          : t('Layers of plate {plate}', { plate: slice.plate })
      }
    >
      <Content slice={slice} state={state} />
    </Dialog>
  )
}

function Content({ slice, state }: { slice: Slice; state: ToolpathState }) {
  switch (state.kind) {
    case 'failed':
      return <AlertBox title={t('The layers cannot be shown.')}>{state.message}</AlertBox>
    case 'loading':
      return (
        <Waiting
          text={formatBytesOf(state.receivedBytes, slice.file_size)}
          share={state.receivedBytes / slice.file_size}
        />
      )
    case 'reading':
      return <Waiting text={t('Reading the layers')} share={1} />
    case 'ready':
      return <LayerStage slice={slice} ready={state} />
  }
}

const Waiting = ({ text, share }: { text: string; share: number }) => (
  <div className="grid h-[min(60dvh,560px)] place-content-center text-center">
    <Progress label={t('Loading the layers')} value={share} className="w-48" />
    <p role="status" className="mt-2 text-caption text-ink-2">
      {text}
    </p>
  </div>
)

/** Creates the view. Returns null if the browser has no WebGL. */
function openScene(create: () => LayerScene, onProblem: (sentence: string) => void): LayerScene | null {
  try {
    return create()
  } catch (error) {
    logWarning('The layer view could not be created.', error)
    onProblem(t('This browser cannot show 3D: WebGL is switched off or not available.'))
    return null
  }
}

function LayerStage({ slice, ready }: { slice: Slice; ready: Extract<ToolpathState, { kind: 'ready' }> }) {
  const { path, createScene } = ready
  const host = useRef<HTMLDivElement>(null)
  const scene = useRef<LayerScene>(null)
  const count = path.layerEnds.length
  const [layer, setLayer] = useState(count - 1)
  const [isAlone, setIsAlone] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const showNow = useEffectEvent((to: LayerScene) => to.showLayer(layer, isAlone))

  useEffect(() => {
    const container = host.current
    if (!container) return
    const label = t('{count} layers of {file_name}', { count, file_name: slice.file_name })
    const created = openScene(() => createScene(container, path, label), setProblem)
    if (!created) return
    scene.current = created
    showNow(created)
    return () => {
      scene.current = null
      created.dispose()
    }
  }, [createScene, path, count, slice.file_name])

  useEffect(() => scene.current?.showLayer(layer, isAlone), [layer, isAlone])

  const height = path.layerZ[layer] ?? 0
  const position = t('Layer {layer} of {count} · {height} mm', {
    layer: layer + 1,
    count,
    height: height.toFixed(2),
  })
  if (problem) return <AlertBox title={problem} />
  return (
    <div className="flex flex-col gap-3">
      <div
        ref={host}
        className="relative h-[min(60dvh,560px)] overflow-hidden rounded-control bg-[radial-gradient(90%_80%_at_46%_30%,var(--plinth-a)_30%,var(--plinth-b))] text-ink-3 dark:text-ink"
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <input
          type="range"
          aria-label={t('Layer')}
          aria-valuetext={position}
          min={0}
          max={count - 1}
          value={layer}
          className="min-w-40 flex-1 accent-accent"
          onChange={(event) => setLayer(event.target.valueAsNumber)}
        />
        <output className="min-w-44 text-label text-ink-2 tabular-nums">{position}</output>
        <Checkbox
          label={t('Only this layer')}
          checked={isAlone}
          onChange={(event) => setIsAlone(event.target.checked)}
        />
      </div>
      {path.isCut ? (
        <p className="text-caption text-ink-3">
          {t('The file has more lines than can be shown; the upper layers are missing.')}
        </p>
      ) : null}
    </div>
  )
}
