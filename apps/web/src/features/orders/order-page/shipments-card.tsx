import type { Order } from '@pegasus/contracts/orders/orders'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatDateTime, formatNumberOf } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useOrderPapers } from './use-order-papers.ts'
import { useOrderActions } from './use-order-actions.ts'

/** Lists the shipments of an order, newest first. Renders nothing if there are none. */
export function ShipmentsCard({ order }: { order: Order }) {
  const canPrint = isEmployeeOrHigher(useCurrentUser().role)
  const canChange = canPrint && order.status !== 'cancelled'
  const papers = useOrderPapers(order)
  const isOfShop = order.source !== 'manual'
  const actions = useOrderActions(order)
  if (order.shipments.length === 0) return null
  return (
    <Card title="Shipments">
      <ul className="divide-y divide-line">
        {order.shipments.toReversed().map((shipment) => (
          <li key={shipment.id} className="flex items-start gap-3 px-4 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="font-medium">
                Shipment {shipment.number} ·{' '}
                {formatNumberOf(
                  shipment.items.reduce((sum, { quantity }) => sum + quantity, 0),
                  'piece',
                )}
              </p>
              <p className="text-caption text-ink-3">{formatDateTime(shipment.created_at)}</p>
              <Tracking shipment={shipment} />
              {isOfShop ? <ShopKnows shipment={shipment} /> : null}
            </div>
            {canPrint ? (
              <Button
                size="sm"
                aria-label={`Packing slip of shipment ${shipment.number}`}
                onClick={() => papers.packingSlip(shipment.id)}
              >
                Slip
              </Button>
            ) : null}
            {canChange ? (
              <Button
                size="sm"
                aria-label={`Take back shipment ${shipment.number}`}
                isPending={actions.isPending}
                onClick={() => actions.takeShipmentBack(shipment)}
              >
                Take back
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Shows whether the shop was told of a shipment. */
function ShopKnows({ shipment }: { shipment: Order['shipments'][number] }) {
  if (shipment.told_at) return <p className="text-caption text-ink-3">Reported to the shop.</p>
  if (!shipment.tell_problem) return null
  return (
    <p className="text-caption text-yellow-ink wrap-anywhere">
      Not yet reported to the shop: {shipment.tell_problem} The server will try again automatically.
    </p>
  )
}

function Tracking({ shipment }: { shipment: Order['shipments'][number] }) {
  const { carrier, tracking_number: number, tracking_url: url } = shipment
  if (!carrier && !number && !url) return null
  const text = [carrier, number].filter(Boolean).join(' ') || 'Track'
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
