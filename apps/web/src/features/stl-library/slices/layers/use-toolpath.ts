import { getSliceBytes, type Slice } from '@pegasus/contracts/slices/slices'
import { useEffect, useState } from 'react'
import { callForBytes } from '@/lib/http/api.ts'
import { readBytes } from '../../viewer/load-mesh.ts'
import type { ReadyToolpath, ToolpathAnswer, ToolpathRequest } from './toolpath-message.ts'

/** Larger files are not loaded, because they would take more memory than most devices have. */
const MAX_BYTES = 300 * 1024 * 1024
const REPORT_EVERY_MS = 100

type CreateScene = typeof import('./layer-scene.ts').createLayerScene

export type ToolpathState =
  | { kind: 'loading'; receivedBytes: number }
  | { kind: 'reading' }
  | { kind: 'ready'; path: ReadyToolpath; createScene: CreateScene }
  | { kind: 'failed'; message: string }

/** Fetches a sliced file and reads its toolpath in a worker, while three.js loads. */
export function useToolpath(slice: Slice): ToolpathState {
  const [state, setState] = useState<ToolpathState>({ kind: 'loading', receivedBytes: 0 })
  const { id, stl_file_id: modelId, file_size: sizeBytes, format, plate } = slice

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const set = (next: ToolpathState) => {
      if (!signal.aborted) setState(next)
    }
    const load = async () => {
      if (sizeBytes > MAX_BYTES)
        throw new Error('This file is too large to be shown here. Download it instead.')
      const params = { id: modelId, slice_id: id }
      const response = await callForBytes(getSliceBytes, { params, signal })
      if (!response.body) throw new Error('The file is empty.')
      let reportedAt = 0
      const bytes = await readBytes(response.body, sizeBytes, (receivedBytes) => {
        const now = performance.now()
        if (now - reportedAt < REPORT_EVERY_MS) return
        reportedAt = now
        set({ kind: 'loading', receivedBytes })
      })
      set({ kind: 'reading' })
      const [path, { createLayerScene }] = await Promise.all([
        readInWorker({ bytes, format, plate }, signal),
        import('./layer-scene.ts'),
      ])
      set({ kind: 'ready', path, createScene: createLayerScene })
    }
    load().catch((error: unknown) =>
      set({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
    return () => controller.abort()
  }, [id, modelId, sizeBytes, format, plate])

  return state
}

function readInWorker(request: ToolpathRequest, signal: AbortSignal): Promise<ReadyToolpath> {
  const worker = new Worker(new URL('./toolpath.worker.ts', import.meta.url), {
    type: 'module',
    name: 'toolpath',
  })
  return new Promise<ReadyToolpath>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.onerror = (event) => reject(new Error(event.message || 'The file could not be read.'))
    worker.onmessage = ({ data }: MessageEvent<ToolpathAnswer>) =>
      data.ok ? resolve(data) : reject(new Error(data.reason))
    worker.postMessage(request, [request.bytes.buffer])
  }).finally(() => worker.terminate())
}
