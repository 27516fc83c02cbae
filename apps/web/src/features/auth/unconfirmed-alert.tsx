import { useState } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { requestConfirmationLink } from '@/lib/session/own-account.ts'
import { useLinkMessage } from './link-messages.ts'
import { providerMessage } from './provider-message.ts'

interface UnconfirmedAlertProps {
  /** The provider's sentence about the address that is not confirmed. */
  message: string
  email: string
}

/** Why somebody is not let in, with the way on: another link. */
export function UnconfirmedAlert({ message, email }: UnconfirmedAlertProps) {
  const { again } = useLinkMessage()
  const [isPending, setIsPending] = useState(false)
  const [answer, setAnswer] = useState<string | null>(null)

  async function handleResend(): Promise<void> {
    setIsPending(true)
    try {
      await requestConfirmationLink(email)
      setAnswer(again)
    } catch (error) {
      setAnswer(providerMessage(error, 'The link could not be requested.'))
    }
  }

  // Another try to sign in brings the button back.
  if (answer) return <AlertBox title={message}>{answer}</AlertBox>
  return (
    <AlertBox
      title={message}
      action={
        <Button size="sm" isPending={isPending} onClick={() => void handleResend()}>
          {isPending ? 'Requesting...' : 'Request another link'}
        </Button>
      }
    />
  )
}
