import { INVENTORY_SORTS, type InventorySort } from '@pegasus/contracts/inventory/items'
import { LayoutGrid, Rows3, SlidersHorizontal } from 'lucide-react'
import { FilterChip } from '@/components/filter-chip.tsx'
import { useState } from 'react'
import type { NamedFilter } from '@/components/kit/list-filters.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import type { InventoryFilters, Layout } from '../inventory-address.ts'
import { SORT_LABELS } from './item-filters.tsx'
import { MoreFiltersDialog } from './more-filters-dialog.tsx'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

interface ListBarProps {
  filters: InventoryFilters
  named: readonly NamedFilter[]
  onApply: (part: Partial<InventoryFilters>) => void
  sort: InventorySort
  onSort: (sort: InventorySort) => void
  layout: Layout
  onLayout: (layout: Layout) => void
}

const LAYOUT_OPTIONS = {
  list: <LayoutLabel Icon={Rows3} name={t('List')} />,
  cards: <LayoutLabel Icon={LayoutGrid} name={t('Cards')} />,
}

function LayoutLabel({ Icon, name }: { Icon: typeof Rows3; name: string }) {
  return (
    <span title={name} className="flex">
      <Icon {...ICON} />
      <span className="sr-only">{name}</span>
    </span>
  )
}

/** The line above the list, with quick filters, order and layout. */
export function ItemListToolbar({ filters, named, onApply, sort, onSort, layout, onLayout }: ListBarProps) {
  const isPhone = useIsPhone()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="-mt-1.5 mb-3 flex flex-wrap items-center gap-1.5 phone:m-0 phone:w-full">
      <Button
        variant="ghost"
        size="sm"
        className="-ms-2 phone:-ms-1 phone:px-1"
        aria-haspopup="dialog"
        icon={<SlidersHorizontal {...ICON} size={14} />}
        onClick={() => setIsOpen(true)}
      >
        {t('More filters')}
      </Button>
      {isPhone ? null : <FilterChips named={named} />}
      <div className="ms-auto flex items-center gap-2">
        <Select
          aria-label={t('Sort by')}
          value={sort}
          onChange={(event) =>
            onSort(INVENTORY_SORTS.find((each) => each === event.target.value) ?? 'newest')
          }
          className="w-36"
        >
          <Options of={INVENTORY_SORTS.map((each) => ({ value: each, label: SORT_LABELS[each] }))} />
        </Select>
        <SegmentedControl label={t('Layout')} value={layout} options={LAYOUT_OPTIONS} onChange={onLayout} />
      </div>
      {isOpen ? (
        <MoreFiltersDialog applied={filters} onApply={onApply} onClose={() => setIsOpen(false)} />
      ) : null}
    </div>
  )
}

/** Shows the filters that have no control in the bar, each with a button that removes it. */
export const FilterChips = ({ named }: { named: readonly NamedFilter[] }) => (
  <>
    {named
      .filter(({ isInBar }) => !isInBar)
      .map(({ name, clearLabel, onClear }) => (
        <FilterChip key={clearLabel} name={name} clearLabel={clearLabel} isStrong onClear={onClear} />
      ))}
  </>
)
