import type { Spool } from '@pegasus/contracts/filament/spools'
import type { SpoolEntry } from '@pegasus/contracts/filament/ledger'
import { fromMinor } from '@pegasus/contracts/money'
import { actorOfColumns } from '../../../platform/actor.ts'
import type { SpoolRow } from './spool-list.queries.ts'
import type { EntryRow } from '../ledger/ledger.queries.ts'

/** Converts a spool to the API format. The response schema drops other fields. */
export const presentSpool = (row: SpoolRow, currency: string): Spool => ({
  ...row,
  cost: row.price_minor === null ? null : fromMinor(row.price_minor, currency),
})

/** Converts a ledger entry to the API format. */
export const presentEntry = (row: EntryRow): SpoolEntry => ({ ...row, actor: actorOfColumns(row) })
