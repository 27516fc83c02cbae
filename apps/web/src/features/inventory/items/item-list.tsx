import { MAX_BULK_ITEMS } from '@pegasus/contracts/inventory/item-changes'
import { INVENTORY_SORTS, type InventoryItem } from '@pegasus/contracts/inventory/items'
import { hasRole } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { Boxes, FileUp, Plus } from 'lucide-react'
import { useState } from 'react'
import { CardGrid } from '@/components/card-grid.tsx'
import { appliedFilters, useAddressFilters } from '@/components/kit/list-filters.tsx'
import { ListPage, type OtherRows, type TableRows, type ListTexts } from '@/components/kit/list-page.tsx'
import { SavedSearches } from '@/components/saved-searches/saved-searches.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { useSelection } from '@/components/selection/use-selection.ts'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { currentParams } from '@/lib/browser/address-state.ts'
import { formatTotal } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useList } from '@/lib/http/use-list.ts'
import { withoutSorting } from '@/components/table-view/use-sorting.ts'
import { useItemFilters } from './item-filters.tsx'
import { ItemCard, ItemCardsSkeleton, itemCardLayout } from './item-card.tsx'
import { itemColumns } from './item-columns.tsx'
import { ItemRow } from './item-row.tsx'
import { FilterChips, ItemListToolbar } from './item-list-toolbar.tsx'
import {
  readFilters,
  readSort,
  readNewItemParams,
  searchQueryOf,
  withAdd,
  withFilters,
  withItem,
  withLayout,
  withSavedSearch,
  withSort,
} from '../inventory-address.ts'
import { itemListQuery, LOW_SHOWN, lowItemsQuery } from '../inventory.queries.ts'
import { useLayout } from './use-layout.ts'
import { InventoryTools } from '../inventory-tools.tsx'
import { AddItemDialog } from '../item-forms/add-item-dialog.tsx'
import { ItemSelectionBar } from '../item-forms/item-selection-bar.tsx'
import { ImportDialog } from '../csv/csv-import-dialog.tsx'
import { rich, t } from '@/lib/i18n/messages.ts'

