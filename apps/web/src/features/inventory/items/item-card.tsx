import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { MapPin } from 'lucide-react'
import { CardGridSkeleton } from '@/components/card-grid.tsx'
import type { GridLayout } from '@/components/virtual-rows.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import type { Selection } from '@/components/selection/use-selection.ts'
import { Skeleton, SkeletonText } from '@/components/ui/feedback/skeleton.tsx'
import { cx } from '@/lib/class-names.ts'
import { Tick } from '@/components/selection/tick-column.tsx'
import { EditButton, ItemMenu, QrButton } from './item-actions.tsx'
import { locationLabel, priceOf } from './item-details.ts'
import { ItemLink, ItemQuantity, ItemStatus, SourceLines, ItemStock } from './item-parts.tsx'
import { Stepper } from '../stock/stepper.tsx'
import { t } from '@/lib/i18n/messages.ts'

const MIN_WIDTH = 320
const GAP = 16
const PHONE_GAP = 12

/**
 * Returns the layout of cards for a width in pixels. All cards have the same height, and the width determines the
 * number of columns.
 */
export function itemCardLayout(width: number, isPhone: boolean): GridLayout {
  const gap = isPhone ? PHONE_GAP : GAP
  const columns = isPhone ? 1 : Math.max(1, Math.floor((width + gap) / (MIN_WIDTH + gap)))
  return { columns, gap, estimatedHeight: isPhone ? 288 : 262 }
}

const SKELETON_ROWS = 3

/** Placeholder for the cards while the items are loading. */
export const ItemCardsSkeleton = ({ label }: { label: string }) => (
  <CardGridSkeleton
    label={label}
    layoutOf={itemCardLayout}
    countOf={({ columns }) => columns * SKELETON_ROWS}
  >
    {({ estimatedHeight }) => (
      <div
        className="flex gap-3 rounded-card border border-line bg-surface p-4"
        style={{ height: estimatedHeight }}
      >
        <Skeleton className="size-22" />
        <SkeletonText bars={['h-3.5 w-4/5', 'mt-3 h-2.5 w-2/5', 'mt-3 h-5 w-16']} />
      </div>
    )}
  </CardGridSkeleton>
)

interface ItemCardProps {
  item: InventoryItem
  to: string
  modelAddress: (id: string) => string
  /** The selection of the list; null for people who cannot change items. */
  selection: Selection<InventoryItem> | null
}

/** An item as a card, with all data that is needed for the next decision. */
export function ItemCard({ item, to, modelAddress, selection }: ItemCardProps) {
  const isTicked = selection?.things.has(item.id) ?? false
  return (
    <article
      className={cx(
        'relative flex h-full flex-col rounded-card border bg-surface transition-colors hover:bg-hover',
        isTicked ? 'border-accent shadow-[0_0_0_1px_var(--accent)]' : 'border-line',
      )}
    >
      <div className="flex gap-3 p-4 pb-2">
        <PartPicture src={item.stl_thumbnail_path} tint={item.color_hex} className="size-22" />
        <div className="min-w-0 flex-1">
          <div className="flex items-start gap-2">
            <h3 className="min-w-0 flex-1">
              <ItemLink item={item} to={to} className="h-9 font-semibold tracking-[-0.005em]" />
            </h3>
            {selection ? <Tick thing={item} name={item.name} selection={selection} /> : null}
          </div>
          <p className="truncate text-caption text-ink-3 code">{item.sku}</p>
          <div className="mt-2">
            <ItemStatus item={item} />
          </div>
        </div>
      </div>
      <div className="min-h-9 px-4">
        <SourceLines item={item} modelAddress={modelAddress} />
      </div>
      <div className="@container mt-2 px-4 text-caption text-ink-3">
        <ItemStock item={item} />
      </div>
      <div className="mt-1 flex items-center gap-3 px-4 pb-3">
        {selection ? (
          <Stepper item={item} />
        ) : (
          <p className="font-semibold">
            <ItemQuantity item={item} /> <span className="font-normal text-ink-3">{t('in stock')}</span>
          </p>
        )}
        <p className="ms-auto flex min-w-0 items-center gap-1 text-caption text-ink-2">
          {locationLabel(item) ? (
            <>
              <MapPin size={12} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />
              <bdi className="truncate" title={locationLabel(item)}>
                {locationLabel(item)}
              </bdi>
            </>
          ) : (
            <span className="text-ink-3">{t('No location')}</span>
          )}
        </p>
      </div>
      <div className="mt-auto flex min-h-11 items-center gap-1 border-t border-line pe-2 ps-4">
        <span className="me-auto font-medium">{priceOf(item)}</span>
        <QrButton item={item} />
        {selection ? (
          <>
            <EditButton item={item} />
            <ItemMenu item={item} />
          </>
        ) : null}
      </div>
    </article>
  )
}
