import type { Order } from '@pegasus/contracts/orders/orders'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { WaitingJobsDialog } from '../dialogs/waiting-jobs-dialog.tsx'
import { t } from '@/lib/i18n/messages.ts'

/**
 * Says how many print jobs still wait for a finished order, for example because the shop cancelled it, and lets a person
 * cancel them. Renders nothing if no job waits.
 */
export function WaitingJobs({
  order,
}: {
  order: Pick<Order, 'order_number' | 'status' | 'proposed_cancellations'>
}) {
  const canCancel = isEmployeeOrHigher(useCurrentUser().role)
  // The dialog keeps its jobs, because the order has fewer of them as soon as one is cancelled.
  const [reviewed, setReviewed] = useState<readonly string[]>([])
  const jobs = order.proposed_cancellations
  return (
    <>
      {jobs.length > 0 ? (
        <AlertBox
          tone="note"
          className="mb-4"
          title={t(
            '{jobs, plural, one {# print job still waits} other {# print jobs still wait}} for this order',
            { jobs: jobs.length },
          )}
          action={
            canCancel ? (
              <Button size="sm" className="bg-surface" onClick={() => setReviewed(jobs)}>
                {t('Review')}
              </Button>
            ) : undefined
          }
        >
          <p>
            {order.status === 'cancelled'
              ? t('The order is cancelled, so their pieces go into stock. Prints in progress continue.')
              : t('The order is completed, so their pieces go into stock. Prints in progress continue.')}
          </p>
        </AlertBox>
      ) : null}
      {reviewed.length > 0 ? (
        <WaitingJobsDialog what={order.order_number} jobs={reviewed} onClose={() => setReviewed([])} />
      ) : null}
    </>
  )
}
