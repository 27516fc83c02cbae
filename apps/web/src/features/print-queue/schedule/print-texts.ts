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

/** Formats the times of a print: `14:05 to 16:30`. An uncertain end is marked with `about`. */
export const timesOf = ({ starts_at: start, ends_at: end, is_guess: isGuess }: PlannedPrint): string =>
  isGuess
    ? t('{start} to about {end}', { start: formatTime(start), end: formatTime(end) })
    : t('{start} to {end}', { start: formatTime(start), end: formatTime(end) })

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
