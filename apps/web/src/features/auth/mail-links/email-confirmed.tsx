import { Link } from 'react-router'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { CardTitle, cardClass } from '../sign-in-card.tsx'
import { t } from '@/lib/i18n/messages.ts'

export interface EmailConfirmedProps {
  /**
   * `waiting`: an administrator must approve the account. `ready`: an administrator approved the account
   * before its address was confirmed, so this link opened no session.
   */
  next: 'waiting' | 'ready' | 'signed-in'
}

const WORDS = {
  waiting: {
    title: t('Email confirmed'),
    done: t('Your email address is confirmed.'),
    means: t('An administrator must approve your account before you can sign in.'),
    hint: t(
      'Once that is done, sign in with the email address and password you signed up with. There is nothing else to do here.',
    ),
  },
  ready: {
    title: t('Account ready'),
    done: t('Your account is ready.'),
    means: t('An administrator has approved it.'),
    hint: t('Sign in with the email address and password you signed up with.'),
  },
  'signed-in': {
    title: t('Email confirmed'),
    done: t('Your email address is confirmed.'),
    means: t('You are signed in.'),
    hint: null,
  },
} as const

/** The page that a sign-up link opens. It says what happens next. */
export function EmailConfirmed({ next }: EmailConfirmedProps) {
  const { title, done, means, hint } = WORDS[next]
  return (
    <section className={cardClass}>
      <CardTitle>{title}</CardTitle>
      <AlertBox tone="success" title={done}>
        {means}
      </AlertBox>
      {hint ? (
        <>
          <p className="text-ink-2">{hint}</p>
          <Link to="/login" replace className={buttonClass({ size: 'lg' })}>
            {t('Go to sign in')}
          </Link>
        </>
      ) : (
        <Link to="/" replace className={buttonClass({ variant: 'primary', size: 'lg' })}>
          {t('Go to the dashboard')}
        </Link>
      )}
    </section>
  )
}
