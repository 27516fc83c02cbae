import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from './ui/actions/button.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface RefreshButtonProps {
  /** True if the bar around the button has no room for its word on a screen of usual width. */
  isShort?: boolean
  queries: readonly { refetch: () => Promise<unknown> }[]
}

/** Refetches the queries on request. Pages also update without it. */
export function RefreshButton({ queries, isShort = false }: RefreshButtonProps) {
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
      title={isShort ? t('Refresh') : undefined}
      icon={<RefreshCw size={16} strokeWidth={1.75} aria-hidden />}
    >
      <span className={isShort ? 'max-[1600px]:sr-only' : 'phone:sr-only'}>{t('Refresh')}</span>
    </Button>
  )
}
