import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { useSession } from '@/lib/session/session.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Says why the sign-in screen is shown: the session was ended elsewhere, or by an administrator. */
export function SessionEnded() {
  const session = useSession()
  if (session.status !== 'signed-out' || !session.hasEnded) return null
  return (
    <div role="status">
      <AlertBox tone="note" title={t('Your session has ended. Please sign in again.')} />
    </div>
  )
}
