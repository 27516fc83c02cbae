import type { Model } from '@pegasus/contracts/stl-library/models'
import { useEffect, useState } from 'react'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { openModelFile, openModelPreview } from '../fields/model-file.ts'
import { parseInWorker, readBytes } from './load-mesh.ts'
import type { ReadableFormat, ReadyMesh } from './mesh-message.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

type CreateViewer = typeof import('./scene/create-viewer.ts').createViewer

/** State of the full model, while a simplified model is shown. */
export type FullState =
  /** The full model is shown. */
  | { kind: 'shown' }
  | { kind: 'loading'; receivedBytes: number }
  | { kind: 'parsing' }
  /** The file is so large that the person is asked whether to load it. */
  | { kind: 'offered' }
  /** The browser cannot parse the format of the file. */
  | { kind: 'unreadable' }
  | { kind: 'failed'; message: string }

export type MeshState =
  | { kind: 'loading'; receivedBytes: number | null }
  | { kind: 'parsing' }
  | { kind: 'ready'; mesh: ReadyMesh; createViewer: CreateViewer; full: FullState }
  /** The server must measure the model before anything can be shown. */
  | { kind: 'unmeasured' }
  | { kind: 'failed'; message: string }

export type ViewedModel = Pick<
  Model,
  'id' | 'title' | 'format' | 'file_size' | 'triangles' | 'analysis_status' | 'version'
>

const REPORT_EVERY_MS = 100

/**
 * File size above which a preview is shown first. Smaller files load so quickly that they need no preview.
 */
const PREVIEW_ABOVE_BYTES = 4 * 1024 * 1024

/** File size above which the person decides whether to load the file. The limit is lower on a phone. */
const ASK_ABOVE_BYTES = 150 * 1024 * 1024
const ASK_ABOVE_BYTES_ON_TOUCH = 30 * 1024 * 1024

const isTooLargeUnasked = (bytes: number): boolean =>
  bytes > (matchMedia('(pointer: coarse)').matches ? ASK_ABOVE_BYTES_ON_TOUCH : ASK_ABOVE_BYTES)

const readableFormat = (format: Model['format']): ReadableFormat | null => (format === '3mf' ? null : format)

/**
 * Fetches and parses a model, while three.js loads in parallel. It loads a simplified mesh first, so that a
 * large model appears quickly, and then the full mesh. This is not a query, because a mesh is too large to be
 * cached, or to be fetched again whenever the tab changes.
 */
export function useModelMesh(model: ViewedModel): {
  state: MeshState
  retry: () => void
  loadAll: () => void
} {
  const { id, file_size: fileBytes, triangles, format: anyFormat, analysis_status } = model
  const format = readableFormat(anyFormat)
  const isMeasured = analysis_status !== 'pending'
  const [state, setState] = useState<MeshState>({ kind: 'loading', receivedBytes: null })
  const [attempt, setAttempt] = useState(0)
  const [isAllWanted, setIsAllWanted] = useState(() => !isTooLargeUnasked(fileBytes))
  // A file that the browser can parse is loaded before the model is measured, and not again afterwards.
  const preview = fileBytes > PREVIEW_ABOVE_BYTES || format === null ? { isMeasured, triangles } : null
  const isPreviewed = preview !== null
  const previewReady = preview?.isMeasured ?? true
  const previewTriangles = preview?.triangles ?? null

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const set = (next: MeshState | ((now: MeshState) => MeshState)) => {
      if (!signal.aborted) setState(next)
    }
    const setFull = (full: FullState) => set((now) => (now.kind === 'ready' ? { ...now, full } : now))

    const show = async (mesh: ReadyMesh, full: FullState) => {
      const { createViewer } = await import('./scene/create-viewer.ts')
      set({ kind: 'ready', mesh, createViewer, full })
    }
    const loadPreview = async (): Promise<ReadyMesh | null> => {
      try {
        const response = await openModelPreview(id, signal)
        return await parseInWorker(new Uint8Array(await response.arrayBuffer()), 'stl', signal)
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    }
    const loadFull = async (as: ReadableFormat, report: (progress: FullLoading) => void) => {
      const response = await openModelFile(id, signal)
      if (!response.body) throw new Error('The file is empty.')
      const bytes = await readBytes(response.body, fileBytes, everySoOften(report))
      report({ kind: 'parsing' })
      return parseInWorker(bytes, as, signal)
    }
    const load = async () => {
      const simple = isPreviewed ? await loadPreview() : null
      const isWhole = simple !== null && previewTriangles !== null && simple.triangles >= previewTriangles
      if (format === null) {
        if (simple) return show(simple, { kind: isWhole ? 'shown' : 'unreadable' })
        if (!previewReady) return set({ kind: 'unmeasured' })
        throw new Error('This file has no preview, and a browser cannot read a 3MF itself.')
      }
      if (simple) {
        await show(simple, isWhole ? { kind: 'shown' } : { kind: isAllWanted ? 'parsing' : 'offered' })
        if (isWhole || !isAllWanted) return
        try {
          return await show(await loadFull(format, setFull), { kind: 'shown' })
        } catch (error) {
          // The simplified model stays visible.
          return setFull({ kind: 'failed', message: sentenceOf(error) })
        }
      }
      return show(await loadFull(format, set), { kind: 'shown' })
    }
    void import('./scene/create-viewer.ts').catch(() => {})
    load().catch((error: unknown) => set({ kind: 'failed', message: sentenceOf(error) }))
    return () => controller.abort()
  }, [id, fileBytes, format, isPreviewed, previewReady, previewTriangles, isAllWanted, attempt])

  return {
    state,
    retry: () => {
      setState({ kind: 'loading', receivedBytes: null })
      setAttempt((count) => count + 1)
    },
    loadAll: () => {
      setIsAllWanted(true)
      setAttempt((count) => count + 1)
    },
  }
}

type FullLoading = { kind: 'loading'; receivedBytes: number } | { kind: 'parsing' }

/** Limits progress reports to one per interval, so that rendering them costs little. */
function everySoOften(report: (progress: FullLoading) => void): (receivedBytes: number) => void {
  let reportedAt = 0
  return (receivedBytes) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return
    reportedAt = performance.now()
    report({ kind: 'loading', receivedBytes })
  }
}

const sentenceOf = (error: unknown): string =>
  errorMessage(
    error,
    error instanceof Error && error.message ? serverText(error.message) : t('The model could not be loaded.'),
  )
