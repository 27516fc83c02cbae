import { uploadModel } from '@pegasus/contracts/stl-library/upload'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { uploadWithProgress } from '@/lib/http/upload.ts'
import { LISTS_KEY } from '../stl-library.queries.ts'
import { putImport } from './imports/imports.queries.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { createUploadQueue, isModel } from './upload-queue.ts'
import { type Uploads, UploadsContext } from './uploads-context.ts'

/** Keeps uploads running on every page while the person is signed in. */
export function UploadsProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [importId, open] = useState<string | null>(null)
  const [queue] = useState(() =>
    createUploadQueue({
      send: (options) => uploadWithProgress(uploadModel, options),
      onAccepted: (result) => {
        if (isModel(result)) void client.invalidateQueries({ queryKey: LISTS_KEY })
        else putImport(client, result)
      },
    }),
  )
  useEffect(() => () => queue.stop(), [queue])
  const uploads = useMemo<Uploads>(
    () => ({
      queue,
      opened: { importId, open },
      follow: (begun) => {
        putImport(client, begun)
        queue.follow(begun)
      },
    }),
    [queue, client, importId],
  )
  return (
    <UploadsContext value={uploads}>
      {children}
      <LeaveGuard queue={queue} />
    </UploadsContext>
  )
}
