import { isEmployeeOrHigher } from '@pegasus/contracts/roles'
import { type HitKind, SEARCH_MAX_LENGTH, type SearchHit } from '@pegasus/contracts/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import {
  Boxes,
  CircleUser,
  Clock3,
  Images,
  Keyboard,
  ListPlus,
  LogOut,
  type LucideIcon,
  MapPin,
  PackagePlus,
  Plus,
  Printer,
  ReceiptText,
  ScanQrCode,
  Search,
  ShoppingBag,
  Spool,
  SunMoon,
  Upload,
  UserRound,
} from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { Dialog } from '../../components/ui/overlays/dialog.tsx'
import { PartPicture } from '../../components/ui/display/part-picture.tsx'
import { statsQuery } from '../../features/dashboard/stats.queries.ts'
import { formatCount } from '../../lib/format/format.ts'
import { searchQuery } from '../../lib/http/search-queries.ts'
import { dueLabelsQuery, printLabels } from '../../lib/print-labels.ts'
import { readRecentPages } from '../../lib/session/recent-pages.ts'
import { useCurrentUser } from '../../lib/session/session.ts'
import { signOutAfterAsking } from '../../lib/session/sign-out.ts'
import { useDebouncedValue } from '../../lib/browser/use-debounced-value.ts'
import { toggleTheme } from '../../lib/browser/theme.ts'
import {
  accountAddress,
  customerAddress,
  itemAddress,
  jobAddress,
  locationAddress,
  lowStockAddress,
  mediaAddress,
  modelAddress,
  newItemAddress,
  newJobAddress,
  orderAddress,
  pendingOrdersAddress,
  pickAddress,
  printAddress,
  printerAddress,
  printersAddress,
  productAddress,
  spoolAddress,
  tabAddress,
  uploadAddress,
  wizardAddress,
} from '../tabs.ts'
import { useVisibleTabs } from './use-visible-tabs.ts'

const ICON = { size: 16, strokeWidth: 1.75, className: 'shrink-0 text-ink-3', 'aria-hidden': true } as const
/** The wait after the last letter, in ms, so that a typed word causes one search. */
const TYPING_MS = 80

/** Functions that open other dialogs of the shell. */
interface Openers {
  onScan: (code: string | null) => void
  onProfile: () => void
  onShortcuts: () => void
}

interface Action {
  id: string
  label: string
  /** Other words that find the action. */
  words?: string
  icon: ReactNode
  run: () => void
}

interface KindOfHit {
  heading: string
  Icon: LucideIcon
  address: (hit: SearchHit) => string
}

const KINDS: Readonly<Record<HitKind, KindOfHit>> = {
  model: { heading: 'Models', Icon: Boxes, address: ({ id }) => modelAddress(id) },
  item: { heading: 'Inventory', Icon: Boxes, address: ({ id }) => itemAddress(id) },
  order: { heading: 'Orders', Icon: ReceiptText, address: ({ id }) => orderAddress(id) },
  customer: { heading: 'Customers', Icon: UserRound, address: ({ title }) => customerAddress(title) },
  job: { heading: 'Print Queue', Icon: ListPlus, address: ({ id }) => jobAddress(id) },
  spool: { heading: 'Filament', Icon: Spool, address: ({ id }) => spoolAddress(id) },
  printer: { heading: 'Printers', Icon: Printer, address: ({ id }) => printerAddress(id) },
  location: { heading: 'Locations', Icon: MapPin, address: ({ id }) => locationAddress(id) },
  product: { heading: 'Products', Icon: ShoppingBag, address: ({ id }) => productAddress(id) },
  account: {
    heading: 'People',
    Icon: CircleUser,
    address: ({ detail, title }) => accountAddress(detail ?? title),
  },
}

/** Returns the value that identifies a hit among the options. */
const valueOf = ({ kind, id }: SearchHit): string => `${kind} ${id}`

