import { type Order, type OrderLine, type SetPart, missingPiecesOf } from '@pegasus/contracts/orders/orders'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { isFinishedOrder } from '@pegasus/contracts/statuses'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatCount, formatMoneyIn } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { LineAccountRows } from './line-account.tsx'
import { isUnknown, stockOf } from './line-stock.ts'
import { OrderEarnings } from './order-earnings.tsx'
import { OrderTotals } from './order-totals.tsx'
import { WindowedLines } from './windowed-lines.tsx'
import { type OrderAddresses, skuInboxAddress } from '../orders-address.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Lists the ordered items, each compared with the free stock, with a button to print the missing pieces. */
export function OrderLines({ order, addresses }: { order: Order; addresses: OrderAddresses }) {
  const canPrint = isEmployeeOrHigher(useCurrentUser().role)
  /** The lines whose rows are shown. They stay open while they are scrolled out of sight. */
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set())
  const open = (id: string, isOpen: boolean) =>
    setOpenIds((last) => {
      const next = new Set(last)
      if (isOpen) next.add(id)
      else next.delete(id)
      return next
    })
  // While an order is on hold it gets no free pieces, so nobody knows which pieces have to be printed.
  const missing = order.status === 'on_hold' ? 0 : missingPiecesOf(order.items)
  return (
    <Card
      title={t('Lines')}
      aside={
        missing > 0 ? (
          <span className="font-medium text-yellow-ink">
            {t('{missing, plural, one {# piece} other {# pieces}} missing', { missing })}
          </span>
        ) : order.items.length > 0 ? (
          formatCount(order.items.length)
        ) : null
      }
    >
      {order.items.length === 0 ? (
        <p className="p-4 text-ink-2">{t('This order has no lines.')}</p>
      ) : (
        <WindowedLines
          rows={order.items.flatMap((line): (OrderLine | SetPart)[] => [line, ...line.parts])}
          total={order.items.length}
          label={t('Lines')}
          estimatedHeight={69}
          keyOf={({ id }) => id}
        >
          {(line) => (
            <Line
              line={line}
              order={order}
              canPrint={canPrint}
              addresses={addresses}
              isOpen={openIds.has(line.id)}
              onOpen={(isOpen) => open(line.id, isOpen)}
            />
          )}
        </WindowedLines>
      )}
      <OrderTotals order={order} />
      <OrderEarnings order={order} />
    </Card>
  )
}

interface LineProps {
  line: OrderLine | SetPart
  order: Order
  canPrint: boolean
  addresses: OrderAddresses
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

function Line({ line, order, canPrint, addresses, isOpen, onOpen }: LineProps) {
  const { sku, name, quantity, unit_price, inventory_item_id: itemId, missing_quantity: missing } = line
  const title = name || sku
  const isPart = 'pieces_per_set' in line
  const id = useId()
  return (
    <div
      className={cx(
        'flex min-h-[68px] flex-wrap items-center gap-3 px-4 py-1.5',
        isPart && 'ps-12 phone:ps-8',
      )}
    >
      <PartPicture
        src={line.stl_thumbnail_path}
        tint={line.color_hex}
        className={isPart ? 'size-11' : 'size-14'}
      />
      <div className="min-w-0 flex-1">
        {itemId ? (
          <Link
            to={addresses.item(itemId)}
            className="line-clamp-2 text-start font-medium hover:underline"
            title={title}
          >
            <bdi>{title}</bdi>
          </Link>
        ) : (
          <bdi className="line-clamp-2 font-medium" title={title}>
            {title}
          </bdi>
        )}
        <span className="block truncate text-caption text-ink-3 phone:whitespace-normal phone:wrap-anywhere">
          {sku ? <span className="code">{sku} · </span> : null}
          {isPart
            ? t('{pieces_per_set} in each set', { pieces_per_set: formatCount(line.pieces_per_set) })
            : t('{unit_price} each', { unit_price: formatMoneyIn(unit_price, order.currency) })}
        </span>
        <Account line={line} status={order.status} isOpen={isOpen} controls={id} onOpen={onOpen} />
        {canPrint && isUnknown(line) && sku && !isFinishedOrder(order.status) ? (
          <Link to={skuInboxAddress} className="link text-caption">
            {t('Map the SKU')}
          </Link>
        ) : null}
      </div>
      <div className="flex items-center gap-3 phone:flex-col-reverse phone:items-end phone:gap-1">
        {canPrint && itemId && missing > 0 && order.status !== 'on_hold' ? (
          <Link
            to={addresses.print({ itemId, quantity: missing, orderId: order.id })}
            className={buttonClass({ size: 'sm' })}
            aria-label={t('Print {missing} of {title}', { missing: formatCount(missing), title })}
          >
            {t('Print {missing}', { missing: formatCount(missing) })}
          </Link>
        ) : null}
        <span className="min-w-10 text-end text-ink-2 phone:min-w-0">× {formatCount(quantity)}</span>
        <span className="min-w-20 text-end font-semibold phone:min-w-0">
          {isPart ? null : formatMoneyIn(quantity * unit_price, order.currency)}
        </span>
      </div>
      {isOpen ? (
        <div id={id} className="basis-full pb-1.5 ps-17 phone:ps-0">
          <LineAccountRows orderId={order.id} line={line} status={order.status} addresses={addresses} />
        </div>
      ) : null}
    </div>
  )
}

interface AccountProps extends Pick<LineProps, 'line'> {
  status: Order['status']
  isOpen: boolean
  /** Id of the element with the rows that the button opens. */
  controls: string
  onOpen: (isOpen: boolean) => void
}

/** The calculation of a line. A click opens the rows that make up its terms. */
function Account({ line, status, isOpen, controls, onOpen }: AccountProps) {
  const stock = stockOf(line, status)
  if (!stock) return null
  const tone = stock.isShort ? 'text-yellow-ink' : 'text-ink-3'
  // A set has no rows itself, because only its parts have pieces.
  const hasRows = line.inventory_item_id !== null && !line.is_ignored
  if (!hasRows) return <span className={`block text-caption wrap-anywhere ${tone}`}>{stock.text}</span>
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      {...(isOpen && { 'aria-controls': controls })}
      onClick={() => onOpen(!isOpen)}
      className={`flex max-w-full items-center gap-1 rounded-control text-start text-caption hover:underline min-h-6 phone:min-h-8 ${tone}`}
    >
      <span className="wrap-anywhere">{stock.text}</span>
      <ChevronDown
        size={14}
        strokeWidth={1.75}
        aria-hidden
        className={cx('shrink-0', isOpen && 'rotate-180')}
      />
    </button>
  )
}