/** The list of items. The URL contains the search, the filters, the order and the layout. */
export function ItemList({ modelAddress }: { modelAddress: (id: string) => string }) {
  const address = useAddressFilters(readFilters, withFilters)
  const { params, setParams, filters, onApply } = address
  const [isImporting, setIsImporting] = useState(false)
  const isPhone = useIsPhone()
  const sort = readSort(params)
  const [layout, chooseLayout] = useLayout(params, isPhone)
  const canChange = hasRole(useCurrentUser().role, 'staff')
  const data = useList(itemListQuery(filters, sort))
  const { data: low } = useQuery(lowItemsQuery(LOW_SHOWN))
  const ticked = useSelection<InventoryItem>('item', MAX_BULK_ITEMS)
  const selection = canChange ? ticked : null
  const fields = useItemFilters(filters)
  const applied = appliedFilters(fields, filters, onApply)
  const isNew = data.isEmpty && applied.length === 0
  const openAdd = () => setParams(withAdd(currentParams(), true))
  const itemAddress = (id: string) => `?${withItem(params, id)}`
  const toolbar = isNew ? null : (
    <ItemListToolbar
      filters={filters}
      named={applied}
      onApply={onApply}
      sort={sort}
      onSort={(next) => setParams(withoutSorting(withSort(currentParams(), next)))}
      layout={layout}
      onLayout={(next) => {
        chooseLayout(next)
        setParams(withLayout(currentParams(), next))
      }}
    />
  )
  const plus = <Plus size={16} strokeWidth={1.75} aria-hidden />
  const table: TableRows<InventoryItem> = {
    name: 'inventory',
    label: t('Inventory items'),
    columns: itemColumns({
      itemAddress,
      modelAddress,
      selection,
      items: data.items,
      hasLabels: data.items.some((item) => item.qr_code_path),
    }),
    rowHeight: 68,
    serverSort: {
      value: sort,
      onChange: (next) => setParams(withoutSorting(withSort(currentParams(), toSort(next)))),
      byColumn: { item: ['name', null], quantity: ['quantity', 'most'] },
    },
    phoneRow: (item) => <ItemRow item={item} to={itemAddress(item.id)} canChange={canChange} />,
    phoneRowHeight: 141,
  }
  const cards: OtherRows<InventoryItem> = {
    skeleton: <ItemCardsSkeleton label={TEXTS.loading} />,
    render: (shown) => (
      <>
        <h2 className="sr-only">{t('Items')}</h2>
        <CardGrid {...shown} label={t('Inventory items')} layoutOf={itemCardLayout}>
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
    ),
  }
  return (
    <ListPage
      heading={t('Inventory')}
      state={{ ...address, fields, data }}
      texts={TEXTS}
      note={applied.length === 0 && low?.total ? <LowNote low={low} /> : null}
      actions={
        <>
          {isNew || isPhone ? null : <SavedSearches address={{ ...SEARCHES, params }} isIconOnly />}
          <InventoryTools params={params} onImport={() => setIsImporting(true)} />
          {/* If the inventory is empty, these buttons are in the middle of the page instead. */}
          {canChange && !isNew ? (
            <>
              <Button variant="primary" className="phone:hidden" icon={plus} onClick={openAdd}>
                {t('Add Item')}
              </Button>
              <IconButton label={t('Add Item')} variant="primary" className="sm:hidden" onClick={openAdd}>
                {plus}
              </IconButton>
            </>
          ) : null}
        </>
      }
      // On a phone, these controls are in the filter sheet, so that the first item is near the top of the
      // screen.
      toolbar={
        !isPhone ? (
          toolbar
        ) : applied.some(({ isInBar }) => !isInBar) ? (
          <div className="mb-2 flex flex-wrap gap-1.5">
            <FilterChips named={applied} />
          </div>
        ) : null
      }
      sheetExtra={
        isPhone ? (
          <>
            {toolbar}
            <SavedSearches address={{ ...SEARCHES, params }} />
          </>
        ) : null
      }
      empty={{
        icon: Boxes,
        title: t('No inventory items found'),
        text: t(
          'Finished parts are listed here, each with its stock against the reorder point, its location and its price.',
        ),
        actions: canChange ? (
          <>
            <Button variant="primary" icon={plus} onClick={openAdd}>
              {t('Add Item')}
            </Button>
            <Button
              icon={<FileUp size={16} strokeWidth={1.75} aria-hidden />}
              onClick={() => setIsImporting(true)}
            >
              {t('Import CSV')}
            </Button>
          </>
        ) : null,
      }}
      rows={layout === 'list' ? table : cards}
      selection={selection}
      bulkBar={(chosen) => <ItemSelectionBar selection={chosen} />}
    >
      {canChange && params.has('add') ? (
        <AddItemDialog
          start={readNewItemParams(params)}
          onClose={() => setParams(withAdd(currentParams(), false), { replace: true })}
        />
      ) : null}
      {isImporting ? <ImportDialog onClose={() => setIsImporting(false)} /> : null}
    </ListPage>
  )
}

const SEARCHES = {
  list: 'inventory',
  listName: t('the inventory'),
  queryOf: searchQueryOf,
  withSaved: withSavedSearch,
} as const

const toSort = (text: string) => INVENTORY_SORTS.find((each) => each === text) ?? 'newest'

const TEXTS: ListTexts = {
  name: t('The inventory'),
  one: 'item',
  loading: t('Loading the inventory'),
  noMatches: t('No inventory items found'),
}

const LowNote = ({ low }: { low: { total: number; isTotalCapped: boolean } }) => (
  <span className="phone:hidden">
    {' · '}
    {rich('{low} at or below reorder point', {
      low: <span className="font-medium text-ink-2">{formatTotal(low)}</span>,
    })}
  </span>
)
