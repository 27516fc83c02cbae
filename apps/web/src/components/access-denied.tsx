import { Lock } from 'lucide-react'
import { Link } from 'react-router'
import { buttonClass } from './ui/actions/button.tsx'
import { EmptyState } from './ui/feedback/empty-state.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Shown to people whose role is too low for the page, with a link back. */
export function AccessDenied() {
  return (
    <div className="grid min-h-80 place-items-center p-4">
      <EmptyState
        titleLevel={1}
        icon={<Lock size={24} strokeWidth={1.6} aria-hidden />}
        title={t('Access Denied')}
        actions={
          <Link to="/" className={buttonClass()}>
            {t('Back to the dashboard')}
          </Link>
        }
      >
        <p>{t("You don't have permission to access this area.")}</p>
        <p className="mt-0.5 text-label text-ink-3">
          {t('Contact your administrator if you believe this is an error.')}
        </p>
      </EmptyState>
    </div>
  )
}
