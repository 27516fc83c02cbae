-- in steps
-- The end of a lease follows from the time since its last renewal, as each server process measures it. No statement
-- uses `expires_at` for a search, but each heartbeat had to update this index.
drop index concurrently if exists leases_expiry;
