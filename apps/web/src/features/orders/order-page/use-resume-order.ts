import { resumeOrder } from '@pegasus/contracts/orders/order-changes'
import type { Order } from '@pegasus/contracts/orders/orders'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { t } from '@/lib/i18n/messages.ts'
import { ORDERS_KEY } from '../orders.queries.ts'

/** Returns the mutation that resumes an order on hold from outside its page. It shows its result in a toast. */
export function useResumeOrder() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Pick<Order, 'id' | 'order_number'>) => callApi(resumeOrder, { params: { id } }),
    onSuccess: (_, { order_number: number }) =>
      toast({ title: t('{number} is no longer on hold', { number }) }),
    onError: toastError,
    onSettled: () => {
      for (const key of [ORDERS_KEY, 'inventory', 'stats']) void client.invalidateQueries({ queryKey: [key] })
    },
  })
}
