import { PRINTER_NEEDS } from '@pegasus/contracts/print-queue/printers'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'
import { printOfFile, shareOfFile } from '../plates/plates.queries.ts'

/**
 * The number of the first group of the floor whose printers need no person. The earlier groups are the `PRINTER_NEEDS`,
 * in order.
 */
export const FIRST_UNATTENDED = PRINTER_NEEDS.length

/**
 * SQL for the number of the group in which printer `p` stands on the floor, counted from 0. First come the
 * `PRINTER_NEEDS`, then printing, available, in maintenance, and offline.
 */
export const floorGroup = (sql: Queryable, now: Date): Fragment => sql`
  case p.state
    when 'error' then 0
    when 'needs_clearing' then 1
    when 'paused' then 2
    when 'maintenance' then case when p.state_until <= ${now} then 3 else 7 end
    when 'printing' then 5
    when 'offline' then 8
    else case
      when exists (
        select from maintenance_plans a
        where a.printer_id = p.id and a.deleted_at is null
          and (greatest(0, p.printed_minutes - a.done_at_minutes) >= a.every_hours * 60
               or a.done_at + a.every_days * interval '24 hours' <= ${now})
      ) then 3
      when exists (
        select from planned_prints d
        where d.printer_id = p.id and d.n = 1 and not d.is_running and d.spool_id is not null
      ) then 4
      else 6
    end
  end`

/** The end of a print whose end is unknown. It sorts after all others. JSON keeps no larger integer exactly. */
const NEVER = Number.MAX_SAFE_INTEGER

/**
 * SQL for the time at which the print of printer `p` ends, in ms since 1970, to sort the printing printers. The printer
 * reports it, otherwise it is estimated from the start. It is `NEVER` if unknown, and 0 for a printer that does not
 * print.
 */
export const printEnd = (sql: Queryable): Fragment => sql`
  case when p.state <> 'printing' then 0 else coalesce(
    floor(extract(epoch from p.finishes_at) * 1000)::bigint,
    (select floor(extract(epoch from r.started_at) * 1000)::bigint
            + 60000 * round(coalesce(${printOfFile(sql, sql`r`, sql`g`, 'minutes')} * ${shareOfFile(sql, sql`r`, sql`g`)}, j.estimated_minutes::numeric * r.pieces / j.quantity))::bigint
     from job_plates r
     join print_jobs j on j.id = r.print_job_id
     left join printable_slices g on g.id = r.slice_id
     where r.printer_id = p.id and r.state in ('sending', 'printing', 'paused', 'printed')
     limit 1),
    ${NEVER}::bigint) end`
