import type { PrintJobStatus } from '@pegasus/contracts/statuses'
import type { Queryable } from '../../../platform/database/database.ts'
import { firstRow } from '../../../platform/database/first-row.ts'
import { costOfPrint, readCostSettings } from '../../inventory/index.ts'
import { hasBegun, preparedPlates, printOfFile, shareOfFile } from '../plates/plates.queries.ts'

/** Version of the formula. Increment it when the formula changes. */
const VERSION = 3

interface PlateFigures {
  minutes: number
  watts: number | null
  minorPerHour: number | null
  grams: number
  /**
   * Number of plates of the sliced file that were prepared: more than 1 if one piece is spread over all plates of the
   * file.
   */
  filePlates: number
  isMeasured: boolean
}

interface JobFigures {
  status: PrintJobStatus
  good_quantity: number
  used_grams: number | null
  estimated_grams: number | null
  booked: { grams: number; minorPerKg: number | null }[]
  plates: PlateFigures[]
}

/**
 * Reads the inputs of the cost calculation. They include the earlier attempts that produced no good piece, because no
 * piece for sale contains their cost. With `isOwn`, earlier attempts whose own cost is already saved are left out.
 *
 * The filament and time of a plate are the reported ones, otherwise the figures of its sliced file, otherwise its share
 * of the job's estimate:
 * - A failed plate counts with the printed share of an estimate, or with all of it if no progress is known. It does not
 * count if its print never began.
 * - A cancelled plate counts with the printed share of an estimate. It does not count without a reported use.
 */
const readFigures = (sql: Queryable, jobId: string, { isOwn }: { isOwn: boolean }) =>
  firstRow(sql<JobFigures[]>`
    with recursive attempts as (
      select id, previous_job_id from print_jobs where id = ${jobId}
      union all
      select p.id, p.previous_job_id from print_jobs p join attempts a on p.id = a.previous_job_id
      where p.status in ('failed', 'cancelled') and p.good_quantity = 0 and not (${isOwn} and p.own_cost_minor is not null)
    )
    select j.status, j.good_quantity, j.used_grams::float8, j.estimated_grams::float8,
           coalesce((
             select jsonb_agg(jsonb_build_object('grams', round(f.grams, 2), 'minorPerKg', round(f.minor_per_kg)))
             from job_filament f join attempts a on a.id = f.print_job_id
           ), '[]') as booked,
           coalesce((
             select jsonb_agg(jsonb_build_object(
               'minutes', coalesce(p.print_minutes, round(e.share * coalesce(${printOfFile(sql, sql`p`, sql`s`, 'minutes')} * e.of_file, o.estimated_minutes::numeric * e.part)), 0),
               'grams', coalesce(p.used_grams, round(e.share * coalesce(${printOfFile(sql, sql`p`, sql`s`, 'grams')} * e.of_file, o.estimated_grams * e.part), 2), 0),
               'filePlates', ${preparedPlates(sql, sql`p`, sql`s`)},
               'isMeasured', p.used_grams is not null and not p.is_estimated,
               'watts', m.average_watts, 'minorPerHour', m.machine_minor_per_hour) order by o.attempt, p.number)
             from attempts a
             join print_jobs o on o.id = a.id
             join job_plates p on p.print_job_id = o.id and (p.state = 'done'
               or (p.state = 'failed' and ${hasBegun(sql)})
               or (p.state = 'cancelled' and (p.used_grams is not null or p.print_minutes is not null)))
             left join printers m on m.id = p.printer_id
             left join printable_slices s on s.id = p.slice_id
             cross join lateral (
               select p.pieces::numeric / o.quantity as part, ${shareOfFile(sql, sql`p`, sql`s`)} as of_file,
                      case when p.state = 'cancelled' then p.progress when p.state = 'failed' and p.progress > 0 then p.progress
                           else 1 end as share) e
           ), '[]') as plates
    from print_jobs j where j.id = ${jobId}`)

