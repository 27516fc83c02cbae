import type { Order } from '@pegasus/contracts/orders/orders'
import type { PlanLine } from '@pegasus/contracts/orders/order-plan'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { isOpenOrder } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { planText } from '@/components/production/plan-text.ts'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { orderPlanQuery } from '../orders.queries.ts'
import { useQueuePrints } from './use-queue-prints.ts'
import { WindowedLines } from './windowed-lines.tsx'
import { t } from '@/lib/i18n/messages.ts'

/**
 * The plates for the missing pieces of an open order, with the calculation for each line and a button that queues them.
 */
export function PlanCard({ order }: { order: Order }) {
  const canPlan = isEmployeeOrHigher(useCurrentUser().role)
  // An order that is ready to pack needs no print, so its plan would only repeat its lines.
  const needsPlan = isOpenOrder(order.status) && !order.ready_to_pack
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
