import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { formatCount, formatDate } from '@/lib/format/format.ts'
import type { KeyFigures } from './key-details.ts'
import { t } from '@/lib/i18n/messages.ts'

interface Cell {
  label: string
  value: (figures: KeyFigures) => number
  note: (figures: KeyFigures) => string
}

const CELLS: readonly Cell[] = [
  {
    label: t('Total Keys'),
    value: ({ total }) => total,
    note: ({ owners }) => t('{owners, plural, one {# owner} other {# owners}}', { owners }),
  },
  {
    label: t('Active'),
    value: ({ active }) => active,
    note: ({ active, idle }) =>
      idle > 0
        ? t('{idle} not used for 30 days', { idle: formatCount(idle) })
        : active > 0
          ? t('none idle for 30 days')
          : t('none'),
  },
  {
    label: t('Inactive'),
    value: ({ inactive }) => inactive,
    note: ({ inactive }) => (inactive > 0 ? t('disabled by hand') : t('none')),
  },
  {
    label: t('Expired'),
    value: ({ expired }) => expired,
    note: ({ lastExpiryAt }) => (lastExpiryAt ? formatDate(lastExpiryAt) : t('none')),
  },
]

/** The figures in one strip, separated by thin lines. Null while the keys are unknown. */
export const KeyFigureStrip = ({ figures }: { figures: KeyFigures | null }) => (
  <ul
    aria-label={t('Figures')}
    aria-busy={!figures || undefined}
    className="mb-4 grid grid-cols-4 gap-px overflow-hidden rounded-card border border-line bg-line phone:mb-3 phone:grid-cols-2"
  >
    {CELLS.map(({ label, value, note }) => (
      <li key={label} className="min-w-0 bg-surface px-4 py-3 phone:px-3 phone:py-2.5">
        <span className="block truncate text-label text-ink-2">{label}</span>
        {figures ? (
          <>
            <span className="mt-0.5 block truncate text-figure font-[580]">
              {formatCount(value(figures))}
            </span>
            <span className="mt-0.5 block truncate text-caption text-ink-3">{note(figures)}</span>
          </>
        ) : (
          <>
            <Skeleton className="mt-2 mb-2 h-[18px] w-12" />
            <Skeleton className="h-2.5 w-24 max-w-full" />
          </>
        )}
      </li>
    ))}
  </ul>
)
