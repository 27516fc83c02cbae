import type { StlFile } from '@pegasus/contracts/stl-files'
import { useEffect, useState } from 'react'
import { errorMessage } from '@/lib/api-error.ts'
import { openModelFile } from '../model-file.ts'
import { parseInWorker, readBytes } from './load-mesh.ts'
import type { ReadyMesh } from './mesh-message.ts'

type CreateViewer = typeof import('./create-viewer.ts').createViewer

export type MeshState =
  | { kind: 'loading'; receivedBytes: number }
  | { kind: 'parsing' }
  | { kind: 'ready'; mesh: ReadyMesh; createViewer: CreateViewer }
  | { kind: 'failed'; message: string }

const REPORT_EVERY_MS = 100

/**
 * Fetches and reads the file of a model while three.js loads beside it. Not a query: a mesh is far too large to keep in
 * the cache or to fetch again when a tab changes.
 */
export function useModelMesh(
  { id, file_size }: Pick<StlFile, 'id' | 'file_size'>,
  isWanted: boolean,
): [MeshState, () => void] {
  const [state, setState] = useState<MeshState>({ kind: 'loading', receivedBytes: 0 })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (!isWanted) return
    const controller = new AbortController()
    const { signal } = controller
    let reportedAt = 0
    const report = (receivedBytes: number) => {
      if (performance.now() - reportedAt < REPORT_EVERY_MS) return
      reportedAt = performance.now()
      setState({ kind: 'loading', receivedBytes })
    }
    const load = async (): Promise<ReadyMesh> => {
      const response = await openModelFile(id, signal)
      if (!response.body) throw new Error('The file is empty.')
      const bytes = await readBytes(response.body, file_size, report)
      setState({ kind: 'parsing' })
      return parseInWorker(bytes, signal)
    }
    Promise.all([load(), import('./create-viewer.ts')])
      .then(([mesh, { createViewer }]) => {
        if (!signal.aborted) setState({ kind: 'ready', mesh, createViewer })
      })
      .catch((error: unknown) => {
        if (!signal.aborted) setState({ kind: 'failed', message: sentenceOf(error) })
      })
    return () => controller.abort()
  }, [id, file_size, isWanted, attempt])

  const retry = () => {
    setState({ kind: 'loading', receivedBytes: 0 })
    setAttempt((count) => count + 1)
  }
  return [state, retry]
}

const sentenceOf = (error: unknown): string =>
  errorMessage(
    error,
    error instanceof Error && error.message ? error.message : 'The model could not be loaded.',
  )
