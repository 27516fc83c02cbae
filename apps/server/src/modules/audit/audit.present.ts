import type { AuditEntry } from '@pegasus/contracts/audit'
import { actorOfColumns } from '../../platform/actor.ts'
import type { EntryRow } from './audit.queries.ts'

export const presentEntry = (row: EntryRow): AuditEntry => ({
  ...row,
  at: row.created_at,
  actor: actorOfColumns(row),
})
