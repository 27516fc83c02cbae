import type { Location } from '@pegasus/contracts/inventory/locations'
import { Archive, ChevronRight, MapPin } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { readStrings, useStoredValue } from '@/lib/browser/use-stored-value.ts'
import { cx } from '@/lib/class-names.ts'
import { ancestorsOf, buildLocationTree, hideCollapsed, type TreeRow } from './build-location-tree.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

interface LocationTreeProps {
  locations: readonly Location[]
  chosenId: string | null
  addressOf: (location: Location) => string
}

/** Maximum indentation, in levels. Deeper levels are indented no further, because the column is narrow. */
const MAX_INDENT = 6

/** Formats the counts of a location's direct contents: `3 items · 1 spool`. */
function formatContents({
  item_count: items,
  spool_count: spools,
  printer_count: printers,
}: Location): string {
  return joinFacts([
    items > 0 ? t('{items, plural, one {# item} other {# items}}', { items }) : '',
    spools > 0 ? t('{spools, plural, one {# spool} other {# spools}}', { spools }) : '',
    printers > 0 ? t('{printers, plural, one {# printer} other {# printers}}', { printers }) : '',
  ])
}

/** Returns the collapsed locations, which the browser remembers, and functions that change them. */
function useCollapsed(locations: readonly Location[], chosenId: string | null) {
  const [stored, change] = useStoredValue('pegasus-locations:collapsed', readStrings)
  const reveal = useEffectEvent((id: string | null) => {
    const around = ancestorsOf(locations, id)
    if (stored.some((each) => around.includes(each)))
      change((now) => now.filter((each) => !around.includes(each)))
  })
  // Expands the ancestors of the selected location, because a link may lead into a collapsed one.
  useEffect(() => reveal(chosenId), [chosenId])
  return {
    collapsed: new Set(stored),
    toggle: (id: string) =>
      change((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now, id])),
    collapse: (ids: readonly string[]) => change(() => ids),
  }
}

/** The locations as a tree. A location that contains others can be collapsed. */
export function LocationTree({ locations, chosenId, addressOf }: LocationTreeProps) {
  const rows = buildLocationTree(locations)
  const { collapsed, toggle, collapse } = useCollapsed(locations, chosenId)
  const parents = rows.filter(({ inside }) => inside > 0).map(({ location }) => location.id)
  const isAllCollapsed = collapsed.size > 0
  return (
    <>
      {parents.length > 1 ? (
        <div className="flex justify-end border-b border-line px-2 py-1">
          <Button variant="ghost" size="sm" onClick={() => collapse(isAllCollapsed ? [] : parents)}>
            {isAllCollapsed ? t('Expand all') : t('Collapse all')}
          </Button>
        </div>
      ) : null}
      <ul
        className={cx(
          'divide-y divide-line overflow-hidden',
          parents.length > 1 ? 'rounded-b-card' : 'rounded-card',
        )}
        aria-label={t('Locations')}
      >
        {hideCollapsed(rows, collapsed).map((row) => (
          <TreeLine
            key={row.location.id}
            row={row}
            isChosen={row.location.id === chosenId}
            to={addressOf(row.location)}
            isOpen={row.inside === 0 ? null : !collapsed.has(row.location.id)}
            onToggle={() => toggle(row.location.id)}
          />
        ))}
      </ul>
    </>
  )
}

interface TreeLineProps {
  row: TreeRow
  isChosen: boolean
  to: string
  /** Whether the row is expanded; null if the location contains no others. */
  isOpen: boolean | null
  onToggle: () => void
}

function TreeLine({ row: { location, depth, inside }, isChosen, to, isOpen, onToggle }: TreeLineProps) {
  const Icon = location.kind === 'bin' ? Archive : MapPin
  return (
    <li
      className={cx(
        'relative flex min-h-11 items-center gap-2.5 py-1.5 pe-4',
        isChosen ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
      style={{ paddingLeft: 8 + Math.min(depth, MAX_INDENT) * 22 }}
    >
      {isOpen === null ? (
        <span className="w-7 shrink-0 phone:w-11" />
      ) : (
        <IconButton
          label={
            isOpen
              ? t('Collapse {name}', { name: location.name })
              : t('Expand {name}', { name: location.name })
          }
          size="sm"
          aria-expanded={isOpen}
          onClick={onToggle}
          // The button is on top of the link that covers the row.
          className="relative z-1 -my-1.5"
        >
          <ChevronRight
            size={14}
            strokeWidth={2}
            className={cx('transition-transform', isOpen && 'rotate-90')}
            aria-hidden
          />
        </IconButton>
      )}
      <Icon size={16} strokeWidth={1.75} className="-ms-1.5 shrink-0 text-ink-3" aria-hidden />
      <Link
        to={to}
        aria-current={isChosen ? 'true' : undefined}
        title={location.path}
        className="min-w-0 truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
      >
        <bdi className="block truncate">{location.name}</bdi>
      </Link>
      <span className="shrink-0 text-caption text-ink-3 code">{location.label_code}</span>
      <span className="ms-auto shrink-0 text-label text-ink-2">
        {formatContents(location) || (isOpen === false ? t('{inside} inside', { inside }) : '')}
      </span>
    </li>
  )
}
