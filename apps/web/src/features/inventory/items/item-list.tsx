import { MAX_BULK_ITEMS } from '@pegasus/contracts/inventory/item-changes'
import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { hasRole } from '@pegasus/contracts/roles'
import { ITEM_STATUSES, STATUS_DISPLAY } from '@pegasus/contracts/statuses'
import { useQuery } from '@tanstack/react-query'
import { Boxes, FileUp, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { CardGrid, knownTotal } from '@/components/card-grid.tsx'
import { DataTable, TableSkeleton } from '@/components/data-table.tsx'
import { FilterBar, SearchField } from '@/components/filter-bar.tsx'
import { ListError } from '@/components/list-error.tsx'
import { NoMatches } from '@/components/no-matches.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { useSelection } from '@/components/use-selection.ts'
import { currentParams } from '@/lib/browser/address-state.ts'
import { formatTotal } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useList } from '@/lib/http/use-list.ts'
import { useAppliedFilters } from './item-filter-names.ts'
import { ItemCard, itemCardLayout } from './item-card.tsx'
import { itemColumns } from './item-columns.tsx'
import { ItemRow } from './item-row.tsx'
import { ListBar } from './item-list-toolbar.tsx'
import {
  type InventoryFilters,
  NO_FILTERS,
  readFilters,
  readLayout,
  readSort,
  withAdd,
  withFilters,
  withItem,
  withLayout,
  withSort,
} from '../inventory-address.ts'
import { itemListQuery, LOW_SHOWN, lowItemsQuery } from '../inventory.queries.ts'
import { InventoryTools } from '../inventory-tools.tsx'
import { AddItemDialog } from '../item-forms/add-item-dialog.tsx'
import { ItemSelectionBar } from '../item-forms/item-selection-bar.tsx'
import { ImportDialog } from '../csv/csv-import-dialog.tsx'

const ROW_HEIGHT = 68
const PHONE_ROW_HEIGHT = 141

/** What is in stock: what is searched for stands in the address. */
export function ItemList({ modelAddress }: { modelAddress: (id: string) => string }) {
  const [params, setParams] = useSearchParams()
  const [isImporting, setIsImporting] = useState(false)
  const filters = readFilters(params)
  const sort = readSort(params)
  const layout = readLayout(params)
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const { list, items, count, isLoading, isEmpty, paging } = useList(itemListQuery(filters, sort))
  const { data: low } = useQuery(lowItemsQuery(LOW_SHOWN))
  const ticked = useSelection<InventoryItem>('item', MAX_BULK_ITEMS)
  const selection = canChange ? ticked : null
  const apply = (part: Partial<InventoryFilters>) => {
    const now = currentParams()
    setParams(withFilters(now, { ...readFilters(now), ...part }))
  }
  const applied = useAppliedFilters(filters, apply)
  const isNew = isEmpty && applied.length === 0
  const openAdd = () => setParams(withAdd(currentParams(), true))
  const itemAddress = (id: string) => `?${withItem(params, id)}`
  const plus = <Plus size={16} strokeWidth={1.75} aria-hidden />
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
        actions={
          <>
            <InventoryTools params={params} onImport={() => setIsImporting(true)} />
            {/* An empty inventory has its buttons in the middle of the page. */}
            {canChange && !isNew ? (
              <>
                <Button variant="primary" className="phone:hidden" icon={plus} onClick={openAdd}>
                  Add Item
                </Button>
                <IconButton label="Add Item" variant="primary" className="sm:hidden" onClick={openAdd}>
                  {plus}
                </IconButton>
              </>
            ) : null}
          </>
        }
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
              {STATUS_DISPLAY[status].label}
            </option>
          ))}
        </Select>
      </FilterBar>
      {isNew ? null : (
        <ListBar
          filters={filters}
          named={applied}
          onApply={apply}
          sort={sort}
          onSort={(next) => setParams(withSort(currentParams(), next))}
          layout={layout}
          onLayout={(next) => setParams(withLayout(currentParams(), next))}
        />
      )}
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
      {isNew ? (
        <Card className="p-4">
          <EmptyState
            icon={<Boxes size={28} strokeWidth={1.4} aria-hidden />}
            title="No inventory items found"
            titleLevel={2}
            actions={
              canChange ? (
                <>
                  <Button variant="primary" icon={plus} onClick={openAdd}>
                    Add Item
                  </Button>
                  <Button
                    icon={<FileUp size={16} strokeWidth={1.75} aria-hidden />}
                    onClick={() => setIsImporting(true)}
                  >
                    Import CSV
                  </Button>
                </>
              ) : null
            }
          >
            Finished parts are listed here, each with its stock against the reorder point, its location and
            its price.
          </EmptyState>
        </Card>
      ) : null}
      {items.length > 0 && layout === 'list' ? (
        <DataTable
          {...paging}
          label="Inventory items"
          columns={itemColumns({
            itemAddress,
            modelAddress,
            selection,
            items,
            hasLabels: items.some((item) => item.qr_code_path),
          })}
          rows={items}
          total={knownTotal(count ?? undefined)}
          rowHeight={ROW_HEIGHT}
          phoneRow={(item) => <ItemRow item={item} to={itemAddress(item.id)} canChange={canChange} />}
          phoneRowHeight={PHONE_ROW_HEIGHT}
        />
      ) : null}
      {items.length > 0 && layout === 'cards' ? (
        <>
          <h2 className="sr-only">Items</h2>
          <CardGrid
            {...paging}
            label="Inventory items"
            items={items}
            total={knownTotal(count ?? undefined)}
            layoutOf={itemCardLayout}
          >
            {(item) => (
              <ItemCard
                item={item}
                to={itemAddress(item.id)}
                modelAddress={modelAddress}
                selection={selection}
              />
            )}
          </CardGrid>
        </>
      ) : null}
      {selection && selection.things.size > 0 ? <ItemSelectionBar selection={selection} /> : null}
      {canChange && params.has('add') ? (
        <AddItemDialog onClose={() => setParams(withAdd(currentParams(), false), { replace: true })} />
      ) : null}
      {isImporting ? <ImportDialog onClose={() => setIsImporting(false)} /> : null}
    </>
  )
}

const LowNote = ({ low }: { low: { total: number; isTotalCapped: boolean } }) => (
  <span className="phone:hidden">
    {' · '}
    <span className="font-medium text-ink-2">{formatTotal(low)}</span> at or below reorder point
  </span>
)
