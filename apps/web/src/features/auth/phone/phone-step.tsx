import { type FormEvent, type ReactNode, useState } from 'react'
import { type PhoneChallenge, proveByPhone, sendFactorCode } from '@/lib/session/phone.ts'
import { SignInCard } from '../sign-in-card.tsx'
import { PhoneCodeField } from './phone-fields.tsx'
import { describePhoneError } from './phone-message.ts'
import { usePhoneCode } from './use-phone-code.ts'
import { t } from '@/lib/i18n/messages.ts'

interface PhoneStepProps {
  /** Id of the phone's factor, to which the code is sent. */
  factorId: string
  intro: ReactNode
  ways: ReactNode
  /** The control that selects the phone, shown until the code is sent. */
  children: ReactNode
}

/** The second step of a sign-in with a code that is sent to a phone. The code is sent only on request. */
export function PhoneStep({ factorId, intro, ways, children }: PhoneStepProps) {
  const [challenge, setChallenge] = useState<PhoneChallenge | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isSending, setIsSending] = useState(false)
  const code = usePhoneCode(async (given) => {
    if (challenge) await proveByPhone(challenge, given)
  })

  async function send(): Promise<void> {
    setFailure(null)
    setIsSending(true)
    await sendFactorCode(factorId).then(setChallenge, (error: unknown) =>
      setFailure(describePhoneError(error)),
    )
    setIsSending(false)
  }

  function handleSubmit(event: FormEvent): void {
    event.preventDefault()
    if (challenge) code.submit()
    else void send()
  }

  const isPending = isSending || code.isPending
  return (
    <SignInCard
      title={challenge ? t('Enter the code from the message') : t('Get a code on your phone')}
      intro={intro}
      failure={challenge ? code.failure : failure}
      isPending={isPending}
      submitText={
        challenge
          ? isPending
            ? t('Verifying...')
            : t('Verify')
          : isPending
            ? t('Sending...')
            : t('Send code')
      }
      onSubmit={handleSubmit}
      ways={ways}
    >
      {challenge ? <PhoneCodeField field={code.field} controlSize="lg" /> : children}
    </SignInCard>
  )
}
