import type { StlFile } from '@pegasus/contracts/stl-files'
import { Box } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { ErrorState } from '@/components/ui/error-state.tsx'
import { Progress } from '@/components/ui/progress.tsx'
import { formatCount } from '@/lib/format.ts'
import { formatBytesOf } from '../upload-progress.ts'
import { useModelMesh } from './use-model-mesh.ts'
import { ViewerStage } from './viewer-stage.tsx'

/** Above this size people decide themselves whether to fetch the file, on a phone most of all. */
const ASK_ABOVE_BYTES = 150 * 1024 * 1024

interface ModelViewerProps {
  model: Pick<StlFile, 'id' | 'title' | 'file_size'>
}

/** The model to turn and look at, from the file itself. */
export function ModelViewer({ model }: ModelViewerProps) {
  const [isWanted, setIsWanted] = useState(model.file_size <= ASK_ABOVE_BYTES)
  const [state, retry] = useModelMesh(model, isWanted)
  return (
    <section
      aria-label="3D view"
      className="relative h-[540px] overflow-hidden rounded-card border border-line bg-[radial-gradient(90%_80%_at_46%_30%,var(--plinth-a)_30%,var(--plinth-b))] lg:sticky lg:top-[109px] lg:h-[calc(100dvh-192px)] lg:min-h-96 lg:self-start phone:-mx-4 phone:h-[58dvh] phone:min-h-80 phone:rounded-none phone:border-x-0"
    >
      {isWanted ? (
        <ViewerContent model={model} state={state} onRetry={retry} />
      ) : (
        <Centered>
          <p className="mb-3">This file has {formatCount(Math.round(model.file_size / 1024 ** 2))} MB.</p>
          <Button onClick={() => setIsWanted(true)}>Load the 3D view</Button>
        </Centered>
      )}
    </section>
  )
}

interface ViewerContentProps extends ModelViewerProps {
  state: ReturnType<typeof useModelMesh>[0]
  onRetry: () => void
}

function ViewerContent({ model, state, onRetry }: ViewerContentProps) {
  switch (state.kind) {
    case 'ready':
      return <ViewerStage title={model.title} ready={state} />
    case 'failed':
      return (
        <Centered>
          <ErrorState
            message="The 3D view could not be opened."
            detail={state.message}
            onRetry={onRetry}
            className="text-left"
          />
        </Centered>
      )
    case 'parsing':
      return <Loading text="Reading the model" share={1} />
    case 'loading':
      return (
        <Loading
          text={formatBytesOf(state.receivedBytes, model.file_size)}
          share={state.receivedBytes / model.file_size}
        />
      )
  }
}

const Loading = ({ text, share }: { text: string; share: number }) => (
  <Centered>
    <Box size={48} strokeWidth={0.75} className="mx-auto text-ink-3 dark:text-ink" aria-hidden />
    <Progress label="Loading the 3D view" value={share} className="mt-3 w-48" />
    <p className="mt-2 text-caption text-ink-2 dark:text-ink">{text}</p>
  </Centered>
)

const Centered = ({ children }: { children: ReactNode }) => (
  <div className="absolute inset-0 grid place-content-center p-4 text-center">{children}</div>
)
