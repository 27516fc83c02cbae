import type { User } from '@supabase/auth-js'
import { lazy, Suspense } from 'react'
import { LoadingScreen } from '../app/loading-screen.tsx'

const SecondStepRoute = lazy(async () => ({
  default: (await import('./second-step.tsx')).SecondStepRoute,
}))

/** The screen for the second factor. It is loaded only for people who need it. */
export const SecondStepScreen = ({ account }: { account: User }) => (
  <Suspense fallback={<LoadingScreen />}>
    <SecondStepRoute account={account} />
  </Suspense>
)
