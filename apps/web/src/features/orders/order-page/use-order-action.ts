import { resumeOrder } from '@pegasus/contracts/orders/order-changes'
import type { Order } from '@pegasus/contracts/orders/orders'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { type ToastAction, toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { orderQuery } from '../orders.queries.ts'
import { useOrderRefresh } from '../use-order-refresh.ts'
import { t } from '@/lib/i18n/messages.ts'

/** A call that changes an order, with the toast that shows its result. */
export interface OrderAction {
  send: () => Promise<Order>
  /** Returns the text of the toast after success. */
  title: (after: Order) => string
  next?: (after: Order) => ToastAction | null
  /** Limits the duration of the toast to this many ms, even while a person points at it. */
  onlyForMs?: number
}

/** Resumes an order on hold. */
export const resumeAction = ({
  id,
  order_number: number,
}: Pick<Order, 'id' | 'order_number'>): OrderAction => ({
  send: () => callApi(resumeOrder, { params: { id } }),
  title: () => t('{number} is no longer on hold', { number }),
})

/**
 * Runs actions that change the pieces of an order. Each shows its result in a toast. `runAndWait` throws on failure, for
 * the dialogs that wait for it. `run` shows a failure itself.
 */
export function useOrderAction() {
  const client = useQueryClient()
  const refresh = useOrderRefresh()
  const announce = (after: Order, { title, next, onlyForMs }: OrderAction) => {
    // The response of some actions has additional fields, which do no harm in the cache.
    client.setQueryData(orderQuery(after.id).queryKey, after)
    const action = next?.(after)
    toast({
      title: title(after),
      ...(action && { action }),
      ...(onlyForMs && { durationMs: onlyForMs, endsOnTime: true }),
    })
  }
  const { mutate, isPending } = useMutation({
    mutationFn: ({ send }: OrderAction) => send(),
    onSuccess: announce,
    onError: toastError,
    onSettled: () => void refresh('pieces'),
  })
  return {
    isPending,
    run: (action: OrderAction): void => mutate(action),
    runAndWait: async (action: OrderAction): Promise<void> => {
      announce(await action.send(), action)
      void refresh('pieces')
    },
  }
}
