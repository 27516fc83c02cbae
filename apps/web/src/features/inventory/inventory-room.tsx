import { ITEM_STATUSES, STATUS_LOOKS } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { Boxes } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { knownTotal } from '@/components/card-grid.tsx'
import { DataTable, TableSkeleton } from '@/components/data-table.tsx'
import { FilterBar, SearchField } from '@/components/filter-bar.tsx'
import { ListError } from '@/components/list-error.tsx'
import { type AppliedFilter, NoMatches } from '@/components/no-matches.tsx'
import { Card } from '@/components/ui/card.tsx'
import { Checkbox } from '@/components/ui/checkbox.tsx'
import { EmptyState } from '@/components/ui/empty-state.tsx'
import { Select } from '@/components/ui/select.tsx'
import { formatTotal } from '@/lib/format.ts'
import { useList } from '@/lib/use-list.ts'
import { itemListQuery, LOW_SHOWN, lowItemsQuery } from './inventory.queries.ts'
import { type InventoryFilters, NO_FILTERS, readFilters, withFilters } from './inventory-address.ts'
import { itemColumns, ItemRow } from './item-row.tsx'

const ROW_HEIGHT = 68
const PHONE_ROW_HEIGHT = 112

interface InventoryRoomProps {
  modelAddress: (id: string) => string
}

/** What is in stock: what is searched for stands in the address. */
export function InventoryRoom({ modelAddress }: InventoryRoomProps) {
  const [params, setParams] = useSearchParams()
  const filters = readFilters(params)
  const { list, items, count, isLoading, isEmpty, paging } = useList(itemListQuery(filters))
  const { data: low } = useQuery(lowItemsQuery(LOW_SHOWN))
  const apply = (next: InventoryFilters) => setParams(withFilters(params, next))
  const applied = appliedFilters(filters, apply)
  return (
    <>
      <h1 className="sr-only">Inventory</h1>
      <FilterBar
        appliedKey={JSON.stringify(filters)}
        onApply={(field) =>
          apply({
            search: field('search'),
            status: ITEM_STATUSES.find((status) => status === field('status')) ?? null,
            isLowStockOnly: field('low_stock_only') === 'on',
          })
        }
        count={count}
        one="item"
        note={applied.length === 0 && low?.total ? <LowNote low={low} /> : null}
      >
        <SearchField label="Search name, SKU or location" value={filters.search} />
        <Checkbox
          name="low_stock_only"
          label="Low Stock Only"
          defaultChecked={filters.isLowStockOnly}
          className="px-1"
        />
        <Select
          name="status"
          aria-label="Status"
          defaultValue={filters.status ?? ''}
          className="w-36 phone:min-w-[40%] phone:flex-1"
        >
          <option value="">Any status</option>
          {ITEM_STATUSES.map((status) => (
            <option key={status} value={status}>
              {STATUS_LOOKS[status].label}
            </option>
          ))}
        </Select>
      </FilterBar>
      <ListError name="The inventory" list={list} />
      {isLoading ? (
        <TableSkeleton
          label="Loading the inventory"
          rowHeight={ROW_HEIGHT}
          phoneRowHeight={PHONE_ROW_HEIGHT}
        />
      ) : null}
      {isEmpty && applied.length > 0 ? (
        <NoMatches title="No inventory items found" filters={applied} onClearAll={() => apply(NO_FILTERS)} />
      ) : null}
      {isEmpty && applied.length === 0 ? (
        <Card className="p-4">
          <EmptyState
            icon={<Boxes size={28} strokeWidth={1.4} aria-hidden />}
            title="No inventory items found"
            titleLevel={2}
          >
            Finished parts are listed here, each with its stock against the reorder point, its location and
            its price.
          </EmptyState>
        </Card>
      ) : null}
      {items.length > 0 ? (
        <DataTable
          {...paging}
          label="Inventory items"
          columns={itemColumns({ modelAddress, hasLabels: items.some((item) => item.qr_code_path) })}
          rows={items}
          total={knownTotal(count ?? undefined)}
          rowHeight={ROW_HEIGHT}
          phoneRow={(item) => <ItemRow item={item} />}
          phoneRowHeight={PHONE_ROW_HEIGHT}
        />
      ) : null}
    </>
  )
}

const LowNote = ({ low }: { low: { total: number; isTotalCapped: boolean } }) => (
  <>
    {' · '}
    <span className="font-medium text-ink-2">{formatTotal(low)}</span> at or below reorder point
  </>
)

function appliedFilters(filters: InventoryFilters, apply: (next: InventoryFilters) => void): AppliedFilter[] {
  const { search, status, isLowStockOnly } = filters
  const found: (AppliedFilter | null)[] = [
    search
      ? { name: `“${search}”`, clearLabel: 'Clear search', onClear: () => apply({ ...filters, search: '' }) }
      : null,
    status
      ? {
          name: STATUS_LOOKS[status].label,
          clearLabel: 'Clear status',
          onClear: () => apply({ ...filters, status: null }),
        }
      : null,
    isLowStockOnly
      ? {
          name: 'Low Stock Only',
          clearLabel: 'Clear Low Stock Only',
          onClear: () => apply({ ...filters, isLowStockOnly: false }),
        }
      : null,
  ]
  return found.filter((filter) => filter !== null)
}
