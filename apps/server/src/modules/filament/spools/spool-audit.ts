import type { AuditContext } from '../../../platform/actor.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import type { SpoolRow } from './spool-list.queries.ts'

/** The fields of a spool that the audit shows. */
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

/** `S-0042 PolyLite Bone White`. */
export const spoolName = ({ label_code: label, name, color }: SpoolRow): string =>
  [label, name, color].filter((word) => word !== '').join(' ')

type SpoolAction = Extract<AuditEvent['action'], `spool.${string}`>

/** Records a change of a spool, with the values before it. */
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
