import { type FormEvent, useState } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { requestMailCode, signInWithMailCode } from '@/lib/session/mail/mail-code.ts'
import { t } from '@/lib/i18n/messages.ts'
import { Way, Ways } from '../auth-footer-links.tsx'
import { PhoneCodeField } from '../phone/phone-fields.tsx'
import { providerMessage } from '../provider-message.ts'
import { useCode } from '../second-factor/use-code.ts'
import { SignInCard } from '../sign-in-card.tsx'
import { useLinkMessage } from './link-messages.ts'

interface MailCodeSignInProps {
  onBack: () => void
}

/** Signs in with a code that is sent by email. The email also contains a link, which signs in as well. */
export function MailCodeSignIn({ onBack }: MailCodeSignInProps) {
  const [email, setEmail] = useState('')
  const [isSent, setIsSent] = useState(false)
  const { intro, answer } = useLinkMessage().code
  const address = useCode({
    onCheck: async (given) => {
      await requestMailCode(given.trim())
      setIsSent(true)
    },
    describeError: (error) => providerMessage(error, t('The code could not be requested.')),
    incomplete: '',
    minLength: 0,
  })
  const code = useCode({
    onCheck: (given) => signInWithMailCode({ email: email.trim(), code: given }),
    describeError: (error) => providerMessage(error, t('Login failed')),
    incomplete: t('Enter all digits of the code.'),
    minLength: 6,
  })
  const back = <Way onSelect={onBack}>{t('Back to sign in')}</Way>

  if (!isSent)
    return (
      <SignInCard
        title={t('Sign in with a code by email')}
        intro={intro}
        failure={address.failure}
        isPending={address.isPending}
        submitText={address.isPending ? t('Sending...') : t('Send code')}
        onSubmit={(event) => submit(event, address.submit)}
        ways={<Ways>{back}</Ways>}
      >
        <Field label={t('Email')} isRequired>
          <Input
            ref={address.field.ref}
            value={email}
            onChange={(event) => {
              setEmail(event.target.value)
              address.field.onChange(event.target.value)
            }}
            controlSize="lg"
            type="email"
            autoComplete="email"
            autoFocus
          />
        </Field>
      </SignInCard>
    )

  const { onComplete: _, ...field } = code.field
  return (
    <SignInCard
      title={t('Enter the code from the email')}
      notice={<AlertBox tone="success" title={answer} />}
      failure={code.failure}
      isPending={code.isPending}
      submitText={code.isPending ? t('Signing in...') : t('Sign In')}
      onSubmit={(event) => submit(event, code.submit)}
      ways={
        <Ways>
          <Way
            onSelect={() => {
              code.reset()
              setIsSent(false)
            }}
          >
            {t('Send another code')}
          </Way>
          {back}
        </Ways>
      }
    >
      <PhoneCodeField field={field} controlSize="lg" />
    </SignInCard>
  )
}

function submit(event: FormEvent, send: () => void): void {
  event.preventDefault()
  send()
}
