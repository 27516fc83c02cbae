import { lazy, Suspense } from 'react'
import { DialogBoundary } from '../dialog-boundary.tsx'
import { scannedAddress } from '../scanned-address.ts'

/** `code` is what a scanner typed before the dialog opened. */
export type ShellDialog = 'palette' | 'scan' | 'shortcuts' | 'profile' | 'alerts' | { code: string }

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))
const ProfileDialog = lazy(async () => ({
  default: (await import('../../features/auth/profile-dialog.tsx')).ProfileDialog,
}))
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}))
const AlertsDialog = lazy(async () => ({
  default: (await import('../../features/alerts/alerts-dialog.tsx')).AlertsDialog,
}))
const ScanDialog = lazy(async () => ({
  default: (await import('../../features/scan/scan-dialog.tsx')).ScanDialog,
}))

/**
 * The dialogs that open over any page. A dialog is mounted only while it is open, so it starts without earlier input.
 */
export function ShellDialogs({
  open,
  onOpen,
  onClose,
}: {
  open: ShellDialog | null
  onOpen: (dialog: ShellDialog) => void
  onClose: () => void
}) {
  const firstCode = typeof open === 'object' && open ? open.code : null
  return (
    <DialogBoundary onClose={onClose}>
      <Suspense fallback={null}>
        {open === 'palette' ? (
          <CommandPalette
            onClose={onClose}
            onScan={(code) => onOpen(code === null ? 'scan' : { code })}
            onProfile={() => onOpen('profile')}
            onShortcuts={() => onOpen('shortcuts')}
          />
        ) : null}
        {open === 'scan' || firstCode ? (
          <ScanDialog onClose={onClose} firstCode={firstCode} addressOf={scannedAddress} />
        ) : null}
        {open === 'alerts' ? <AlertsDialog onClose={onClose} /> : null}
        {open === 'shortcuts' ? <ShortcutsDialog onClose={onClose} /> : null}
        {open === 'profile' ? <ProfileDialog onClose={onClose} /> : null}
      </Suspense>
    </DialogBoundary>
  )
}
