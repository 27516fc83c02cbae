-- Owned by module filament, read by module print-queue: filament that was taken from a spool and has not been put back.
create view spool_uses as
select l.id, l.spool_id, l.print_job_id, l.created_at
from spool_ledger l
where l.kind = 'use' and l.undoes_id is null
  and not exists (select from spool_ledger u where u.undoes_id = l.id);
