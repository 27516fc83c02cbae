import type { Order } from '@pegasus/contracts/orders/orders'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog.tsx'
import { useNow } from '@/lib/browser/use-now.ts'
import { t } from '@/lib/i18n/messages.ts'
import type { useOrderActions } from '../use-order-actions.ts'

/** After this time, a parcel has probably left. */
const PROBABLY_LEFT_MS = 24 * 60 * 60_000

/**
 * The button that takes a shipment back, or the reason why it cannot be taken back. The button asks for confirmation if
 * the shipment was reported to the shop at least in part, because the customer may have got a message, or if the parcel
 * has probably left.
 */
export function TakeBackButton({
  shipment,
  actions,
}: {
  shipment: Order['shipments'][number]
  actions: Pick<ReturnType<typeof useOrderActions>, 'isPending' | 'takeShipmentBack'>
}) {
  const [isAsking, setIsAsking] = useState(false)
  const nowMs = useNow()
  if (shipment.has_returned_pieces)
    return (
      <p className="basis-full text-caption text-ink-3">{t('Pieces came back, so it cannot be undone.')}</p>
    )
  const hasProbablyLeft = new Date(shipment.created_at).getTime() + PROBABLY_LEFT_MS <= nowMs
  const takeBack = () => {
    setIsAsking(false)
    actions.takeShipmentBack(shipment)
  }
  return (
    <>
      <Button
        size="sm"
        aria-label={t('Undo shipment {number}', { number: shipment.number })}
        isPending={actions.isPending}
        onClick={() =>
          shipment.told_at || shipment.is_partly_told || hasProbablyLeft ? setIsAsking(true) : takeBack()
        }
      >
        {t('Undo shipment')}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={t('Undo shipment {number}?', { number: shipment.number })}
          keepLabel={t('Keep it')}
          confirmLabel={t('Undo shipment')}
          onConfirm={takeBack}
          onClose={() => setIsAsking(false)}
        >
          {shipment.told_at
            ? t(
                'The shop was told of this shipment, so the customer may expect it. The shop keeps showing it as sent until you ship these pieces again.',
              )
            : null}
          {shipment.is_partly_told
            ? t(
                'A part of this shipment was reported to the shop. The shop keeps showing that part as sent until you ship these pieces again.',
              )
            : null}{' '}
          {hasProbablyLeft
            ? t(
                'It was shipped more than a day ago. If the parcel has left, book its pieces as returned when they arrive.',
              )
            : null}
        </ConfirmDialog>
      ) : null}
    </>
  )
}
