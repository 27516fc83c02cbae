import { errorMessage } from '@/lib/http/api-error.ts'
import { toast } from './ui/overlays/toast-store.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Shows in a toast why an action failed. */
export const toastError = (error: unknown): void =>
  toast({ title: errorMessage(error, t('That did not work. Please try again.')) })
