-- in steps
-- The time at which a plate returned to the queue because its agent was silent. Its agent may still print it, and is
-- not asked to stop.
alter table job_plates add column lapsed_at timestamptz;

-- A cancelled plate keeps its lease only if its agent was silent.
-- repeat
update job_plates set lapsed_at = coalesce(finished_at, started_at)
where id in (select p.id from leases l join job_plates p on p.id = l.plate_id
             where p.state = 'cancelled' and p.lapsed_at is null limit 1000)
returning 1;
