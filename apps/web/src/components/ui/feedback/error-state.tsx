import { AlertBox } from './alert-box.tsx'
import { Button } from '../actions/button.tsx'

interface ErrorStateProps {
  /** The sentence that says what failed. */
  message: string
  /** Details: the age of the data below, what to do. */
  detail?: string | undefined
  onRetry: () => void
  isRetrying?: boolean
  className?: string
}

/** A failed load: the sentence and a retry button. */
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
          Retry
        </Button>
      }
    >
      {detail}
    </AlertBox>
  )
}
