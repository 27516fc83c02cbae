import { RejectionError } from '../rejection-error.ts'

/** Millimetres in one unit of a 3MF; `millimeter` if it names none (3MF core specification, chapter 3.4). */
const UNIT_MM: Readonly<Record<string, number>> = {
  micron: 0.001,
  millimeter: 1,
  centimeter: 10,
  inch: 25.4,
  foot: 304.8,
  meter: 1000,
}

/** Throws a refusal for an unknown unit, because a wrong guess would make the part 25 times too large. */
export function unitInMm(word: string): number {
  const unit = Object.hasOwn(UNIT_MM, word) ? UNIT_MM[word] : undefined
  if (unit !== undefined) return unit
  throw new RejectionError(
    'bad-syntax',
    'The file names a unit that 3MF does not have. Export the model again, in millimetres if you can.',
  )
}
