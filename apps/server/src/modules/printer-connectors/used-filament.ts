import { MAX_USED_GRAMS } from '@pegasus/contracts/print-queue/agents'
import { lengthToGrams } from '@pegasus/contracts/filament/filament-weight'
import type { FilamentAmount, PrintRecord } from './connector.ts'
import type { PlateFile } from './dispatches.queries.ts'

/** Returns the grams with two decimals. Returns null if the value is too large for any print. */
const plausibleGrams = (grams: number): number | null =>
  grams <= MAX_USED_GRAMS ? Math.round(Math.max(0, grams) * 100) / 100 : null

/**
 * Returns the grams that a print used according to the printer. A reported length is converted with the density and
 * diameter of the spool, otherwise with the data of the sliced file. If the printer reports no amount, the result is
 * the printed share of the sliced file's grams. Returns null if they are unknown.
 */
export function usedGrams(used: FilamentAmount | null, file: PlateFile | null, share: number): number | null {
  if (used && 'grams' in used) return plausibleGrams(used.grams)
  if (used) {
    const { density_g_cm3: density, diameter_mm: diameter } = file ?? {}
    if (density != null && diameter != null)
      return plausibleGrams(lengthToGrams(used.mm, { density_g_cm3: density, diameter_mm: diameter }))
    if (file?.grams != null && file.metres)
      return plausibleGrams((used.mm / 1000) * (file.grams / file.metres))
  }
  return file?.grams == null ? null : plausibleGrams(file.grams * Math.min(1, Math.max(0, share)))
}

/**
 * The filament and time of a print, and its printed share (0 to 1). The grams are estimated unless the printer measured
 * them.
 */
export interface PrintUse {
  used: { usedGrams?: number; isEstimated?: boolean; printMinutes?: number }
  share: number
}

/**
 * Returns the filament and time of a print that is over, from the printer's record. Without a record, the grams follow
 * from the printed share. This is 1 for a whole print, otherwise it follows from the print time, otherwise it is
 * `progress`.
 */
export function useOfPrint(
  record: PrintRecord | null | 'unknown',
  file: PlateFile | null,
  { isWhole, progress }: { isWhole: boolean; progress: number },
): PrintUse {
  const known = typeof record === 'object' ? record : null
  const minutes = known?.minutes ?? null
  const byTime = minutes !== null && file?.minutes ? minutes / file.minutes : null
  const share = isWhole ? 1 : (byTime ?? progress)
  const grams = usedGrams(known?.used ?? null, file, share)
  const used = {
    ...(grams !== null && { usedGrams: grams, isEstimated: known?.used?.isMeasured !== true }),
    ...(minutes !== null && { printMinutes: minutes }),
  }
  return { used, share }
}
