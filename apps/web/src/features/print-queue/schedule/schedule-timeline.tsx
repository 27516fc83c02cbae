import type { PlannedPrint, Schedule, ScheduledPrinter } from '@pegasus/contracts/print-queue/schedule'
import { cx } from '@/lib/class-names.ts'
import { formatDay, formatTime } from '@/lib/format/format.ts'
import { dayOf } from '@/lib/format/local-day.ts'
import { remarksOf, sizeOf, timesOf } from './print-texts.ts'
import type { Chosen } from './chosen-print.ts'
import { useScheduleChanges } from './schedule.queries.ts'
import { type Drop, useScheduleDrag } from './use-schedule-drag.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

const HOUR_MS = 3_600_000
/** Width of the column with the names of the printers, equal to the class `w-44`. */
const NAMES_WIDTH = '11rem'
const NAMES = 'sticky start-0 z-10 w-44 shrink-0 border-e border-line bg-surface px-3.5'

interface ScheduleTimelineProps {
  schedule: Schedule
  /** The number of hours to show, starting with the current hour. */
  hours: number
  nowMs: number
  /** Opens the dialog that moves a print. Null for people who may not move prints. */
  onChoose: ((chosen: Chosen) => void) | null
  jobAddress: (id: string) => string
}

/**
 * Shows one row for each printer, with its prints as bars along the hours and a line at the current time. Waiting prints
 * can be dragged.
 */
export function ScheduleTimeline({ schedule, hours, nowMs, onChoose }: ScheduleTimelineProps) {
  const { place } = useScheduleChanges()
  const { printers } = schedule
  const startMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const share = (moment: number) => Math.min(1, Math.max(0, (moment - startMs) / (hours * HOUR_MS)))
  const { drag, blockProps } = useScheduleDrag((jobId, { printerId, beforeId }: Drop) => {
    const printer = printers.find(({ id }) => id === printerId)
    const print = printers.flatMap(({ prints }) => prints).find(({ print_job_id: id }) => id === jobId)
    if (printer && print)
      place.mutate({ jobId, name: print.name, printerId, printer: printer.name, beforeId })
  })
  const every = hours <= 12 ? 1 : hours <= 24 ? 2 : 6
  const ticks = Array.from(
    { length: Math.ceil(hours / every) },
    (_, index) => startMs + index * every * HOUR_MS,
  )
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={t('Timeline')}>
      <div className="relative min-w-[960px]">
        <div className="flex h-9 border-b border-line text-caption text-ink-3" aria-hidden>
          <div className={NAMES} />
          <div className="relative flex-1">
            {ticks.map((tick, index) => (
              <span
                key={tick}
                className="absolute inset-y-0 flex items-center border-s border-line ps-1.5 whitespace-nowrap"
                style={{ insetInlineStart: `${share(tick) * 100}%` }}
              >
                {index > 0 && new Date(tick).getHours() < every
                  ? formatDay(dayOf(new Date(tick).toISOString()))
                  : formatTime(tick)}
              </span>
            ))}
          </div>
        </div>
        <ul aria-label={t('Printers')}>
          {printers.map((printer) => (
            <Lane
              key={printer.id}
              printer={printer}
              share={share}
              nowMs={nowMs}
              ticks={ticks}
              drop={drag?.drop?.printerId === printer.id ? drag.drop : null}
              draggedId={drag?.jobId ?? null}
              onChoose={onChoose}
              blockProps={blockProps}
            />
          ))}
        </ul>
        <span
          data-now
          aria-hidden
          className="pointer-events-none absolute inset-y-0 z-5 -ms-px w-0.5 bg-red"
          style={{ insetInlineStart: `calc(${NAMES_WIDTH} + (100% - ${NAMES_WIDTH}) * ${share(nowMs)})` }}
        />
      </div>
    </div>
  )
}

interface LaneProps {
  printer: ScheduledPrinter
  share: (moment: number) => number
  nowMs: number
  ticks: readonly number[]
  drop: Drop | null
  draggedId: string | null
  onChoose: ScheduleTimelineProps['onChoose']
  blockProps: ReturnType<typeof useScheduleDrag>['blockProps']
}

