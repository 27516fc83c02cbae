import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'
import { ItemMenu, QrButton } from './item-actions.tsx'
import { locationLabel, priceOf, shortLocationLabel } from './item-details.ts'
import { ItemGauge, ItemLink, ItemQuantity, ItemStatus } from './item-parts.tsx'
import { Stepper } from '../stock/stepper.tsx'

interface ItemRowProps {
  item: InventoryItem
  to: string
  canChange: boolean
}

/** An item on a phone. The stepper is at the right edge, within thumb's reach. */
export const ItemRow = ({ item, to, canChange }: ItemRowProps) => (
  <div className="relative flex items-center gap-3 px-4 py-2.5">
    <PartPicture src={item.stl_thumbnail_path} tint={item.color_hex} className="size-18" />
    <div className="min-w-0 flex-1">
      <ItemLink item={item} to={to} className="font-medium" />
      <span className="mt-px flex items-baseline gap-2 text-caption text-ink-3">
        <span className="min-w-0 flex-1 truncate">
          <span className="code">{item.sku}</span>
          {item.stl_file_title ? (
            <>
              {' · '}
              <bdi title={item.stl_file_title}>{item.stl_file_title}</bdi>
            </>
          ) : null}
        </span>
        <span className="font-medium text-ink-2">{priceOf(item)}</span>
      </span>
      <ItemGauge item={item} />
      <div className="mt-0.5 flex items-center gap-2 text-caption text-ink-3">
        <ItemStatus item={item} />
        <span className="shrink-0">
          {t('reorder {reorder_point}', { reorder_point: formatCount(item.reorder_point) })}
        </span>
        <bdi className="min-w-0 flex-1 truncate text-end" title={locationLabel(item)}>
          {shortLocationLabel(item)}
        </bdi>
        {/* The buttons are on top of the link that covers the row. Negative margins make the touch target
            larger than the line. */}
        <span className="relative z-10 -my-3 -me-3.5 -ms-3 flex">
          {canChange ? <ItemMenu item={item} isWhole /> : <QrButton item={item} isIcon />}
        </span>
      </div>
    </div>
    {canChange ? (
      <Stepper item={item} isUpright />
    ) : (
      <span className="text-[1.0625rem] font-semibold">
        <ItemQuantity item={item} />
      </span>
    )}
  </div>
)
