import type { SimulatedFloor } from './simulated-floor.ts'

const RUNNING = `('sending', 'printing', 'paused', 'printed')`
/**
 * An SQL condition: the printer had begun to print the failed plate `p`. Such a plate counts for its printer and for
 * the cost.
 */
const HAS_BEGUN = `(p.has_begun or p.rejected_quantity > 0
  or (p.used_grams, p.print_minutes) is distinct from (0, 0))`

/** Queries that find contradictory rows about printers and jobs. Each must return no row at any moment. */
const ALWAYS: Readonly<Record<string, string>> = {
  'a job is at work without a running plate, or a plate runs for a job that is not at work': `
    select j.id, j.status, p.plates from print_jobs j cross join lateral (
      select count(*) as plates from job_plates p where p.print_job_id = j.id and p.state in ${RUNNING}) p
    where (j.status = 'in_progress') <> (p.plates > 0)`,
  'a printer is free although a plate is on it': `
    select r.name, r.state, p.state as plate from printers r join job_plates p on p.printer_id = r.id
    where p.state in ${RUNNING} and r.state = 'available'`,
  'a printer has two plates': `
    select printer_id, count(*) from job_plates where state in ${RUNNING} and printer_id is not null
    group by printer_id having count(*) > 1`,
  // A person who works a printer by hand can arrange a plate freely. The sliced file then determines only filament and
  // time.
  'a plate of a sliced file has other pieces than the file': `
    select p.id, p.pieces, f.pieces as of_file from job_plates p join sliced_files f on f.id = p.slice_id
    join print_jobs j on j.id = p.print_job_id left join printers r on r.id = p.printer_id
    where p.pieces <> f.pieces
      and not (coalesce(r.kind, 'manual') = 'manual' and j.slice_id is distinct from p.slice_id)`,
  'the pieces of a job are not those of its plates': `
    select j.id, j.good_quantity, j.rejected_quantity, p.* from print_jobs j cross join lateral (
      select coalesce(sum(p.good_quantity) filter (where p.state = 'done'), 0) as good,
             coalesce(sum(p.rejected_quantity) filter (where p.state in ('done', 'failed')), 0) as rejected
      from job_plates p where p.print_job_id = j.id) p
    where (j.good_quantity, j.rejected_quantity) is distinct from (p.good, p.rejected)`,
  'a completed job has too few pieces': `
    select id, quantity, good_quantity from print_jobs
    where status = 'completed' and pieces_per_plate is not null and good_quantity < quantity`,
  'a job that ended with good pieces has no cost, or another job has one': `
    select id, status, good_quantity, cost_minor from print_jobs
    where (status = 'completed' or (status in ('failed', 'cancelled') and good_quantity > 0)) <> (cost_minor is not null)`,
  'an ended job was printed and has no own cost': `
    select j.id, j.status from print_jobs j
    where j.status in ('completed', 'failed', 'cancelled') and j.own_cost_minor is null
      and exists (select from job_plates p where p.print_job_id = j.id
                  and (p.state = 'done' or p.state = 'failed' and ${HAS_BEGUN}
                    or p.state = 'cancelled' and p.used_grams is not null))`,
  'a job is tried again after three failures in a row': `
    with recursive attempts as (
      select id as job_id, id, previous_job_id from print_jobs where status in ('pending', 'failed')
      union all
      select a.job_id, p.id, p.previous_job_id from print_jobs p join attempts a on p.id = a.previous_job_id
    ), plates as (
      select a.job_id, p.state, p.started_at, p.finished_at from attempts a join job_plates p on p.print_job_id = a.id
    )
    select f.job_id, count(*) from plates f
    where f.state = 'failed'
      and not exists (select from plates g where g.job_id = f.job_id and g.state = 'done' and g.finished_at >= f.finished_at)
      and not exists (select from attempts h join job_transitions t on t.print_job_id = h.id
                      where h.job_id = f.job_id and t.created_at >= f.started_at and (t.from_status = 'on_hold'
                        or (t.from_status = 'in_progress' and t.to_status = 'pending' and t.actor_kind = 'user')))
    group by f.job_id having count(*) >= 3`,
  'a plate of a running job was started after three failures in a row': `
    with recursive attempts as (
      select id as job_id, id, previous_job_id from print_jobs
      union all
      select a.job_id, p.id, p.previous_job_id from print_jobs p join attempts a on p.id = a.previous_job_id
    )
    select s.print_job_id, s.number, count(*)
    from job_plates s
    join attempts a on a.job_id = s.print_job_id
    join job_plates f on f.print_job_id = a.id and f.state = 'failed' and f.finished_at < s.started_at
    where not exists (select from attempts b join job_plates g on g.print_job_id = b.id
                      where b.job_id = s.print_job_id and (g.state = 'done' or g.failure_reason = 'Completion undone')
                        and g.finished_at between f.finished_at and s.started_at)
      and not exists (select from attempts h join job_transitions t on t.print_job_id = h.id
                      where h.job_id = s.print_job_id and t.created_at between f.started_at and s.started_at
                        and (t.from_status = 'on_hold'
                          or (t.from_status = 'in_progress' and t.to_status = 'pending' and t.actor_kind = 'user')))
    group by s.id having count(*) >= 3`,
  'the stock is not the sum of its movements': `
    select i.id, i.quantity, m.total from items i cross join lateral (
      select coalesce(sum(m.delta), 0) as total from movements m where m.item_id = i.id) m
    where i.quantity <> m.total`,
  'the stock is not what the plates produced': `
    select i.id, i.quantity, p.good from items i cross join lateral (
      select coalesce(sum(p.good_quantity), 0) as good
      from job_plates p join print_jobs j on j.id = p.print_job_id
      where j.item_id = i.id and p.state = 'done') p
    where i.quantity <> p.good`,
  'a plate was booked into stock more or less than once': `
    select p.id, p.state, p.good_quantity, m.total from job_plates p cross join lateral (
      select coalesce(sum(m.delta), 0) as total from movements m where m.plate_id = p.id) m
    where m.total <> case when p.state = 'done' then p.good_quantity else 0 end`,
  'the filament of the spools is not that of the plates': `
    select s.used, p.used as of_plates from
      (select coalesce(-sum(delta_grams), 0) as used from spool_ledger where kind <> 'open') s,
      (select coalesce(sum(used_grams), 0) as used from job_plates where state in ('done', 'failed', 'cancelled')) p
    where s.used <> p.used`,
  'the filament of a job is not that of its plates': `
    select j.id, j.used_grams, p.used from print_jobs j cross join lateral (
      select sum(used_grams) as used from job_plates p
      where p.print_job_id = j.id and p.state in ('done', 'failed', 'cancelled')) p
    where coalesce(j.used_grams, 0) <> coalesce(p.used, 0)`,
  'a spool does not hold what its ledger says': `
    select s.id, s.remaining_grams, l.total from spools s cross join lateral (
      select sum(delta_grams) as total from spool_ledger l where l.spool_id = s.id) l
    where s.remaining_grams <> l.total`,
  'a printer counted other plates than it printed': `
    select r.name, r.finished_plates, r.failed_plates, p.* from printers r cross join lateral (
      select count(*) filter (where p.state = 'done' and (p.good_quantity > 0 or p.rejected_quantity = 0)) as done,
             count(*) filter (where (p.state = 'failed' and ${HAS_BEGUN})
                                 or (p.state = 'done' and p.good_quantity = 0 and p.rejected_quantity > 0)) as failed
      from job_plates p where p.printer_id = r.id) p
    where (r.finished_plates, r.failed_plates) is distinct from (p.done::int, p.failed::int)`,
}

