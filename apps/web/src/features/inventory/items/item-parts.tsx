import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { Link } from 'react-router'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { StockGauge } from '@/components/ui/charts/stock-gauge.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { filamentOf } from './item-details.ts'
import { useShownItem } from '../stock/stock-context.tsx'
import { t } from '@/lib/i18n/messages.ts'

// Parts that an item's row, card and page share. They show stock changes even before these have been sent.

interface ItemProps {
  item: InventoryItem
}

/** The item's name as a link. The link covers the card or row around it. */
export const ItemLink = ({ item, to, className }: ItemProps & { to: string; className: string }) => (
  <Link
    to={to}
    title={item.name}
    className={`line-clamp-2 leading-[18px] after:absolute after:inset-0 ${className}`}
  >
    <bdi>{item.name}</bdi>
  </Link>
)

export const ItemGauge = ({ item, className = '' }: ItemProps & { className?: string }) => (
  <StockGauge stock={useShownItem(item)} className={className} />
)

export const ItemStatus = ({ item }: ItemProps) => <StatusBadge status={useShownItem(item).status} />

export const ItemQuantity = ({ item }: ItemProps) => <>{formatCount(useShownItem(item).quantity)}</>

/** Says how many pieces are reserved, or by how many the stock exceeds the maximum. */
export function StockNote({ item }: ItemProps) {
  const { quantity, reserved_quantity: reserved, max_stock: max } = useShownItem(item)
  const [number, word] =
    reserved > 0
      ? [reserved, t('reserved')]
      : max > 0 && quantity > max
        ? [quantity - max, t('over max')]
        : []
  if (number === undefined) return null
  return (
    <span>
      <span className="font-semibold text-ink-2">{formatCount(number)}</span> {word}
    </span>
  )
}

export function ReorderNote({ item }: ItemProps) {
  return (
    <span className="ms-auto truncate">
      {t('reorder {reorder_point}', { reorder_point: formatCount(item.reorder_point) })}
      <span className="hidden @min-[195px]:inline">
        {' · '}
        {t('max {max_stock}', { max_stock: formatCount(item.max_stock) })}
      </span>
    </span>
  )
}

/** Links to the source model, and names the filament. */
export const SourceLines = ({ item, modelAddress }: ItemProps & { modelAddress: (id: string) => string }) => (
  <div className="relative w-fit max-w-full text-caption text-ink-2">
    {item.stl_file_id && item.stl_file_title ? (
      <Link
        to={modelAddress(item.stl_file_id)}
        title={item.stl_file_title}
        className="block hover:underline phone:py-1"
      >
        <bdi className="block truncate">{item.stl_file_title}</bdi>
      </Link>
    ) : (
      <span className="block text-ink-3">{t('No source model')}</span>
    )}
    {filamentOf(item) ? (
      <span className="mt-0.5 flex items-center gap-1.5">
        <ColorDot hex={item.color_hex} />
        <bdi className="truncate">{filamentOf(item)}</bdi>
      </span>
    ) : null}
  </div>
)

/**
 * Shows the reserved or surplus pieces and the reorder point above the stock bar. The parent must be a CSS container.
 */
export const ItemStock = ({ item }: ItemProps) => (
  <>
    <div className="flex justify-between gap-2 whitespace-nowrap">
      <StockNote item={item} />
      <ReorderNote item={item} />
    </div>
    <ItemGauge item={item} />
  </>
)
