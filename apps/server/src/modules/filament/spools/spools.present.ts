import type { Spool } from '@pegasus/contracts/filament/spools'
import type { SpoolEntry } from '@pegasus/contracts/filament/ledger'
import { fromMinor } from '@pegasus/contracts/money'
import { actorOfColumns } from '../../../platform/actor.ts'
import type { SpoolRow } from './spool-list.queries.ts'
import type { EntryRow } from '../ledger/ledger.queries.ts'

/** A spool in the words of the wire; the response schema drops what is ours alone. */
export const presentSpool = (row: SpoolRow, currency: string): Spool => ({
  ...row,
  cost: row.price_minor === null ? null : fromMinor(row.price_minor, currency),
})

/** An entry of a ledger in the words of the wire. */
export const presentEntry = (row: EntryRow): SpoolEntry => ({ ...row, actor: actorOfColumns(row) })
