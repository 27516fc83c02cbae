import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { UploadJob, UploadQueue } from './upload-queue.ts'

export interface Uploads {
  queue: UploadQueue
  /** The archive whose files are shown to be chosen from; null while none is. */
  opened: { importId: string | null; open: (importId: string | null) => void }
  /** Lists an import that began without a file, and what is known of it. */
  follow: (begun: ModelImport) => void
}

export const UploadsContext = createContext<Uploads | null>(null)

/** What the person who is signed in has on its way. Throws outside of the sign-in. */
export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext)
  if (!uploads) throw new Error('There are no uploads outside of the sign-in.')
  return uploads
}

export function useUploadJobs(): readonly UploadJob[] {
  const { queue } = useUploads()
  return useSyncExternalStore(queue.subscribe, queue.getJobs)
}
