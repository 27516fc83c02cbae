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
  const body: CallOf<typeof cancelPrintJob>['body'] = { reason: 'The order was cancelled' }
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
 * Offers to cancel the print jobs of a cancelled order. A job that has been started in the meantime stays.
 */
export function WaitingJobsDialog({ what, jobs, onClose }: WaitingJobsDialogProps) {
  const client = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  const cancelAll = async () => {
    setIsPending(true)
    const results = await Promise.allSettled(jobs.map(cancelJob))
    const failed = results.filter((result) => result.status === 'rejected')
    const done = jobs.length - failed.length
    if (done > 0) toast({ title: `${formatNumberOf(done, 'print job')} cancelled` })
    if (failed[0])
      toast({
        title: `${formatNumberOf(failed.length, 'print job')} not cancelled: ${errorMessage(failed[0].reason, 'please try again.')}`,
      })
    for (const key of ['orders', 'print-queue', 'stats']) void client.invalidateQueries({ queryKey: [key] })
    onClose()
  }
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
