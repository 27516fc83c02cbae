import type { WeighSpoolBody } from '@pegasus/contracts/filament/ledger'
import { AppError } from '../../../platform/errors/app-error.ts'
import type { SpoolToChange } from '../spools/spools.queries.ts'

/**
 * Maximum weight of the filament, as a multiple of the declared weight. Manufacturers wind slightly more filament on a
 * spool than they declare. If there seems to be even more, the scale is wrong or was misread.
 */
const FULLER_THAN_FULL = 1.1

const refuse = (path: string, message: string): never => {
  throw new AppError('SPOOL_INVALID', { text: message, errors: [{ path, message }] })
}

const inGrams = (grams: number): string =>
  `${new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(grams)} g`

/**
 * Returns the weight of the filament alone, in grams, from the weight on the scale. Subtracts the weight of the empty
 * spool: the one that the person entered, otherwise the known weight for the spool, the filament or the manufacturer.
 * Throws SPOOL_INVALID with the reason if the weight is invalid, or if the weight of the empty spool is unknown.
 */
export function netWeight(
  { gross_grams: gross, spool_weight_grams: statedTare }: WeighSpoolBody,
  spool: SpoolToChange,
): number {
  const tare = statedTare ?? spool.tare_grams
  if (tare === null)
    return refuse(
      'spool_weight_grams',
      'Also enter the weight of the empty spool. Most spools weigh 140–250 g.',
    )
  if (gross < tare)
    return refuse(
      'gross_grams',
      `The empty spool alone weighs ${inGrams(tare)}, so it cannot weigh ${inGrams(gross)} with filament on it.`,
    )
  const net = gross - tare
  if (net > spool.weight_grams * FULLER_THAN_FULL)
    return refuse(
      'gross_grams',
      `That would be ${inGrams(net)} of filament on a spool that holds ${inGrams(spool.weight_grams)} when full. Please check the scale, or the full weight of the spool.`,
    )
  return net
}
