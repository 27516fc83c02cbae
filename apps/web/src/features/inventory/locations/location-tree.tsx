import type { Location } from '@pegasus/contracts/inventory/locations'
import { Archive, MapPin } from 'lucide-react'
import { Link } from 'react-router'
import { cx } from '@/lib/class-names.ts'
import { formatNumberOf } from '@/lib/format/format.ts'
import { buildLocationTree } from './build-location-tree.ts'

interface LocationTreeProps {
  locations: readonly Location[]
  chosenId: string | null
  addressOf: (location: Location) => string
}

/** The deepest indent. Deeper levels share it, because the column is narrow. */
const MAX_INDENT = 6

/** Formats the counts of a location's direct contents: `3 items · 1 spool`. */
function formatContents({
  item_count: items,
  spool_count: spools,
  printer_count: printers,
}: Location): string {
  return [
    items > 0 ? formatNumberOf(items, 'item') : '',
    spools > 0 ? formatNumberOf(spools, 'spool') : '',
    printers > 0 ? formatNumberOf(printers, 'printer') : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

export const LocationTree = ({ locations, chosenId, addressOf }: LocationTreeProps) => (
  <ul className="divide-y divide-line overflow-hidden rounded-card" aria-label="Locations">
    {buildLocationTree(locations).map(({ location, depth }) => {
      const Icon = location.kind === 'bin' ? Archive : MapPin
      const isChosen = location.id === chosenId
      return (
        <li
          key={location.id}
          className={cx(
            'relative flex min-h-11 items-center gap-2.5 px-4 py-1.5',
            isChosen ? 'bg-accent-soft' : 'hover:bg-hover',
          )}
          style={{ paddingLeft: 16 + Math.min(depth, MAX_INDENT) * 22 }}
        >
          <Icon size={16} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />
          <Link
            to={addressOf(location)}
            aria-current={isChosen ? 'true' : undefined}
            title={location.path}
            className="min-w-0 truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            <bdi>{location.name}</bdi>
          </Link>
          <span className="shrink-0 text-caption text-ink-3 code">{location.label_code}</span>
          <span className="ml-auto shrink-0 text-label text-ink-2">{formatContents(location)}</span>
        </li>
      )
    })}
  </ul>
)
