import { CircleCheck } from 'lucide-react'
import { TodayList } from '@/components/today/today-list.tsx'
import { useToday } from '@/components/today/use-today.ts'
import { Card } from '@/components/ui/display/card.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { formatCount } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Shows everything that needs a person's attention now, at the top of the dashboard. */
export function TodayCard() {
  const rows = useToday()
  return (
    <Card title={t('Needs you today')} aside={rows && rows.length > 0 ? formatCount(rows.length) : null}>
      {rows === null ? (
        <SkeletonGroup label={t('Loading the tasks for today')} className="flex flex-col gap-4 p-4">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-4 w-1/2" />
        </SkeletonGroup>
      ) : rows.length === 0 ? (
        <p className="flex items-center gap-2.5 px-4 py-3.5 text-ink-2">
          <CircleCheck size={16} strokeWidth={1.75} className="text-green" aria-hidden />
          {t('Nothing is waiting for you.')}
        </p>
      ) : (
        <TodayList
          label={t('Needs you today')}
          rows={rows}
          className="grid max-h-[13.5rem] grid-cols-[minmax(0,1fr)] overflow-y-auto py-1 md:grid-cols-2 xl:grid-cols-3"
        />
      )}
    </Card>
  )
}
