import { hasRole } from '@pegasus/contracts/roles'
import { useCurrentUser } from '@/lib/session.ts'
import { ArchiveDialog } from './archive-dialog.tsx'
import { UploadTray } from './upload-tray.tsx'
import { useUploadJobs, useUploads } from './uploads-context.ts'

interface TrayHostProps {
  /** Whether the library is what is shown: there, imports of earlier are shown as well. */
  isLibrary: boolean
  modelAddress: (id: string) => string
}

/** The tray and the archive that is opened from it, in whatever room, for those who may upload. */
export function TrayHost({ isLibrary, modelAddress }: TrayHostProps) {
  const { role } = useCurrentUser()
  const jobs = useUploadJobs()
  const { opened } = useUploads()
  if (!hasRole(role, 'staff')) return null
  return (
    <>
      {isLibrary || jobs.length > 0 ? (
        <UploadTray showsEarlier={isLibrary} modelAddress={modelAddress} />
      ) : null}
      {opened.importId ? (
        <ArchiveDialog id={opened.importId} modelAddress={modelAddress} onClose={() => opened.open(null)} />
      ) : null}
    </>
  )
}
