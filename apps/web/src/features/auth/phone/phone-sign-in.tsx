import { type FormEvent, type ReactNode, useState } from 'react'
import { requestPhoneCode, signInWithPhoneCode } from '@/lib/session/phone.ts'
import { Way, Ways } from '../auth-footer-links.tsx'
import { SignInCard } from '../sign-in-card.tsx'
import { PhoneCodeField, PhoneField } from './phone-fields.tsx'
import { usePhoneCode, usePhoneNumber } from './use-phone-code.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Signs in with a code that is sent to a phone. */
export function PhoneSignIn({ onBack }: { onBack: () => void }) {
  const [phone, setPhone] = useState<string | null>(null)
  const back = <Way onSelect={onBack}>{t('Back to sign in')}</Way>
  return phone === null ? (
    <NumberForm onSent={setPhone} ways={<Ways>{back}</Ways>} />
  ) : (
    <CodeForm
      phone={phone}
      ways={
        <Ways>
          <Way onSelect={() => setPhone(null)}>{t('Send another code')}</Way>
          {back}
        </Ways>
      }
    />
  )
}

interface StepProps {
  ways: ReactNode
}

function NumberForm({ onSent, ways }: StepProps & { onSent: (phone: string) => void }) {
  const number = usePhoneNumber(async (phone) => {
    await requestPhoneCode(phone)
    onSent(phone)
  })
  return (
    <SignInCard
      title={t('Sign in with a text message')}
      intro={t('We send a code to the phone number of your account.')}
      failure={number.failure}
      isPending={number.isPending}
      submitText={number.isPending ? t('Sending...') : t('Send code')}
      onSubmit={(event) => submit(event, number.submit)}
      ways={ways}
    >
      <PhoneField field={number.field} controlSize="lg" />
    </SignInCard>
  )
}

function CodeForm({ phone, ways }: StepProps & { phone: string }) {
  const code = usePhoneCode((given) => signInWithPhoneCode({ phone, code: given }))
  return (
    <SignInCard
      title={t('Enter the code from the message')}
      intro={t('If an account has the number +{phone}, a code is on its way.', { phone })}
      failure={code.failure}
      isPending={code.isPending}
      submitText={code.isPending ? t('Signing in...') : t('Sign In')}
      onSubmit={(event) => submit(event, code.submit)}
      ways={ways}
    >
      <PhoneCodeField field={code.field} controlSize="lg" />
    </SignInCard>
  )
}

function submit(event: FormEvent, send: () => void): void {
  event.preventDefault()
  send()
}
