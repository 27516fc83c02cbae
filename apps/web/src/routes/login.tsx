import { EmailForm } from '../features/auth/email-form.tsx'
import { SignInFrame } from '../features/auth/sign-in-frame.tsx'

export function LoginRoute() {
  return (
    <SignInFrame otherWay={{ path: '/legacy-login', label: 'Sign in with username' }}>
      <EmailForm />
    </SignInFrame>
  )
}
