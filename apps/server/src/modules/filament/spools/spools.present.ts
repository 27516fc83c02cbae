import type { Spool } from '@pegasus/contracts/filament/spools'
import type { SpoolEntry } from '@pegasus/contracts/filament/ledger'
import { fromMinor } from '@pegasus/contracts/money'
import { actorOfColumns } from '../../../platform/actor.ts'
import type { SpoolRow } from './spool-list.queries.ts'
import type { EntryRow } from '../ledger/ledger.queries.ts'

/** A spool with the fields of the wire. The response schema drops the others. */
export const presentSpool = (row: SpoolRow, currency: string): Spool => ({
  ...row,
  cost: row.price_minor === null ? null : fromMinor(row.price_minor, currency),
})

/** A ledger entry with the fields of the wire. */
export const presentEntry = (row: EntryRow): SpoolEntry => ({ ...row, actor: actorOfColumns(row) })
