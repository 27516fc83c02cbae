import { NeedAccess } from '../features/auth/need-access.tsx'
import { SignInFrame } from '../features/auth/sign-in-frame.tsx'
import { UsernameForm } from '../features/auth/username-form.tsx'

export function LegacyLoginRoute() {
  return (
    <SignInFrame otherWay={{ path: '/login', label: 'Sign in with email' }} below={<NeedAccess />}>
      <UsernameForm />
    </SignInFrame>
  )
}
