import type { AccountRow } from '@pegasus/contracts/orders/order-account'
import type { OrderLine, SetPart } from '@pegasus/contracts/orders/orders'
import type { OrderStatus } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { formatCount, formatDateTime } from '@/lib/format/format.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { lineAccountQuery } from '../orders.queries.ts'
import { orderAddress, type OrderAddresses } from '../orders-address.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

/** Maximum number of earlier orders that are listed. */
const EARLIER_SHOWN = 5

interface LineAccountProps {
  orderId: string
  line: OrderLine | SetPart
  status: OrderStatus
  addresses: OrderAddresses
}

/** Lists the rows that make up each term of a line's calculation. */
export function LineAccountRows({ orderId, line, status, addresses }: LineAccountProps) {
  const { data, error } = useQuery(lineAccountQuery(orderId, line.id))
  if (error)
    return (
      <p role="alert" className="text-label text-red-ink">
        {errorMessage(error, t('The rows could not be loaded.'))}
      </p>
    )
  if (!data) return <Skeleton className="h-9" />
  const itemId = line.inventory_item_id
  // A job may make more pieces than the line needs, for example to fill its plate.
  const surplus = line.queued_quantity - (line.short_by - line.missing_quantity)
  return (
    <ul className="flex flex-col gap-1 border-s-2 border-line ps-3 text-label text-ink-2">
      {data.rows.map((row, index) => (
        <Row key={index} quantity={row.quantity} word={wordOf(row)}>
          <Source row={row} addresses={addresses} />
          {row.term === 'allocated' && itemId ? (
            <Link to={addresses.item(itemId)} className="link">
              {t('{available_quantity} free in stock', {
                available_quantity: formatCount(line.available_quantity ?? 0),
              })}
            </Link>
          ) : null}
        </Row>
      ))}
      {line.short_by > 0 && data.earlier_orders.length > 0 ? (
        <li className="text-ink-3">
          {rich(
            'Free pieces go first to {earlier_orders}{areMore, select, true {, and to others} other {}}.',
            {
              areMore: String(data.earlier_orders.length > EARLIER_SHOWN),
              earlier_orders: data.earlier_orders
                .slice(0, EARLIER_SHOWN)
                .map(({ order_id: id, order_number: number, quantity }, at) => (
                  <Fragment key={id}>
                    {at > 0 ? ', ' : null}
                    <Link to={orderAddress(id)} className="link code">
                      {number}
                    </Link>{' '}
                    ({formatCount(quantity)})
                  </Fragment>
                )),
            },
          )}
        </li>
      ) : null}
      {surplus > 0 ? (
        <li className="text-ink-3">
          {t(
            '{surplus, plural, one {# piece} other {# pieces}} in the print queue more than this line needs',
            { surplus },
          )}
        </li>
      ) : null}
      {line.missing_quantity > 0 ? (
        status === 'on_hold' ? (
          <Row quantity={line.missing_quantity} word={t('on hold')}>
            {t('an order on hold gets no free pieces until it is resumed')}
          </Row>
        ) : (
          <Row quantity={line.missing_quantity} word={t('missing')}>
            {t('neither in stock nor in the print queue')}
          </Row>
        )
      ) : null}
      {line.not_shipped_quantity > 0 ? (
        <Row quantity={line.not_shipped_quantity} word={t('not shipped')}>
          {status === 'cancelled'
            ? t('the order was cancelled without them')
            : t('the order was completed without them')}
        </Row>
      ) : null}
    </ul>
  )
}

const WORDS: Readonly<Record<AccountRow['term'], string>> = {
  shipped: t('shipped'),
  reserved: t('reserved'),
  allocated: t('in stock'),
  queued: t('in the print queue'),
}

const wordOf = ({ term, quantity }: AccountRow): string =>
  term === 'reserved' && quantity < 0 ? t('released from the reservation') : WORDS[term]

const Row = ({ quantity, word, children }: { quantity: number; word: string; children: ReactNode }) => (
  <li className="wrap-anywhere">
    <span className="font-medium">
      {formatCount(Math.abs(quantity))} {word}
    </span>{' '}
    <span className="text-ink-3">· {children}</span>
  </li>
)

function Source({ row, addresses }: { row: AccountRow; addresses: OrderAddresses }) {
  if (row.print_job_id)
    return (
      <Link to={addresses.job(row.print_job_id)} className="link code">
        {row.print_job_code ?? t('Print job')}
      </Link>
    )
  if (row.term === 'allocated') return null
  if (row.at === null)
    return (
      <>
        {row.term === 'reserved'
          ? t('reserved for the order in the inventory')
          : t('booked for the order in the inventory')}
      </>
    )
  return (
    <>
      {row.shipment_number === null ? null : (
        <>{t('Shipment {shipment_number}', { shipment_number: row.shipment_number })} · </>
      )}
      <time dateTime={row.at}>{formatDateTime(row.at)}</time> · <bdi>{row.actor_name}</bdi>
    </>
  )
}
