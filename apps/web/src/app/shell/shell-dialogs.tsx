import { lazy, Suspense } from 'react'
import { DialogBoundary } from '../dialog-boundary.tsx'
import { scannedAddress } from '../scanned-address.ts'
import { orderStepAddress, printAddress, type TabId } from '../tabs.ts'

/**
 * `code` is the code that a scanner typed before the dialog opened. `helpFor` is the tab whose help was
 * requested.
 */
export type ShellDialog =
  | 'palette'
  | 'scan'
  | 'help'
  | 'profile'
  | 'alerts'
  | { code: string }
  | { helpFor: TabId }

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))
const ProfileDialog = lazy(async () => ({
  default: (await import('../../features/auth/profile-dialog.tsx')).ProfileDialog,
}))
const HelpDialog = lazy(async () => ({ default: (await import('./help-dialog.tsx')).HelpDialog }))
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
  current,
  onOpen,
  onClose,
}: {
  open: ShellDialog | null
  /** Tab of the current page. The help dialog shows the help of this tab. */
  current: TabId | null
  onOpen: (dialog: ShellDialog) => void
  onClose: () => void
}) {
  const firstCode = typeof open === 'object' && open && 'code' in open ? open.code : null
  const helpFor = typeof open === 'object' && open && 'helpFor' in open ? open.helpFor : null
  return (
    <DialogBoundary onClose={onClose}>
      <Suspense fallback={null}>
        {open === 'palette' ? (
          <CommandPalette
            onClose={onClose}
            onScan={(code) => onOpen(code === null ? 'scan' : { code })}
            onProfile={() => onOpen('profile')}
            onHelp={(tab) => onOpen(tab === null ? 'help' : { helpFor: tab })}
          />
        ) : null}
        {open === 'scan' || firstCode ? (
          <ScanDialog
            onClose={onClose}
            firstCode={firstCode}
            addressOf={scannedAddress}
            printAddress={printAddress}
            orderStepAddress={orderStepAddress}
          />
        ) : null}
        {open === 'alerts' ? <AlertsDialog onClose={onClose} /> : null}
        {open === 'help' || helpFor ? <HelpDialog tab={helpFor ?? current} onClose={onClose} /> : null}
        {open === 'profile' ? <ProfileDialog onClose={onClose} /> : null}
      </Suspense>
    </DialogBoundary>
  )
}
