import { NeedAccess } from '../features/auth/need-access.tsx'
import { SignInFrame } from '../features/auth/sign-in-frame.tsx'
import { UsernameForm } from '../features/auth/username-form.tsx'
import { t } from '@/lib/i18n/messages.ts'

export function LegacyLoginRoute() {
  return (
    <SignInFrame otherWay={{ path: '/login', label: t('Sign in with email') }} below={<NeedAccess />}>
      <UsernameForm />
    </SignInFrame>
  )
}
