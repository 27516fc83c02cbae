-- Owned by the platform: when servers last found that a server of another database uses the same folder or bucket. For
-- an hour after that, they delete no stored files, because those files may belong to the other database.
alter table file_store_uses add column other_seen_at timestamptz;
