import type { SlicedSource } from '@pegasus/contracts/inventory/costs'
import type { CostedItem } from './cost-lines.ts'

/**
 * One print of a sliced file, with its weight, its time and its number of pieces. It is one plate, or all plates if one
 * piece needs them all.
 */
export interface SlicedPrint {
  id: string
  file_name: string
  grams: number
  minutes: number
  pieces: number
  plates_per_print: number
  /** Whether the file has several plates, and nobody has decided whether one piece needs all of them. */
  is_undecided: boolean
}

/** Returns the weight of one piece in grams, including its share of the plate's waste, such as supports and purging. */
export const gramsEach = ({ grams, pieces }: Pick<SlicedPrint, 'grams' | 'pieces'>): number =>
  Math.round((100 * grams) / pieces) / 100

/**
 * Fills in the missing weight and print time of an item from a sliced file. The item's own values stay. With the print
 * time, the item also gets the number of pieces and plates of that print, because the pieces share its time and
 * preparation.
 */
export function withSlice<Item extends CostedItem>(item: Item, slice: SlicedPrint | null): Item {
  if (slice === null) return item
  const fields: SlicedSource['fields'] = []
  const figures: Partial<CostedItem> = {}
  // An entered amount for the material replaces the weight.
  if (item.weight_grams === null && item.material_cost_minor === null) {
    fields.push('weight_grams')
    figures.weight_grams = gramsEach(slice)
    figures.sliced_grams = gramsEach(slice)
  }
  if (item.print_time_minutes === null) {
    fields.push('print_time_minutes')
    figures.print_time_minutes = slice.minutes
    figures.pieces_per_print = slice.pieces
    if (slice.plates_per_print > 1) figures.plates_per_print = slice.plates_per_print
  }
  if (fields.length === 0) return item
  const { id, file_name, is_undecided: isUndecided } = slice
  return { ...item, ...figures, sliced_from: [{ id, file_name, fields, is_provisional: isUndecided }] }
}
