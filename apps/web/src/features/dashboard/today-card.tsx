import { CircleCheck } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { TODAY_GRID, TodayList } from '@/components/today/today-list.tsx'
import { useToday } from '@/components/today/use-today.ts'
import { Card } from '@/components/ui/display/card.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { useStoredValue } from '@/lib/browser/use-stored-value.ts'
import { formatCount } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Maximum number of rows that determine the card's height. Further rows do not make it higher. */
const MOST_ROWS = 12

const readCount = (stored: unknown): number =>
  typeof stored === 'number' && stored >= 1 ? Math.min(MOST_ROWS, Math.floor(stored)) : 1

/**
 * Shows everything that needs a person's attention now, at the top of the dashboard. While it loads, the card
 * is as high as at the person's last visit, so that the cards below usually stay in place.
 */
export function TodayCard({ accountId }: { accountId: string }) {
  const rows = useToday()
  const [lastCount, keepCount] = useStoredValue(`pegasus-today:${accountId}`, readCount)
  const count = rows && readCount(rows.length)
  const keep = useEffectEvent((next: number) => {
    if (next !== lastCount) keepCount(() => next)
  })
  // Only a new count of this tab is kept. Otherwise, two tabs with different counts would overwrite each other without
  // end.
  useEffect(() => {
    if (count !== null) keep(count)
  }, [count])
  return (
    <Card title={t('Needs you today')} aside={rows && rows.length > 0 ? formatCount(rows.length) : null}>
      {rows === null ? (
        <SkeletonGroup label={t('Loading the tasks for today')} className={TODAY_GRID}>
          {Array.from({ length: lastCount }, (_, row) => (
            <div key={row} className="flex h-12 items-center px-4 phone:h-14 touch:h-14">
              <Skeleton className="h-4 w-2/3" />
            </div>
          ))}
        </SkeletonGroup>
      ) : rows.length === 0 ? (
        <p className="flex items-center gap-2.5 px-4 py-3.5 text-ink-2">
          <CircleCheck size={16} strokeWidth={1.75} className="text-green" aria-hidden />
          {t('Nothing is waiting for you.')}
        </p>
      ) : (
        <TodayList label={t('Needs you today')} rows={rows} className={TODAY_GRID} />
      )}
    </Card>
  )
}
