import { dismissRefusedOrder } from '@pegasus/contracts/orders/refused-orders'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { toastError } from '@/components/toast-error.ts'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { callApi } from '@/lib/http/api.ts'
import { refusedOrdersQuery } from '../orders.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Lists the orders of the shop that could not be received, each with its reason. Renders nothing if there are none. */
export function RefusedOrders() {
  const client = useQueryClient()
  const query = refusedOrdersQuery()
  const { data } = useQuery(query)
  const dismiss = useMutation({
    mutationFn: (order_number: string) => callApi(dismissRefusedOrder, { body: { order_number } }),
    onError: toastError,
    onSettled: () => client.invalidateQueries({ queryKey: query.queryKey }),
  })
  if (!data || data.length === 0) return null
  return (
    <AlertBox
      tone="warning"
      className="mb-3"
      title={t('{data, plural, one {# order} other {# orders}} from the shop could not be received', {
        data: data.length,
      })}
    >
      <ul className="mt-1 max-h-40 overflow-y-auto">
        {data.map(({ order_number: number, detail, shop_url: address }) => (
          <li key={number} className="flex items-center gap-2 wrap-anywhere">
            <span className="flex-1">
              {address ? (
                <a href={address} target="_blank" rel="noopener noreferrer" className="link code">
                  <bdi>{number}</bdi>
                </a>
              ) : (
                <bdi className="code">{number}</bdi>
              )}
              : {detail}
            </span>
            <IconButton
              label={t('Dismiss {number}', { number })}
              size="sm"
              disabled={dismiss.isPending}
              onClick={() => dismiss.mutate(number)}
            >
              <X size={16} strokeWidth={1.75} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </AlertBox>
  )
}
