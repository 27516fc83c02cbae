import type { Stats, StatsHistory } from '@pegasus/contracts/stats'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ErrorState } from '@/components/ui/feedback/error-state.tsx'
import { Skeleton } from '@/components/ui/feedback/skeleton.tsx'
import { Spark } from '@/components/ui/charts/spark.tsx'
import { cx } from '@/lib/class-names.ts'
import { formatTime } from '@/lib/format/format.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { FIGURES, type Figure, type FigureId } from './figures.tsx'
import { historyQuery, statsQuery } from './stats.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Selects the figures to show. A phone shows the figures of open work first. */
export type FigureGroup = 'all' | 'work' | 'totals'

const WORK: readonly FigureId[] = ['low-stock', 'pending', 'queue']

const GROUPS: Record<
  FigureGroup,
  { figures: readonly Figure[]; grid: string; cell: (id: FigureId) => string }
> = {
  all: {
    figures: FIGURES,
    // All seven figures share one row if there is room. Otherwise the four totals are above the three figures
    // of open work.
    grid: 'grid-cols-12 min-[77.5rem]:grid-cols-[repeat(4,minmax(0,1fr))_minmax(0,1.3fr)_minmax(0,0.85fr)_minmax(0,0.95fr)]',
    cell: (id) => cx(WORK.includes(id) ? 'col-span-4' : 'col-span-3', 'min-[77.5rem]:col-span-1'),
  },
  work: {
    figures: FIGURES.filter(({ id }) => WORK.includes(id)),
    grid: 'grid-cols-[1.25fr_1.15fr_1fr]',
    cell: () => '',
  },
  totals: {
    figures: FIGURES.filter(({ id }) => !WORK.includes(id)),
    grid: 'grid-cols-2',
    cell: () => '',
  },
}

interface FigureStripProps {
  group: FigureGroup
  /** Returns the address of the rows behind a figure. */
  addressOf: (id: FigureId) => string
  /** Pictures of low items, shown if there is room. */
  lowParts?: ReactNode
}

/** Shows the figures in one strip, separated by thin lines. Each figure links to the rows that it counts. */
export function FigureStrip({ group, addressOf, lowParts }: FigureStripProps) {
  const query = useQuery(statsQuery)
  const { data } = query
  const { data: history } = useQuery(historyQuery)
  const nowMs = useNow()
  const { figures, grid, cell } = GROUPS[group]
  // The times of the query are read only if it failed, because otherwise each refetch would render the figures again.
  const failure = query.isError ? (
    <ErrorState
      message={data ? t('The figures could not be refreshed.') : t('The figures could not be loaded.')}
      detail={
        data
          ? t('{message} The figures below are from {dataUpdatedAt}.', {
              message: query.error.message,
              dataUpdatedAt: formatTime(query.dataUpdatedAt),
            })
          : query.error.message
      }
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    />
  ) : null
  if (failure && (group === 'totals' || !data)) return group === 'totals' ? null : failure
  return (
    <>
      {failure}
      <ul
        aria-busy={!data || undefined}
        aria-label={t('Figures')}
        className={cx('grid gap-px overflow-hidden rounded-card border border-line bg-line', grid)}
      >
        {figures.map((figure) => (
          <li
            key={figure.id}
            className={cx('row-span-3 grid min-w-0 grid-rows-subgrid gap-y-0 bg-surface', cell(figure.id))}
          >
            <Link
              to={addressOf(figure.id)}
              className="row-span-3 grid grid-cols-[minmax(0,1fr)] grid-rows-subgrid px-4 py-3 -outline-offset-2 hover:bg-hover phone:px-2.5 phone:py-2.5"
            >
              <FigureCell
                figure={figure}
                stats={data}
                history={history}
                nowMs={nowMs}
                aside={figure.id === 'low-stock' ? lowParts : null}
              />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

interface FigureCellProps {
  figure: Figure
  stats: Stats | undefined
  history: StatsHistory | undefined
  nowMs: number
  aside: ReactNode
}

function FigureCell({
  figure: { label, counted, value, note, spark },
  stats,
  history,
  nowMs,
  aside,
}: FigureCellProps) {
  const points = spark && stats && history ? spark(history, stats) : []
  return (
    <>
      <span
        className="self-end text-label text-ink-2 wrap-anywhere hyphens-auto phone:text-caption phone:leading-[18px]"
        title={counted}
      >
        {label}
      </span>
      <span className="@container mt-0.5 flex h-8 items-end justify-between gap-2">
        {stats ? (
          <span className="truncate text-figure font-[580]">{value(stats)}</span>
        ) : (
          <Skeleton className="mb-[7px] h-[18px] w-16" />
        )}
        {points.some((point) => point !== 0) ? (
          <Spark values={points} className="mb-1 hidden @min-[152px]:block" />
        ) : null}
        {stats ? aside : null}
      </span>
      {stats ? (
        <span className="mt-0.5 line-clamp-2 text-caption text-ink-3">{note(stats, nowMs)}</span>
      ) : (
        <Skeleton className="mt-[5px] mb-[3px] h-2.5 w-24 max-w-full" />
      )}
    </>
  )
}
