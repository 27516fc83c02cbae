import { STATUS_DISPLAY, type StatusTone } from '@pegasus/contracts/statuses'
import { cx } from '@/lib/class-names.ts'
import { formatCount } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The stock of an item, with the field names of the API. */
interface Stock {
  quantity: number
  reserved_quantity: number
  reorder_point: number
  max_stock: number
  /** Decides the color. */
  status: keyof typeof STATUS_DISPLAY
}

interface StockGaugeProps {
  stock: Stock
  className?: string
}

const FILLS: Record<StatusTone, string> = {
  green: 'bg-green',
  yellow: 'bg-yellow',
  red: 'bg-red',
  blue: 'bg-blue',
  purple: 'bg-purple',
  grey: 'bg-ink-3',
}

const percent = (part: number, whole: number): number =>
  whole > 0 ? Math.min(100, Math.max(0, (part / whole) * 100)) : 0

/**
 * Shows stock from zero to the maximum, with a tick at the reorder point. The reserved part at the end is hatched. The
 * number is always shown next to it.
 */
export function StockGauge({ stock, className }: StockGaugeProps) {
  const { quantity, reserved_quantity: reserved, status } = stock
  const { reorder_point: reorderPoint, max_stock: maxStock } = stock
  // The track needs an end even if there is no maximum or the stock exceeds it.
  const end = maxStock > 0 ? maxStock : Math.max(quantity, reorderPoint, 1)
  const filled = percent(quantity, end)
  const hatched = Math.min(filled, percent(reserved, end))
  const fill = FILLS[STATUS_DISPLAY[status].tone]
  const isOver = quantity > end
  return (
    <div
      role="img"
      aria-label={t('{quantity} of at most {end}, {reserved} reserved, reorder at {reorderPoint}', {
        quantity: formatCount(quantity),
        end: formatCount(end),
        reserved: formatCount(reserved),
        reorderPoint: formatCount(reorderPoint),
      })}
      className={cx('relative h-5', className)}
    >
      <div className="absolute inset-x-0 top-[7px] h-1.5 overflow-hidden rounded-[2px] bg-line">
        <div
          className={cx('absolute inset-y-0 start-0', fill)}
          // Zero stock is drawn as a short stub, not as an empty track.
          style={{ width: quantity > 0 ? `max(${filled}%, 3px)` : '4px' }}
        />
        {hatched > 0 ? (
          <div
            className="absolute inset-y-0 bg-[repeating-linear-gradient(115deg,var(--surface)_0_2px,transparent_2px_5px)] opacity-75"
            style={{ insetInlineStart: `${filled - hatched}%`, width: `${hatched}%` }}
          />
        ) : null}
      </div>
      <div
        className="absolute inset-y-0.5 -ms-px w-0.5 bg-ink shadow-[0_0_0_1px_var(--surface)]"
        style={{ insetInlineStart: `${percent(reorderPoint, end)}%` }}
      />
      {isOver ? (
        <div className={cx('absolute inset-y-[3px] end-0 w-[3px] shadow-[-2px_0_0_var(--surface)]', fill)} />
      ) : null}
    </div>
  )
}
