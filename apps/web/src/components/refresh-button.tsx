import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from './ui/actions/button.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface RefreshButtonProps {
  queries: readonly { refetch: () => Promise<unknown> }[]
}

/** Refetches the queries on request. Pages also update without it. */
export function RefreshButton({ queries }: RefreshButtonProps) {
  const [isRefreshing, setIsRefreshing] = useState(false)
  const refresh = async () => {
    setIsRefreshing(true)
    // If a refetch fails, the error is shown above the list.
    await Promise.allSettled(queries.map((query) => query.refetch()))
    setIsRefreshing(false)
  }
  return (
    <Button
      onClick={() => void refresh()}
      isPending={isRefreshing}
      icon={<RefreshCw size={16} strokeWidth={1.75} aria-hidden />}
    >
      <span className="phone:sr-only">{t('Refresh')}</span>
    </Button>
  )
}
