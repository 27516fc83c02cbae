-- The planned cost in minor units, stored when the job is created, and the number of pieces that it is for. Both are
-- null for older jobs, and if the filament or the print time was unknown.
alter table print_jobs
  add column planned_cost_minor bigint,
  add column planned_pieces integer;

-- Owned by module filament, read by module print-queue: the purchase price per kilogram of each spool.
create view spool_prices as
select s.id, coalesce(s.price_minor * 1000 / s.weight_grams, f.price_minor * 1000 / f.weight_grams) as minor_per_kg
from spools s
join filaments f on f.id = s.filament_id;
