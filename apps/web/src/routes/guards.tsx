import { Suspense } from 'react'
import { matchPath, Navigate, Outlet, useLocation, useSearchParams } from 'react-router'
import { readNextAddress, signInAddress } from '../lib/session/next-address.ts'
import { useSession } from '../lib/session/session.ts'
import { LoadingScreen } from '../app/loading-screen.tsx'
import { LoadingView } from '../app/loading-view.tsx'
import { mediaAddress } from '../app/tabs.ts'
import { SecondStepScreen } from './second-step-screen.tsx'

/** Renders its children only with a session that has passed all its steps. Without one, nothing below it is loaded. */
export function RequireSession() {
  const { status } = useSession()
  const location = useLocation()
  // Like the routes, this ignores the case and a slash at the end.
  const isAt = (path: string): boolean => matchPath(path, location.pathname) !== null
  if (status === 'loading') return isAt(mediaAddress) ? <GuardView /> : <LoadingScreen />
  if (status !== 'signed-in') return <Navigate to={signInAddress(location)} replace />
  if (isAt('/admin')) return <Navigate to="/" replace />
  return (
    <Suspense fallback={<LoadingScreen />}>
      <Outlet />
    </Suspense>
  )
}

/** Shown at the media page while the session is checked. */
const GuardView = () => (
  <div className="grid min-h-dvh place-content-center">
    <LoadingView />
  </div>
)

/** Renders the sign-in screens and the second step. A signed-in person is sent on to the requested page. */
export function SignedOutOnly() {
  const session = useSession()
  const [search] = useSearchParams()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'second-step') return <SecondStepScreen account={session.account} />
  if (session.status === 'signed-in') return <Navigate to={readNextAddress(search.get('next'))} replace />
  return <Outlet />
}
