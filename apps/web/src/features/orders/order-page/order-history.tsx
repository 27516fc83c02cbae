import type { OrderEvent } from '@pegasus/contracts/orders/order-account'
import type { Order } from '@pegasus/contracts/orders/orders'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { QueryError } from '@/components/query-error.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { formatCount, formatDateTime } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import type { OrderAddresses } from '../orders-address.ts'
import { orderHistoryQuery } from '../orders.queries.ts'
import { useOrderActions } from './use-order-actions.ts'
import { direction, isolateText } from '@/lib/i18n/languages.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const SHOWN_FIRST = 8

/** Lists the events of an order, newest first. */
export function OrderHistory({ order, addresses }: { order: Order; addresses: OrderAddresses }) {
  const history = useQuery(orderHistoryQuery(order.id))
  const { data, isPending } = history
  const [isWhole, setIsWhole] = useState(false)
  const canChange = isEmployeeOrHigher(useCurrentUser().role)
  const actions = useOrderActions(order)
  const shown = isWhole ? data : data?.slice(0, SHOWN_FIRST)
  const hidden = (data?.length ?? 0) - (shown?.length ?? 0)
  return (
    <Card title={t('History')}>
      {isPending ? <SkeletonLines label={t('Loading the history')} /> : null}
      <QueryError message={t('The history could not be loaded.')} query={history} className="m-3" />
      <ol className="divide-y divide-line">
        {shown?.map((event) => (
          <Event
            key={event.id}
            event={event}
            actions={canChange ? actions : null}
            jobAddress={addresses.job}
          />
        ))}
        {data && hidden === 0 ? (
          <Line title={t('Placed')} detail="" at={order.placed_at} by={order.customer_name} />
        ) : null}
      </ol>
      {hidden > 0 ? (
        <p className="border-t border-line p-3">
          <Button size="sm" onClick={() => setIsWhole(true)}>
            {t('Show {hidden, plural, one {# earlier event} other {# earlier events}}', { hidden })}
          </Button>
        </p>
      ) : null}
    </Card>
  )
}

const TITLES: Readonly<Record<string, string>> = {
  'order.created': t('Received'),
  'order.updated': t('Changed'),
  'order.deleted': t('Moved to the trash'),
  'order.restored': t('Restored'),
  'order.reserved': t('Reserved'),
  'order.released': t('Released'),
  'order.prints_queued': t('Prints queued'),
  'order.printed': t('Printed'),
  'order.shipped': t('Shipped'),
  'order.shipment_undone': t('Shipment undone'),
  'order.tracking_changed': t('Tracking changed'),
  'order.postage_changed': t('Postage changed'),
  'order.returned': t('Returned by the customer'),
  'order.return_undone': t('Return undone'),
  'order.held': t('Put on hold'),
  'order.resumed': t('Resumed'),
  'order.cancelled': t('Cancelled'),
  'order.completed': t('Completed'),
  'order.reopened': t('Reopened'),
  'order.sku_mapped': t('SKU mapped'),
  'order.sku_ignored': t('SKU ignored'),
  'order.sku_forgotten': t('SKU unknown again'),
}

const FIELDS: Readonly<Record<string, string>> = {
  customer_name: t('customer'),
  customer_email: t('email'),
  shipping_address: t('address'),
  total_minor: t('total'),
  shipping_minor: t('shipping'),
  surcharge_minor: t('surcharges'),
  kept_minor: t('kept from refunds'),
  tax_minor: t('tax'),
  discount_minor: t('discount'),
  fee_minor: t('fees'),
  placed_at: t('time of purchase'),
  due_at: t('due date'),
  external_id: t('shop order number'),
  order_number: t('number'),
  items: t('lines'),
  status: t('status'),
  notes: t('notes'),
  currency: t('currency'),
}

const ITEMS_SHOWN = 3

/**
 * Describes an event by the first of these that it has: the pieces and the printer, the reason (for a return with its
 * pieces), the changed fields, or the lines: `3 × Dragon, 1 × Egg and 2 more lines`. For a mapped SKU, the lines are the
 * pieces that it stands for: `NEST = 1 × Dragon, 2 × Egg`.
 */
function detailOf({ action, items, changed_fields: fields, reason, sku, printer }: OrderEvent): string {
  if (printer) return t('{pieces} by {printer}', { pieces: piecesOf(items), printer })
  if (reason && action === 'order.returned') return `${piecesOf(items)} (${isolateText(reason)})`
  if (reason) return isolateText(serverText(reason))
  if (fields.length > 0) return fields.map((field) => FIELDS[field] ?? field).join(', ')
  const pieces = piecesOf(items)
  return sku === null ? pieces : [sku, pieces].filter(Boolean).join(' = ')
}

function piecesOf(items: OrderEvent['items']): string {
  const named = items
    .slice(0, ITEMS_SHOWN)
    .map(({ name, sku, quantity }) => isolateText(`${formatCount(quantity)} × ${name || sku}`))
  const more = items.length - named.length
  const lines = named.join(', ')
  return more > 0
    ? t('{lines} and {more, plural, one {# more line} other {# more lines}}', { lines, more })
    : lines
}

/** An event. A person who may change the order can undo a return that was booked by mistake. */
function Event({
  event,
  actions,
  jobAddress,
}: {
  event: OrderEvent
  actions: ReturnType<typeof useOrderActions> | null
  jobAddress: OrderAddresses['job']
}) {
  const { return_id: returnId } = event
  const detail = detailOf(event)
  return (
    <Line
      title={TITLES[event.action] ?? event.action}
      detail={detail}
      links={<JobLinks jobs={event.jobs} address={jobAddress} />}
      at={event.created_at}
      by={event.actor.name}
      button={
        actions && returnId !== null ? (
          <Button
            size="sm"
            aria-label={t('Undo the return of {pieces}', { pieces: detail })}
            isPending={actions.isPending}
            onClick={() => actions.undoReturn(returnId)}
          >
            {t('Undo')}
          </Button>
        ) : null
      }
    />
  )
}

/** Links the jobs of an event. A plan of many jobs names the first ones. */
function JobLinks({ jobs, address }: { jobs: OrderEvent['jobs']; address: OrderAddresses['job'] }) {
  const more = jobs.length - ITEMS_SHOWN
  return (
    <>
      {jobs.slice(0, ITEMS_SHOWN).map(({ id, code }, index) => (
        <Fragment key={id}>
          {index === 0 ? ' · ' : ', '}
          <Link to={address(id)} className="link code">
            {code}
          </Link>
        </Fragment>
      ))}
      {more > 0 ? ` ${t('and {more, plural, one {# more job} other {# more jobs}}', { more })}` : null}
    </>
  )
}

interface LineProps {
  title: string
  detail: string
  links?: ReactNode
  at: string
  by: string
  button?: ReactNode
}

const Line = ({ title, detail, links, at, by, button }: LineProps) => (
  <li className="flex items-start gap-3 px-4 py-2.5">
    <div className="min-w-0 flex-1">
      <p className="wrap-anywhere">
        <span className="font-medium">{title}</span>
        {detail ? (
          <span className="text-ink-2">
            : <bdi dir={direction}>{detail}</bdi>
          </span>
        ) : null}
        {links}
      </p>
      <p className="text-caption text-ink-3 wrap-anywhere">
        <time dateTime={at}>{formatDateTime(at)}</time>
        {by ? (
          <>
            {' '}
            · <bdi>{by}</bdi>
          </>
        ) : null}
      </p>
    </div>
    {button}
  </li>
)