/** Searches everything and runs commands. All of it works by keyboard. */
export function CommandPalette({ onClose, ...openers }: Openers & { onClose: () => void }) {
  const [text, setText] = useState('')
  const typed = text.trim()
  const search = useDebouncedValue(typed, TYPING_MS)
  const actions = useActions(openers).filter(({ label, words = '' }) =>
    `${label} ${words}`.toLowerCase().includes(typed.toLowerCase()),
  )
  const navigate = useNavigate()
  const found = useQuery({
    ...searchQuery(search),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  const hits = typed === '' || search === '' ? [] : (found.data?.hits ?? [])
  const [selected, setSelected] = useState('')
  const [seen, setSeen] = useState(found.data)
  // The best match is selected when the result arrives. Before that, the Enter of a scanner looks up the code.
  if (seen !== found.data) {
    setSeen(found.data)
    const [best] = hits
    if (best) setSelected(valueOf(best))
  }
  const recent = typed === '' ? readRecentPages() : []
  const run = (action: () => void) => () => {
    onClose()
    action()
  }
  const go = (address: string) => run(() => void navigate(address))
  return (
    <Dialog isOpen onClose={onClose} title="Search or run a command" isTitleHidden isFlush>
      <Command
        value={selected}
        onValueChange={setSelected}
        shouldFilter={false}
        loop
        label="Search or run a command"
      >
        <div className="flex items-center gap-2.5 border-b border-line px-4">
          <Search {...ICON} />
          <Command.Input
            value={text}
            onValueChange={setText}
            maxLength={SEARCH_MAX_LENGTH}
            placeholder="Search everything, or run a command"
            className="h-12 min-w-0 flex-1 bg-transparent text-[0.9375rem] outline-none"
          />
        </div>
        <div className="flex h-[min(380px,52dvh)] flex-col">
          {/* Messages are outside of the list box, because a list box may contain only options. */}
          {found.isError ? (
            <p role="alert" className="px-4.5 pt-3 text-label text-red-ink">
              {found.error.message}
            </p>
          ) : null}
          <div role="status" className="text-center text-ink-2">
            <Command.Empty className="px-4.5 py-8">
              {found.isFetching || search !== typed ? 'Searching…' : <>Nothing matches “{typed}”.</>}
            </Command.Empty>
          </div>
          <Command.List className="min-h-0 flex-1 scroll-py-2 overflow-y-auto p-2">
            {recent.length > 0 ? (
              <Group heading="Recent">
                {recent.map(({ title, address }) => (
                  <Item key={address} value={`recent ${address}`} onSelect={go(address)}>
                    <Clock3 {...ICON} />
                    <bdi className="truncate">{title}</bdi>
                  </Item>
                ))}
              </Group>
            ) : null}
            {[...Map.groupBy(hits, ({ kind }) => kind)].map(([kind, ofKind]) => (
              <Group key={kind} heading={KINDS[kind].heading}>
                {ofKind.map((hit, index) => (
                  <Fragment key={hit.id}>
                    <Item value={valueOf(hit)} onSelect={go(KINDS[kind].address(hit))}>
                      <HitLine hit={hit} />
                    </Item>
                    <HitAction hit={hit} isFirst={index === 0} onGo={go} />
                  </Fragment>
                ))}
              </Group>
            ))}
            {/* Text with digits may be a code, a SKU or an order number. A scanner ends it with Enter. */}
            {/\d/.test(typed) ? (
              <Group heading="Scan">
                <Item value="scan-text" onSelect={() => openers.onScan(typed)}>
                  <ScanQrCode {...ICON} />
                  <span className="truncate">Look up the code “{typed}”</span>
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

function HitLine({ hit: { kind, title, detail, picture_path: picture } }: { hit: SearchHit }) {
  const { Icon } = KINDS[kind]
  return (
    <>
      {kind === 'model' ? <PartPicture src={picture} className="-my-1 size-8" /> : <Icon {...ICON} />}
      <bdi className={kind === 'order' ? 'code truncate' : 'truncate'}>{title}</bdi>
      {detail ? (
        <bdi className="ml-auto max-w-[45%] shrink-0 truncate text-label text-ink-3">{detail}</bdi>
      ) : null}
    </>
  )
}

/** The most likely action for a hit, shown to people who may do it. */
function HitAction({
  hit: { kind, id, title, ready_to_pack: isReady },
  isFirst,
  onGo,
}: {
  hit: SearchHit
  isFirst: boolean
  onGo: (address: string) => () => void
}) {
  if (!isEmployeeOrHigher(useCurrentUser().role)) return null
  if (kind === 'order' && isReady)
    return (
      <Item value={`pick ${id}`} onSelect={onGo(pickAddress(id))}>
        <ScanQrCode {...ICON} />
        <span className="truncate">Pick {title}</span>
      </Item>
    )
  if (kind === 'item' && isFirst)
    return (
      <Item value={`print ${id}`} onSelect={onGo(printAddress({ itemId: id, quantity: 1 }))}>
        <Printer {...ICON} />
        <span className="truncate">
          Print <bdi>{title}</bdi>
        </span>
      </Item>
    )
  return null
}

function useActions({ onScan, onProfile, onShortcuts }: Openers): Action[] {
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
          {
            id: 'upload',
            label: 'Upload STL',
            words: 'add new model file 3MF OBJ',
            icon: <Upload {...ICON} />,
            run: go(uploadAddress),
          },
          {
            id: 'new-item',
            label: 'New item',
            words: 'add inventory stock',
            icon: <Plus {...ICON} />,
            run: go(newItemAddress({ name: '', sku: '' })),
          },
          {
            id: 'new-print',
            label: 'New print job',
            words: 'add queue print',
            icon: <ListPlus {...ICON} />,
            run: go(newJobAddress),
          },
          {
            id: 'new-product',
            label: 'New product',
            words: 'add publish wizard shop',
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
      id: 'printers',
      label: 'Show printers',
      words: 'floor machines maintenance',
      icon: <Printer {...ICON} />,
      run: go(printersAddress),
    },
    {
      id: 'profile',
      label: 'Profile and password',
      words: 'settings account second factor sessions',
      icon: <CircleUser {...ICON} />,
      run: onProfile,
    },
    {
      id: 'theme',
      label: 'Switch between light and dark theme',
      words: 'settings appearance',
      icon: <SunMoon {...ICON} />,
      run: toggleTheme,
    },
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      words: 'keys help',
      icon: <Keyboard {...ICON} />,
      run: onShortcuts,
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
