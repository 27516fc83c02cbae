import { type CallOf } from '@pegasus/contracts/endpoint'
import type { Order } from '@pegasus/contracts/orders/orders'
import { cancelPrintJob } from '@pegasus/contracts/print-queue/steps'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { formatNumberOf } from '@/lib/format/format.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'

interface EndOrderDialogProps {
  order: Order
  action: 'cancel' | 'complete'
  /** The number of pieces that are not shipped yet. */
  left: number
  reserved: number
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation before an order is ended, because there is no Undo. */
export function EndOrderDialog({ order, action, left, reserved, onConfirm, onClose }: EndOrderDialogProps) {
  const isCancel = action === 'cancel'
  const freed =
    reserved > 0
      ? ` ${formatNumberOf(reserved, 'reserved piece')} ${reserved === 1 ? 'becomes' : 'become'} free.`
      : ''
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="sm"
      title={isCancel ? `Cancel ${order.order_number}?` : `Complete ${order.order_number}?`}
      footer={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button
            variant={isCancel ? 'danger' : 'primary'}
            onClick={() => {
              onConfirm()
              onClose()
            }}
          >
            {isCancel ? 'Cancel order' : 'Complete order'}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">
        {isCancel
          ? `The order ends, and no more pieces are shipped for it.${freed} Next, choose what happens to its print jobs that have not started.`
          : `${left > 0 ? `${formatNumberOf(left, 'piece')} will not be shipped.` : 'Everything is shipped.'}${freed}`}
      </p>
    </Dialog>
  )
}

const cancelJob = (id: string) => {
  const body: CallOf<typeof cancelPrintJob>['body'] = {
    reason: 'The order was cancelled',
    only_if_not_started: true,
  }
  return callApi(cancelPrintJob, { params: { id }, body })
}

interface WaitingJobsDialogProps {
  /** Names the cancelled orders: `PO-1`, `3 orders`. */
  what: string
  /** Ids of the print jobs that have not started. */
  jobs: readonly string[]
  onClose: () => void
}

/**
 * Offers to cancel the print jobs of a cancelled order. The server refuses this for a job that has been started in the
 * meantime, and the dialog then names the jobs that stay.
 */
export function WaitingJobsDialog({ what, jobs, onClose }: WaitingJobsDialogProps) {
  const client = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  /** The reason for each job that was not cancelled. */
  const [kept, setKept] = useState<readonly string[]>([])
  const cancelAll = async () => {
    setIsPending(true)
    const results = await Promise.allSettled(jobs.map(cancelJob))
    const reasons = results.flatMap((result) =>
      result.status === 'rejected'
        ? [errorMessage(result.reason, 'The print job could not be cancelled. Please try again.')]
        : [],
    )
    const done = jobs.length - reasons.length
    if (done > 0) toast({ title: `${formatNumberOf(done, 'print job')} cancelled` })
    for (const key of ['orders', 'print-queue', 'stats']) void client.invalidateQueries({ queryKey: [key] })
    if (reasons.length > 0) setKept(reasons)
    else onClose()
  }
  if (kept.length > 0)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        size="sm"
        title={`${formatNumberOf(kept.length, 'print job')} not cancelled`}
        footer={
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        }
      >
        <ul className="max-h-60 overflow-y-auto">
          {kept.map((reason, index) => (
            <li key={jobs[index]}>{reason}</li>
          ))}
        </ul>
      </Dialog>
    )
  const count = formatNumberOf(jobs.length, 'print job')
  return (
    <ConfirmDialog
      title={`Cancel ${count} too?`}
      keepLabel="Keep in the queue"
      confirmLabel={`Cancel ${count}`}
      isPending={isPending}
      onConfirm={() => void cancelAll()}
      onClose={onClose}
    >
      {count} for {what} {jobs.length === 1 ? 'has' : 'have'} not started. Prints in progress continue.
    </ConfirmDialog>
  )
}
