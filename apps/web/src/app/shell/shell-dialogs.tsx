import { lazy, Suspense } from 'react'
import { ProfileDialog } from '../../features/auth/profile-dialog.tsx'

export type ShellDialog = 'palette' | 'scan' | 'profile'

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))
const ScanDialog = lazy(async () => ({ default: (await import('./scan-dialog.tsx')).ScanDialog }))

/** What opens over any room. Each starts afresh, so a closed one is not there at all. */
export function ShellDialogs({ open, onClose }: { open: ShellDialog | null; onClose: () => void }) {
  return (
    <Suspense fallback={null}>
      {open === 'palette' ? <CommandPalette onClose={onClose} /> : null}
      {open === 'scan' ? <ScanDialog onClose={onClose} /> : null}
      {open === 'profile' ? <ProfileDialog isOpen onClose={onClose} /> : null}
    </Suspense>
  )
}
