import { ORDER_STATUSES, STATUS_DISPLAY } from '@pegasus/contracts/statuses'
import { ReceiptText } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { knownTotal } from '@/components/card-grid.tsx'
import { DataTable, TableSkeleton } from '@/components/data-table.tsx'
import { FilterBar, SearchField } from '@/components/filter-bar.tsx'
import { ListError } from '@/components/list-error.tsx'
import { type AppliedFilter, NoMatches } from '@/components/no-matches.tsx'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { Select } from '@/components/ui/forms/select.tsx'
import { useList } from '@/lib/http/use-list.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { MainSiteHint, MainSiteOrders } from './main-site-orders.tsx'
import { OrderRow, orderColumns } from './order-row.tsx'
import { orderListQuery } from './orders.queries.ts'
import { NO_FILTERS, type OrderFilters, readFilters, withFilters, withOrder } from './orders-address.ts'
import { SyncAnswer, SyncButton, useOrderSync } from './sync-button.tsx'

const ROW_HEIGHT = 68
const PHONE_ROW_HEIGHT = 92

/** The orders that came from the main site, the latest first. */
export function OrderList() {
  const [params, setParams] = useSearchParams()
  const nowMs = useNow()
  const filters = readFilters(params)
  const { list, items, count, isLoading, isEmpty, paging } = useList(orderListQuery(filters))
  const sync = useOrderSync()
  const apply = (next: OrderFilters) => setParams(withFilters(params, next))
  const applied = appliedFilters(filters, apply)
  const addressOf = (id: string) => `?${withOrder(params, id)}`
  return (
    <>
      <h1 className="sr-only">Orders</h1>
      <FilterBar
        appliedKey={JSON.stringify(filters)}
        onApply={(field) =>
          apply({
            search: field('search'),
            status: ORDER_STATUSES.find((status) => status === field('status')) ?? null,
          })
        }
        count={count}
        one="order"
        actions={
          <>
            <RefreshButton queries={[list]} />
            <SyncButton sync={sync} />
            <MainSiteOrders />
          </>
        }
      >
        <SearchField label="Search order number or customer" value={filters.search} />
        <Select
          name="status"
          aria-label="Status"
          defaultValue={filters.status ?? ''}
          className="w-36 phone:min-w-[40%] phone:flex-1"
        >
          <option value="">Any status</option>
          {ORDER_STATUSES.map((status) => (
            <option key={status} value={status}>
              {STATUS_DISPLAY[status].label}
            </option>
          ))}
        </Select>
      </FilterBar>
      {items.length > 0 ? <MainSiteHint /> : null}
      <SyncAnswer sync={sync} />
      <ListError name="The order list" list={list} />
      {isLoading ? (
        <TableSkeleton label="Loading the orders" rowHeight={ROW_HEIGHT} phoneRowHeight={PHONE_ROW_HEIGHT} />
      ) : null}
      {isEmpty && applied.length > 0 ? (
        <NoMatches title="No orders found" filters={applied} onClearAll={() => apply(NO_FILTERS)} />
      ) : null}
      {isEmpty && applied.length === 0 ? (
        <Card className="p-4">
          <EmptyState
            icon={<ReceiptText size={28} strokeWidth={1.4} aria-hidden />}
            title="No orders yet"
            titleLevel={2}
          >
            Orders of the main site arrive here, each with its customer, its parts, its status and its total.
            The site sends them with an API key of scope <code className="font-mono">integration</code>, or a
            sync fetches them.
            <MainSiteHint />
          </EmptyState>
        </Card>
      ) : null}
      {items.length > 0 ? (
        <DataTable
          {...paging}
          label="Orders"
          columns={orderColumns(addressOf, nowMs)}
          rows={items}
          total={knownTotal(count ?? undefined)}
          rowHeight={ROW_HEIGHT}
          phoneRow={(order) => <OrderRow order={order} to={addressOf(order.id)} nowMs={nowMs} />}
          phoneRowHeight={PHONE_ROW_HEIGHT}
        />
      ) : null}
    </>
  )
}

function appliedFilters(
  { search, status }: OrderFilters,
  apply: (next: OrderFilters) => void,
): AppliedFilter[] {
  const found: (AppliedFilter | null)[] = [
    search
      ? { name: `“${search}”`, clearLabel: 'Clear search', onClear: () => apply({ search: '', status }) }
      : null,
    status
      ? {
          name: STATUS_DISPLAY[status].label,
          clearLabel: 'Clear status',
          onClear: () => apply({ search, status: null }),
        }
      : null,
  ]
  return found.filter((filter) => filter !== null)
}
