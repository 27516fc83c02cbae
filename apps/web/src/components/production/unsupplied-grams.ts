import { type Plate, isRunningPlate, listPlates } from '@pegasus/contracts/print-queue/plates'
import { formatGrams } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'
import { callApi } from '@/lib/http/api.ts'

/**
 * Returns the plate of a job that was just started if no spool can supply its filament, otherwise null. A failed request
 * also returns null, because the plate has started anyway.
 */
export async function findUnsuppliedPlate(jobId: string): Promise<Plate | null> {
  const plates = await callApi(listPlates, { params: { id: jobId } }).catch(() => [])
  const started = plates.findLast(({ state }) => isRunningPlate(state))
  return started && started.unsupplied_grams > 0 ? started : null
}

/** Returns the sentence about filament of a running plate that will not be booked. */
export const unsuppliedText = ({ unsupplied_grams: grams }: Pick<Plate, 'unsupplied_grams'>): string =>
  t('No matching spool is loaded, so {grams} will not be booked.', { grams: formatGrams(grams) })

/** Returns whether a spool that a person loads during the print still gets the plate's filament booked. */
export const canLoadNow = ({ printer_id: printerId, is_by_hand: isByHand }: Plate): boolean =>
  printerId !== null && isByHand
