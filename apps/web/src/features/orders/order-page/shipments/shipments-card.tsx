import type { Order } from '@pegasus/contracts/orders/orders'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatDateTime, formatMoneyIn } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { TrackingDialog } from '../../dialogs/tracking-dialog.tsx'
import { ReportState } from './report-state.tsx'
import { trackingAddress } from './tracking-address.ts'
import { TakeBackButton } from './take-back-button.tsx'
import { useOrderPapers } from '../use-order-papers.ts'
import { useOrderActions } from '../use-order-actions.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Lists the shipments of an order, newest first. Renders nothing if there are none. */
export function ShipmentsCard({ order }: { order: Order }) {
  const canPrint = isEmployeeOrHigher(useCurrentUser().role)
  const canChange = canPrint && order.status !== 'cancelled'
  const papers = useOrderPapers(order)
  const isOfShop = order.source !== 'manual'
  const actions = useOrderActions(order)
  const [changed, setChanged] = useState<Shipment | null>(null)
  if (order.shipments.length === 0) return null
  return (
    <Card title={t('Shipments')}>
      <ul className="divide-y divide-line">
        {order.shipments.toReversed().map((shipment) => (
          <li key={shipment.id} className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-2.5">
            <div className="min-w-0 flex-1 basis-36 phone:basis-full">
              <p className="font-medium">
                {t('Shipment {number} · {items, plural, one {# piece} other {# pieces}}', {
                  number: shipment.number,
                  items: shipment.items.reduce((sum, { quantity }) => sum + quantity, 0),
                })}
              </p>
              <p className="text-caption text-ink-3">{formatDateTime(shipment.created_at)}</p>
              <Tracking shipment={shipment} />
              {shipment.postage_amount === null ? null : (
                <p className="text-caption text-ink-3">
                  {t('Postage {amount}', { amount: formatMoneyIn(shipment.postage_amount, order.currency) })}
                </p>
              )}
              {isOfShop ? <ReportState shipment={shipment} isReported={order.is_reported_to_shop} /> : null}
              {canPrint ? (
                <button
                  type="button"
                  className="link min-h-6 text-caption phone:min-h-8"
                  onClick={() => setChanged(shipment)}
                >
                  {hasTracking(shipment) ? t('Change tracking or postage') : t('Add tracking or postage')}
                  <span className="sr-only"> {t('of shipment {number}', { number: shipment.number })}</span>
                </button>
              ) : null}
            </div>
            {canPrint ? (
              <Button
                size="sm"
                aria-label={t('Packing slip of shipment {number}', { number: shipment.number })}
                onClick={() => papers.packingSlip(shipment.id)}
              >
                {t('Slip')}
              </Button>
            ) : null}
            {canChange ? <TakeBackButton shipment={shipment} actions={actions} /> : null}
          </li>
        ))}
      </ul>
      {changed ? <TrackingDialog order={order} shipment={changed} onClose={() => setChanged(null)} /> : null}
    </Card>
  )
}

type Shipment = Order['shipments'][number]

const hasTracking = ({ carrier, tracking_number: number, tracking_url: url }: Shipment): boolean =>
  Boolean(carrier || number || url)

function Tracking({ shipment }: { shipment: Shipment }) {
  const { carrier, tracking_number: number } = shipment
  const url = shipment.tracking_url ?? trackingAddress(carrier, number)
  if (!hasTracking(shipment)) return null
  const text = [carrier, number].filter(Boolean).join(' ') || t('Track')
  return (
    <p className="text-label wrap-anywhere">
      {url ? (
        <a href={url} target="_blank" rel="noreferrer" className="link">
          <bdi>{text}</bdi>
        </a>
      ) : (
        <bdi>{text}</bdi>
      )}
    </p>
  )
}
