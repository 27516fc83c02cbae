import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { LoadingScreen } from '../app/loading-screen.tsx'
import { IdentityPrompt } from '../features/auth/identity-prompt.tsx'
import { useCurrentUser } from '../lib/session/session.ts'

const FactorSetupDialog = lazy(async () => ({
  default: (await import('../features/auth/second-factor/factor-setup-dialog.tsx')).FactorSetupDialog,
}))

/** Shows the setup of the second factor instead of its children, while the role of the account requires one. */
export function FactorSetupGate({
  queryClient,
  children,
}: {
  queryClient: QueryClient
  children: ReactNode
}) {
  const user = useCurrentUser()
  // The setup can become required at any time. The dialog stays until the person has stored the recovery codes.
  const [isSettingUp, setIsSettingUp] = useState(false)
  if (user.second_factor_setup_required && !isSettingUp) setIsSettingUp(true)
  if (!isSettingUp) return children
  return (
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={<LoadingScreen />}>
        <FactorSetupDialog onDone={() => setIsSettingUp(false)} />
      </Suspense>
      <IdentityPrompt />
    </QueryClientProvider>
  )
}
