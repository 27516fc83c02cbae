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

/** What everything behind the sign-in shares. It goes with the session, and what was cached goes with it. */
export function SignedInLayout() {
  const user = useCurrentUser()
  const [queryClient] = useState(createQueryClient)
  // The server refuses everything else until the password is changed, so nothing else is even asked. It holds until
  // the session ends: the dialog has more to say after the change than the flag would let it.
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

/** Uploads go on, and are seen, in whatever room. */
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
