import { Navigate } from 'react-router'
import { LoadingScreen } from '../app/loading-screen.tsx'
import { SecondStepScreen } from './second-step-screen.tsx'
import { AskForLinkAgain } from '../features/auth/mail-links/ask-for-link-again.tsx'
import { EmailConfirmed, type EmailConfirmedProps } from '../features/auth/mail-links/email-confirmed.tsx'
import { SignInFrame } from '../features/auth/sign-in-frame.tsx'
import { useMailLink, useSession } from '../lib/session/session.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The page to which the links that confirm an email address lead. */
export function VerifyEmailRoute() {
  const session = useSession()
  const link = useMailLink()

  if (link?.kind === 'waiting' || link?.kind === 'ready') return <Confirmed next={link.kind} />
  if (link?.kind === 'refused') return <AskAgain sentence={link.sentence} />
  if (session.status === 'loading' || link?.kind === 'code') return <LoadingScreen />
  if (session.status === 'second-step') return <SecondStepScreen account={session.account} />
  if (session.status === 'signed-out') return <AskAgain sentence={null} />
  return link ? <Confirmed next="signed-in" /> : <Navigate to="/" replace />
}

const Confirmed = ({ next }: EmailConfirmedProps) => (
  <SignInFrame>
    <EmailConfirmed next={next} />
  </SignInFrame>
)

const AskAgain = ({ sentence }: { sentence: string | null }) => (
  <AskForLinkAgain link="confirmation" title={t('Confirm your email address')} sentence={sentence} />
)