function Lane({ printer, share, nowMs, ticks, drop, draggedId, onChoose, blockProps }: LaneProps) {
  const { prints } = printer
  const before = prints.find(
    ({ print_job_id: id, is_running: isRunning }) => !isRunning && id === drop?.beforeId,
  )
  const last = prints.at(-1)
  const markAt = before ? Date.parse(before.starts_at) : last ? Date.parse(last.ends_at) : nowMs
  return (
    <li className="flex h-16 border-b border-line last:border-b-0" data-lane={printer.id}>
      <div className={cx(NAMES, 'flex flex-col justify-center')}>
        <bdi className="truncate font-medium" title={printer.name}>
          {printer.name}
        </bdi>
        <span className="truncate text-caption text-ink-3">
          {printer.takes_jobs ? t('Starts jobs by itself') : (printer.model ?? printer.label_code)}
        </span>
      </div>
      <ol
        className={cx('@container relative flex-1 overflow-hidden', drop && 'bg-hover')}
        aria-label={printer.name}
      >
        {ticks.map((tick) => (
          <li
            key={tick}
            role="presentation"
            className="absolute inset-y-0 border-s border-line"
            style={{ insetInlineStart: `${share(tick) * 100}%` }}
          />
        ))}
        {prints.map((print, index) => (
          <Bar
            key={`${print.print_job_id} ${print.starts_at}`}
            print={print}
            start={share(Date.parse(print.starts_at))}
            end={share(Date.parse(print.ends_at))}
            next={share(Date.parse(prints[index + 1]?.starts_at ?? END))}
            nowMs={nowMs}
            isDragged={draggedId === print.print_job_id}
            props={
              onChoose && !print.is_running
                ? blockProps(print.print_job_id, () => onChoose({ print, printer }))
                : null
            }
          />
        ))}
        {drop ? (
          <li
            role="presentation"
            className="absolute inset-y-1 z-20 w-0.5 bg-accent"
            style={{ insetInlineStart: `${share(markAt) * 100}%` }}
          />
        ) : null}
      </ol>
    </li>
  )
}

/** A time after all prints. */
const END = '9999-12-31T00:00:00Z'

/** A bar with a smaller share of the shown time is too narrow for its text. */
const NARROW = 0.1
/** A bar with a smaller share shows no text at all, if there is no room after it either. */
const TINY = 0.05

/**
 * Returns where the text of a bar has room: in the bar, after it, or nowhere. Without room, the bar has only a tooltip.
 */
function textPlace({ start, end, next }: Pick<BarProps, 'start' | 'end' | 'next'>): 'in' | 'after' | 'none' {
  if (end - start >= NARROW) return 'in'
  if (next - end >= NARROW) return 'after'
  return end - start >= TINY ? 'in' : 'none'
}

interface BarProps {
  print: PlannedPrint
  /** Start and end of the bar as shares of the shown time, from 0 to 1. */
  start: number
  end: number
  /** The start of the next bar in the same way. 1 if there is none. */
  next: number
  nowMs: number
  isDragged: boolean
  /** The handlers and labels of the button; null if the print cannot be moved. */
  props: ReturnType<ReturnType<typeof useScheduleDrag>['blockProps']> | null
}

function Bar({ print, start, end, next, nowMs, isDragged, props }: BarProps) {
  if (start >= 1 || end <= 0) return null
  const remarks = remarksOf(print, nowMs)
  const place = textPlace({ start, end, next })
  const className = cx(
    'absolute inset-y-1.5 flex flex-col justify-center rounded-control border px-2 text-start',
    place !== 'after' && 'overflow-hidden',
    print.is_running
      ? 'border-blue bg-blue-soft text-blue-ink'
      : print.is_assigned
        ? 'border-line-2 bg-sunken'
        : 'border-dashed border-line-2 bg-surface',
    print.is_late && 'border-red',
    isDragged && 'opacity-50',
  )
  const style = {
    insetInlineStart: `${start * 100}%`,
    width: `max(14px, calc(${(end - start) * 100}% - 2px))`,
  }
  const title = [print.name, sizeOf(print), timesOf(print, nowMs), ...remarks].join('\n')
  const text = (
    <span
      className={cx(
        'flex flex-col justify-center',
        place === 'after' && 'pointer-events-none absolute inset-y-0 start-full ps-1.5 text-ink',
        place === 'none' && 'sr-only',
      )}
      // The text ends before the next bar. Its width is measured in the row, because a very short bar is drawn wider
      // than its time.
      style={place === 'after' ? { width: `calc(${(next - end) * 100}cqw - 16px)` } : undefined}
    >
      <bdi className="truncate font-medium">{print.name}</bdi>
      <span className={cx('truncate text-caption', print.is_running && place === 'in' ? '' : 'text-ink-2')}>
        {joinFacts([...remarks.filter((remark) => remark !== t('Printing now')), sizeOf(print)])}
      </span>
    </span>
  )
  return (
    <li data-waiting={print.is_running ? undefined : print.print_job_id} className={className} style={style}>
      {props ? (
        <button
          type="button"
          title={title}
          aria-label={t('Move {name}, {timesOf}{remarks}', {
            name: print.name,
            timesOf: timesOf(print, nowMs),
            remarks: remarks.length > 0 ? `, ${remarks.join(', ')}` : '',
          })}
          className="absolute inset-0 flex cursor-grab touch-none flex-col justify-center px-2 text-start"
          {...props}
        >
          {text}
        </button>
      ) : (
        <span
          title={title}
          className={cx('flex flex-col justify-center', place !== 'after' && 'overflow-hidden')}
        >
          {text}
        </span>
      )}
    </li>
  )
}
