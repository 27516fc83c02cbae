import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import { costOfPrint, readCostSettings, readUnitCosts } from '../../inventory/index.ts'

/** Version of the formula. Increment it when the formula changes. */
const VERSION = 1

interface JobFigures {
  item_id: string | null
  good_quantity: number
  used_grams: number | null
  estimated_grams: number | null
  booked: { grams: number; minorPerKg: number | null }[]
  time: { minutes: number; watts: number | null; minorPerHour: number | null }[]
  plates: number
}

/**
 * Reads the inputs of the calculation. The time of a plate is the reported time, otherwise the time of its
 * sliced file, otherwise its share of the job's estimate.
 */
const readFigures = (sql: Queryable, jobId: string) =>
  firstRow(sql<JobFigures[]>`
    select j.item_id, j.good_quantity, j.used_grams::float8, j.estimated_grams::float8,
           coalesce((
             select jsonb_agg(jsonb_build_object('grams', round(f.grams, 2), 'minorPerKg', round(f.minor_per_kg)))
             from job_filament f where f.print_job_id = j.id
           ), '[]') as booked,
           coalesce((
             select jsonb_agg(jsonb_build_object(
               'minutes', coalesce(p.print_minutes, s.minutes, round(j.estimated_minutes::numeric * p.pieces / j.quantity), 0),
               'watts', m.average_watts, 'minorPerHour', m.machine_minor_per_hour) order by p.number)
             from job_plates p
             left join printers m on m.id = p.printer_id
             left join printable_slices s on s.id = p.slice_id
             where p.print_job_id = j.id and p.state in ('done', 'failed')
           ), '[]') as time,
           (select count(*)::int from job_plates p where p.print_job_id = j.id and p.state in ('done', 'failed')) as plates
    from print_jobs j where j.id = ${jobId}`)

/**
 * Saves the cost of a completed job at today's prices: filament at the price of its spools, time at the rates
 * of its printers. Also saves the expected cost of its good pieces, from the item's cost calculation. Later
 * changes to the settings change neither cost.
 */
export async function saveJobCost(tx: Queryable, jobId: string): Promise<void> {
  const figures = await readFigures(tx, jobId)
  if (!figures) return
  const { revision: _revision, changed: _changed, ...rates } = await readCostSettings(tx)
  const booked = figures.booked.reduce((sum, { grams }) => sum + grams, 0)
  // Filament without a spool is charged at the price in the settings. If no use was reported or booked, the
  // estimate is charged.
  const unbooked = Math.max(
    0,
    (figures.used_grams ?? (booked > 0 ? 0 : (figures.estimated_grams ?? 0))) - booked,
  )
  const filament = [...figures.booked.filter(({ grams }) => grams > 0), { grams: unbooked, minorPerKg: null }]
  const { time, plates, good_quantity: goodPieces, item_id: itemId } = figures
  const cost = costOfPrint({ filament, time, plates, goodPieces }, rates)
  // The currency does not matter here, because only the amount is stored.
  const unit = itemId === null ? null : ((await readUnitCosts(tx, [itemId], 'USD')).get(itemId) ?? null)
  const snapshot = {
    version: VERSION,
    parts: cost.parts,
    planned_minor: unit === null ? null : unit * goodPieces,
    is_measured: figures.used_grams !== null,
    rates,
  }
  await tx`
    update print_jobs set cost_minor = ${cost.total_minor}, cost_snapshot = ${tx.json(snapshot)}::jsonb
    where id = ${jobId}`
}
