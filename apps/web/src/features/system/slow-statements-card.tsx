import { SLOW_STATEMENT_MS } from '@pegasus/contracts/system'
import { useQuery } from '@tanstack/react-query'
import { QueryError } from '@/components/query-error.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { SkeletonLines } from '@/components/ui/feedback/skeleton.tsx'
import { formatCount, formatDateTime } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'
import { slowStatementsQuery } from './system.queries.ts'

const REFETCH_MS = 60_000

const formatMs = (ms: number): string => t('{ms} ms', { ms: formatCount(Math.round(ms)) })

/** Shows the slowest statements of the database, and since when they are measured. */
export function SlowStatementsCard() {
  const slow = useQuery({ ...slowStatementsQuery, refetchInterval: REFETCH_MS })
  const { data } = slow
  return (
    <Card title={t('Slow statements')}>
      <QueryError query={slow} message={t('The slow statements could not be loaded.')} />
      {slow.isPending ? (
        <SkeletonLines
          label={t('Loading the slow statements')}
          count={3}
          className="flex flex-col gap-3 p-4"
        />
      ) : null}
      {data && data.statements.length > 0 ? (
        <ul aria-label={t('Slow statements')} className="divide-y divide-line">
          {data.statements.map(({ text, count, mean_ms: mean, longest_ms: longest }) => (
            <li key={[text, count, mean].join(' ')} className="flex flex-col gap-0.5 px-4 py-2.5">
              <code dir="ltr" className="line-clamp-2 text-label wrap-anywhere" title={text}>
                {text}
              </code>
              <span className="text-label text-ink-3">
                {t('{count, plural, one {# call} other {# calls}}, {mean} on average, {longest} at most', {
                  count,
                  mean: formatMs(mean),
                  longest: formatMs(longest),
                })}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {data ? (
        <p className="border-line px-4 py-3 text-label text-ink-3 [ul+&]:border-t">
          {data.statements.length === 0
            ? t('No statement has taken {limit} or longer.', { limit: formatMs(SLOW_STATEMENT_MS) })
            : null}{' '}
          {data.source === 'database'
            ? t('Counted by PostgreSQL for all servers since {time}.', { time: formatDateTime(data.since) })
            : t('Measured by one server since its start on {time}.', { time: formatDateTime(data.since) })}
        </p>
      ) : null}
    </Card>
  )
}
