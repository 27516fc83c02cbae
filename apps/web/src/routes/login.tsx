import { useSearchParams } from 'react-router'
import { EmailScreen, type EmailView } from '../features/auth/email-screen.tsx'
import { SignInFrame } from '../features/auth/sign-in-frame.tsx'
import { useSignUpMode } from '../lib/http/config.ts'

const VIEWS: readonly EmailView[] = ['sign-in', 'sign-up', 'forgot-password']

/** `view` in the address names the form of the email screen, so that the back button works. */
export function LoginRoute() {
  const [search, setSearch] = useSearchParams()
  const view = VIEWS.find((each) => each === search.get('view')) ?? 'sign-in'

  function handleViewChange(next: EmailView, options?: { replace: boolean }): void {
    setSearch((current) => {
      const changed = new URLSearchParams(current)
      if (next === 'sign-in') changed.delete('view')
      else changed.set('view', next)
      return changed
    }, options)
  }

  return (
    <SignInFrame otherWay={{ path: '/legacy-login', label: 'Sign in with username' }}>
      <EmailScreen view={view} onViewChange={handleViewChange} signUpMode={useSignUpMode()} />
    </SignInFrame>
  )
}
