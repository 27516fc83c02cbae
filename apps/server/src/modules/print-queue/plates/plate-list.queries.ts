import { isPrinterLost } from '@pegasus/contracts/print-queue/lost-prints'
import type { Floats, Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'

/** A plate with the names that screens show. */
export interface ShownPlate
  extends Row<
      'job_plates',
      | 'id'
      | 'number'
      | 'state'
      | 'printer_id'
      | 'agent'
      | 'slice_id'
      | 'pieces'
      | 'good_quantity'
      | 'rejected_quantity'
      | 'print_minutes'
      | 'started_at'
      | 'finished_at'
    >,
    Floats<'job_plates', 'progress' | 'used_grams'> {
  printer: string | null
  filament_id: string | null
  filament_label: string | null
  reason: string | null
  can_undo: boolean
  can_complete: boolean
  is_by_hand: boolean
  is_printer_lost: boolean
}

/** Returns the plates of a job, sorted by number. */
export async function listShownPlates(sql: Queryable, jobId: string, now: Date): Promise<ShownPlate[]> {
  const rows = await sql<
    (Omit<ShownPlate, 'is_printer_lost'> & { running_on: Parameters<typeof isPrinterLost>[0] | null })[]
  >`
    select p.id, p.number, p.state, p.printer_id, m.name as printer, p.agent, p.slice_id, p.pieces, p.good_quantity,
           p.rejected_quantity, p.failure_reason as reason, p.progress::float8, p.used_grams::float8, p.print_minutes,
           p.started_at, p.finished_at, s.id as filament_id, s.label_code as filament_label,
           coalesce(p.state = 'done' and p.before_done is not null
             and j.status in ('pending', 'in_progress', 'completed') and j.deleted_at is null
             and not exists (select from job_plates l where l.print_job_id = j.id and l.state in ('done', 'failed')
                             and l.end_order > p.end_order)
             and not exists (select from print_jobs n where n.previous_job_id = j.id and n.deleted_at is null),
             false) as can_undo,
           p.state = 'printed' or (p.state in ('sending', 'printing', 'paused')
             and (p.remote_name is null or coalesce(m.kind in ('manual', 'agent'), true))) as can_complete,
           p.state in ('sending', 'printing', 'paused') and coalesce(m.kind in ('manual', 'agent'), true) as is_by_hand,
           case when m.id is not null and p.state in ('sending', 'printing', 'paused') then
             jsonb_build_object('kind', m.kind, 'state', m.state, 'state_reason', m.state_reason, 'seen_at', m.seen_at)
           end as running_on
    from job_plates p
    join print_jobs j on j.id = p.print_job_id
    left join printers m on m.id = p.printer_id
    left join stock_spools s on s.id = coalesce(p.spool_id, j.spool_id)
    where p.print_job_id = ${jobId}
    order by p.number`
  return rows.map(({ running_on: printer, ...row }) => ({
    ...row,
    is_printer_lost: printer !== null && isPrinterLost(printer, row.state, now.getTime()),
  }))
}
