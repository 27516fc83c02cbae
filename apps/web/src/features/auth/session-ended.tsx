import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { useSession } from '@/lib/session/session.ts'

/** Says why the sign-in screen is shown: the session was ended elsewhere, or by an administrator. */
export function SessionEnded() {
  const session = useSession()
  if (session.status !== 'signed-out' || !session.hasEnded) return null
  return (
    <div role="status">
      <AlertBox tone="note" title="Your session has ended. Please sign in again." />
    </div>
  )
}
