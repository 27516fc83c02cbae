import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from './ui/actions/button.tsx'

interface RefreshButtonProps {
  queries: readonly { refetch: () => Promise<unknown> }[]
}

/** Asks the server again. The page updates by itself too; this is for those who want to see it done. */
export function RefreshButton({ queries }: RefreshButtonProps) {
  const [isRefreshing, setIsRefreshing] = useState(false)
  const refresh = async () => {
    setIsRefreshing(true)
    // A failure is told above the list.
    await Promise.allSettled(queries.map((query) => query.refetch()))
    setIsRefreshing(false)
  }
  return (
    <Button
      onClick={() => void refresh()}
      isPending={isRefreshing}
      icon={<RefreshCw size={16} strokeWidth={1.75} aria-hidden />}
    >
      Refresh
    </Button>
  )
}
