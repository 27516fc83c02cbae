import type { Candidate, RequiredSlice } from './requirements.queries.ts'

/**
 * Returns whether a model fits on a bed, possibly rotated by 90 degrees. Both are width, depth and height in
 * millimeters.
 */
export function fitsBed(model: readonly number[], bed: readonly number[]): boolean {
  const [x = 0, y = 0, z = 0] = model
  const [width = 0, depth = 0, height = 0] = bed
  // Tolerate a measuring error of 0.1 mm.
  const [long, short] = [Math.max(x, y) - 0.1, Math.min(x, y) - 0.1]
  return long <= Math.max(width, depth) && short <= Math.min(width, depth) && z - 0.1 <= height
}

/**
 * Returns whether a sliced file was made for a bed that is not larger than the bed of a printer, so that its parts also
 * fit in height. The slicer may have laid the parts on another side than in the model. A file that does not contain its
 * bed fits if it is made for the model of the printer.
 */
export function isPlacedOn(
  { bed_mm: sliced, printer_model_key: sliceKey }: RequiredSlice,
  { bed_mm: bed, model_key: key }: Candidate,
): boolean {
  if (sliced === null) return bed === null || (sliceKey !== null && sliceKey === key)
  return bed === null || fitsBed([sliced[0], sliced[1], sliced[2] ?? 0], bed)
}

/**
 * Returns whether the bed of a sliced file fits on the bed of a printer in width and depth: 0 if it does, 1 if the file
 * does not contain its bed, 2 if it is larger, so that parts could lie beside the bed. The height is ignored, because
 * parts need not reach it.
 */
function bedRank(slice: RequiredSlice, printer: Candidate): 0 | 1 | 2 {
  const { bed_mm: sliced } = slice
  if (sliced === null) return isPlacedOn(slice, printer) ? 0 : 1
  return printer.bed_mm === null || fitsBed([sliced[0], sliced[1]], printer.bed_mm) ? 0 : 2
}

/**
 * Returns the difference between the areas of a sliced file's bed and a printer's bed, in whole percent, rounded down.
 * So small corrections of a bed in a slicer do not count. Returns 0 if a bed is unknown.
 */
function bedDistance({ bed_mm: sliced }: RequiredSlice, { bed_mm: bed }: Candidate): number {
  if (sliced === null || bed === null) return 0
  const [width = 0, depth = 0] = bed
  const area = Math.max(1, width * depth)
  return Math.floor((100 * Math.abs(sliced[0] * sliced[1] - area)) / area)
}

/** Returns whether a model is too large for the bed of a printer, unless the slicer lays it on another side. */
const isTooLarge = (modelMm: readonly number[] | null, { bed_mm: bed }: Candidate): boolean =>
  modelMm !== null && bed !== null && !fitsBed(modelMm, bed)

/**
 * Returns the sort keys of a sliced file for a printer. The first key that differs decides:
 * 1. If the model itself does not fit on the bed, files whose parts are placed on such a bed come first.
 * 2. Files for the model of the printer come first.
 * 3. Files whose bed fits come first, and among them those whose bed is closest in size.
 * 4. Files that name their nozzle come first.
 *
 * `sliceOrder` of the module `slices` is the same rule in SQL.
 */
const rankOf = (
  slice: RequiredSlice,
  { printer, modelMm }: { printer: Candidate; modelMm: readonly number[] | null },
): readonly number[] => [
  Number(isTooLarge(modelMm, printer) && !isPlacedOn(slice, printer)),
  Number(slice.printer_model_key !== printer.model_key),
  bedRank(slice, printer),
  bedDistance(slice, printer),
  Number(slice.nozzle_mm === null),
]

/**
 * Returns the file that suits a printer best, or null for an empty list. If several are equally good, the first one
 * wins. `modelMm` is the size of the model in millimeters, or null if it is unknown. All files are for this model.
 */
export function chooseFile(
  files: readonly RequiredSlice[],
  printer: Candidate,
  modelMm: readonly number[] | null,
): RequiredSlice | null {
  const [best] = files
    .map((file) => ({ file, rank: rankOf(file, { printer, modelMm }) }))
    .toSorted((a, b) => a.rank.reduce((order, key, at) => order || key - (b.rank[at] ?? 0), 0))
  return best?.file ?? null
}
