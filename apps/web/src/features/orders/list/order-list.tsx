import { ORDER_STOCKS, type OrderStock } from '@pegasus/contracts/orders/orders'
import { ORDER_STATUSES } from '@pegasus/contracts/statuses'
import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { ChartColumn, Ellipsis, Inbox, Plus, ReceiptText, RefreshCcwDot, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import {
  type ListFilters,
  choiceFilter,
  searchFilter,
  statusFilter,
  useListState,
} from '@/components/kit/list-filters.tsx'
import { ListPage, type ListTexts } from '@/components/kit/list-page.tsx'
import { MainAction } from '@/components/kit/main-action.tsx'
import { SavedSearches } from '@/components/saved-searches/saved-searches.tsx'
import { DropdownMenu, MenuItem } from '@/components/ui/actions/dropdown-menu.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Kbd } from '@/components/ui/display/kbd.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { currentParams } from '@/lib/browser/address-state.ts'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { tickColumn } from '@/components/selection/tick-column.tsx'
import { DueOrders } from './due-orders.tsx'
import { MainSiteHint, MainSiteOrders, MainSiteOrdersItem } from './main-site-orders.tsx'
import { NewOrderDialog } from '../dialogs/new-order-dialog.tsx'
import { WaitingJobsDialog } from '../dialogs/waiting-jobs-dialog.tsx'
import { type CancelledOrders, OrderSelectionBar, useOrderSelection } from './order-selection.tsx'
import { OrderRow, orderColumns } from './order-row.tsx'
import { orderListQuery } from '../orders.queries.ts'
import {
  ORDER_DUES,
  type OrderDue,
  type OrderFilters,
  readFilters,
  salesAddress,
  searchQueryOf,
  skuInboxAddress,
  withFilters,
  withNewOrder,
  withOrder,
  withSavedSearch,
} from '../orders-address.ts'
import { UnknownSkusNote } from '../skus/sku-inbox.tsx'
import { FailedComparison } from './failed-comparison.tsx'
import { RefusedOrders } from './refused-orders.tsx'
import { SyncAnswer, useOrderSync } from './order-sync.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { rich, t } from '@/lib/i18n/messages.ts'

const STOCK_LABELS: Readonly<Record<OrderStock, string>> = {
  ready: t('Ready to pack'),
  short: t('Missing pieces'),
}

const DUE_LABELS: Readonly<Record<OrderDue, string>> = {
  overdue: t('Overdue'),
  today: t('Due today or overdue'),
}

const FIELDS: ListFilters<OrderFilters> = [
  searchFilter(t('Search orders')),
  statusFilter(ORDER_STATUSES, 'w-32'),
  choiceFilter({
    name: 'stock',
    label: t('Stock'),
    any: t('Any stock'),
    clearLabel: t('Clear stock'),
    values: ORDER_STOCKS,
    labelOf: (stock) => STOCK_LABELS[stock],
    className: 'w-36',
  }),
  choiceFilter({
    name: 'due',
    label: t('Due'),
    any: t('Any due'),
    clearLabel: t('Clear due'),
    values: ORDER_DUES,
    labelOf: (due) => DUE_LABELS[due],
    className: 'w-34',
  }),
]

const SEARCHES = {
  list: 'orders',
  listName: t('the orders'),
  queryOf: searchQueryOf,
  withSaved: withSavedSearch,
} as const

const TEXTS: ListTexts = {
  name: t('The order list'),
  one: 'order',
  loading: t('Loading the orders'),
  noMatches: t('No orders found'),
}

/** The list of orders, newest first. `newItemAddress` opens the dialog for a new item. */
export function OrderList({ newItemAddress }: { newItemAddress: string }) {
  const state = useListState({ read: readFilters, write: withFilters, fields: FIELDS, query: orderListQuery })
  const { params, data } = state
  const isFiltered = searchQueryOf(params) !== ''
  const nowMs = useNow()
  const sync = useOrderSync()
  const isPhone = useIsPhone()
  const navigate = useNavigate()
  const canChange = isEmployeeOrHigher(useCurrentUser().role)
  const selection = useOrderSelection()
  const [cancelled, setCancelled] = useState<CancelledOrders | null>(null)
  // A URL can open the dialog for a new order, for example from the command palette.
  const showNewOrder = (isShown: boolean) =>
    state.setParams(withNewOrder(currentParams(), isShown), { replace: true })
  const addressOf = (id: string) => `?${withOrder(params, id)}`
  const unknownSkus = canChange ? <UnknownSkusNote /> : null
  const dueOrders = isFiltered ? null : (
    <DueOrders
      listAddress={`?${withFilters(params, { ...state.filters, due: 'today' })}`}
      addressOf={addressOf}
      nowMs={nowMs}
    />
  )
  return (
    <ListPage
      heading={t('Orders')}
      state={state}
      texts={TEXTS}
      note={
        // On a phone, these two notes would push the first order far down if they were above the list.
        isPhone ? (
          <>
            {dueOrders}
            {unknownSkus}
          </>
        ) : (
          <RowKeys />
        )
      }
      sheetExtra={<SavedSearches address={{ ...SEARCHES, params }} />}
      actions={
        <>
          {canChange ? (
            <MainAction label={t('New order')} icon={<Plus {...ICON} />} onClick={() => showNewOrder(true)} />
          ) : null}
          <MainSiteOrders className="phone:hidden" />
          <span className="phone:hidden">
            <SavedSearches address={{ ...SEARCHES, params }} isIconOnly />
          </span>
          <DropdownMenu
            trigger={
              <IconButton label={t('More about orders')}>
                <Ellipsis {...ICON} />
              </IconButton>
            }
          >
            <MenuItem icon={<RefreshCw {...ICON} />} onSelect={() => void data.list.refetch()}>
              {t('Refresh')}
            </MenuItem>
            {isPhone ? <MainSiteOrdersItem /> : null}
            {canChange ? (
              <>
                <MenuItem icon={<RefreshCcwDot {...ICON} />} onSelect={() => sync.mutate()}>
                  {t('Sync orders')}
                </MenuItem>
                <MenuItem icon={<ChartColumn {...ICON} />} onSelect={() => void navigate(salesAddress)}>
                  {t('Sales report')}
                </MenuItem>
                <MenuItem icon={<Inbox {...ICON} />} onSelect={() => void navigate(skuInboxAddress)}>
                  {t('SKU inbox')}
                </MenuItem>
              </>
            ) : null}
          </DropdownMenu>
        </>
      }
      toolbar={
        <>
          {data.items.length > 0 ? (
            // On a phone, the menu item shows this hint instead.
            <div className="phone:hidden">
              <MainSiteHint />
            </div>
          ) : null}
          {isPhone ? null : unknownSkus}
          {canChange ? <RefusedOrders /> : null}
          {/* A failed sync shows the same message itself. */}
          {canChange && !sync.isError ? <FailedComparison /> : null}
          <SyncAnswer sync={sync} />
          {isPhone ? null : dueOrders}
          {canChange && params.has('add') ? (
            <NewOrderDialog
              newItemAddress={newItemAddress}
              onClose={() => showNewOrder(false)}
              onShow={(id) => void navigate({ search: addressOf(id) })}
            />
          ) : null}
        </>
      }
      empty={{
        icon: ReceiptText,
        title: t('No orders yet'),
        text: (
          <>
            {canChange ? `${t('New order enters an order by hand.')} ` : null}
            {rich(
              'Orders of the main site arrive here, each with its customer, its parts, its status and its total. The site sends them with an API key that has the scope <code>integration</code>, or a sync fetches them.',
              { code: (text) => <code className="font-mono">{text}</code> },
            )}
            <MainSiteHint />
          </>
        ),
      }}
      selection={canChange ? selection : null}
      bulkBar={(chosen) => (
        <OrderSelectionBar selection={chosen} listed={data.items} onCancelled={setCancelled} />
      )}
      rows={{
        name: 'orders',
        label: t('Orders'),
        columns: [
          ...(canChange
            ? [
                tickColumn({
                  selection,
                  things: data.items,
                  one: 'order',
                  nameOf: ({ order_number }) => order_number,
                }),
              ]
            : []),
          ...orderColumns(addressOf, nowMs),
        ],
        rowHeight: 68,
        phoneRow: (order) => <OrderRow order={order} to={addressOf(order.id)} nowMs={nowMs} />,
        phoneRowHeight: 92,
      }}
    >
      {cancelled ? <WaitingJobsDialog {...cancelled} onClose={() => setCancelled(null)} /> : null}
    </ListPage>
  )
}

/** Shows the keyboard shortcuts of the list, on devices that are likely to have a keyboard. */
const RowKeys = () => (
  <span className="ms-3 hidden text-caption min-[1720px]:inline touch:hidden" aria-hidden>
    <Kbd>J</Kbd>{' '}
    {rich('{kbd} move {kbd2} open {kbd3} select', {
      kbd: <Kbd>K</Kbd>,
      kbd2: <Kbd>↵</Kbd>,
      kbd3: <Kbd>X</Kbd>,
    })}
  </span>
)
