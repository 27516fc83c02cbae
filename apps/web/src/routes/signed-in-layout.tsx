import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Outlet, useSearchParams } from 'react-router'
import { DockProvider } from '../components/ui/overlays/dock.tsx'
import { Toaster } from '../components/ui/overlays/toast.tsx'
import { IdentityPrompt } from '../features/auth/identity-prompt.tsx'
import { LabelsHost } from '../features/labels/labels-host.tsx'
import { TrayHost } from '../features/stl-library/upload/tray/tray-host.tsx'
import { UploadsProvider } from '../features/stl-library/upload/uploads-provider.tsx'
import { useLiveEvents } from '../lib/live-events/live-events.ts'
import { createQueryClient } from '../lib/http/query-client.ts'
import { useCurrentUser } from '../lib/session/session.ts'
import { DialogBoundary } from '../app/error-page.tsx'
import { LoadingScreen } from '../app/loading-screen.tsx'
import { modelAddress, readTab } from '../app/tabs.ts'

const FirstPasswordDialog = lazy(async () => ({
  default: (await import('../features/auth/profile/first-password-dialog.tsx')).FirstPasswordDialog,
}))

/** The shared parts of all pages behind the sign-in. It is unmounted with the session, and clears the cache. */
export function SignedInLayout() {
  const user = useCurrentUser()
  const [queryClient] = useState(createQueryClient)
  // The server refuses every other call until the password is changed, so none is sent. The flag is read once per
  // session, because the dialog has more to say after the change.
  const [mustChangePassword] = useState(user.password_change_required)
  if (mustChangePassword)
    return (
      <Suspense fallback={<LoadingScreen />}>
        <FirstPasswordDialog />
      </Suspense>
    )
  return (
    <QueryClientProvider client={queryClient} key={user.id}>
      <LiveUpdates />
      <UploadsProvider>
        <DockProvider>
          <Suspense fallback={<LoadingScreen />}>
            <Outlet />
          </Suspense>
          <Tray />
        </DockProvider>
      </UploadsProvider>
      <LabelsHost />
      <IdentityPrompt />
      <Toaster />
    </QueryClientProvider>
  )
}

/** Uploads continue and are visible on every page. */
function Tray() {
  const [search] = useSearchParams()
  const [isBroken, setIsBroken] = useState(false)
  if (isBroken) return null
  return (
    <DialogBoundary onClose={() => setIsBroken(true)}>
      <TrayHost isLibrary={readTab(search) === 'stl-library'} modelAddress={modelAddress} />
    </DialogBoundary>
  )
}

function LiveUpdates() {
  useLiveEvents()
  return null
}
