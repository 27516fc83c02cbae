import type { Schedule } from '@pegasus/contracts/print-queue/schedule'
import { Link } from 'react-router'
import { Button } from '@/components/ui/actions/button.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { useNow } from '@/lib/browser/use-now.ts'
import { remarksOf, sizeOf, timesOf } from './print-texts.ts'
import type { Chosen } from './chosen-print.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

interface ScheduleListProps {
  schedule: Schedule
  onChoose: ((chosen: Chosen) => void) | null
  jobAddress: (id: string) => string
}

/** Shows the schedule in a narrow window, as a list of prints for each printer. */
export function ScheduleList({ schedule, onChoose, jobAddress }: ScheduleListProps) {
  const nowMs = useNow()
  return (
    <ul className="divide-y divide-line">
      {schedule.printers.map((printer) => (
        <li key={printer.id} className="p-3.5">
          <h2 className="font-semibold">
            <bdi>{printer.name}</bdi>
          </h2>
          {printer.prints.length === 0 ? (
            <p className="text-label text-ink-3">{t('Nothing planned')}</p>
          ) : null}
          <ol>
            {printer.prints.map((print) => (
              <li key={`${print.print_job_id} ${print.starts_at}`} className="mt-2.5 flex items-center gap-3">
                <PartPicture src={print.thumbnail_path} tint={print.color_hex} className="size-12" />
                <div className="min-w-0 flex-1">
                  <Link to={jobAddress(print.print_job_id)} className="block truncate font-medium">
                    <bdi className="block truncate">{print.name}</bdi>
                  </Link>
                  <p className="text-caption text-ink-2">
                    {timesOf(print, nowMs)} · {sizeOf(print)}
                  </p>
                  <p className="text-caption text-ink-3">{joinFacts(remarksOf(print, nowMs))}</p>
                </div>
                {onChoose && !print.is_running ? (
                  <Button
                    size="sm"
                    aria-label={t('Move {name}', { name: print.name })}
                    onClick={() => onChoose({ print, printer })}
                  >
                    {t('Move')}
                  </Button>
                ) : null}
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ul>
  )
}