/** Queries that must also return no row while no printer is printing. */
const AT_REST: Readonly<Record<string, string>> = {
  'a plate still runs': `
    select j.label_code as job, j.status, p.number, p.state, p.progress, p.started_at, p.failure_reason, p.agent,
           r.name as printer, r.state as printer_state, r.state_reason,
           d.upload_begun_at, d.uploaded_at, d.refusals, d.refused_at, d.starts, d.start_sent_at, d.cancel_sent_at,
           l.renewed_at as lease_renewed_at, now()
    from job_plates p join print_jobs j on j.id = p.print_job_id left join printers r on r.id = p.printer_id
    left join plate_dispatches d on d.plate_id = p.id left join leases l on l.plate_id = p.id
    where p.state in ${RUNNING}`,
  'a printer is not free': `
    select r.name, r.kind, r.state, r.state_reason, r.seen_at, c.bed_note, c.refusal, c.failures, c.shown_print,
           c.failed_print, c.settled_print, now()
    from printers r left join printer_connections c on c.printer_id = r.id where r.state <> 'available'`,
  'a job still waits': `
    select label_code, status, hold_reason, failure_reason, pieces_per_plate, quantity, good_quantity
    from print_jobs where status in ('pending', 'in_progress', 'on_hold')`,
}

/**
 * Returns all contradictions as texts: contradictory rows, and rows that do not match what the printers did. `isAtRest`
 * means that nothing is being printed.
 */
export async function findContradictions(
  floor: SimulatedFloor,
  { isAtRest }: { isAtRest: boolean },
): Promise<string[]> {
  const { sql } = floor.database()
  const wrong = [...floor.violations]
  for (const [name, query] of Object.entries({ ...ALWAYS, ...(isAtRest && AT_REST) })) {
    const rows = await sql.unsafe(query)
    if (rows.length > 0) wrong.push(`${name}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  const plates = await sql<{ remote_name: string; printer_id: string; state: string }[]>`
    select remote_name, printer_id, state from job_plates where remote_name is not null`
  const known = new Map(plates.map((plate) => [plate.remote_name, plate]))
  for (const { id, protocol, printer } of floor.machines) {
    const { running } = printer.machine
    if (isAtRest && running) wrong.push(`${protocol} still shows ${running.file.name} as ${running.state}`)
    const names = printer.machine.prints.filter(({ by }) => by === 'network').map(({ file }) => file.name)
    const printed = new Set(names)
    if (printed.size !== names.length) wrong.push(`${protocol} printed a plate twice`)
    for (const name of names)
      if (known.get(name)?.printer_id !== id)
        wrong.push(`${protocol} printed ${name}, which is no plate of it`)
    for (const plate of plates)
      if (plate.printer_id === id && plate.state === 'done' && !printed.has(plate.remote_name))
        wrong.push(`plate ${plate.remote_name} counts as printed, and ${protocol} never printed it`)
  }
  return wrong
}
