import type { Model } from '@pegasus/contracts/stl-library/models'
import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { ApiError, errorDetail } from '@/lib/http/api-error.ts'
import { newIdempotencyKey, type UploadOptions } from '@/lib/http/uploads/upload.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The specification's message, shown if the server sends none. */
export const UPLOAD_FAILED = t('Failed to upload. Please try again.')

/**
 * The number of parallel uploads. More uploads would share the same connection, and each file would only
 * arrive later.
 */
const AT_A_TIME = 2

/** Statuses that refuse the file itself, so that sending it again would be pointless. */
const ABOUT_THE_FILE = [413, 415, 422]

export type UploadState =
  | { status: 'waiting' }
  | { status: 'sending'; sentBytes: number; elapsedMs: number }
  | { status: 'arrived'; model: Model }
  /** The upload continues as an import, which reports its own progress. */
  | { status: 'import'; importId: string }
  | { status: 'failed'; message: string; isAboutFile: boolean; errors: ApiError['errors'] }
  | { status: 'cancelled' }

/** An upload and its state. */
export interface UploadJob {
  id: string
  name: string
  sizeBytes: number
  /** The file to send; null if the server downloads it. */
  file: File | null
  fields: Readonly<Record<string, string>>
  /** The key of all attempts to send this file with these fields. */
  idempotencyKey: string
  state: UploadState
}

export interface UploadQueue {
  /** Returns the jobs. The array is the same object until something changes. */
  getJobs(): readonly UploadJob[]
  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
  /** Queues files that share the same fields. Returns their jobs. */
  add(files: readonly File[], fields: UploadJob['fields'], idempotencyKey?: string): UploadJob[]
  /** Adds an import that has no local file. */
  follow(begun: ModelImport): void
  /** Cancels a waiting or running upload, which can be retried. */
  cancel(id: string): void
  retry(id: string): void
  /** Replaces a refused file with another file. The fields stay. */
  replace(id: string, file: File): void
  /** Removes a job from the list. A running upload is cancelled. */
  remove(id: string): void
  /** Cancels everything and clears the list. */
  stop(): void
}

interface UploadQueueOptions {
  /** Throws an ApiError, or the signal's reason. */
  send: (options: UploadOptions & { file: File }) => Promise<Model | ModelImport>
  /** Called for each file that the server has accepted. */
  onAccepted: (result: Model | ModelImport) => void
}

export const isModel = (result: Model | ModelImport): result is Model => 'license_type' in result

/** Returns whether there are bytes to send. The upload would be lost if the page were left. */
export const isUnderWay = ({ state }: Pick<UploadJob, 'state'>): boolean =>
  state.status === 'waiting' || state.status === 'sending'

/**
 * Creates the queue for the uploads of a session. Two uploads run at a time, in the order in which they were
 * added. The queue continues when the page changes.
 */
export function createUploadQueue({ send, onAccepted }: UploadQueueOptions): UploadQueue {
  let jobs: readonly UploadJob[] = []
  const running = new Map<string, AbortController>()
  const listeners = new Set<() => void>()

  const set = (next: readonly UploadJob[]): void => {
    jobs = next
    for (const listener of listeners) listener()
  }
  const change = (id: string, part: Partial<UploadJob>): void =>
    set(jobs.map((job) => (job.id === id ? { ...job, ...part } : job)))
  const find = (id: string): UploadJob | undefined => jobs.find((job) => job.id === id)

  const startNext = (): void => {
    while (running.size < AT_A_TIME) {
      const next = jobs.find(({ state }) => state.status === 'waiting')
      if (!next?.file) return
      void run(next, next.file)
    }
  }

  const run = async (job: UploadJob, file: File): Promise<void> => {
    const { id, fields, idempotencyKey } = job
    const controller = new AbortController()
    const { signal } = controller
    running.set(id, controller)
    const startedAt = performance.now()
    const report = (sentBytes: number) => {
      if (signal.aborted) return
      change(id, { state: { status: 'sending', sentBytes, elapsedMs: performance.now() - startedAt } })
    }
    report(0)
    try {
      const result = await send({ fields, file, idempotencyKey, signal, onProgress: report })
      // A file that is cancelled while its response arrives is in the library anyway.
      onAccepted(result)
      if (!signal.aborted) change(id, { state: stateOf(result) })
    } catch (error) {
      if (!signal.aborted) change(id, { state: failureOf(error) })
    }
    if (running.get(id) === controller) running.delete(id)
    startNext()
  }

  const abort = (id: string): void => {
    running.get(id)?.abort()
    running.delete(id)
  }

  return {
    getJobs: () => jobs,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(files, fields, idempotencyKey) {
      const added = files.map(
        (file): UploadJob => ({
          id: newIdempotencyKey(),
          name: file.name,
          sizeBytes: file.size,
          file,
          fields,
          idempotencyKey: idempotencyKey ?? newIdempotencyKey(),
          state: { status: 'waiting' },
        }),
      )
      set([...jobs, ...added])
      startNext()
      return added
    },
    follow({ id: importId, url }) {
      const state = { status: 'import', importId } as const
      const id = newIdempotencyKey()
      set([...jobs, { id, name: url ?? '', sizeBytes: 0, file: null, fields: {}, idempotencyKey: id, state }])
    },
    cancel(id) {
      const job = find(id)
      if (!job || !isUnderWay(job)) return
      abort(id)
      change(id, { state: { status: 'cancelled' } })
      startNext()
    },
    retry(id) {
      const job = find(id)
      if (!job?.file || !['failed', 'cancelled'].includes(job.state.status)) return
      change(id, { state: { status: 'waiting' } })
      startNext()
    },
    replace(id, file) {
      abort(id)
      const { name, size: sizeBytes } = file
      const idempotencyKey = newIdempotencyKey()
      change(id, { file, name, sizeBytes, idempotencyKey, state: { status: 'waiting' } })
      startNext()
    },
    remove(id) {
      abort(id)
      set(jobs.filter((job) => job.id !== id))
      startNext()
    },
    stop() {
      const controllers = [...running.values()]
      running.clear()
      set([])
      for (const controller of controllers) controller.abort()
    },
  }
}

const stateOf = (result: Model | ModelImport): UploadState =>
  isModel(result) ? { status: 'arrived', model: result } : { status: 'import', importId: result.id }

const failureOf = (error: unknown): UploadState => ({
  status: 'failed',
  message: errorDetail(error, UPLOAD_FAILED),
  isAboutFile: error instanceof ApiError && ABOUT_THE_FILE.includes(error.status),
  errors: error instanceof ApiError ? error.errors : [],
})
