import { lazy, Suspense } from 'react'
import { DialogBoundary } from '../error-page.tsx'

export type ShellDialog = 'palette' | 'scan' | 'profile'

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))
const ProfileDialog = lazy(async () => ({
  default: (await import('../../features/auth/profile-dialog.tsx')).ProfileDialog,
}))
const ScanDialog = lazy(async () => ({ default: (await import('./scan-dialog.tsx')).ScanDialog }))

/** What opens over any room. Each starts afresh, so a closed one is not there at all. */
export function ShellDialogs({ open, onClose }: { open: ShellDialog | null; onClose: () => void }) {
  return (
    <DialogBoundary onClose={onClose}>
      <Suspense fallback={null}>
        {open === 'palette' ? <CommandPalette onClose={onClose} /> : null}
        {open === 'scan' ? <ScanDialog onClose={onClose} /> : null}
        {open === 'profile' ? <ProfileDialog onClose={onClose} /> : null}
      </Suspense>
    </DialogBoundary>
  )
}
