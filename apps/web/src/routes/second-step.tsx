import type { User } from '@supabase/auth-js'
import { SecondStep } from '../features/auth/second-factor/second-step.tsx'
import { SignInFrame } from '../features/auth/sign-in-frame.tsx'

/** It has no address of its own: it stands wherever somebody is on the way in. */
export const SecondStepRoute = ({ account }: { account: User }) => (
  <SignInFrame>
    <SecondStep account={account} />
  </SignInFrame>
)
