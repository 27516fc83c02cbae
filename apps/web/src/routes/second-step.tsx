import type { User } from '@supabase/auth-js'
import { SecondStep } from '../features/auth/second-factor/second-step.tsx'
import { SignInFrame } from '../features/auth/sign-in-frame.tsx'

/**
 * The second step of a sign-in. It has no URL of its own, and replaces every page until the person has passed
 * it.
 */
export const SecondStepRoute = ({ account }: { account: User }) => (
  <SignInFrame>
    <SecondStep account={account} />
  </SignInFrame>
)