/** Returns the filament of all plates in grams. For a job without plates, this is the filament of the job itself. */
function gramsOf(
  { plates, used_grams: used, estimated_grams: estimated }: JobFigures,
  booked: number,
): number {
  if (plates.length > 0) return plates.reduce((sum, { grams }) => sum + grams, 0)
  return used ?? (booked > 0 ? 0 : (estimated ?? 0))
}

function costOf(figures: JobFigures, rates: Parameters<typeof costOfPrint>[1]) {
  const booked = figures.booked.reduce((sum, { grams }) => sum + grams, 0)
  // Filament that was booked on no spool is charged at the price in the settings.
  const unbooked = Math.max(0, gramsOf(figures, booked) - booked)
  const filament = [...figures.booked.filter(({ grams }) => grams > 0), { grams: unbooked, minorPerKg: null }]
  const { plates, good_quantity: goodPieces } = figures
  const prepared = plates.reduce((sum, { filePlates }) => sum + filePlates, 0)
  return costOfPrint({ filament, time: plates, plates: prepared, goodPieces }, rates)
}

const isMeasured = ({ plates }: JobFigures): boolean =>
  plates.length > 0 && plates.every((plate) => plate.isMeasured)

async function saveCost(tx: Queryable, jobId: string): Promise<void> {
  const ownFigures = await readFigures(tx, jobId, { isOwn: true })
  if (!ownFigures) return
  const { revision: _revision, changed: _changed, ...rates } = await readCostSettings(tx)
  const isMade = ownFigures.status === 'completed' || ownFigures.good_quantity > 0
  // A job that was cancelled before its first print costs nothing.
  const isPrinted = ownFigures.plates.length > 0 || ownFigures.booked.length > 0
  const ownMinor = isMade || isPrinted ? costOf(ownFigures, rates).total_minor : null
  const figures = isMade ? await readFigures(tx, jobId, { isOwn: false }) : null
  const cost = figures && costOf(figures, rates)
  const parts = cost ?? (isPrinted ? costOf(ownFigures, rates) : null)
  const snapshot = parts && {
    version: VERSION,
    parts: parts.parts,
    is_measured: isMeasured(figures ?? ownFigures),
    rates,
  }
  await tx`
    update print_jobs
    set cost_minor = ${cost?.total_minor ?? null}, own_cost_minor = ${ownMinor},
        cost_snapshot = ${snapshot === null ? null : tx.json(snapshot)}::jsonb
    where id = ${jobId}`
}

/**
 * Calculates and saves the cost of a job that has ended, or of a waiting job that moves to the trash, at today's
 * prices: filament at the price of its spools, time at the rates of its printers. Later changes to the settings do not
 * change a saved cost.
 *
 * A job with good pieces also includes the cost of the failed attempts before it. A job without good pieces has only
 * its own cost, which the report counts as the cost of a failure. Later attempts that have ended may include this job,
 * so their cost is saved again.
 */
export async function saveJobCost(tx: Queryable, jobId: string): Promise<void> {
  await saveCost(tx, jobId)
  for (const id of await listEndedNextAttempts(tx, jobId)) await saveCost(tx, id)
}

/** Removes the saved cost of a waiting job that returns from the trash, because its next plates are not printed yet. */
export async function clearJobCost(tx: Queryable, jobId: string): Promise<void> {
  await tx`update print_jobs set cost_minor = null, own_cost_minor = null, cost_snapshot = null where id = ${jobId}`
}

/**
 * Returns the ids of the ended attempts after a job without good pieces, up to the first attempt with good pieces.
 * Includes jobs in the trash.
 */
async function listEndedNextAttempts(sql: Queryable, jobId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with recursive attempts as (
      select id, status, good_quantity, 0 as nth from print_jobs where id = ${jobId}
      union all
      select n.id, n.status, n.good_quantity, a.nth + 1
      from attempts a join print_jobs n on n.previous_job_id = a.id
      where a.status in ('failed', 'cancelled') and a.good_quantity = 0
    )
    select id from attempts where nth > 0 and status in ('completed', 'failed', 'cancelled') order by nth`
  return rows.map(({ id }) => id)
}
