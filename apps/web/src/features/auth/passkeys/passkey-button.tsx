import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { describeKeyError } from '../second-factor/code-message.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Signs in with a passkey. The code for passkeys is loaded when the button is clicked. */
export function PasskeyButton() {
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)

  async function handlePress(): Promise<void> {
    setFailure(null)
    setIsPending(true)
    try {
      const { signInWithPasskey } = await import('@/lib/session/factors/passkeys.ts')
      await signInWithPasskey()
    } catch (error) {
      setFailure(describeKeyError(error))
    }
    setIsPending(false)
  }

  return (
    <>
      {failure ? <AlertBox title={failure} /> : null}
      <Button
        size="lg"
        icon={<KeyRound {...ICON} />}
        isPending={isPending}
        onClick={() => void handlePress()}
      >
        {t('Sign in with a passkey')}
      </Button>
    </>
  )
}
