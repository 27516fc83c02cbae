import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { InDock } from '@/components/ui/overlays/dock.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useIsIdle } from '@/lib/browser/when-idle.ts'
import { importsQuery } from '../imports/imports.queries.ts'
import { useUploadJobs, useUploads } from '../uploads-context.ts'

const UploadTray = lazy(async () => ({ default: (await import('./upload-tray.tsx')).UploadTray }))
const ArchiveDialog = lazy(async () => ({
  default: (await import('../imports/archive-dialog.tsx')).ArchiveDialog,
}))

interface TrayHostProps {
  /** True if the library is open. Only the library shows earlier imports as well. */
  isLibrary: boolean
  modelAddress: (id: string) => string
}

/**
 * The upload tray, and the dialog of an archive that was opened from it. Shown on every page to people who
 * may upload.
 */
export function TrayHost({ isLibrary, modelAddress }: TrayHostProps) {
  const { role } = useCurrentUser()
  const jobs = useUploadJobs()
  const { opened } = useUploads()
  // Earlier imports are loaded after the first view. The tray is loaded only if there are any.
  const showsEarlier = useIsIdle() && isLibrary
  const isStaff = hasRole(role, 'staff')
  const { data: imports = [] } = useQuery({ ...importsQuery, enabled: showsEarlier && isStaff })
  if (!isStaff) return null
  return (
    <Suspense fallback={null}>
      {(showsEarlier && imports.length > 0) || jobs.length > 0 ? (
        <InDock>
          <UploadTray showsEarlier={isLibrary} modelAddress={modelAddress} />
        </InDock>
      ) : null}
      {opened.importId ? (
        <ArchiveDialog id={opened.importId} modelAddress={modelAddress} onClose={() => opened.open(null)} />
      ) : null}
    </Suspense>
  )
}
