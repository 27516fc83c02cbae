import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import {
  Boxes,
  ChartColumn,
  CircleQuestionMark,
  CircleUser,
  Download,
  Images,
  Inbox,
  ListPlus,
  LogOut,
  PackagePlus,
  Plus,
  Printer,
  ReceiptText,
  RefreshCcwDot,
  ScanQrCode,
  Spool,
  SunMoon,
  Upload,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { statsQuery } from '../../features/dashboard/stats.queries.ts'
import { useSyncCommand } from '../../features/orders/list/order-sync.tsx'
import { salesAddress, skuInboxAddress } from '../../features/orders/orders-address.ts'
import { useInstall } from '../../lib/browser/install-app.ts'
import { toggleTheme } from '../../lib/browser/theme.ts'
import { formatCount } from '../../lib/format/format.ts'
import { dueLabelsQuery } from '../../lib/labels/due-labels.ts'
import { printLabels } from '../../lib/labels/print-labels.ts'
import { useCurrentUser } from '../../lib/session/session.ts'
import { signOutAfterAsking } from '../../lib/session/sign-out.ts'
import {
  lowStockAddress,
  mediaAddress,
  newItemAddress,
  newJobAddress,
  newOrderAddress,
  newSpoolAddress,
  pendingOrdersAddress,
  printersAddress,
  tabAddress,
  type TabId,
  uploadAddress,
  wizardAddress,
} from '../tabs.ts'
import { HELP } from './help-texts.ts'
import { useVisibleTabs } from './use-visible-tabs.ts'
import { t } from '@/lib/i18n/messages.ts'

const ICON = { size: 16, strokeWidth: 1.75, className: 'shrink-0 text-ink-3', 'aria-hidden': true } as const

/** Functions that open other dialogs of the shell. */
export interface Openers {
  onScan: (code: string | null) => void
  onProfile: () => void
  /** Opens the help of a tab; null opens the help of the current page. */
  onHelp: (tab: TabId | null) => void
}

interface PaletteCommand {
  id: string
  label: string
  /** Further search words for the command. */
  words?: string
  /** True if the command is listed only when the typed text matches it. */
  isForTyped?: boolean
  icon: ReactNode
  run: () => void
}

/** Returns the commands that the person may run. */
export function useCommands({ onScan, onProfile, onHelp }: Openers): PaletteCommand[] {
  const navigate = useNavigate()
  const go = (address: string) => () => void navigate(address)
  const user = useCurrentUser()
  const tabs = useVisibleTabs()
  const { data: stats } = useQuery(statsQuery)
  const { data: due } = useQuery(dueLabelsQuery)
  const install = useInstall()
  const syncOrders = useSyncCommand(go(tabAddress('orders')))
  return [
    ...tabs.map(({ id, label, Icon }) => ({
      id: `tab-${id}`,
      label: t('Go to {label}', { label }),
      icon: <Icon {...ICON} />,
      run: go(tabAddress(id)),
    })),
    { id: 'scan', label: t('Scan a code'), icon: <ScanQrCode {...ICON} />, run: () => onScan(null) },
    ...(due && due.items.length > 0
      ? [
          {
            id: 'labels',
            label: withCount(t('Print the labels that are due'), due.total),
            icon: <Printer {...ICON} />,
            run: () => printLabels(due.items),
          },
        ]
      : []),
    {
      id: 'low-stock',
      label: withCount(t('Show low stock items'), stats?.low_stock_items),
      icon: <Boxes {...ICON} />,
      run: go(lowStockAddress),
    },
    {
      id: 'pending-orders',
      label: withCount(t('Show pending orders'), stats?.pending_orders),
      icon: <ReceiptText {...ICON} />,
      run: go(pendingOrdersAddress),
    },
    ...(isEmployeeOrHigher(user.role)
      ? [
          {
            id: 'upload',
            label: t('Upload STL'),
            words: t('add new model file 3MF OBJ'),
            icon: <Upload {...ICON} />,
            run: go(uploadAddress),
          },
          {
            id: 'new-item',
            label: t('New item'),
            words: t('add inventory stock'),
            icon: <Plus {...ICON} />,
            run: go(newItemAddress({ name: '', sku: '' })),
          },
          {
            id: 'new-order',
            label: t('New order'),
            words: t('add enter sale customer'),
            icon: <ReceiptText {...ICON} />,
            run: go(newOrderAddress),
          },
          {
            id: 'sync-orders',
            label: t('Sync orders'),
            words: t('refresh fetch shop main site'),
            icon: <RefreshCcwDot {...ICON} />,
            run: syncOrders,
          },
          {
            id: 'sku-inbox',
            label: t('SKU inbox'),
            words: t('orders unknown map items'),
            icon: <Inbox {...ICON} />,
            run: go(skuInboxAddress),
          },
          {
            id: 'sales-report',
            label: t('Sales report'),
            words: t('orders revenue margin month'),
            icon: <ChartColumn {...ICON} />,
            run: go(salesAddress),
          },
          {
            id: 'new-print',
            label: t('New print job'),
            words: t('add queue print'),
            icon: <ListPlus {...ICON} />,
            run: go(newJobAddress),
          },
          {
            id: 'new-spool',
            label: t('New spool'),
            words: t('add filament'),
            icon: <Spool {...ICON} />,
            run: go(newSpoolAddress),
          },
          {
            id: 'new-product',
            label: t('New product'),
            words: t('add publish wizard shop'),
            icon: <PackagePlus {...ICON} />,
            run: go(wizardAddress),
          },
          {
            id: 'product-media',
            label: t('Upload product media'),
            icon: <Images {...ICON} />,
            run: go(mediaAddress),
          },
        ]
      : []),
    {
      id: 'printers',
      label: t('Show printers'),
      words: t('floor machines maintenance'),
      icon: <Printer {...ICON} />,
      run: go(printersAddress),
    },
    {
      id: 'profile',
      label: t('Profile and password'),
      words: t('settings account second factor sessions'),
      icon: <CircleUser {...ICON} />,
      run: onProfile,
    },
    {
      id: 'theme',
      label: t('Switch between light and dark theme'),
      words: t('settings appearance'),
      icon: <SunMoon {...ICON} />,
      run: toggleTheme,
    },
    {
      id: 'help',
      label: t('Help and keyboard shortcuts'),
      words: t('keys quick start print'),
      icon: <CircleQuestionMark {...ICON} />,
      run: () => onHelp(null),
    },
    ...tabs.map(({ id, label }) => ({
      id: `help-${id}`,
      label: t('Help: {label}', { label }),
      words: HELP[id].tasks.map(({ task }) => task).join(' '),
      isForTyped: true,
      icon: <CircleQuestionMark {...ICON} />,
      run: () => onHelp(id),
    })),
    ...(install
      ? [{ id: 'install', label: t('Install the app'), icon: <Download {...ICON} />, run: install }]
      : []),
    {
      id: 'sign-out',
      label: t('Sign out'),
      icon: <LogOut {...ICON} />,
      run: () => void signOutAfterAsking(),
    },
  ]
}

const withCount = (label: string, count: number | undefined): string =>
  count === undefined ? label : `${label} (${formatCount(count)})`
