import { LogoMark } from '../components/ui/display/logo.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Shown while the session is loading. */
export function LoadingScreen() {
  return (
    <div
      role="status"
      className="grid min-h-dvh place-content-center justify-items-center gap-4 p-4 text-ink-2"
    >
      <LogoMark size={40} />
      <p>{t('Loading Pegasus Ops...')}</p>
    </div>
  )
}
