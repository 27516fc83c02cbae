import type { Scanned } from '@pegasus/contracts/labels/scan'
import { useQuery } from '@tanstack/react-query'
import { ScanQrCode } from 'lucide-react'
import { Link, Navigate } from 'react-router'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { errorMessage } from '@/lib/http/api-error.ts'
import { lookUp } from './scan-mutations.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

/** The page that a label's address opens. It redirects to the object, or says that the code is unknown. */
export function OpenedCode({ code, addressOf }: { code: string; addressOf: (found: Scanned) => string }) {
  const found = useQuery({ queryKey: ['scan', code], queryFn: () => lookUp(code) })
  if (found.data) return <Navigate to={addressOf(found.data)} replace />
  if (found.isPending) return null
  if (found.isError)
    return (
      <ErrorState
        message={errorMessage(found.error, t('The code could not be looked up.'))}
        onRetry={() => void found.refetch()}
        isRetrying={found.isFetching}
      />
    )
  return (
    <EmptyState
      titleLevel={1}
      icon={<ScanQrCode size={24} strokeWidth={1.6} aria-hidden />}
      title={t('No match for this code')}
      actions={
        <Link to="/" className={buttonClass()}>
          {t('Go to the dashboard')}
        </Link>
      }
    >
      {rich('No match for {code}. It may have been deleted, or the label belongs to another shop.', {
        code: <span className="code">{code}</span>,
      })}
    </EmptyState>
  )
}
