import type { SIGNUP_MODES } from '@pegasus/contracts/config'
import { type ReactNode, useState } from 'react'
import { AlertBox } from '@/components/ui/alert-box.tsx'
import { Button } from '@/components/ui/button.tsx'
import { cx } from '@/lib/class-names.ts'
import { AskForLinkForm } from './ask-for-link-form.tsx'
import { EmailForm } from './email-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

export type EmailView = 'sign-in' | 'sign-up' | 'forgot-password'

interface EmailScreenProps {
  view: EmailView
  onViewChange: (view: EmailView, options?: { replace: boolean }) => void
  /** Who may make an account; null while that is not known. */
  signUpMode: (typeof SIGNUP_MODES)[number] | null
}

export function EmailScreen({ view: asked, onViewChange, signUpMode }: EmailScreenProps) {
  const isClosed = signUpMode === 'closed'
  const view = isClosed && asked === 'sign-up' ? 'sign-in' : asked
  const [email, setEmail] = useState('')
  // Only a switch moves the focus: whoever has just opened the page may still be reading.
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
              <Way onSelect={() => switchTo('sign-in')}>Already have an account? Sign in</Way>
            </Ways>
          }
        />
      )
    case 'forgot-password':
      return (
        <AskForLinkForm
          {...form}
          link="password"
          title="Forgot password"
          ways={
            <Ways>
              <Way onSelect={() => switchTo('sign-in')}>Back to sign in</Way>
            </Ways>
          }
        />
      )
    case 'sign-in':
      return (
        <EmailForm
          {...form}
          onTry={() => setIsCreated(false)}
          notice={
            isCreated ? (
              <AccountCreated needsApproval={signUpMode === 'approval'} />
            ) : asked === 'sign-up' ? (
              <SignUpsClosed />
            ) : null
          }
          ways={
            <Ways>
              {isClosed ? null : (
                // Its place is kept while it is not known whether it is offered.
                <Way isHidden={signUpMode === null} onSelect={() => switchTo('sign-up')}>
                  Need an account? Sign up
                </Way>
              )}
              <Way onSelect={() => switchTo('forgot-password')}>Forgot password?</Way>
            </Ways>
          }
        />
      )
  }
}

const AccountCreated = ({ needsApproval }: { needsApproval: boolean }) => (
  <AlertBox
    tone="success"
    title="Account created! Please check your email to verify your account, or try logging in."
  >
    {needsApproval ? <p>An administrator has to approve the account before you can sign in.</p> : null}
  </AlertBox>
)

const SignUpsClosed = () => (
  <AlertBox tone="note" title="Sign-ups are closed">
    Ask an administrator for an account.
  </AlertBox>
)

const Ways = ({ children }: { children: ReactNode }) => (
  <div className="-mx-[9px] -mb-2 flex flex-wrap justify-between gap-x-2">{children}</div>
)

const Way = ({
  isHidden = false,
  onSelect,
  children,
}: {
  isHidden?: boolean
  onSelect: () => void
  children: ReactNode
}) => (
  <Button
    variant="ghost"
    size="sm"
    className={cx('underline! decoration-line-2 underline-offset-3', isHidden && 'invisible')}
    onClick={onSelect}
  >
    {children}
  </Button>
)
