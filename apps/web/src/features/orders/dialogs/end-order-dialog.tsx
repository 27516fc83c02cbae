import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { t } from '@/lib/i18n/messages.ts'

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
  const hasJobs = pieceLines(order.items).some(({ queued_quantity: queued }) => queued > 0)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="sm"
      title={
        isCancel
          ? t('Cancel {order_number}?', { order_number: order.order_number })
          : t('Complete {order_number}?', { order_number: order.order_number })
      }
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          <Button
            variant={isCancel ? 'danger' : 'primary'}
            onClick={() => {
              onConfirm()
              onClose()
            }}
          >
            {isCancel ? t('Cancel order') : t('Complete order')}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">
        {isCancel
          ? t(
              'The order ends, and no more pieces are shipped for it.{reserved, plural, =0 {} one { # reserved piece becomes free.} other { # reserved pieces become free.}}',
              { reserved },
            )
          : t(
              '{left, plural, =0 {Everything is shipped.} one {# piece will not be shipped.} other {# pieces will not be shipped.}}{reserved, plural, =0 {} one { # reserved piece becomes free.} other { # reserved pieces become free.}}',
              { left, reserved },
            )}
      </p>
      {isCancel && hasJobs ? (
        <p className="mt-2 text-ink-2">
          {t('Next, choose what happens to its print jobs that are not printing.')}
        </p>
      ) : null}
      {!isCancel && order.is_reported_to_shop ? (
        <p className="mt-2 text-ink-2">{t('The shop is told that the order is completed.')}</p>
      ) : null}
    </Dialog>
  )
}
