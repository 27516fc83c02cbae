import { AlertBox } from './alert-box.tsx'
import { Button } from '../actions/button.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface ErrorStateProps {
  /** A message that says what failed. */
  message: string
  /** More details, such as the age of the data below, or what to do. */
  detail?: string | undefined
  onRetry: () => void
  isRetrying?: boolean
  className?: string
}

/** Shows a failed load, with a message and a retry button. */
export function ErrorState({
  message,
  detail,
  onRetry,
  isRetrying = false,
  className = '',
}: ErrorStateProps) {
  return (
    <AlertBox
      title={message}
      className={className}
      action={
        <Button size="sm" onClick={onRetry} isPending={isRetrying}>
          {t('Retry')}
        </Button>
      }
    >
      {detail}
    </AlertBox>
  )
}
