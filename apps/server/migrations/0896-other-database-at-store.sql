-- Owned by the platform: two databases that use one folder or bucket at the same time find each other.
-- `claimed_at` is the time of this database at which the server last claimed the store. The claim in the store has the
-- same time, so that a database knows its own claims.
-- `other_seen_at` is the time at which a server last found the claim of another database. For an hour after that, stored
-- files are not deleted, and no server extends its use: the files of this time may belong to the other database.
alter table file_store_uses add column claimed_at timestamptz;
alter table file_store_uses add column other_seen_at timestamptz;
