import { useState } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { requestConfirmationLink } from '@/lib/session/own-account.ts'
import { useLinkMessage } from './link-messages.ts'
import { providerMessage } from './provider-message.ts'

interface UnconfirmedAlertProps {
  /** The provider's sentence about the unconfirmed address. */
  message: string
  email: string
}

/** Explains why the sign-in is refused, with a button that requests another link. */
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

  // Another sign-in attempt shows the button again.
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
