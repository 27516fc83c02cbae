import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { signInWithEmail } from '@/lib/session/session.ts'
import { CredentialFields } from './credential-fields.tsx'
import { providerCode, providerMessage } from './provider-message.ts'
import { SignInCard } from './sign-in-card.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { requestConfirmationLink } from '@/lib/session/own-account.ts'
import { useLinkMessage } from './mail-links/link-messages.ts'
import { focusField } from '@/lib/forms/focus-field.ts'
import { t } from '@/lib/i18n/messages.ts'

interface UnconfirmedAlertProps {
  /** The provider's message about the unconfirmed address. */
  message: string
  email: string
}

/** Explains why the sign-in was refused, with a button that requests another confirmation link. */
function UnconfirmedAlert({ message, email }: UnconfirmedAlertProps) {
  const { again } = useLinkMessage()
  const [isPending, setIsPending] = useState(false)
  const [answer, setAnswer] = useState<string | null>(null)

  async function handleResend(): Promise<void> {
    setIsPending(true)
    try {
      await requestConfirmationLink(email)
      setAnswer(again)
    } catch (error) {
      setAnswer(providerMessage(error, t('The link could not be requested.')))
    }
  }

  // After a request, the result replaces the button. The next sign-in attempt shows the button again.
  if (answer) return <AlertBox title={message}>{answer}</AlertBox>
  return (
    <AlertBox
      title={message}
      action={
        <Button size="sm" isPending={isPending} onClick={() => void handleResend()}>
          {isPending ? t('Requesting...') : t('Request another link')}
        </Button>
      }
    />
  )
}

const emailCredentials = z.object({
  email: z.string().check(
    z.trim(),
    z.minLength(1, t('Email is required')),
    // Owners might type their username here by mistake, and "Invalid credentials" would not tell them what is
    // wrong.
    z.refine(
      (email) => email.includes('@'),
      t('This is a username, not an email address: sign in with username below'),
    ),
  ),
  password: z.string().check(z.minLength(1, t('Password is required'))),
})

type EmailCredentials = z.output<typeof emailCredentials>

/** The props that all forms of the email screen share. */
export interface EmailFormProps {
  /** The email that was typed in another form of the screen. */
  email: string
  onEmailChange: (email: string) => void
  /** True if the first empty field gets the focus, as it does after a switch of forms. */
  isFocused: boolean
  ways: ReactNode
}

interface SignInFormProps extends EmailFormProps {
  notice: ReactNode
  /** Called at each sign-in attempt, because the notice is then no longer needed. */
  onTry: () => void
}

export function EmailForm({ email, onEmailChange, isFocused, ways, notice, onTry }: SignInFormProps) {
  const { register, handleSubmit, formState } = useForm<EmailCredentials>({
    resolver: standardSchemaResolver(emailCredentials),
    defaultValues: { email, password: '' },
  })
  const [failure, setFailure] = useState<ReactNode>(null)
  const { errors, isSubmitting } = formState

  const onSubmit = handleSubmit(async (credentials, submit) => {
    setFailure(null)
    onTry()
    try {
      await signInWithEmail(credentials)
    } catch (error) {
      const message = providerMessage(error, t('Login failed'))
      const isUnconfirmed = providerCode(error) === 'email_not_confirmed'
      setFailure(isUnconfirmed ? <UnconfirmedAlert message={message} email={credentials.email} /> : message)
      focusField(submit, 'password')
    }
  })

  return (
    <SignInCard
      title={t('Ops Login')}
      notice={notice}
      failure={failure}
      isPending={isSubmitting}
      submitText={isSubmitting ? t('Signing in...') : t('Sign In')}
      onSubmit={onSubmit}
      ways={ways}
    >
      <CredentialFields {...{ register, errors, email, onEmailChange, isFocused }} />
    </SignInCard>
  )
}
