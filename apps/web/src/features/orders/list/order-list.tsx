import { ORDER_STOCKS, type OrderStock } from '@pegasus/contracts/orders/orders'
import { ORDER_STATUSES } from '@pegasus/contracts/statuses'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { ChartColumn, Ellipsis, Inbox, Plus, ReceiptText, RefreshCcwDot } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import {
  type ListFilters,
  choiceFilter,
  searchFilter,
  statusFilter,
  useListState,
} from '@/components/kit/list-filters.tsx'
import { ListPage } from '@/components/kit/list-page.tsx'
import { RefreshButton } from '@/components/refresh-button.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { DropdownMenu, MenuItem } from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { DueOrders } from './due-orders.tsx'
import { MainSiteHint, MainSiteOrders } from './main-site-orders.tsx'
import { NewOrderDialog } from '../dialogs/new-order-dialog.tsx'
import { OrderSelectionBar, tickColumn, useOrderSelection } from './order-selection.tsx'
import { OrderRow, orderColumns } from './order-row.tsx'
import { orderListQuery } from '../orders.queries.ts'
import {
  type OrderFilters,
  readFilters,
  salesAddress,
  skuInboxAddress,
  withFilters,
  withOrder,
} from '../orders-address.ts'
import { UnknownSkusNote } from '../skus/sku-inbox.tsx'
import { SyncAnswer, SyncButton, useOrderSync } from './sync-button.tsx'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

const STOCK_LABELS: Readonly<Record<OrderStock, string>> = { ready: 'Ready to pack', short: 'Missing pieces' }

const FIELDS: ListFilters<OrderFilters> = [
  searchFilter('Search order number or customer'),
  statusFilter(ORDER_STATUSES, 'w-36'),
  choiceFilter({
    name: 'stock',
    label: 'Stock',
    values: ORDER_STOCKS,
    labelOf: (stock) => STOCK_LABELS[stock],
    className: 'w-36',
  }),
]

const TEXTS = {
  name: 'The order list',
  one: 'order',
  loading: 'Loading the orders',
  noMatches: 'No orders found',
}

/** The orders of the main site, newest first. */
export function OrderList() {
  const state = useListState({ read: readFilters, write: withFilters, fields: FIELDS, query: orderListQuery })
  const { params, data, filters } = state
  const isFiltered = filters.search !== '' || filters.status !== null || filters.stock !== null
  const nowMs = useNow()
  const sync = useOrderSync()
  const navigate = useNavigate()
  const canChange = isEmployeeOrHigher(useCurrentUser().role)
  const [isAdding, setIsAdding] = useState(false)
  const selection = useOrderSelection()
  const addressOf = (id: string) => `?${withOrder(params, id)}`
  return (
    <ListPage
      heading="Orders"
      state={state}
      texts={TEXTS}
      actions={
        <>
          {canChange ? (
            <Button variant="primary" icon={<Plus {...ICON} />} onClick={() => setIsAdding(true)}>
              New order
            </Button>
          ) : null}
          <RefreshButton queries={[data.list]} />
          <SyncButton sync={sync} />
          <MainSiteOrders />
          {canChange ? (
            <DropdownMenu
              trigger={
                <IconButton label="More about orders">
                  <Ellipsis {...ICON} />
                </IconButton>
              }
            >
              <MenuItem icon={<RefreshCcwDot {...ICON} />} onSelect={() => sync.mutate()}>
                Sync orders
              </MenuItem>
              <MenuItem icon={<ChartColumn {...ICON} />} onSelect={() => void navigate(salesAddress)}>
                Sales report
              </MenuItem>
              <MenuItem icon={<Inbox {...ICON} />} onSelect={() => void navigate(skuInboxAddress)}>
                SKU inbox
              </MenuItem>
            </DropdownMenu>
          ) : null}
        </>
      }
      toolbar={
        <>
          {data.items.length > 0 ? <MainSiteHint /> : null}
          {canChange ? <UnknownSkusNote /> : null}
          <SyncAnswer sync={sync} />
          {isFiltered ? null : <DueOrders addressOf={addressOf} nowMs={nowMs} />}
          {isAdding ? (
            <NewOrderDialog
              onClose={() => setIsAdding(false)}
              onShow={(id) => void navigate({ search: addressOf(id) })}
            />
          ) : null}
        </>
      }
      empty={{
        icon: ReceiptText,
        title: 'No orders yet',
        text: (
          <>
            Orders of the main site arrive here, each with its customer, its parts, its status and its total.
            The site sends them with an API key of scope <code className="font-mono">integration</code>, or a
            sync fetches them.
            <MainSiteHint />
          </>
        ),
      }}
      selection={canChange ? selection : null}
      bulkBar={(chosen) => <OrderSelectionBar selection={chosen} />}
      rows={{
        label: 'Orders',
        columns: [
          ...(canChange ? [tickColumn(selection, data.items)] : []),
          ...orderColumns(addressOf, nowMs),
        ],
        rowHeight: 68,
        phoneRow: (order) => <OrderRow order={order} to={addressOf(order.id)} nowMs={nowMs} />,
        phoneRowHeight: 92,
      }}
    />
  )
}
