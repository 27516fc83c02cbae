import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { LoadingScreen } from '../app/loading-screen.tsx'
import { FactorSetupGate } from './factor-setup-gate.tsx'
import { SecondStepScreen } from './second-step-screen.tsx'
import { toast } from '../components/ui/overlays/toast-store.ts'
import { AskForLinkAgain } from '../features/auth/mail-links/ask-for-link-again.tsx'
import { ChoosePasswordForm } from '../features/auth/choose-password-form.tsx'
import { SignInFrame } from '../features/auth/sign-in-frame.tsx'
import { createQueryClient } from '../lib/http/query-client.ts'
import { useMailLink, useSession } from '../lib/session/session.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Sign-in methods by which a session may set a password without the current one. */
const LINK_METHODS: readonly (string | null)[] = ['recovery', 'invite', 'magiclink']

const TOO_OLD = t('This link was opened too long ago.')

/** The page to which the links for a forgotten password and for invitations lead. */
export function ResetPasswordRoute() {
  const session = useSession()
  const link = useMailLink()
  const navigate = useNavigate()
  const [isTooOld, setIsTooOld] = useState(false)
  const [queryClient] = useState(createQueryClient)

  if (link?.kind === 'refused' || isTooOld)
    return <AskAgain sentence={link?.kind === 'refused' ? link.sentence : TOO_OLD} />
  if (session.status === 'loading' || link?.kind === 'code') return <LoadingScreen />
  if (session.status === 'second-step') return <SecondStepScreen account={session.account} />
  if (session.status === 'signed-out') return <AskAgain sentence={null} />
  // With any other session, people change the password in their profile, which asks for the current one.
  if (!LINK_METHODS.includes(session.method)) return <Navigate to="/" replace />

  return (
    // Until the second factor is set up, the server refuses the new password.
    <FactorSetupGate queryClient={queryClient}>
      <SignInFrame>
        <ChoosePasswordForm
          isInvited={session.method === 'invite'}
          fullName={session.user.full_name}
          email={session.user.email}
          onLinkExpired={() => setIsTooOld(true)}
          onChosen={() => {
            toast({ title: t('Your password is saved') })
            void navigate('/', { replace: true })
          }}
        />
      </SignInFrame>
    </FactorSetupGate>
  )
}

const AskAgain = ({ sentence }: { sentence: string | null }) => (
  <AskForLinkAgain link="password" title={t('Choose a new password')} sentence={sentence} />
)
