import type { Order } from '@pegasus/contracts/orders/orders'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { formatNumberOf } from '@/lib/format/format.ts'

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
          ? `The order ends, and no more pieces are shipped for it.${freed} Next, choose what happens to its print jobs that are not printing.`
          : `${left > 0 ? `${formatNumberOf(left, 'piece')} will not be shipped.` : 'Everything is shipped.'}${freed}`}
      </p>
    </Dialog>
  )
}
