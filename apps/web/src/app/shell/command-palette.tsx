import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import {
  Boxes,
  Images,
  LogOut,
  PackagePlus,
  Printer,
  ReceiptText,
  ScanQrCode,
  Search,
  SunMoon,
  Upload,
} from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useNavigate } from 'react-router'
import { Dialog } from '../../components/ui/overlays/dialog.tsx'
import { PartPicture } from '../../components/ui/display/part-picture.tsx'
import { statsQuery } from '../../features/stats/stats.queries.ts'
import { formatCount } from '../../lib/format/format.ts'
import { modelsQuery } from '../../lib/http/model-queries.ts'
import { ordersFoundQuery } from '../../lib/http/order-queries.ts'
import { dueLabelsQuery, printLabels } from '../../lib/print-labels.ts'
import { useCurrentUser } from '../../lib/session/session.ts'
import { signOutAfterAsking } from '../../lib/session/sign-out.ts'
import { toggleTheme } from '../../lib/browser/theme.ts'
import {
  lowStockAddress,
  mediaAddress,
  modelAddress,
  orderAddress,
  pendingOrdersAddress,
  pickAddress,
  tabAddress,
  uploadAddress,
  wizardAddress,
} from '../tabs.ts'
import { useVisibleTabs } from './use-visible-tabs.ts'

const ICON = { size: 16, strokeWidth: 1.75, className: 'shrink-0 text-ink-3', 'aria-hidden': true } as const
const MODELS_SHOWN = 6
const ORDERS_SHOWN = 4

interface Action {
  id: string
  label: string
  icon: ReactNode
  run: () => void
}

