import { type Order, pieceLines } from '@pegasus/contracts/orders/orders'
import type { OrderPlan, PlanLine, ProposedReduction } from '@pegasus/contracts/orders/order-plan'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { isOpenOrder } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { planText } from '@/components/production/plan-text.ts'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { orderPlanQuery } from '../../orders.queries.ts'
import type { OrderAddresses } from '../../orders-address.ts'
import { useLowerPrints } from './use-lower-prints.ts'
import { useQueuePrints } from '../use-queue-prints.ts'
import { WindowedLines } from '../windowed-lines.tsx'
import { t } from '@/lib/i18n/messages.ts'

/**
 * The plates for the missing pieces of an open order, with the calculation for each line and a button that queues them. If
 * more pieces are queued than the order needs, another button lowers its print jobs.
 */
export function PlanCard({ order, addresses }: { order: Order; addresses: Pick<OrderAddresses, 'job'> }) {
  const canPlan = isEmployeeOrHigher(useCurrentUser().role)
  // An order that is ready to pack needs no print, so its plan would only repeat its lines, unless prints are queued for it.
  const hasPrints = pieceLines(order.items).some((line) => line.queued_quantity > 0)
  const needsPlan = isOpenOrder(order.status) && (!order.ready_to_pack || hasPrints)
  const { data } = useQuery({ ...orderPlanQuery(order.id), enabled: needsPlan })
  const make = useQueuePrints()
  if (!needsPlan || !data || data.items.length === 0) return null
  const plates = data.items.reduce((sum, line) => sum + line.plates, 0)
  return (
    <Card title={t('Plan')}>
      <WindowedLines
        rows={data.items}
        label={t('Plan')}
        allText={(total) =>
          t('Show all {total, plural, one {# line} other {# lines}} of the plan', { total })
        }
        estimatedHeight={60}
        keyOf={({ line_id: id }) => id}
      >
        {(line) => <Line line={line} />}
      </WindowedLines>
      <Reductions plan={data} canLower={canPlan} number={order.order_number} jobAddress={addresses.job} />
      {canPlan && plates > 0 ? (
        <div className="border-t border-line p-4">
          <Button isPending={make.isPending} onClick={() => make.mutate(order)} className="w-full">
            {t('Queue {plates, plural, one {# plate} other {# plates}}', { plates })}
          </Button>
        </div>
      ) : null}
    </Card>
  )
}

const lineText = (line: PlanLine): string =>
  line.is_unknown
    ? t('No item has this SKU, so it cannot be planned.')
    : planText(t('{ordered} ordered', { ordered: formatCount(line.ordered) }), line)

const Line = ({ line }: { line: PlanLine }) => (
  <div className="px-4 py-2.5">
    <p className="font-medium wrap-anywhere">
      <bdi>{line.name || line.sku}</bdi>
    </p>
    <p className="text-label text-ink-2 wrap-anywhere">{lineText(line)}</p>
  </div>
)

/** The print jobs that print more than the order needs, with a button that lowers them. */
function Reductions({
  plan,
  canLower,
  number,
  jobAddress,
}: {
  plan: OrderPlan
  canLower: boolean
  /** Number of the order, for the text of the toast. */
  number: string
  jobAddress: (id: string) => string
}) {
  const lower = useLowerPrints(number)
  const { proposed_reductions: reductions } = plan
  if (reductions.length === 0) return null
  const pieces = reductions.reduce((sum, { fewer }) => sum + fewer, 0)
  return (
    <div className="border-t border-line p-4">
      <ul aria-label={t('Prints that are not needed')} className="text-label text-ink-2">
        {reductions.map((each) => (
          <li key={each.job_id} className="wrap-anywhere">
            <Link to={jobAddress(each.job_id)} className="link code">
              {each.job_code}
            </Link>{' '}
            <bdi>{each.name}</bdi>: {reductionText(each)}
          </li>
        ))}
      </ul>
      {canLower ? (
        <Button isPending={lower.isPending} onClick={() => lower.mutate(reductions)} className="mt-3 w-full">
          {t('Print {pieces, plural, one {# piece} other {# pieces}} fewer', { pieces })}
        </Button>
      ) : null}
    </div>
  )
}

const reductionText = ({ quantity, needed_quantity: needed }: ProposedReduction): string =>
  needed === null
    ? t('{quantity, plural, one {# piece} other {# pieces}}, not needed', { quantity })
    : t('{needed} of {quantity, plural, one {# piece} other {# pieces}} needed', {
        needed: formatCount(needed),
        quantity,
      })
