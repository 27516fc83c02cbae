import type { Model } from '@pegasus/contracts/stl-library/models'
import { t } from '@/lib/i18n/messages.ts'
import { languageLocale } from '@/lib/i18n/languages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

/** Density of PLA. Weights are given in this material, so that models can be compared. */
const PLA_GRAMS_PER_CM3 = 1.24
const MM3_PER_CM3 = 1000
const MM2_PER_CM2 = 100
/**
 * Larger figures are shown with an exponent. They come from faulty files, and their many digits would break
 * every layout.
 */
const LARGEST_PLAIN = 1e7

const NUMBERS_1 = new Intl.NumberFormat(languageLocale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/**
 * Formats a length: "127.0", with one decimal, like calipers. A length below a tenth of a millimeter has one
 * significant digit, so that no side is shown as zero.
 */
export function formatMm(mm: number): string {
  if (mm > 0 && mm < 0.095) return mm.toPrecision(1)
  return mm < LARGEST_PLAIN ? NUMBERS_1.format(mm) : mm.toExponential(1)
}

/** Formats a size without the unit: "127.0 × 63.5 × 34.9". */
export const formatSize = (size: readonly number[]): string => size.map(formatMm).join(' × ')

/** Formats a figure. Small figures keep enough digits to be distinguishable: "0.012", "7.94", "334.6". */
export function formatFigure(value: number): string {
  if (value > 0 && value < 0.001) return '< 0.001'
  if (value !== 0 && Math.abs(value) < 1) return String(Number(value.toPrecision(2)))
  if (Math.abs(value) < 10) return value.toFixed(2)
  return Math.abs(value) < LARGEST_PLAIN ? NUMBERS_1.format(value) : value.toExponential(1)
}

/** Returns the volume in cubic centimeters. Null if it is not measured yet, or not reliable. */
export const volumeCm3 = (model: Pick<Model, 'volume_mm3'>): number | null =>
  model.volume_mm3 === null ? null : model.volume_mm3 / MM3_PER_CM3

export const surfaceCm2 = (model: Pick<Model, 'surface_area_mm2'>): number | null =>
  model.surface_area_mm2 === null ? null : model.surface_area_mm2 / MM2_PER_CM2

/** Returns the weight of a solid print in PLA; null if the volume is unknown. */
export function solidWeightGrams(model: Pick<Model, 'volume_mm3'>): number | null {
  const volume = volumeCm3(model)
  return volume === null ? null : volume * PLA_GRAMS_PER_CM3
}

/** Formats the measures: "127.0 × 63.5 × 34.9 mm · 9,558 triangles". Null before the model is measured. */
export function measureLine(model: Pick<Model, 'bounding_box_mm' | 'triangles'>): string | null {
  const parts = [
    model.bounding_box_mm &&
      t('{bounding_box_mm} mm', { bounding_box_mm: formatSize(model.bounding_box_mm.size) }),
    model.triangles !== null &&
      t('{triangles, plural, one {# triangle} other {# triangles}}', { triangles: model.triangles }),
  ].filter((part) => typeof part === 'string')
  return parts.length > 0 ? joinFacts(parts) : null
}
