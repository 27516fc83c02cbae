import type { ModelImport } from '@pegasus/contracts/stl-library/imports'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { UploadJob, UploadQueue } from './upload-queue.ts'

export interface Uploads {
  queue: UploadQueue
  /** Id of the import whose archive files are shown, null if none is, and the function that changes it. */
  opened: { importId: string | null; open: (importId: string | null) => void }
  /** Adds an import without a local file to the list. */
  follow: (begun: ModelImport) => void
}

export const UploadsContext = createContext<Uploads | null>(null)

/** Returns the uploads of the signed-in person. Throws outside the provider. */
export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext)
  if (!uploads) throw new Error('useUploads must be called inside the UploadsProvider.')
  return uploads
}

export function useUploadJobs(): readonly UploadJob[] {
  const { queue } = useUploads()
  return useSyncExternalStore(queue.subscribe, queue.getJobs)
}
