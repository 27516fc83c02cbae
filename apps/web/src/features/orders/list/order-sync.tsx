import { type OrderSync, syncOrders } from '@pegasus/contracts/orders/orders'
import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { useOrderRefresh } from '../use-order-refresh.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** Fetches the orders that the main site lists. They can take pieces from the stock, or return them. */
export function useOrderSync(
  callbacks: { onSuccess?: (sync: OrderSync) => void; onError?: (error: unknown) => void } = {},
) {
  const refresh = useOrderRefresh()
  return useMutation({
    ...callbacks,
    mutationFn: () => callApi(syncOrders),
    onSettled: () => refresh('pieces'),
  })
}

/**
 * Returns the command that fetches the orders of the main site from any page, and shows the result in a toast. `onShow`
 * opens the orders.
 */
export function useSyncCommand(onShow: () => void): () => void {
  const { mutate } = useOrderSync({
    onSuccess: ({ detail }) =>
      toast({ title: serverText(detail), action: { label: t('Show orders'), onSelect: onShow } }),
    onError: (error) => toast({ title: describeFailure(error) }),
  })
  return () => mutate()
}

const describeFailure = (error: unknown): string =>
  errorMessage(error, t('The orders could not be fetched. Please try again.'))

type Sync = ReturnType<typeof useOrderSync>

/** Shows the result of the last sync, until the person closes it. */
export function SyncAnswer({ sync }: { sync: Sync }) {
  const dismiss = (
    <IconButton label={t('Dismiss')} size="sm" onClick={() => sync.reset()}>
      <X size={16} strokeWidth={1.75} aria-hidden />
    </IconButton>
  )
  if (sync.isError) return <AlertBox className="mb-4" title={describeFailure(sync.error)} action={dismiss} />
  if (!sync.data) return null
  return (
    <AlertBox className="mb-4" tone={toneOf(sync.data)} title={serverText(sync.data.detail)} action={dismiss}>
      {sync.data.failed.length > 0 ? (
        <ul>
          {sync.data.failed.map(({ order_number, detail }, index) => (
            <li key={index}>
              {order_number ? <span className="code">{order_number}: </span> : null}
              {serverText(detail)}
            </li>
          ))}
        </ul>
      ) : null}
    </AlertBox>
  )
}

const toneOf = ({ outcome, failed }: OrderSync) =>
  outcome !== 'synced' || failed.length > 0 ? 'warning' : 'success'
