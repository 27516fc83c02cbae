import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '@/lib/http/api-error.ts'
import { sendSlice, slicesQuery } from './slices.queries.ts'

/** A file on its way, or the reason why it was refused. */
export interface SliceUpload {
  key: number
  name: string
  sizeBytes: number
  sentBytes: number
  failure: string | null
}

/** Uploads files one after another; those that were stored leave the list. */
export function useSliceUploads(modelId: string) {
  const client = useQueryClient()
  const [uploads, setUploads] = useState<readonly SliceUpload[]>([])
  const lastKey = useRef(0)
  const queue = useRef(Promise.resolve())
  const stopping = useRef(new AbortController())

  useEffect(() => {
    stopping.current = new AbortController()
    return () => stopping.current.abort()
  }, [])

  const change = (key: number, to: Partial<SliceUpload>) =>
    setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...to } : each)))
  const dismiss = (key: number) => setUploads((all) => all.filter((each) => each.key !== key))

  const send = async (key: number, file: File): Promise<void> => {
    const { signal } = stopping.current
    if (signal.aborted) return
    try {
      await sendSlice(modelId, file, { signal, onProgress: (sentBytes) => change(key, { sentBytes }) })
      await client.invalidateQueries({ queryKey: slicesQuery(modelId).queryKey })
      dismiss(key)
    } catch (error) {
      if (!signal.aborted) change(key, { failure: errorMessage(error, 'The file could not be uploaded.') })
    }
  }

  const add = (files: readonly File[]) => {
    for (const file of files) {
      lastKey.current += 1
      const key = lastKey.current
      setUploads((all) => [
        ...all,
        { key, name: file.name, sizeBytes: file.size, sentBytes: 0, failure: null },
      ])
      queue.current = queue.current.then(() => send(key, file))
    }
  }
  return { uploads, add, dismiss }
}
