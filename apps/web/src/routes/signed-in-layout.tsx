import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Outlet, useNavigate, useSearchParams } from 'react-router'
import { DockProvider } from '../components/ui/overlays/dock.tsx'
import { AccountLanguage } from '../features/auth/language/account-language.tsx'
import { ProviderReturn } from '../features/auth/provider-return.tsx'
import { IdentityPrompt } from '../features/auth/identity-prompt.tsx'
import { LabelsHost } from '../features/labels/labels-host.tsx'
import { TrayHost } from '../features/stl-library/upload/tray/tray-host.tsx'
import { UploadsProvider } from '../features/stl-library/upload/uploads-provider.tsx'
import { useLiveEvents } from '../lib/live-events/live-events.ts'
import { useIsIdle } from '../lib/browser/when-idle.ts'
import { dropPreparedClient, takeQueryClient } from '../lib/http/query-client.ts'
import { followOfflineLists } from '../lib/session/offline-lists.ts'
import { useCurrentUser, useSession } from '../lib/session/session.ts'
import { DialogBoundary } from '../app/dialog-boundary.tsx'
import { LoadingScreen } from '../app/loading-screen.tsx'
import { RoleUnknownBar } from '../app/role-unknown-bar.tsx'
import { modelAddress, readTab } from '../app/tabs.ts'
import { FactorSetupGate } from './factor-setup-gate.tsx'

const Toaster = lazy(async () => ({
  default: (await import('../components/ui/overlays/toast.tsx')).Toaster,
}))

const FirstPasswordDialog = lazy(async () => ({
  default: (await import('../features/auth/profile/first-password-dialog.tsx')).FirstPasswordDialog,
}))

/**
 * The shared parts of all pages behind the sign-in. When the session ends, they are unmounted, and their
 * cache is cleared.
 */
export function SignedInLayout() {
  const session = useSession()
  const { id } = useCurrentUser()
  const isRoleUnknown = session.status === 'signed-in' && session.isRoleUnknown
  // The key makes React start with empty state when another account signs in, and once a missing role is known.
  return <AccountLayout key={`${id} ${isRoleUnknown}`} />
}

function AccountLayout() {
  const user = useCurrentUser()
  const [queryClient] = useState(() => takeQueryClient(user.id))
  useEffect(() => dropPreparedClient, [])
  useEffect(() => followOfflineLists(queryClient, user.id), [queryClient, user.id])
  // The server refuses every other call until the password is changed, so no other call is sent. The flag is
  // read only once per session, because the dialog shows a message after the change.
  const [mustChangePassword] = useState(user.password_change_required)
  if (mustChangePassword)
    return (
      <Suspense fallback={<LoadingScreen />}>
        <FirstPasswordDialog />
      </Suspense>
    )
  return (
    <FactorSetupGate queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <LiveUpdates />
        <AccountLanguage />
        <OpenedNotifications />
        <UploadsProvider>
          <DockProvider>
            <RoleUnknownBar />
            <Suspense fallback={<LoadingScreen />}>
              <Outlet />
            </Suspense>
            <Tray />
          </DockProvider>
        </UploadsProvider>
        <LabelsHost />
        <IdentityPrompt />
        <ProviderReturn />
        <Toasts />
      </QueryClientProvider>
    </FactorSetupGate>
  )
}

/** Shows uploads on every page. They continue when the page changes. */
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

/**
 * Loaded before any toast is needed: once the connection is lost, this code could no longer be fetched to show
 * the toast about it.
 */
function Toasts() {
  if (!useIsIdle()) return null
  return (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  )
}

function LiveUpdates() {
  useLiveEvents()
  return null
}

/** Opens the page of a notification that was clicked. The service worker sends its path to one open tab. */
function OpenedNotifications() {
  const navigate = useNavigate()
  useEffect(() => {
    const follow = ({ data }: MessageEvent<{ open?: unknown }>) => {
      if (typeof data.open === 'string' && /^\/(?!\/)/.test(data.open)) void navigate(data.open)
    }
    // Browsers have no service workers on pages without HTTPS.
    const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : null
    workers?.addEventListener('message', follow)
    return () => workers?.removeEventListener('message', follow)
  }, [navigate])
  return null
}
