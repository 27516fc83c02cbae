import type { Slice } from '@pegasus/contracts/slices/slices'
import { printOf } from '@/components/slices/print-of.ts'
import { formatMinutes } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'
import type { Printable } from './printable-models.ts'

/** Print times that differ by less than this share do not contradict each other. */
const TIME_TOLERANCE = 0.1

/** The figures from which a job is planned, for one piece. Unknown figures are null. */
export interface PrintFigures {
  /** The sliced file that states the figures; null if they are the figures of the item. */
  file: Pick<Slice, 'file_name' | 'pieces'> | null
  /** Number of pieces in one print. */
  pieces: number
  grams: number | null
  minutes: number | null
}

/**
 * Returns the figures of a part: those of its newest sliced file that states its weight and time, otherwise those of the
 * item. The server plans the job in the same way. `slices` are the files of the model, newest first.
 */
export function figuresOf(part: Printable, slices: readonly Slice[]): PrintFigures {
  const { gramsEach: grams, minutesPerPrint, piecesPerPrint } = part
  for (const file of slices) {
    const { grams: ofPrint, minutes } = printOf(file, slices)
    if (file.is_outdated || ofPrint === null || minutes === null) continue
    const { pieces } = file
    return { file, pieces, grams: ofPrint / pieces, minutes: minutes / pieces }
  }
  return {
    file: null,
    pieces: piecesPerPrint,
    grams,
    minutes: minutesPerPrint === null ? null : minutesPerPrint / piecesPerPrint,
  }
}

const piecesText = (pieces: number): string =>
  t('{pieces, plural, one {# piece} other {# pieces}}', { pieces })

/** Returns a sentence if the sliced file and the item contradict each other, otherwise null. */
export function contradictionOf(
  { minutesPerPrint, piecesPerPrint }: Printable,
  { file, minutes }: PrintFigures,
): string | null {
  if (file === null || minutes === null) return null
  const hasOtherPieces = piecesPerPrint > 1 && piecesPerPrint !== file.pieces
  const own = minutesPerPrint === null ? null : minutesPerPrint / piecesPerPrint
  const hasOtherTime = own !== null && Math.abs(own - minutes) > minutes * TIME_TOLERANCE
  if (!hasOtherPieces && !hasOtherTime) return null
  return t('{file} prints {pieces} in {time}, but the item says {own}. The sliced file counts.', {
    file: file.file_name,
    pieces: piecesText(file.pieces),
    time: formatMinutes(minutes * file.pieces),
    own:
      minutesPerPrint === null
        ? piecesText(piecesPerPrint)
        : t('{pieces} in {time}', {
            pieces: piecesText(piecesPerPrint),
            time: formatMinutes(minutesPerPrint),
          }),
  })
}
