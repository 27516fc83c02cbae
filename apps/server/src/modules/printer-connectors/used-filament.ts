import { lengthToGrams } from '@pegasus/contracts/filament/filament-weight'
import type { PrintRecord } from './connector.ts'
import type { PlateFile } from './dispatches.queries.ts'

const toHundredths = (grams: number): number => Math.round(Math.max(0, grams) * 100) / 100

/**
 * Returns the grams that a print used, as the printer reports them. A reported length is converted with the
 * data of the spool's filament, otherwise with the data in the sliced file. Without a report, the result is
 * the printed share of the sliced file's grams. Returns null if the grams are unknown.
 */
export function usedGrams(used: PrintRecord['used'], file: PlateFile | null, share: number): number | null {
  if (used && 'grams' in used) return toHundredths(used.grams)
  if (used) {
    const { density_g_cm3: density, diameter_mm: diameter } = file ?? {}
    if (density != null && diameter != null)
      return toHundredths(lengthToGrams(used.mm, { density_g_cm3: density, diameter_mm: diameter }))
    if (file?.grams != null && file.metres) return toHundredths((used.mm / 1000) * (file.grams / file.metres))
  }
  return file?.grams == null ? null : toHundredths(file.grams * Math.min(1, Math.max(0, share)))
}
