import type { Order } from '@pegasus/contracts/orders/orders'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { t } from '@/lib/i18n/messages.ts'

/** Says why a finished order from before the shop's first comparison has no calculation of its pieces. */
export const HistoryNote = ({ order }: { order: Pick<Order, 'is_history'> }) =>
  order.is_history ? (
    <AlertBox tone="note" className="mb-4">
      <p>
        {t('This order was finished before Pegasus Ops received it, so its pieces did not change the stock.')}
      </p>
    </AlertBox>
  ) : null
