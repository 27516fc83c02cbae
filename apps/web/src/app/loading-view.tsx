import { Spinner } from '../components/ui/feedback/spinner.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Shown inside the app while a page loads or access is checked. */
export function LoadingView() {
  return (
    <div role="status" className="flex min-h-80 items-center justify-center gap-2.5 text-ink-2">
      <Spinner />
      {t('Loading...')}
    </div>
  )
}
