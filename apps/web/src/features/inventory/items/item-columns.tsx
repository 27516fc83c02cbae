import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { Column } from '@/components/data-table.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import type { Selection } from '@/components/selection/use-selection.ts'
import { tickColumn } from '@/components/selection/tick-column.tsx'
import { EditButton, ItemMenu, QrButton } from './item-actions.tsx'
import { LocationCell, PriceCell } from './inline-cells.tsx'
import { locationLabel, priceOf } from './item-details.ts'
import { ItemLink, ItemQuantity, ItemStatus, SourceLines, ItemStock } from './item-parts.tsx'
import { Stepper } from '../stock/stepper.tsx'
import { t } from '@/lib/i18n/messages.ts'
import { STATUS_LABELS } from '@/lib/i18n/statuses.ts'

interface ColumnOptions {
  itemAddress: (id: string) => string
  modelAddress: (id: string) => string
  /** The selection of the list; null for people who cannot change items. */
  selection: Selection<InventoryItem> | null
  /** The items loaded so far. */
  items: readonly InventoryItem[]
  /** True if any item has a label picture. Otherwise the column is left out. */
  hasLabels: boolean
}

export const itemColumns = ({
  itemAddress,
  modelAddress,
  selection,
  items,
  hasLabels,
}: ColumnOptions): readonly Column<InventoryItem>[] => [
  ...(selection ? [tickColumn({ selection, things: items, one: 'item', nameOf: ({ name }) => name })] : []),
  {
    id: 'item',
    head: t('Item'),
    track: 'minmax(0,2fr)',
    value: ({ name }) => name,
    cell: (item) => (
      <div className="flex items-center gap-2.5">
        <PartPicture src={item.stl_thumbnail_path} tint={item.color_hex} className="size-14" />
        <div className="min-w-0">
          <ItemLink item={item} to={itemAddress(item.id)} className="font-medium" />
          <span className="block truncate text-caption text-ink-3 code">{item.sku}</span>
        </div>
      </div>
    ),
  },
  {
    id: 'source',
    head: t('Source STL'),
    track: 'minmax(0,1.1fr)',
    from: 1280,
    value: (item) => item.stl_file_title,
    cell: (item) => <SourceLines item={item} modelAddress={modelAddress} />,
  },
  {
    id: 'stock',
    head: t('Stock'),
    track: 'minmax(140px,1.9fr)',
    from: 760,
    cell: (item) => (
      <div className="@container text-caption text-ink-3">
        <ItemStock item={item} />
      </div>
    ),
  },
  selection
    ? {
        id: 'quantity',
        head: t('Quantity'),
        track: '116px',
        value: ({ quantity }) => quantity,
        cell: (item) => <Stepper item={item} />,
      }
    : {
        id: 'quantity',
        head: t('Quantity'),
        track: '84px',
        isNumber: true,
        value: ({ quantity }) => quantity,
        cell: (item) => (
          <span className="font-semibold">
            <ItemQuantity item={item} />
          </span>
        ),
      },
  {
    id: 'status',
    head: t('Status'),
    track: '112px',
    value: ({ status }) => STATUS_LABELS[status],
    cell: (item) => <ItemStatus item={item} />,
  },
  {
    id: 'location',
    head: t('Location'),
    track: 'minmax(0,1fr)',
    from: 1060,
    value: (item) => locationLabel(item),
    cell: (item) =>
      selection ? (
        <LocationCell item={item} />
      ) : (
        <bdi className="line-clamp-2 text-caption text-ink-2" title={locationLabel(item)}>
          {locationLabel(item).replace(' · ', '\u00a0·\u00a0')}
        </bdi>
      ),
  },
  {
    id: 'price',
    head: t('Price'),
    track: selection ? '104px' : '70px',
    isNumber: true,
    from: 940,
    value: ({ selling_price: price }) => price,
    cell: (item) =>
      selection ? <PriceCell item={item} /> : <span className="font-medium">{priceOf(item)}</span>,
  },
  ...(hasLabels ? [LABEL_COLUMN] : []),
  ...(selection ? [ACTIONS_COLUMN] : []),
]

const LABEL_COLUMN: Column<InventoryItem> = {
  id: 'label',
  head: t('Label'),
  track: '90px',
  from: 1240,
  cell: (item) => <QrButton item={item} />,
}

const ACTIONS_COLUMN: Column<InventoryItem> = {
  id: 'actions',
  head: t('Actions'),
  track: '86px',
  isNumber: true,
  cell: (item) => (
    <span className="flex items-center justify-end gap-1">
      <EditButton item={item} />
      <ItemMenu item={item} />
    </span>
  ),
}
