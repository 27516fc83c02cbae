-- in steps
-- The end of a lease follows from the time since its last renewal, as each server process measures it. No statement looks
-- for `expires_at` any more, but each heartbeat had to write this index.
drop index concurrently if exists leases_expiry;
