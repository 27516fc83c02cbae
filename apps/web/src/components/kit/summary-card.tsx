import type { UseQueryResult } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { Card } from '../ui/display/card.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../ui/feedback/skeleton.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface SummaryCardProps<Row> {
  title: string
  /** The link to the whole list: its address and text. */
  link: { to: string; label: string }
  query: Pick<
    UseQueryResult<{ items: readonly Row[] }>,
    'data' | 'isPending' | 'error' | 'refetch' | 'isFetching'
  >
  /** Name of the rows inside a sentence: `recent orders`. */
  name: string
  /** Number of placeholder rows while the data loads. */
  count: number
  /**
   * Minimum height of the rows, as classes. It equals the height of all rows, so that the content below does
   * not move when they load.
   */
  heightClass?: string
  /** Layout of the rows, as classes. By default the rows are stacked. */
  layoutClass?: string
  skeletonRow: ReactNode
  /** The empty state. Leave it out if the card is shown only while there are rows. */
  empty?: { title: string; text: string }
  /** Renders one row, as an `<li>` with a key. */
  children: (row: Row) => ReactNode
}

/** The first rows of a list in a card of the dashboard, with a link to the whole list. */
export function SummaryCard<Row>(props: SummaryCardProps<Row>) {
  const { title, link, query, name, count, skeletonRow, empty, children } = props
  const { heightClass = '', layoutClass = 'divide-y divide-line' } = props
  const { data, isPending, error } = query
  const listClass = `${heightClass} ${layoutClass}`
  return (
    <Card
      title={title}
      aside={
        <Link to={link.to} className="link">
          {link.label}
        </Link>
      }
    >
      {isPending ? (
        <SkeletonGroup label={t('Loading the {name}', { name })} className={listClass}>
          {Array.from({ length: count }, (_, index) => (
            <Fragment key={index}>{skeletonRow}</Fragment>
          ))}
        </SkeletonGroup>
      ) : null}
      {error ? (
        <ErrorState
          message={
            data
              ? t('The {name} could not be refreshed.', { name })
              : t('The {name} could not be loaded.', { name })
          }
          detail={error.message}
          onRetry={() => void query.refetch()}
          // Read `isFetching` only in the error state. Otherwise each refetch would render the card again.
          isRetrying={query.isFetching}
          className="m-4"
        />
      ) : null}
      {empty && data?.items.length === 0 ? (
        <div className={`${heightClass} grid place-content-center p-4 text-center`}>
          <p className="font-medium">{empty.title}</p>
          <p className="mt-0.5 max-w-[44ch] text-label text-ink-3">{empty.text}</p>
        </div>
      ) : null}
      {data && data.items.length > 0 ? <ul className={listClass}>{data.items.map(children)}</ul> : null}
    </Card>
  )
}

interface SummaryRowSkeletonProps {
  /** The grid of the row, as classes. */
  className: string
  /** Size of the picture, as classes. */
  pictureClass: string
  /** The columns after the name. */
  children: ReactNode
}

/** Placeholder for a row with a picture and two lines. */
export const SummaryRowSkeleton = ({ className, pictureClass, children }: SummaryRowSkeletonProps) => (
  <div className={className}>
    <Skeleton className={`rounded-control! ${pictureClass}`} />
    <span>
      <Skeleton className="h-3 w-3/5" />
      <Skeleton className="mt-2 h-2.5 w-2/5" />
    </span>
    {children}
  </div>
)
