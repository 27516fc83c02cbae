import { Link } from 'react-router'
import { AlertBox } from '@/components/ui/alert-box.tsx'
import { buttonClass } from '@/components/ui/button.tsx'
import { CardTitle, cardClass } from './sign-in-card.tsx'

interface EmailConfirmedProps {
  /** The account cannot be used yet: an administrator has to approve it. */
  isWaiting: boolean
}

/** What happens next, for who has followed the link of a sign-up. */
export function EmailConfirmed({ isWaiting }: EmailConfirmedProps) {
  return (
    <section className={cardClass}>
      <CardTitle>Email confirmed</CardTitle>
      <AlertBox tone="success" title="Your email address is confirmed.">
        {isWaiting
          ? 'An administrator must approve your account before you can sign in.'
          : 'You are signed in.'}
      </AlertBox>
      {isWaiting ? (
        <>
          <p className="text-ink-2">
            Once that is done, sign in with the email address and password of your sign-up. There is nothing
            else to do here.
          </p>
          <Link to="/login" replace className={buttonClass({ size: 'lg' })}>
            Go to sign in
          </Link>
        </>
      ) : (
        <Link to="/" replace className={buttonClass({ variant: 'primary', size: 'lg' })}>
          Go to the dashboard
        </Link>
      )}
    </section>
  )
}
