import type { InventoryItem } from '@pegasus/contracts/inventory'
import { QrCode } from 'lucide-react'
import { Link } from 'react-router'
import type { Column } from '@/components/data-table.tsx'
import { StatusBadge } from '@/components/ui/badge.tsx'
import { buttonClass } from '@/components/ui/button.tsx'
import { ColorDot } from '@/components/ui/color-dot.tsx'
import { PartPicture } from '@/components/ui/part-picture.tsx'
import { StockGauge } from '@/components/ui/stock-gauge.tsx'
import { formatCount, formatMoney } from '@/lib/format.ts'

/** `Rack A3 · Bin 12` */
const placeOf = ({ location, bin_location }: InventoryItem): string =>
  [location, bin_location].filter(Boolean).join(' · ')

const filamentOf = ({ material_used, color }: InventoryItem): string =>
  [material_used, color].filter(Boolean).join(' ')

/** Price 0 stays blank. */
const priceOf = ({ selling_price }: InventoryItem): string =>
  selling_price ? formatMoney(selling_price) : ''

const Gauge = ({ item }: { item: InventoryItem }) => (
  <StockGauge
    quantity={item.quantity}
    reserved={item.reserved_quantity}
    reorderPoint={item.reorder_point}
    maxStock={item.max_stock}
    status={item.status}
  />
)

const LABEL_COLUMN: Column<InventoryItem> = {
  id: 'label',
  head: 'Label',
  track: '104px',
  from: 1100,
  cell: (item) =>
    item.qr_code_path ? (
      <a
        href={item.qr_code_path}
        target="_blank"
        rel="noopener noreferrer"
        className={buttonClass({ variant: 'ghost', size: 'sm' })}
      >
        <QrCode size={14} strokeWidth={1.75} aria-hidden />
        QR Code
      </a>
    ) : null,
}

interface ColumnOptions {
  modelAddress: (id: string) => string
  /** Whether any item has a label to show; a column of nothing would only take room. */
  hasLabels: boolean
}

export const itemColumns = ({ modelAddress, hasLabels }: ColumnOptions): readonly Column<InventoryItem>[] => [
  {
    id: 'item',
    head: 'Item',
    track: 'minmax(0,2.1fr)',
    cell: (item) => (
      <div className="flex items-center gap-2.5">
        <PartPicture src={item.stl_thumbnail_path} tint={item.color_hex} className="size-14" />
        <div className="min-w-0">
          <bdi className="line-clamp-2 text-left leading-[18px] font-medium" title={item.name}>
            {item.name}
          </bdi>
          <span className="block truncate text-caption text-ink-3 code">{item.sku}</span>
        </div>
      </div>
    ),
  },
  {
    id: 'source',
    head: 'Source STL and filament',
    track: 'minmax(0,1.1fr)',
    from: 1000,
    cell: (item) => (
      <div className="text-caption text-ink-2">
        {item.stl_file_id && item.stl_file_title ? (
          <Link
            to={modelAddress(item.stl_file_id)}
            title={item.stl_file_title}
            className="block hover:underline"
          >
            <bdi className="block truncate text-left">{item.stl_file_title}</bdi>
          </Link>
        ) : (
          <span className="block text-ink-3">No source model</span>
        )}
        {filamentOf(item) ? (
          <span className="mt-0.5 flex items-center gap-1.5">
            <ColorDot hex={item.color_hex} />
            <bdi className="truncate">{filamentOf(item)}</bdi>
          </span>
        ) : null}
      </div>
    ),
  },
  {
    id: 'stock',
    head: 'Stock',
    track: 'minmax(150px,1.7fr)',
    cell: (item) => (
      <div className="@container text-caption text-ink-3">
        <div className="flex justify-between gap-2 whitespace-nowrap">
          <StockNote item={item} />
          <span className="ml-auto truncate">
            reorder {formatCount(item.reorder_point)}
            <span className="hidden @min-[230px]:inline"> · max {formatCount(item.max_stock)}</span>
          </span>
        </div>
        <Gauge item={item} />
      </div>
    ),
  },
  {
    id: 'quantity',
    head: 'Quantity',
    track: '84px',
    isNumber: true,
    cell: (item) => <span className="font-semibold">{formatCount(item.quantity)}</span>,
  },
  {
    id: 'status',
    head: 'Status',
    track: '112px',
    cell: (item) => <StatusBadge status={item.status} />,
  },
  {
    id: 'location',
    head: 'Location',
    track: 'minmax(0,1fr)',
    from: 860,
    cell: (item) => (
      <bdi className="block truncate text-left text-caption text-ink-2" title={placeOf(item)}>
        {placeOf(item)}
      </bdi>
    ),
  },
  {
    id: 'price',
    head: 'Price',
    track: '84px',
    isNumber: true,
    from: 720,
    cell: (item) => <span className="font-medium">{priceOf(item)}</span>,
  },
  ...(hasLabels ? [LABEL_COLUMN] : []),
]

/** What of the stock is promised, or more than there should be. */
function StockNote({ item: { quantity, reserved_quantity, max_stock } }: { item: InventoryItem }) {
  const [number, word] =
    reserved_quantity > 0
      ? [reserved_quantity, 'reserved']
      : max_stock > 0 && quantity > max_stock
        ? [quantity - max_stock, 'over max']
        : []
  if (number === undefined) return null
  return (
    <span>
      <span className="font-semibold text-ink-2">{formatCount(number)}</span> {word}
    </span>
  )
}

/** An item on a phone. */
export const ItemRow = ({ item }: { item: InventoryItem }) => (
  <div className="flex items-center gap-3 px-4 py-2.5">
    <PartPicture src={item.stl_thumbnail_path} tint={item.color_hex} className="size-18" />
    <div className="min-w-0 flex-1">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <bdi className="line-clamp-2 text-left leading-[18px] font-medium" title={item.name}>
            {item.name}
          </bdi>
          <span className="mt-px block truncate text-caption text-ink-3 code">{item.sku}</span>
        </div>
        <span className="text-[1.0625rem] leading-[18px] font-semibold">{formatCount(item.quantity)}</span>
      </div>
      <Gauge item={item} />
      <div className="mt-0.5 flex items-center gap-2 text-caption text-ink-3">
        <StatusBadge status={item.status} />
        <bdi className="min-w-0 flex-1 truncate text-right">{placeOf(item)}</bdi>
        <span className="font-medium text-ink-2">{priceOf(item)}</span>
      </div>
    </div>
  </div>
)
