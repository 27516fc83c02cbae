import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { errorMessage } from '../api-error.ts'
import { logWarning } from '../../browser/log.ts'
import { type StoredMedia, uploadMedia } from './media-storage.ts'
import { newIdempotencyKey } from './upload.ts'
import { t } from '@/lib/i18n/messages.ts'

/** A waiting, running, finished or refused upload of product media. */
export interface MediaUpload {
  id: string
  file: File
  /** Name under which the file is stored. */
  name: string
  state: 'waiting' | 'sending' | 'done' | 'failed'
  /** Uploaded share, from 0 to 1. */
  progress: number
  stored: StoredMedia | null
  error: string | null
}

interface MediaUploadsOptions {
  /** The number of parallel uploads; 1 if the order of arrival matters. */
  atOnce?: number
  onStored?: (upload: MediaUpload, stored: StoredMedia) => void
}

/** Uploads files, several at a time. Each upload can be cancelled, repeated and removed from the list. */
export function useMediaUploads({ atOnce = 2, onStored }: MediaUploadsOptions = {}) {
  const [uploads, setUploads] = useState<readonly MediaUpload[]>([])
  const [running] = useState(() => new Map<string, AbortController>())
  const queue = useRef<MediaUpload[]>([])
  const reportStored = useEffectEvent((upload: MediaUpload, stored: StoredMedia) =>
    onStored?.(upload, stored),
  )

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
      reportStored(upload, stored)
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
  // Starts the uploads that were added to the list. This is an effect, because effect events must not be called during
  // rendering.
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
    /** Removes the upload from the list, and cancels it if it is running. */
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

/**
 * Returns the message of an error of the storage client or of our own code; both have messages that can be
 * shown.
 */
const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== ''
    ? error.message
    : errorMessage(error, t('The upload failed. Please try again.'))

/** The result of `useMediaUploads`, for components that show uploads. */
export type MediaUploads = ReturnType<typeof useMediaUploads>
