import type { PlannedPrint } from '@pegasus/contracts/print-queue/schedule'
import { formatDue, formatTime } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Formats the size of a print: `2 plates, 8 pieces`. */
export const sizeOf = ({ plates, pieces }: PlannedPrint): string =>
  plates > 1
    ? t(
        '{plates, plural, one {# plate} other {# plates}}, {pieces, plural, one {# piece} other {# pieces}}',
        { plates, pieces },
      )
    : t('{pieces, plural, one {# piece} other {# pieces}}', { pieces })

const isSameDay = (moment: string, other: string | number): boolean =>
  new Date(moment).toDateString() === new Date(other).toDateString()

/** Formats a time with its day: `Tue 24 Nov, 08:00`. */
const withDay = (moment: string, nowMs: number): string =>
  `${formatDue(moment, nowMs)}, ${formatTime(moment)}`

/** Formats a planned time: `08:00` today, `Tue 24 Nov, 08:00` on another day. */
export const plannedTime = (moment: string, nowMs: number): string =>
  isSameDay(moment, nowMs) ? formatTime(moment) : withDay(moment, nowMs)

/**
 * Formats the times of a print: `14:05 to 16:30`. A day that is not today stands before its time, and the end names its
 * day only if the print ends on another day than it starts. An uncertain end is marked with `about`.
 */
export function timesOf(
  { starts_at: startsAt, ends_at: endsAt, is_guess: isGuess }: PlannedPrint,
  nowMs: number,
): string {
  const start = plannedTime(startsAt, nowMs)
  const end = isSameDay(endsAt, startsAt) ? formatTime(endsAt) : withDay(endsAt, nowMs)
  return isGuess ? t('{start} to about {end}', { start, end }) : t('{start} to {end}', { start, end })
}

/** Returns the remarks on a planned print, most important first. */
export const remarksOf = (print: PlannedPrint, nowMs: number): string[] => [
  ...(print.is_late && print.due_at
    ? [t('Late, due {due_at}', { due_at: formatDue(print.due_at, nowMs) })]
    : []),
  ...print.loads.map(({ filament_label: label, slot }) =>
    slot === null
      ? t('Load {filament_label} first', { filament_label: label })
      : t('Load {filament_label} into slot {slot} first', { filament_label: label, slot }),
  ),
  ...(print.is_running ? [t('Printing now')] : print.is_assigned ? [] : [t('Proposed')]),
]
