import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { hasRole } from '@pegasus/contracts/roles'
import { isLowStock } from '@pegasus/contracts/inventory/item-status'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatCount } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { locationLabel } from '../items/item-details.ts'
import { ItemGauge } from '../items/item-parts.tsx'
import { STOCK_ACTIONS, type StockAction } from '../stock/stock-actions.ts'
import { StockDialog } from '../stock/stock-dialog.tsx'
import { Stepper } from '../stock/stepper.tsx'
import { useShownItem } from '../stock/stock-context.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface StockCardProps {
  item: InventoryItem
  printAddress: (of: { itemId: string; quantity: number }) => string
}

/** The picture, the quantities and all stock actions of an item. */
export function StockCard({ item, printAddress }: StockCardProps) {
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const shownItem = useShownItem(item)
  const { quantity, reserved_quantity: reserved, available_quantity: free } = shownItem
  const belowMaximum = Math.max(0, item.max_stock - quantity)
  return (
    <section className="min-w-0 rounded-card border border-line bg-surface">
      <h2 className="sr-only">{t('Stock')}</h2>
      <div className="flex gap-5 p-4 phone:flex-col phone:gap-3">
        <PartPicture
          src={item.stl_thumbnail_path}
          tint={item.color_hex}
          alt={item.name}
          className={cx(
            'size-52',
            // On a phone, a placeholder is smaller than a picture, which takes half of the screen.
            item.stl_thumbnail_path ? 'phone:aspect-[5/4] phone:h-auto phone:w-full' : 'phone:size-18',
          )}
        />
        <div className="flex min-w-0 flex-1 flex-col">
          <div className="flex flex-wrap items-end gap-x-6 gap-y-2">
            <Figure label={t('In stock')} value={quantity} />
            <Figure label={t('Reserved')} value={reserved} />
            <Figure label={t('Free')} value={free} />
            {canChange ? (
              <div
                className={cx('mb-1 ms-auto phone:ms-0 phone:w-full', quantity > 99_999 ? 'w-48' : 'w-32')}
              >
                <Stepper item={item} />
              </div>
            ) : null}
          </div>
          <ItemGauge item={item} className="mt-3" />
          <p className="flex justify-between gap-4 text-label text-ink-2">
            <span>
              {t('Reorder point {reorder_point}', { reorder_point: formatCount(item.reorder_point) })}
            </span>
            {item.safety_stock > 0 ? (
              <span>
                {t('Safety stock {safety_stock}', { safety_stock: formatCount(item.safety_stock) })}
              </span>
            ) : null}
            <span>{t('Max {max_stock}', { max_stock: formatCount(item.max_stock) })}</span>
          </p>
          <p className="mt-1 text-label text-ink-2">
            {locationLabel(item) ? (
              <bdi>{locationLabel(item)}</bdi>
            ) : (
              <span className="text-ink-3">{t('No location')}</span>
            )}
          </p>
          {canChange ? <StockActions item={item} /> : null}
        </div>
      </div>
      {canChange && isLowStock(shownItem) && belowMaximum > 0 ? (
        <div className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-2.5">
          <p className="min-w-0 flex-1 text-label text-ink-2">
            {t('Time to reorder: {wanted} more to reach the maximum.', { wanted: formatCount(belowMaximum) })}
          </p>
          <Link
            to={printAddress({ itemId: item.id, quantity: belowMaximum })}
            className={buttonClass({ size: 'sm' })}
          >
            <Printer size={14} strokeWidth={1.75} aria-hidden />
            {t('Queue a print')}
          </Link>
        </div>
      ) : null}
    </section>
  )
}

const Figure = ({ label, value }: { label: string; value: number }) => (
  <p>
    <span className="block text-label text-ink-2">{label}</span>
    <span className="text-figure font-[580]">{formatCount(value)}</span>
  </p>
)

function StockActions({ item }: { item: InventoryItem }) {
  const [action, setAction] = useState<StockAction | null>(null)
  return (
    <div className="mt-auto flex flex-wrap gap-2 pt-3">
      {STOCK_ACTIONS.filter(({ isOffered }) => isOffered(item)).map((each) => (
        <Button
          key={each.verb}
          size="sm"
          aria-haspopup="dialog"
          icon={<each.Icon size={14} strokeWidth={1.75} aria-hidden />}
          onClick={() => setAction(each)}
        >
          {each.verb}
        </Button>
      ))}
      {action ? <StockDialog item={item} action={action} onClose={() => setAction(null)} /> : null}
    </div>
  )
}
