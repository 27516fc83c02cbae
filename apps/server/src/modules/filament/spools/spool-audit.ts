import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { type SpoolRow, findSpool } from './spool-list.queries.ts'
import { type SpoolChange, updateSpoolRow } from './spools.queries.ts'

/** Picks the fields of a spool that the audit shows. */
export const auditedSpool = (row: SpoolRow) => ({
  material: row.material,
  brand: row.brand,
  name: row.name,
  color: row.color,
  color_hex: row.color_hex,
  diameter_mm: row.diameter_mm,
  density_g_cm3: row.density_g_cm3,
  weight_grams: row.weight_grams,
  spool_weight_grams: row.spool_weight_grams,
  price_minor: row.price_minor,
  location: row.location,
  lot_number: row.lot_number,
  nozzle_temp_c: row.nozzle_temp_c,
  bed_temp_c: row.bed_temp_c,
  low_stock_grams: row.low_stock_grams,
  drying_interval_days: row.drying_interval_days,
  opened_at: row.opened_at,
  dried_at: row.dried_at,
  notes: row.notes,
})

/** Returns a name such as `S-0042 PolyLite Bone White`. */
export const spoolName = ({ label_code: label, name, color }: SpoolRow): string =>
  [label, name, color].filter((word) => word !== '').join(' ')

type SpoolAction = Extract<AuditEvent['action'], `spool.${string}`>

/** Writes an audit entry for a change of a spool, with the values before and after. */
export async function auditSpool(
  tx: Queryable,
  action: SpoolAction,
  row: SpoolRow,
  { before, after }: { before?: SpoolRow; after?: SpoolRow },
  by: AuditContext,
): Promise<void> {
  const sides = {
    ...(before && { before: auditedSpool(before) }),
    ...(after && { after: auditedSpool(after) }),
  }
  await writeAudit(
    tx,
    { action, entity: 'spool', entityId: row.id, entityName: spoolName(row), ...sides },
    by,
  )
}

/**
 * Changes columns of a spool, and writes an audit entry, because the ledger does not show this change. Throws
 * SPOOL_NOT_FOUND.
 */
export async function changeSpool(
  tx: Queryable,
  id: string,
  change: SpoolChange,
  by: AuditContext,
): Promise<void> {
  const before = await findSpool(tx, id)
  await updateSpoolRow(tx, id, change, by.now)
  const after = await findSpool(tx, id)
  if (!before || !after) throw new AppError('SPOOL_NOT_FOUND')
  await auditSpool(tx, 'spool.updated', after, { before, after }, by)
}
