import type { PlannedPrint } from '@pegasus/contracts/print-queue/schedule'
import { formatDue, formatNumberOf, formatTime } from '@/lib/format/format.ts'

/** Formats the size of a print: `2 plates, 8 pieces`. */
export const sizeOf = ({ plates, pieces }: PlannedPrint): string =>
  `${plates > 1 ? `${formatNumberOf(plates, 'plate')}, ` : ''}${formatNumberOf(pieces, 'piece')}`

/** Formats the times of a print: `14:05 to 16:30`. An uncertain end is marked with `about`. */
export const timesOf = ({ starts_at: start, ends_at: end, is_guess: isGuess }: PlannedPrint): string =>
  `${formatTime(start)} to ${isGuess ? 'about ' : ''}${formatTime(end)}`

/** Returns the remarks on a planned print, most important first. */
export const remarksOf = (print: PlannedPrint, nowMs: number): string[] => [
  ...(print.is_late && print.due_at ? [`Late, due ${formatDue(print.due_at, nowMs)}`] : []),
  ...(print.load ? [`Load ${print.load.filament_label} first`] : []),
  ...(print.is_running ? ['Printing now'] : print.is_assigned ? [] : ['Proposed']),
]
