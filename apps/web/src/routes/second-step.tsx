import type { User } from '@supabase/auth-js'
import { SecondStep } from '../features/auth/second-factor/second-step.tsx'
import { SignInFrame } from '../features/auth/sign-in-frame.tsx'

/** This screen has no address of its own; it replaces any page until the second step. */
export const SecondStepRoute = ({ account }: { account: User }) => (
  <SignInFrame>
    <SecondStep account={account} />
  </SignInFrame>
)
