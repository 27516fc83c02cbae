import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { errorMessage } from './api-error.ts'
import { logWarning } from '../browser/log.ts'
import { type StoredMedia, uploadMedia } from './media-storage.ts'
import { newIdempotencyKey } from './upload.ts'

/** A file on its way to the product media, or there, or refused. */
export interface MediaUpload {
  id: string
  file: File
  /** What it is called there. */
  name: string
  state: 'waiting' | 'sending' | 'done' | 'failed'
  /** From 0 to 1. */
  progress: number
  stored: StoredMedia | null
  error: string | null
}

interface MediaUploadsOptions {
  /** How many are under way together; one where the order in which they arrive counts. */
  atOnce?: number
  onStored?: (upload: MediaUpload, stored: StoredMedia) => void
}

/** Uploads, a few at a time, each of which can be given up, tried again and taken off the list. */
export function useMediaUploads({ atOnce = 2, onStored }: MediaUploadsOptions = {}) {
  const [uploads, setUploads] = useState<readonly MediaUpload[]>([])
  const [running] = useState(() => new Map<string, AbortController>())
  const queue = useRef<MediaUpload[]>([])
  const tellStored = useEffectEvent((upload: MediaUpload, stored: StoredMedia) => onStored?.(upload, stored))

  const patch = (id: string, part: Partial<MediaUpload>) =>
    setUploads((now) => now.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)))

  const send = useEffectEvent(async (upload: MediaUpload) => {
    const { id, file, name } = upload
    const controller = new AbortController()
    running.set(id, controller)
    patch(id, { state: 'sending', progress: 0, error: null })
    try {
      const onProgress = (progress: number) => patch(id, { progress })
      const stored = await uploadMedia({ file, name, signal: controller.signal, onProgress })
      patch(id, { state: 'done', progress: 1, stored })
      tellStored(upload, stored)
    } catch (error) {
      if (controller.signal.aborted) return
      logWarning(`The upload of ${name} failed.`, error)
      patch(id, { state: 'failed', error: messageOf(error) })
    } finally {
      running.delete(id)
      sendNext()
    }
  })
  const sendNext = useEffectEvent(() => {
    while (running.size < atOnce) {
      const next = queue.current.shift()
      if (!next) return
      void send(next)
    }
  })
  // What has been given to the list is sent from here, since events of effects may not be called while rendering.
  useEffect(() => {
    const waiting = uploads.filter(({ state }) => state === 'waiting')
    const isKnown = ({ id }: MediaUpload) => running.has(id) || queue.current.some((each) => each.id === id)
    const fresh = waiting.filter((upload) => !isKnown(upload))
    if (fresh.length === 0) return
    queue.current.push(...fresh)
    sendNext()
  }, [uploads, running])

  return {
    uploads,
    isBusy: uploads.some(({ state }) => state === 'waiting' || state === 'sending'),
    start: (files: readonly { file: File; name: string }[]) =>
      setUploads((now) => [...now, ...files.map(toUpload)]),
    retry: (id: string) => patch(id, { state: 'waiting', error: null }),
    /** Takes it off the list, and gives it up where it is on its way. */
    remove: (id: string) => {
      queue.current = queue.current.filter((upload) => upload.id !== id)
      running.get(id)?.abort(new DOMException('The upload was cancelled.', 'AbortError'))
      setUploads((now) => now.filter((upload) => upload.id !== id))
    },
    clear: () => setUploads((now) => now.filter(({ state }) => state === 'waiting' || state === 'sending')),
  }
}

const toUpload = ({ file, name }: { file: File; name: string }): MediaUpload => ({
  id: newIdempotencyKey(),
  file,
  name,
  state: 'waiting',
  progress: 0,
  stored: null,
  error: null,
})

/** The storage client's own error, and ours, say what to tell. */
const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== ''
    ? error.message
    : errorMessage(error, 'The upload failed. Please try again.')

/** What the places that show uploads need of them. */
export type MediaUploads = ReturnType<typeof useMediaUploads>
