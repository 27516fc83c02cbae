import { useSearchParams } from 'react-router'
import { EmailScreen, type EmailView } from '../features/auth/email-screen.tsx'
import { canUseKeys } from '../lib/browser/can-use-keys.ts'
import { onDemand } from '../lib/browser/loadable.tsx'
import { SignInFrame } from '../features/auth/sign-in-frame.tsx'
import { useConfig, useSignUpMode } from '../lib/http/config.ts'

/** Loaded only if there are other sign-in methods. */
const OtherWays = onDemand(async () => (await import('../features/auth/other-ways.tsx')).OtherWays)

const VIEWS: readonly EmailView[] = ['sign-in', 'sign-up', 'forgot-password']

/** The sign-in screen. The `view` parameter selects the form, so that the back button works. */
export function LoginRoute() {
  const [search, setSearch] = useSearchParams()
  const config = useConfig()
  const view = VIEWS.find((each) => each === search.get('view')) ?? 'sign-in'

  function handleViewChange(next: EmailView, options?: { replace: boolean }): void {
    setSearch((current) => {
      const changed = new URLSearchParams(current)
      if (next === 'sign-in') changed.delete('view')
      else changed.set('view', next)
      return changed
    }, options)
  }

  const next = search.get('next')
  const hasPasskeys = config !== null && config.passkeys && canUseKeys(config.webauthn_rp_id)
  const otherWays =
    config &&
    (hasPasskeys || config.sso || config.sign_in_providers.length > 0) &&
    view !== 'forgot-password' ? (
      <OtherWays
        hasPasskeys={hasPasskeys}
        hasSso={config.sso}
        providers={config.sign_in_providers}
        backTo={next === null ? '/login' : `/login?${new URLSearchParams({ next })}`}
      />
    ) : null

  return (
    <SignInFrame otherWay={{ path: '/legacy-login', label: 'Sign in with username' }} below={otherWays}>
      <EmailScreen view={view} onViewChange={handleViewChange} signUpMode={useSignUpMode()} />
    </SignInFrame>
  )
}
