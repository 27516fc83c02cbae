import type { SIGNUP_MODES } from '@pegasus/contracts/client-config'
import { useState } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { onDemand } from '@/lib/browser/loadable.tsx'
import { forgetMailLink, useMailLink } from '@/lib/session/session.ts'
import { AskForLinkForm } from './mail-links/ask-for-link-form.tsx'
import { EmailForm } from './email-form.tsx'
import { useLinkMessage } from './mail-links/link-messages.ts'
import { SessionEnded } from './session-ended.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { Way, Ways } from './auth-footer-links.tsx'
import { t } from '@/lib/i18n/messages.ts'

const ProviderRefused = onDemand(async () => (await import('./provider-refused.tsx')).ProviderRefused)

export type EmailView = 'sign-in' | 'sign-up' | 'forgot-password'

interface EmailScreenProps {
  view: EmailView
  onViewChange: (view: EmailView, options?: { replace: boolean }) => void
  /** Opens the form for a code by email. */
  onCode: () => void
  /** The setting that says who may create an account; null while unknown. */
  signUpMode: (typeof SIGNUP_MODES)[number] | null
}

export function EmailScreen({ view: asked, onViewChange, onCode, signUpMode }: EmailScreenProps) {
  const isClosed = signUpMode === 'closed'
  const view = isClosed && asked === 'sign-up' ? 'sign-in' : asked
  const link = useMailLink()
  const [email, setEmail] = useState('')
  // The focus moves only after a switch of forms. A person who has just opened the page may still be reading.
  const [hasSwitched, setHasSwitched] = useState(false)
  const [isCreated, setIsCreated] = useState(false)

  function switchTo(next: EmailView, options?: { replace: boolean }): void {
    setHasSwitched(true)
    setIsCreated(false)
    onViewChange(next, options)
  }

  const form = { email, onEmailChange: setEmail, isFocused: hasSwitched }
  switch (view) {
    case 'sign-up':
      return (
        <SignUpForm
          {...form}
          onCreated={() => {
            switchTo('sign-in', { replace: true })
            setIsCreated(true)
          }}
          ways={
            <Ways>
              <Way onSelect={() => switchTo('sign-in')}>{t('Already have an account? Sign in')}</Way>
            </Ways>
          }
        />
      )
    case 'forgot-password':
      return (
        <AskForLinkForm
          {...form}
          link="password"
          title={t('Forgot password')}
          ways={
            <Ways>
              <Way onSelect={() => switchTo('sign-in')}>{t('Back to sign in')}</Way>
            </Ways>
          }
        />
      )
    case 'sign-in':
      return (
        <EmailForm
          {...form}
          onTry={() => {
            setIsCreated(false)
            forgetMailLink()
          }}
          notice={
            isCreated ? (
              <AccountCreated needsApproval={signUpMode === 'approval'} />
            ) : asked === 'sign-up' ? (
              <SignUpsClosed />
            ) : link?.kind === 'provider-refused' ? (
              <ProviderRefused {...link} />
            ) : link?.kind === 'session-refused' ? (
              <AlertBox title={link.sentence} />
            ) : (
              <SessionEnded />
            )
          }
          ways={
            <Ways>
              {isClosed ? null : (
                <Way isHidden={signUpMode === null} onSelect={() => switchTo('sign-up')}>
                  {t('Need an account? Sign up')}
                </Way>
              )}
              <Way onSelect={() => switchTo('forgot-password')}>{t('Forgot password?')}</Way>
              <Way onSelect={onCode}>{t('Email me a code')}</Way>
            </Ways>
          }
        />
      )
  }
}

function AccountCreated({ needsApproval }: { needsApproval: boolean }) {
  const { created } = useLinkMessage()
  return (
    <AlertBox
      tone="success"
      title={t('Account created! Please check your email to verify your account, or try logging in.')}
    >
      {created ? <p>{created}</p> : null}
      {needsApproval ? (
        <p>{t('An administrator has to approve the account before you can sign in.')}</p>
      ) : null}
    </AlertBox>
  )
}

const SignUpsClosed = () => (
  <AlertBox tone="note" title={t('Sign-ups are closed')}>
    {t('Ask an administrator for an account.')}
  </AlertBox>
)
