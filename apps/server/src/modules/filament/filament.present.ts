import type { Spool } from '@pegasus/contracts/filament'
import { fromMinor } from '@pegasus/contracts/money'
import type { SpoolRow } from './filament.queries.ts'

/** A spool in the words of the wire; the response schema drops what is ours alone. */
export const presentSpool = (row: SpoolRow, currency: string): Spool => ({
  ...row,
  cost: row.price_minor === null ? null : fromMinor(row.price_minor, currency),
})
