import type { Slice } from '@pegasus/contracts/slices/slices'

/** The figures of one print of a sliced file. Unknown figures are null. */
export interface SlicedPrint {
  grams: number | null
  minutes: number | null
}

/** Returns whether two slices are plates of the same file. */
export const isOfSameFile = (a: Slice, b: Slice): boolean =>
  a.sha256 === b.sha256 && a.stl_version === b.stl_version

const sumOf = (figures: readonly (number | null)[]): number | null =>
  figures.includes(null) ? null : figures.reduce<number>((sum, figure) => sum + (figure ?? 0), 0)

/**
 * Returns the figures of one print of a slice: those of all plates of its file if one piece needs them, otherwise its
 * own. `slices` are the sliced files of the model. A sum is unknown if the figure of a plate is unknown.
 */
export function printOf(slice: Slice, slices: readonly Slice[]): SlicedPrint {
  if (!slice.needs_all_plates) return slice
  const plates = slices.filter((other) => isOfSameFile(slice, other))
  return {
    grams: sumOf(plates.map(({ grams }) => grams)),
    minutes: sumOf(plates.map(({ minutes }) => minutes)),
  }
}

/** Returns whether a slice comes first among the plates of its file in a list. */
export const isFirstPlate = (slice: Slice, slices: readonly Slice[]): boolean =>
  slices.find((other) => isOfSameFile(slice, other)) === slice