export function CommandPalette({
  onClose,
  onScan,
}: {
  onClose: () => void
  onScan: (code: string | null) => void
}) {
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const actions = useActions(onScan).filter(({ label }) =>
    label.toLowerCase().includes(text.trim().toLowerCase()),
  )
  const navigate = useNavigate()
  const models = useQuery({
    ...modelsQuery({ search, limit: MODELS_SHOWN }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  const orders = useQuery({
    ...ordersFoundQuery({ search, limit: ORDERS_SHOWN }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  const found = search === '' ? [] : (models.data?.items ?? [])
  const foundOrders = search === '' ? [] : (orders.data?.items ?? [])
  const canPick = isEmployeeOrHigher(useCurrentUser().role)
  const run = (action: () => void) => () => {
    onClose()
    action()
  }
  return (
    <Dialog isOpen onClose={onClose} title="Search or run a command" isTitleHidden isFlush>
      <Command shouldFilter={false} loop label="Search or run a command">
        <div className="flex items-center gap-2.5 border-b border-line px-4">
          <Search {...ICON} />
          <Command.Input
            value={text}
            onValueChange={setText}
            placeholder="Search models and orders, or run a command"
            className="h-12 min-w-0 flex-1 bg-transparent text-[0.9375rem] outline-none"
          />
        </div>
        <div className="flex h-[min(380px,52dvh)] flex-col">
          {/* Messages are outside of the list box, because it may contain options only. */}
          {models.isError ? (
            <p role="alert" className="px-4.5 pt-3 text-label text-red-ink">
              {models.error.message}
            </p>
          ) : null}
          <div role="status" className="text-center text-ink-2">
            <Command.Empty className="px-4.5 py-8">
              {models.isFetching || orders.isFetching ? 'Searching…' : <>Nothing matches “{text.trim()}”.</>}
            </Command.Empty>
          </div>
          <Command.List className="min-h-0 flex-1 scroll-py-2 overflow-y-auto p-2">
            {found.length > 0 ? (
              <Group heading="Models">
                {found.map((model) => (
                  <Item
                    key={model.id}
                    value={model.id}
                    onSelect={run(() => void navigate(modelAddress(model.id)))}
                  >
                    <PartPicture src={model.thumbnail_path} className="-my-1 size-8" />
                    <bdi className="truncate">{model.title}</bdi>
                  </Item>
                ))}
              </Group>
            ) : null}
            {foundOrders.length > 0 ? (
              <Group heading="Orders">
                {foundOrders.flatMap((order) => [
                  <Item
                    key={order.id}
                    value={order.id}
                    onSelect={run(() => void navigate(orderAddress(order.id)))}
                  >
                    <ReceiptText {...ICON} />
                    <span className="truncate">
                      <span className="code">{order.order_number}</span> <bdi>{order.customer_name}</bdi>
                    </span>
                  </Item>,
                  canPick && order.ready_to_pack ? (
                    <Item
                      key={`pick ${order.id}`}
                      value={`pick ${order.id}`}
                      onSelect={run(() => void navigate(pickAddress(order.id)))}
                    >
                      <ScanQrCode {...ICON} />
                      <span className="truncate">Pick {order.order_number}</span>
                    </Item>
                  ) : null,
                ])}
              </Group>
            ) : null}
            {/* What has digits may be a code, a SKU or an order number; a scanner ends it with Enter. */}
            {/\d/.test(search) ? (
              <Group heading="Scan">
                <Item value="scan-text" onSelect={() => onScan(search)}>
                  <ScanQrCode {...ICON} />
                  <span className="truncate">Look up the code “{search}”</span>
                </Item>
              </Group>
            ) : null}
            {actions.length > 0 ? (
              <Group heading="Commands">
                {actions.map((action) => (
                  <Item key={action.id} value={action.id} onSelect={run(action.run)}>
                    {action.icon}
                    {action.label}
                  </Item>
                ))}
              </Group>
            ) : null}
          </Command.List>
        </div>
      </Command>
    </Dialog>
  )
}

function useActions(onScan: (code: string | null) => void): Action[] {
  const navigate = useNavigate()
  const go = (address: string) => () => void navigate(address)
  const user = useCurrentUser()
  const tabs = useVisibleTabs()
  const { data: stats } = useQuery(statsQuery)
  const { data: due } = useQuery(dueLabelsQuery)
  return [
    ...tabs.map(({ id, label, Icon }) => ({
      id: `tab-${id}`,
      label: `Go to ${label}`,
      icon: <Icon {...ICON} />,
      run: go(tabAddress(id)),
    })),
    { id: 'scan', label: 'Scan a code', icon: <ScanQrCode {...ICON} />, run: () => onScan(null) },
    ...(due && due.items.length > 0
      ? [
          {
            id: 'labels',
            label: withCount('Print the labels that are due', due.total),
            icon: <Printer {...ICON} />,
            run: () => printLabels(due.items),
          },
        ]
      : []),
    {
      id: 'low-stock',
      label: withCount('Show low stock items', stats?.low_stock_items),
      icon: <Boxes {...ICON} />,
      run: go(lowStockAddress),
    },
    {
      id: 'pending-orders',
      label: withCount('Show pending orders', stats?.pending_orders),
      icon: <ReceiptText {...ICON} />,
      run: go(pendingOrdersAddress),
    },
    ...(isEmployeeOrHigher(user.role)
      ? [
          { id: 'upload', label: 'Upload STL', icon: <Upload {...ICON} />, run: go(uploadAddress) },
          {
            id: 'new-product',
            label: 'New product',
            icon: <PackagePlus {...ICON} />,
            run: go(wizardAddress),
          },
          {
            id: 'product-media',
            label: 'Upload product media',
            icon: <Images {...ICON} />,
            run: go(mediaAddress),
          },
        ]
      : []),
    {
      id: 'theme',
      label: 'Switch between light and dark theme',
      icon: <SunMoon {...ICON} />,
      run: toggleTheme,
    },
    { id: 'sign-out', label: 'Sign out', icon: <LogOut {...ICON} />, run: () => void signOutAfterAsking() },
  ]
}

const withCount = (label: string, count: number | undefined): string =>
  count === undefined ? label : `${label} (${formatCount(count)})`

const Group = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <Command.Group
    heading={heading}
    className="**:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:py-1.5 **:[[cmdk-group-heading]]:text-caption **:[[cmdk-group-heading]]:text-ink-3"
  >
    {children}
  </Command.Group>
)

const Item = ({
  value,
  onSelect,
  children,
}: {
  value: string
  onSelect: () => void
  children: ReactNode
}) => (
  <Command.Item
    value={value}
    onSelect={onSelect}
    className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 font-medium data-[selected=true]:bg-hover phone:min-h-11"
  >
    {children}
  </Command.Item>
)
