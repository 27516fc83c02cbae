import { type HitKind, SEARCH_MAX_LENGTH, type SearchHit } from '@pegasus/contracts/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import {
  Boxes,
  CircleUser,
  Clock3,
  ListPlus,
  type LucideIcon,
  MapPin,
  Printer,
  ReceiptText,
  ScanQrCode,
  Search,
  ShoppingBag,
  Spool,
  UserRound,
} from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { Dialog } from '../../components/ui/overlays/dialog.tsx'
import { PartPicture } from '../../components/ui/display/part-picture.tsx'
import { searchQuery } from '../../lib/http/search.queries.ts'
import { readRecentPages } from '../../lib/session/recent-pages.ts'
import { useDebouncedValue } from '../../lib/browser/use-debounced-value.ts'
import {
  accountAddress,
  customerAddress,
  itemAddress,
  jobAddress,
  locationAddress,
  modelAddress,
  orderAddress,
  printerAddress,
  productAddress,
  spoolAddress,
} from '../tabs.ts'
import { HitActions } from './hit-actions.tsx'
import { type Openers, useCommands } from './palette-commands.tsx'
import { commandsLike, commandsWith } from './match-commands.ts'
import { PaletteItem } from './palette-item.tsx'
import { t } from '@/lib/i18n/messages.ts'

const ICON = { size: 16, strokeWidth: 1.75, className: 'shrink-0 text-ink-3', 'aria-hidden': true } as const
/** Pause after the last keystroke before the search starts, in ms, so that a typed word causes one search. */
const TYPING_MS = 80

interface KindOfHit {
  heading: string
  Icon: LucideIcon
  address: (hit: SearchHit) => string
}

const KINDS: Readonly<Record<HitKind, KindOfHit>> = {
  model: { heading: t('Models'), Icon: Boxes, address: ({ id }) => modelAddress(id) },
  item: { heading: t('Inventory'), Icon: Boxes, address: ({ id }) => itemAddress(id) },
  order: { heading: t('Orders'), Icon: ReceiptText, address: ({ id }) => orderAddress(id) },
  customer: { heading: t('Customers'), Icon: UserRound, address: ({ title }) => customerAddress(title) },
  job: { heading: t('Print Queue'), Icon: ListPlus, address: ({ id }) => jobAddress(id) },
  spool: { heading: t('Filament'), Icon: Spool, address: ({ id }) => spoolAddress(id) },
  printer: { heading: t('Printers'), Icon: Printer, address: ({ id }) => printerAddress(id) },
  location: { heading: t('Locations'), Icon: MapPin, address: ({ id }) => locationAddress(id) },
  product: { heading: t('Products'), Icon: ShoppingBag, address: ({ id }) => productAddress(id) },
  account: {
    heading: t('People'),
    Icon: CircleUser,
    address: ({ detail, title }) => accountAddress(detail ?? title),
  },
}

/** Returns the unique option value of a hit. */
const valueOf = ({ kind, id }: SearchHit): string => `${kind} ${id}`

/** Searches all modules and runs commands. All its functions work with the keyboard. */
export function CommandPalette({ onClose, ...openers }: Openers & { onClose: () => void }) {
  const [text, setText] = useState('')
  const typed = text.trim()
  const search = useDebouncedValue(typed, TYPING_MS)
  const possible = useCommands(openers).filter(({ isForTyped = false }) => typed !== '' || !isForTyped)
  const matching = commandsWith(possible, typed)
  const navigate = useNavigate()
  const searchResult = useQuery({
    ...searchQuery(search),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  const hits = typed === '' || search === '' ? [] : (searchResult.data?.hits ?? [])
  // Commands with only a similar word appear after the end of the search, so that an early Enter does not run one.
  const isSettled = search === typed && !searchResult.isFetching
  const commands = matching.length > 0 || !isSettled ? matching : commandsLike(possible, typed)
  const [selected, setSelected] = useState('')
  const [seen, setSeen] = useState(searchResult.data)
  // The best match is selected when the result arrives. Before that, the Enter of a scanner looks up the code.
  if (seen !== searchResult.data) {
    setSeen(searchResult.data)
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
    <Dialog isOpen onClose={onClose} title={t('Search or run a command')} isTitleHidden isFlush>
      <Command
        value={selected}
        onValueChange={setSelected}
        shouldFilter={false}
        loop
        label={t('Search or run a command')}
      >
        <div className="flex items-center gap-2.5 border-b border-line px-4">
          <Search {...ICON} />
          <Command.Input
            value={text}
            onValueChange={setText}
            maxLength={SEARCH_MAX_LENGTH}
            placeholder={t('Search everything, or run a command')}
            className="h-12 min-w-0 flex-1 bg-transparent text-[0.9375rem] outline-none"
          />
        </div>
        <div className="flex h-[min(380px,52dvh)] flex-col">
          {/* Messages are outside the list box, because a list box may contain only options. */}
          {searchResult.isError ? (
            <p role="alert" className="px-4.5 pt-3 text-label text-red-ink">
              {searchResult.error.message}
            </p>
          ) : null}
          <div role="status" className="text-center text-ink-2">
            <Command.Empty className="px-4.5 py-8">
              {!isSettled ? t('Searching…') : <>{t('Nothing matches “{typed}”.', { typed })}</>}
            </Command.Empty>
          </div>
          <Command.List className="min-h-0 flex-1 scroll-py-2 overflow-y-auto p-2">
            {recent.length > 0 ? (
              <Group heading={t('Recent')}>
                {recent.map(({ title, address }) => (
                  <PaletteItem key={address} value={`recent ${address}`} onSelect={go(address)}>
                    <Clock3 {...ICON} />
                    <bdi className="truncate">{title}</bdi>
                  </PaletteItem>
                ))}
              </Group>
            ) : null}
            {[...Map.groupBy(hits, ({ kind }) => kind)].map(([kind, ofKind]) => (
              <Group key={kind} heading={KINDS[kind].heading}>
                {ofKind.map((hit, index) => (
                  <Fragment key={hit.id}>
                    <PaletteItem value={valueOf(hit)} onSelect={go(KINDS[kind].address(hit))}>
                      <HitLine hit={hit} />
                    </PaletteItem>
                    <HitActions hit={hit} isFirst={index === 0} onRun={run} onGo={go} />
                  </Fragment>
                ))}
              </Group>
            ))}
            {/* Text with digits may be a code, a SKU or an order number. A scanner ends it with Enter. */}
            {/\d/.test(typed) ? (
              <Group heading={t('Scan')}>
                <PaletteItem value="scan-text" onSelect={() => openers.onScan(typed)}>
                  <ScanQrCode {...ICON} />
                  <span className="truncate">{t('Look up the code “{typed}”', { typed })}</span>
                </PaletteItem>
              </Group>
            ) : null}
            {commands.length > 0 ? (
              <Group heading={t('Commands')}>
                {commands.map((command) => (
                  <PaletteItem key={command.id} value={command.id} onSelect={run(command.run)}>
                    {command.icon}
                    {command.label}
                  </PaletteItem>
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
        <bdi className="ms-auto max-w-[45%] shrink-0 truncate text-label text-ink-3">{detail}</bdi>
      ) : null}
    </>
  )
}

const Group = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <Command.Group
    heading={heading}
    className="**:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:py-1.5 **:[[cmdk-group-heading]]:text-caption **:[[cmdk-group-heading]]:text-ink-3"
  >
    {children}
  </Command.Group>
)
