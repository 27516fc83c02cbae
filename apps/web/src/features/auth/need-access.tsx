import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { t } from '@/lib/i18n/messages.ts'

export function NeedAccess() {
  return (
    <AlertBox tone="note" title={t('Need Access?')}>
      {t(
        'Contact your system administrator to get login credentials. Credentials are not displayed publicly.',
      )}
    </AlertBox>
  )
}
