import { DEFAULT_COST_RATES } from '@pegasus/contracts/inventory/costs'
import type { ActorColumns } from '../../../platform/actor.ts'
import type { Insert } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { insertInto } from '../../../platform/database/write-rows.ts'

/** The rates from which costs are calculated, in minor units of the currency. */
export type Rates = Record<keyof typeof DEFAULT_COST_RATES, number>

/**
 * The rates, and the person who set them. `revision` is the number of changes; 0 means that the default rates apply.
 */
export interface CostSettingsRow extends Rates {
  revision: number
  changed: (ActorColumns & { at: string }) | null
}

/** Returns the current rates. */
export async function readCostSettings(sql: Queryable): Promise<CostSettingsRow> {
  const [row] = await sql<(Rates & ActorColumns & { created_at: string; revision: number })[]>`
    select material_minor_per_kg, waste_percent::float8, printer_watts, electricity_minor_per_mwh,
           machine_minor_per_hour, labor_minor_per_hour, prepare_minutes_per_print::float8,
           finish_minutes_per_piece::float8, extras_minor_per_piece, failure_percent::float8, overhead_percent::float8,
           margin_percent::float8, actor_kind, actor_id, actor_name, created_at,
           (select count(*)::int from cost_settings) as revision
    from cost_settings order by created_at desc, id desc limit 1`
  if (!row) return { ...DEFAULT_COST_RATES, revision: 0, changed: null }
  const { revision, created_at: at, actor_kind, actor_id, actor_name, ...rates } = row
  return { ...rates, revision, changed: { at, actor_kind, actor_id, actor_name } }
}

/** Locks the settings until the transaction ends, so that changes run one at a time. */
export async function lockCostSettings(tx: Queryable): Promise<void> {
  await tx`lock table cost_settings in share row exclusive mode`
}

export async function insertCostSettings(tx: Queryable, settings: Insert<'cost_settings'>): Promise<void> {
  await insertInto(tx, 'cost_settings', settings)
}
